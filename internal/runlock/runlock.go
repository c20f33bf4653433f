// Package runlock ensures that a run directory has one writer at most. The lock is a lock of the
// operating system on a file in the directory, so it ends with the process that holds it, however
// that process ends. A second file names the owner of the lock. Readers need no lock.
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

// The files of a run directory while it is being written: the locked file, and the Owner of the
// lock as JSON. They are two files because some systems do not let others read a locked file.
const (
	lockFile  = "writer.lock"
	ownerFile = "writer.json"
)

// An Owner is the process that writes a run.
type Owner struct {
	PID  int    `json:"pid"`
	Host string `json:"host"`
	// Since is when the process took the lock.
	Since time.Time `json:"since"`
}

// String describes the owner: "process 42 on host a since 2026-01-02 15:04:05", or "another process"
// if it is unknown.
func (o Owner) String() string {
	if o.PID <= 0 {
		return "another process"
	}
	return fmt.Sprintf("process %d on host %s since %s", o.PID, o.Host, o.Since.Local().Format("2006-01-02 15:04:05"))
}

// is says whether two owners are the same process.
func (o Owner) is(other Owner) bool {
	return o.PID == other.PID && o.Host == other.Host && o.Since.Equal(other.Since)
}

// A BusyError says that a run already has a writer.
type BusyError struct {
	Owner Owner
	// Away says that the owner is on another host, or that the file system has no locks, so that
	// this process cannot tell whether the owner still runs. File is the file to remove if it
	// does not.
	Away bool
	File string
}

func (e *BusyError) Error() string {
	if e.Away {
		return fmt.Sprintf("%s writes the run, or did until it died: if it is gone, remove %s", e.Owner, e.File)
	}
	return fmt.Sprintf("%s writes the run: let it end, or end it", e.Owner)
}

// A Lock is the right to write a run. One process at most has it.
type Lock struct {
	dir   string
	file  *flock.Flock
	owner Owner
	// unlocked says that the file system has no locks, so that only the owner's file protects the
	// run.
	unlocked bool
}

// tries is how often Take tries to get the lock. A reader that checks whether the lock is held
// has it for a moment.
const (
	tries   = 5
	between = 20 * time.Millisecond
)

// Take makes this process the writer of the run in a directory. gone is an owner that ended
// without releasing the lock, for example because it was killed, or nil. The error is a
// *BusyError if the run has a writer.
func Take(dir string) (lock *Lock, gone *Owner, err error) {
	// If the file were a link, the lock would be made elsewhere.
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
			return nil, nil, errors.Join(fmt.Errorf("cannot lock the run: %w", err), l.file.Close())
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

// try takes the lock if nobody has it. An owner that releases the lock may have removed the file
// after this process opened it and before it locked it. Nobody else would see that lock, so try
// fails then.
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

// halfShape matches the temporary names under which the owner's file is written.
var halfShape = regexp.MustCompile(`^writer\.json\.[0-9]+\.tmp$`)

// sign writes the owner's file. It replaces an existing file instead of writing to it, because
// that may be a link. It also removes temporary files of processes that were killed in sign.
// Without locks, it makes the file only if there is none, and otherwise returns a *BusyError.
func (l *Lock) sign(o Owner) error {
	l.owner = o
	entries, err := os.ReadDir(l.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Type().IsRegular() && halfShape.MatchString(e.Name()) && !l.unlocked {
			os.Remove(filepath.Join(l.dir, e.Name())) // a file that stays does no harm
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

// claim makes the owner's file in one step, if there is none: by a link to half, which has the
// text, or by creating the file if the file system has no links.
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
	case other == nil: // it was removed meanwhile
		other = &Owner{}
	case other.is(l.owner): // our request was sent twice
		return nil
	}
	return &BusyError{Owner: *other, Away: true, File: name}
}

// create makes a file with a text. It fails if the file exists.
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

// Release releases the lock. It may be called again, and on nil.
func (l *Lock) Release() error {
	if l == nil || l.file == nil {
		return nil
	}
	// If the lock file was removed, this lock protects nothing, and the files belong to another
	// process.
	if mine, err := l.mine(); !mine {
		err = errors.Join(err, l.file.Close())
		l.file = nil
		return err
	}
	// The lock file is removed while the lock is held, on systems that allow that: see try.
	owner := os.Remove(filepath.Join(l.dir, ownerFile))
	first := os.Remove(l.file.Path())
	err := errors.Join(absent(owner), l.file.Close())
	if absent(first) != nil {
		os.Remove(l.file.Path()) // it may belong to another process by now
	}
	l.file = nil
	return err
}

// mine says whether this process is still the writer of the run: whether the lock file still has
// its name or, without locks, whether the owner's file names this process.
func (l *Lock) mine() (bool, error) {
	if !l.unlocked {
		return l.named()
	}
	owner, err := ownerOf(l.dir)
	return owner != nil && owner.is(l.owner), err
}

// absent returns err, or nil if err says that a file does not exist.
func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Holder returns the process that writes the run in a directory, or nil if there is none, as far
// as that is visible. It never waits.
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

// mostOwner is the largest size of an owner's file, in bytes.
const mostOwner = 4 << 10

// ownerOf reads the owner of a lock, or returns nil if there is none. For a file that is not a
// valid owner, such as a pipe or a large file, it returns an unknown owner on this host.
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
	if json.Unmarshal(text, &o) != nil || o.PID <= 0 {
		return unknown, nil
	}
	return &o, nil
}

// host returns the name of this machine, or "" if it has none.
func host() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}
