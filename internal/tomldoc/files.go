package tomldoc

import (
	"errors"
	"io/fs"
	"path"
	"strings"
)

// ParseAll parses every file of a tree that matches a pattern of fs.Glob, in the order of
// their names. The error joins the errors of all files with errors.Join.
func ParseAll[T any](fsys fs.FS, pattern string, parse func(name string, data []byte) (T, error)) ([]T, error) {
	names, err := fs.Glob(fsys, pattern)
	if err != nil {
		return nil, err
	}
	var list []T
	var errs []error
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err == nil {
			var v T
			v, err = parse(name, data)
			list = append(list, v)
		}
		errs = append(errs, err)
	}
	return list, errors.Join(errs...)
}

// SameAsDir records an error if the string of a key is not the name of the directory that
// holds the file.
func (t Table) SameAsDir(key string) {
	value := strings.TrimSpace(t.String(key))
	if dir := path.Base(path.Dir(t.file)); value != "" && value != dir {
		t.Fail(t.At(key), "the %s is %q, but the directory is %q", key, value, dir)
	}
}

// Paragraph returns the Text of a key with its lines joined by single spaces, because output
// wraps paragraphs again.
func (t Table) Paragraph(key string) string { return strings.Join(strings.Fields(t.Text(key)), " ") }
