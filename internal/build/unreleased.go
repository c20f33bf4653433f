package build

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
)

// released matches versions of Go that identify one release.
var released = regexp.MustCompile(`^go1\.\d+(\.\d+|rc\d+|beta\d+)?([ -]X:\S+)?$`)

// unreleased identifies a Go that is not a release by a hash of its root, and of the names,
// sizes and modification times of its tools and of its standard library's source. An edit of
// these files does not change the version that such a Go reports.
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
