// Package scratch manages the temporary files of one process. All of them, including the
// files of programs that the process starts, are below a directory that is removed when the
// process ends. The next process removes what a killed process left.
package scratch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// The name of a scratch directory is prefix, the process ID and a random number. The
// directory holds a file named owner, whose first line is signedBy, and whose second names the
// process and its machine. The process locks the file for as long as it lives.
const (
	prefix   = "assay-"
	owner    = "assay-temporary"
	signedBy = "Temporary files of one assay process; they go with it."
)

var ours = regexp.MustCompile(`^` + prefix + `[0-9]+-[0-9]+$`)

// A Dir is the scratch directory of this process. The zero Dir is ready to use and has no
// directory yet.
type Dir struct {
	mu      sync.Mutex
	path    string
	lock    *flock.Flock
	removed bool
}

// Make makes the directory within parent, if there is none yet, and returns its absolute
// path. It is an error after Remove.
func (d *Dir) Make(parent string) (path string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.removed {
		return "", errors.New("this process ends")
	}
	if d.path != "" {
		return d.path, nil
	}
	if parent, err = filepath.Abs(parent); err != nil { // because other processes have other working directories
		return "", err
	}
	path, err = os.MkdirTemp(parent, fmt.Sprintf("%s%d-", prefix, os.Getpid()))
	if err != nil {
		return "", err
	}
	if d.lock, err = sign(path); err != nil {
		os.RemoveAll(path)
		return "", err
	}
	d.path = path
	return path, nil
}

// sign creates the locked owner file in a directory. The file gets its name only after it is
// locked, so an unlocked file of that name belongs to a process that has ended.
func sign(path string) (*flock.Flock, error) {
	f, err := os.CreateTemp(path, "new-")
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(f, "%s\nprocess %d%s%s\n", signedBy, os.Getpid(), onMachine, host())
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	held := flock.New(f.Name(), flock.SetFlag(os.O_RDONLY))
	if locks {
		err = lock(held)
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(path, owner))
	}
	if err != nil {
		held.Close()
		return nil, err
	}
	return held, nil
}

// lock locks a file, or returns an error at once.
func lock(f *flock.Flock) error {
	held, err := f.TryLock()
	if err == nil && !held {
		err = errors.New("another process has locked it")
	}
	return err
}

// patience is how long Remove repeats while programs that are about to end still write below
// the directory.
const patience = 500 * time.Millisecond

// Remove removes the directory and its contents. Make fails afterwards.
func (d *Dir) Remove() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.removed
	d.removed = true
	if before || d.path == "" {
		return nil
	}
	var err error
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if err = removeAll(d.path); err == nil || time.Now().After(end) {
			break
		}
	}
	d.lock.Close()
	return err
}

// again removes what programs that are about to end have created since Remove: the go command
// creates its directories together with their parents.
func (d *Dir) again() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.removed && d.path != "" {
		removeAll(d.path)
	}
}

// removeAll is like os.RemoveAll, but also removes directories that a module cache has made
// read-only.
func removeAll(path string) error {
	err := os.RemoveAll(path)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			os.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(path)
}

// Collect removes the directories within parent whose process has ended: directories that
// have an owner file, belong to this user, are of this machine or abandoned, and are not locked. Some
// file systems that machines share keep locks on one of them only. Collect ignores errors: the next
// process tries again.
func Collect(parent string) {
	if !locks {
		return
	}
	all, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, d := range all {
		if path := filepath.Join(parent, d.Name()); ours.MatchString(d.Name()) && d.IsDir() && own(path) {
			collect(path)
		}
	}
}

// collect removes a directory if its process has ended. It holds the lock meanwhile, so that
// other collecting processes skip the directory.
func collect(path string) {
	name := filepath.Join(path, owner)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || !own(name) {
		return
	}
	f := flock.New(name, flock.SetFlag(os.O_RDONLY))
	defer f.Close()
	signed, here := signature(name)
	if lock(f) == nil && signed && (here || older(name, abandoned)) {
		removeAll(path)
	}
}

// abandoned is the age from which on the directory of another machine is taken for one whose process has
// ended: a container that is killed has a name that no other has. No run takes so long.
const abandoned = 30 * 24 * time.Hour

// older reports whether a file was last written before that time.
func older(name string, than time.Duration) bool {
	info, err := os.Lstat(name)
	return err == nil && time.Since(info.ModTime()) > than
}

// onMachine stands before the name of the machine in an owner file, and mostOwner is the largest
// size that such a file has.
const (
	onMachine = " on "
	mostOwner = 1 << 10
)

// signature reports whether a file begins with signedBy, and whether it names this machine or, as files of
// earlier versions, none.
func signature(name string) (ok, here bool) {
	f, err := os.Open(name)
	if err != nil {
		return false, false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostOwner))
	first, rest, ended := strings.Cut(string(text), "\n")
	if err != nil || !ended || first != signedBy {
		return false, false
	}
	process, _, _ := strings.Cut(rest, "\n")
	_, machine, named := strings.Cut(process, onMachine)
	return true, !named || machine == host()
}

// host returns the name of this machine, or "" if it has none.
func host() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}
