package build

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
)

// released matches the versions of Go whose name says what they are.
var released = regexp.MustCompile(`^go1\.\d+(\.\d+|rc\d+|beta\d+)?( X:\S+)?$`)

// unreleased identifies a Go that is no release by its place, its tools, and the source of its
// standard library: their names, sizes and times. Its version stays when somebody edits it.
func unreleased(root, tools string) (string, error) {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q\n", root)
	code := []string{".go", ".s", ".h"}
	for _, dir := range []string{tools, filepath.Join(root, "src")} {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return "", fmt.Errorf("reading the files of a Go that is no release: %w", err)
		}
		err = filepath.WalkDir(real, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return filepath.SkipDir
			case !d.Type().IsRegular() || dir != tools && !slices.Contains(code, filepath.Ext(name)):
				return nil
			}
			info, err := d.Info()
			if err == nil {
				fmt.Fprintf(hash, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
			}
			return err
		})
		if err != nil {
			return "", fmt.Errorf("reading the files of a Go that is no release: %w", err)
		}
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:16]), nil
}
