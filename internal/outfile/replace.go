package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// Replace makes a file hold the data, at once or not at all. It writes over a file
// that is there only when ours recognises its content.
func Replace(name string, data []byte, ours func(old []byte) bool) error {
	return replaceAs(name, 0o666, data, ours)
}

// ReplacePrivate is Replace of a file that only its owner can read.
func ReplacePrivate(name string, data []byte, ours func(old []byte) bool) error {
	return replaceAs(name, 0o600, data, ours)
}

func replaceAs(name string, perm fs.FileMode, data []byte, ours func(old []byte) bool) error {
	if err := recognised(name, ours); !errors.Is(err, fs.ErrNotExist) && err != nil {
		return err
	}
	f, err := beside(name, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// recognised returns an error when a file is not ours.
func recognised(name string, ours func(old []byte) bool) error {
	info, err := os.Lstat(name)
	if err != nil {
		return err
	}
	if info.Mode().IsRegular() {
		old, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if ours(old) {
			return nil
		}
	}
	return fmt.Errorf("%s was not written by assay; move it away", name)
}

// generatedLine is the line by which the Go tools know generated files, in the
// comments of any language that has generated files here.
var generatedLine = regexp.MustCompile(`(?m)^(//|#) Code generated .* DO NOT EDIT\.$`)

// Generated says whether a file's content is that of a generated file.
func Generated(data []byte) bool { return generatedLine.Match(data) }

// RemoveGenerated removes a directory of generated files, which need not exist.
// It removes nothing when something else is in it.
func RemoveGenerated(dir string) error {
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is no directory; move it away", dir)
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := recognised(filepath.Join(dir, e.Name()), Generated); err != nil {
			return err
		}
	}
	for _, e := range entries {
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return os.Remove(dir)
}
