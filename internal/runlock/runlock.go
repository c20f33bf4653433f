// Package runlock keeps a run directory to one writer. The lock is one of the
// operating system's on a file of the directory, so it ends with the process that
// has it, however that ends; a second file says whose it is. Readers need no lock.
package runlock

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// The files of a run directory while it is written: what is locked, and the Owner of
// the lock as JSON. Some systems let nobody read a file that is locked.
const (
	lockFile  = "writer.lock"
	ownerFile = "writer.json"
)

// An Owner is the process that writes a run.
type Owner struct {
	PID  int    `json:"pid"`
	Host string `json:"host"`
	// Since is when it began.
	Since time.Time `json:"since"`
}

// String names the owner: "process 42 on host a since 2026-01-02 15:04:05".
func (o Owner) String() string {
	if o == (Owner{}) {
		return "another process"
	}
	return fmt.Sprintf("process %d on host %s since %s", o.PID, o.Host, o.Since.Local().Format("2006-01-02 15:04:05"))
}

// is reports whether two owners are one process.
func (o Owner) is(other Owner) bool {
	return o.PID == other.PID && o.Host == other.Host && o.Since.Equal(other.Since)
}

// A BusyError says that a run has a writer.
type BusyError struct {
	Owner Owner
	// Away says that the owner is on another host, so that it cannot be told from
	// here whether it still runs. File is then what to remove when it does not.
	Away bool
	File string
}

func (e *BusyError) Error() string {
	if e.Away {
		return fmt.Sprintf("%s writes the run, or did until it died: if it is gone, remove %s", e.Owner, e.File)
	}
	return fmt.Sprintf("%s writes the run: let it end, or end it", e.Owner)
}

// A Lock is the right to write a run.
type Lock struct {
	dir   string
	file  *flock.Flock
	owner Owner
	// unlocked says that the file system has no locks: the owner's file is all there
	// is.
	unlocked bool
}

// tries is how often a lock is tried to be taken: a reader that looks whether it is
// held has it for a moment.
const (
	tries   = 5
	between = 20 * time.Millisecond
)

// Take makes this process the writer of the run in a directory. Gone is the owner that
// ended without giving the lock back, which is what a kill leaves; nil when there is
// none. The error is a *BusyError when the run has a writer.
func Take(dir string) (lock *Lock, gone *Owner, err error) {
	// A link would have the lock made elsewhere.
	if info, err := os.Lstat(filepath.Join(dir, lockFile)); err == nil && !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("cannot lock the run: %s is no regular file", filepath.Join(dir, lockFile))
	}
	l := &Lock{dir: dir, file: flock.New(filepath.Join(dir, lockFile), flock.SetPermissions(0o600))}
	held := false
	for n := 0; n < tries && !held; n++ {
		if n > 0 {
			time.Sleep(between)
		}
		if held, err = l.try(); err != nil {
			return nil, nil, fmt.Errorf("cannot lock the run: %w", err)
		}
	}
	before, err := ownerOf(dir)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("cannot lock the run: %w", err), l.file.Close())
	}
	here := host()
	away := before != nil && before.Host != here
	if !held || before != nil && (away || l.unlocked) {
		busy := &BusyError{Away: away || l.unlocked, File: filepath.Join(dir, ownerFile)}
		if before != nil {
			busy.Owner = *before
		}
		return nil, nil, errors.Join(busy, l.file.Close())
	}
	if err := l.sign(Owner{PID: os.Getpid(), Host: here, Since: time.Now()}); err != nil {
		if busy := (*BusyError)(nil); !errors.As(err, &busy) {
			err = fmt.Errorf("cannot lock the run: %w", err)
		}
		return nil, nil, errors.Join(err, l.file.Close())
	}
	return l, before, nil
}

// try takes the lock if nobody has it. The file may have been removed, by an owner
// that gave it back, between its being opened and its being locked: then nobody else
// would see the lock.
func (l *Lock) try() (bool, error) {
	held, err := l.file.TryLock()
	switch {
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
		l.unlocked = true
		return true, nil
	case err != nil || !held:
		return false, err
	}
	if named, err := l.named(); named || err != nil {
		return named, err
	}
	return false, l.file.Close()
}

