package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// Replace writes data to a file atomically. It replaces an existing file only if ours accepts its
// content.
func Replace(name string, data []byte, ours func(old []byte) bool) error {
	return replaceAs(name, 0o666, data, ours)
}

// ReplacePrivate is Replace for a file that only its owner can read.
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

// recognised returns an error if a file is not ours, or does not exist.
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

// generatedLine matches the line that marks generated files for the Go tools, in the comment
// syntax of each language that is generated here.
var generatedLine = regexp.MustCompile(`(?m)^(//|#) Code generated .* DO NOT EDIT\.$`)

// Generated reports whether data is the content of a generated file.
func Generated(data []byte) bool { return generatedLine.Match(data) }

// RemoveGenerated removes a directory of generated files; it need not exist. If it holds anything
// else, RemoveGenerated removes nothing.
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
