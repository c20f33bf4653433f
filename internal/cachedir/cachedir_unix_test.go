//go:build unix

package cachedir

import (
	"io/fs"
	"os"
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

// TestPrivateAgain checks that a user's own data in a cache that was copied without its modes are
// private again as soon as the cache is used.
func TestPrivateAgain(t *testing.T) {
	d := marked(t)
	fill(t, d)
	if _, err := d.GoBuild(); err != nil {
		t.Fatal(err)
	}
	user, build := filepath.Join(d.path, filepath.Clean(user)), filepath.Join(d.path, goBuild)
	for name, use := range map[string]func() error{
		"read":  func() error { _, err := d.Entries(Records); return err },
		"write": func() error { return d.Entry(Records, key(1)).WriteFile("a", []byte("x")) },
		"temp":  func() error { _, err := d.Temp(true); return err },
	} {
		for _, dir := range []string{d.path, user, build} {
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := use(); err != nil {
			t.Fatal(err)
		}
		for dir, want := range map[string]fs.FileMode{d.path: 0o755, user: 0o700, build: 0o700} {
			if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %s has the mode %v, %v; want %v", name, dir, info.Mode(), err, want)
			}
		}
	}
}
