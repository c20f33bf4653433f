//go:build unix

package cachedir

import (
	"io/fs"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPrivate checks that no other user can read the cache, whatever the umask.
func TestPrivate(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077} {
		func() {
			defer syscall.Umask(syscall.Umask(mask))
			d := marked(t)
			fill(t, d)
			if err := d.AppendLearned([]byte("x\n")); err != nil {
				t.Fatal(err)
			}
			if _, err := d.GoBuild(); err != nil {
				t.Fatal(err)
			}
			err := filepath.WalkDir(d.path, func(name string, e fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := e.Info()
				if err == nil && info.Mode().Perm()&0o077 != 0 {
					t.Errorf("umask %#o: %s has the mode %v", mask, name, info.Mode())
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}()
	}
}
