// Package outfile writes the files that a user asks for by name. It never overwrites a file that
// assay did not make. A single file must not exist yet. In a directory, a file is replaced only
// if the directory's list, ListFile, has its present hash.
package outfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// Check returns an error if Write would not write to a name because the name exists, or because
// no file can be created in its directory, which Check tries. Devices and pipes may exist: Write
// writes to them.
func Check(name string) error {
	info, err := os.Lstat(name)
	if err != nil {
		if unfit := hosts(filepath.Dir(name), name, "file"); unfit != nil || errors.Is(err, fs.ErrNotExist) {
			return unfit
		}
		return fmt.Errorf("%s cannot be made: %w; name another file", name, reason(err)) // the name is too long
	}
	if streamed(name) {
		return nil
	}
	if to, err := os.Stat(name); err == nil && to.IsDir() {
		return fmt.Errorf("%s is a directory; name a file", name)
	}
	what := "exists"
	if info.Mode()&fs.ModeSymlink != 0 {
		what = "is a symbolic link to a file"
	}
	return fmt.Errorf("%s %s, and assay writes over no file; name another, or remove it", name, what)
}

// Same reports whether two names are of one file or directory that exists.
func Same(a, b string) bool {
	one, errA := os.Stat(a)
	two, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(one, two)
}

// hosts returns an error if a new file or directory, as kind says, cannot be made in dir: dir
// does not exist, is not a directory, or takes no file.
func hosts(dir, name, kind string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s cannot be made: there is no directory %s; make it, or name another %s", name, dir, kind)
	case err != nil:
		return fmt.Errorf("%s cannot be made: %w", name, err)
	case !info.IsDir():
		return fmt.Errorf("%s cannot be made: %s is no directory; name another %s", name, dir, kind)
	}
	if err := takes(dir); err != nil {
		return fmt.Errorf("%s cannot be made: %s takes no file: %w; name another %s", name, dir, err, kind)
	}
	return nil
}

// takes creates a file in a directory and removes it, and returns the error if it cannot.
func takes(dir string) error {
	f, err := beside(filepath.Join(dir, "file"), 0o600)
	if err != nil {
		return reason(err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// reason removes the temporary file's name, which means nothing to the user, from an error.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// streamed reports whether the name is a device or a pipe.
func streamed(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// Write makes a new file with what write writes. The file appears complete or not at all. Write
// writes directly to a device or a pipe. If the name exists otherwise, it returns the error of
// Check.
func Write(name string, write func(io.Writer) error) error { return writeAs(name, 0o666, write) }

// WritePrivate is Write for a file that only its owner can read, such as one that names the
// fields of a user's own data.
func WritePrivate(name string, write func(io.Writer) error) error {
	return writeAs(name, 0o600, write)
}

func writeAs(name string, perm fs.FileMode, write func(io.Writer) error) error {
	if err := Check(name); err != nil {
		return err
	}
	if streamed(name) {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	f, err := beside(name, perm)
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Close())
	if err == nil {
		err = place(f.Name(), name)
	}
	if gone := os.Remove(f.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// beside creates a file with a new name in the directory of name.
func beside(name string, perm fs.FileMode) (*os.File, error) {
	tmp := filepath.Join(filepath.Dir(name), ".assay-"+random())
	return os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
}

// random returns a part of a name that no other process is likely to choose.
func random() string { return strconv.FormatUint(rand.Uint64N(1<<62), 36) }

// link is os.Link, or fails as it does on a file system without hard links.
var link = os.Link

// place gives a file its name, unless the name exists by then. The file may also keep its old
// name.
func place(tmp, name string) error {
	err := link(tmp, name)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// On a file system without hard links, an empty file first takes the name, and the rename
		// replaces it.
		if err = WriteNew(name, nil, 0o666); err == nil {
			if err = os.Rename(tmp, name); err != nil {
				return errors.Join(err, os.Remove(name))
			}
		}
	}
	if errors.Is(err, fs.ErrExist) {
		if taken := Check(name); taken != nil {
			return taken
		}
	}
	return err
}

// WriteNew writes data to a new file. If the file exists, the error is fs.ErrExist.
func WriteNew(name string, data []byte, perm fs.FileMode) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}
