package build

import (
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
	"assay/internal/cachedir"
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

// readOptions returns the files that the options' runner is built from.
func readOptions(o Options) ([]contender.File, error) {
	files, err := readSource(o.Source, slices.Concat(o.Generated, o.Extra))
	if err != nil || o.Generated == nil {
		return files, err
	}
	ours := map[string]bool{}
	for _, f := range o.Generated {
		ours[f.Name] = true
	}
	return slices.DeleteFunc(files, func(f contender.File) bool { return committed(f) && !ours[f.Name] }), nil
}

// committed says whether a file belongs to a contender's generated package.
func committed(f contender.File) bool {
	elems := strings.Split(f.Name, "/")
	return len(elems) > 4 && elems[0] == "contenders" && elems[2] == "gen"
}

// withFiles returns the files and the added ones, sorted by name. An added file replaces a file
// of the same name.
func withFiles(files []contender.File, added ...contender.File) []contender.File {
	byName := map[string]contender.File{}
	for _, f := range slices.Concat(files, added) {
		byName[f.Name] = f
	}
	return slices.SortedFunc(maps.Values(byName), func(a, b contender.File) int { return strings.Compare(a.Name, b.Name) })
}

// hashModules returns a name for the module versions that the files require.
func hashModules(files []contender.File) string {
	return hashSource(slices.DeleteFunc(slices.Clone(files), func(f contender.File) bool { return f.Name != "go.mod" && f.Name != "go.sum" }))
}

// hashSource returns a name for the files: equal files have equal names.
func hashSource(files []contender.File) string {
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%q %d\n", f.Name, len(f.Data))
		h.Write(f.Data)
	}
	return hex.EncodeToString(h.Sum(nil)[:cachedir.KeySize])
}

// mainDir is the directory within the source for generated main packages.
const mainDir = "runner"

// writeSource makes the entry hold exactly the files. It does not touch correct files, so that
// the go command need not read them again, and it rewrites damaged and missing files. Any other
// file is an error, because it would be compiled into a runner whose name depends on the given
// files alone.
func writeSource(e cachedir.Entry, files []contender.File) error {
	err := e.Fill(func(w *cachedir.Writer) error {
		for _, f := range files {
			if err := w.WriteFile(f.Name, f.Data); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, f := range files {
		known[f.Name] = true
	}
	return fs.WalkDir(os.DirFS(e.Path()), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == mainDir, d.IsDir() && name != "." && ignored(d.Name()):
			return fs.SkipDir
		case d.IsDir() || known[name] || ignored(d.Name()):
			return nil
		}
		return &cachedir.ForeignError{Path: e.Path(filepath.FromSlash(name)), Reason: "assay did not write it"}
	})
}

// ignored says whether the go command ignores a file or a directory.
func ignored(name string) bool { return name[0] == '.' || name[0] == '_' }