// named reports whether the locked file still has its name.
func (l *Lock) named() (bool, error) {
	locked, err := l.file.Stat()
	if err != nil {
		return false, err
	}
	named, err := os.Stat(l.file.Path())
	return err == nil && os.SameFile(locked, named), absent(err)
}

// halfShape matches the names of the owner's file while it is being written.
var halfShape = regexp.MustCompile(`^writer\.json\.[0-9]+\.tmp$`)

// sign says whose the lock is. What stands there by that name is replaced and not
// written to: it may be a link. What a process left that was killed here goes. Without
// locks, the file is made only where there is none, and otherwise the error is a *BusyError.
func (l *Lock) sign(o Owner) error {
	l.owner = o
	entries, err := os.ReadDir(l.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Type().IsRegular() && halfShape.MatchString(e.Name()) && !l.unlocked {
			os.Remove(filepath.Join(l.dir, e.Name())) // what stays does no harm
		}
	}
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(l.dir, ownerFile+".*.tmp")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	_, err = f.Write(text)
	err = errors.Join(err, f.Close())
	if err == nil && !l.unlocked {
		err = os.Rename(f.Name(), filepath.Join(l.dir, ownerFile))
	} else if err == nil {
		err = l.claim(f.Name(), text)
	}
	if err != nil || l.unlocked {
		os.Remove(f.Name())
	}
	return err
}

// claim makes the owner's file where there is none, in one step: by a link to the file of
// that name, which has the text, or where the file system has no links, by its creation.
func (l *Lock) claim(half string, text []byte) error {
	name := filepath.Join(l.dir, ownerFile)
	err := os.Link(half, name)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = create(name, text)
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	other, err := ownerOf(l.dir)
	switch {
	case err != nil:
		return err
	case other == nil: // gone by now
		other = &Owner{}
	case other.is(l.owner): // made by a request that was sent twice
		return nil
	}
	return &BusyError{Owner: *other, Away: true, File: name}
}

// create makes a file with a text where there is none of the name.
func create(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(name)
	}
	return err
}

// Release gives the lock back. It may be called again, and on nil.
func (l *Lock) Release() error {
	if l == nil || l.file == nil {
		return nil
	}
	// Without its name, the lock is nobody's any more, and the files are another's.
	if mine, err := l.mine(); !mine {
		err = errors.Join(err, l.file.Close())
		l.file = nil
		return err
	}
	// The lock's file goes while the lock is held, where that can be: see try.
	owner := os.Remove(filepath.Join(l.dir, ownerFile))
	first := os.Remove(l.file.Path())
	err := errors.Join(absent(owner), l.file.Close())
	if absent(first) != nil {
		os.Remove(l.file.Path()) // somebody else may have it by now
	}
	l.file = nil
	return err
}

// mine reports whether the run is still this process's to write: by the lock's name, or
// without locks by the owner's file.
func (l *Lock) mine() (bool, error) {
	if !l.unlocked {
		return l.named()
	}
	owner, err := ownerOf(l.dir)
	return owner != nil && owner.is(l.owner), err
}

// absent leaves out the error of what is not there.
func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Holder returns the process that writes the run in a directory; nil when there is
// none, as far as it can be seen. It never waits.
func Holder(dir string) *Owner {
	owner, err := ownerOf(dir)
	if owner == nil || err != nil {
		return nil
	}
	if owner.Host != host() {
		return owner
	}
	if info, err := os.Lstat(filepath.Join(dir, lockFile)); err != nil || !info.Mode().IsRegular() {
		return nil // opening a pipe would wait
	}
	file := flock.New(filepath.Join(dir, lockFile), flock.SetFlag(os.O_RDONLY))
	defer file.Close()
	free, err := file.TryRLock()
	if free || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return owner
}

// mostOwner is how many bytes an owner's file has at most.
const mostOwner = 4 << 10

// ownerOf reads who signed a lock; nil when nobody did. What cannot be read as an
// owner, such as a pipe or a large file, is an owner that nothing is known of.
func ownerOf(dir string) (*Owner, error) {
	name := filepath.Join(dir, ownerFile)
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	unknown := &Owner{Host: host()}
	if !info.Mode().IsRegular() || info.Size() > mostOwner {
		return unknown, nil
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var o Owner
	if json.Unmarshal(text, &o) != nil {
		return unknown, nil
	}
	return &o, nil
}

// host is the name of this machine; empty where it has none.
func host() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}
