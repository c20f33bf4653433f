// Package scratch is the temporary files of one process: all of them, and those of
// the programs that it starts, are below a directory that goes with the process.
// What a process leaves behind that was killed goes when the next one begins.
package scratch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// A directory of ours is called prefix, the process, and something random. It
// holds a file whose first line is signature, which its process has locked for as
// long as it lives.
const (
	prefix    = "assay-"
	owner     = "assay-temporary"
	signature = "Temporary files of one assay process; they go with it."
)

var ours = regexp.MustCompile(`^` + prefix + `[0-9]+-[0-9]+$`)

// A Dir is the directory of this process. The zero Dir is ready, and there is
// nothing yet.
type Dir struct {
	mu      sync.Mutex
	path    string
	lock    *flock.Flock
	removed bool
}

// Make makes the directory within another one, and returns its path.
func (d *Dir) Make(parent string) (path string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.removed {
		return "", errors.New("this process ends")
	}
	if d.path != "" {
		return d.path, nil
	}
	if parent, err = filepath.Abs(parent); err != nil { // other processes have other working directories
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

// sign puts the locked file into a directory. It has its name only when it is
// locked: whoever finds the name and no lock finds what is left of a process.
func sign(path string) (*flock.Flock, error) {
	f, err := os.CreateTemp(path, "new-")
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(f, "%s\nprocess %d\n", signature, os.Getpid())
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

// lock locks a file, or fails at once.
func lock(f *flock.Flock) error {
	held, err := f.TryLock()
	if err == nil && !held {
		err = errors.New("another process has locked it")
	}
	return err
}

// patience is how long Remove goes on when programs still write below the
// directory that are about to end.
const patience = 500 * time.Millisecond

// Remove removes the directory with all that is in it. None can be made after.
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

// again removes what programs that are about to end have made anew since Remove: the go
// command makes the parents of its directories with them.
func (d *Dir) again() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.removed && d.path != "" {
		removeAll(d.path)
	}
}

// removeAll is os.RemoveAll for directories that a module cache has made
// read-only, too.
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

// Collect removes the directories within a parent whose process has ended: those
// that have our mark, belong to this user, and are locked by nobody. What cannot
// be removed is left for another time.
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

// collect removes a directory if its process has ended. It has the lock while it
// does so: another one that collects leaves it alone.
func collect(path string) {
	name := filepath.Join(path, owner)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || !own(name) {
		return
	}
	f := flock.New(name, flock.SetFlag(os.O_RDONLY))
	defer f.Close()
	if lock(f) == nil && signed(name) {
		removeAll(path)
	}
}

// signed reports whether a file begins with our signature.
func signed(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	text := make([]byte, len(signature)+1)
	_, err = io.ReadFull(f, text)
	return err == nil && string(text) == signature+"\n"
}
