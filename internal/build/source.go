package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay/contender"
)

// readSource returns the files that runners are built from, sorted by name.
// Tests and their data are left out.
func readSource(source fs.FS, extra []contender.File) ([]contender.File, error) {
	var files []contender.File
	err := fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir(), strings.HasSuffix(name, "_test.go"):
			return nil
		}
		data, err := fs.ReadFile(source, name)
		files = append(files, contender.File{Name: name, Data: data})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the source of runners: %w", err)
	}
	for _, f := range extra {
		if !fs.ValidPath(f.Name) || path.Clean(f.Name) != f.Name {
			return nil, fmt.Errorf("file %q of the generated source is not a path within the module", f.Name)
		}
	}
	return withFiles(files, extra...), nil
}

// withFiles returns the files and those added, which take the place of files of
// their names, sorted by name.
func withFiles(files []contender.File, added ...contender.File) []contender.File {
	byName := map[string]contender.File{}
	for _, f := range slices.Concat(files, added) {
		byName[f.Name] = f
	}
	return slices.SortedFunc(maps.Values(byName), func(a, b contender.File) int { return strings.Compare(a.Name, b.Name) })
}

// hashSource returns a name for the files: equal files have equal names.
func hashSource(files []contender.File) string {
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%q %d\n", f.Name, len(f.Data))
		h.Write(f.Data)
	}
	return hex.EncodeToString(h.Sum(nil)[:10])
}

// writeSource makes dir hold the files. Files that are right already are not
// touched, so that the go command need not read them again; files that were
// damaged or cleaned away are written anew.
func writeSource(dir string, files []contender.File) error {
	for _, f := range files {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data); err != nil {
			return fmt.Errorf("writing the source of runners: %w", err)
		}
	}
	return nil
}

// writeFile makes the file hold the data, at once or not at all. The name that
// the data has meanwhile begins with a dot, which the go command ignores.
func writeFile(name string, data []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, data) {
		return nil
	}
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".new-")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // fails after the rename, as it should
	_, err = tmp.Write(data)
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
