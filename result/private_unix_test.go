//go:build unix

package result

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// modes returns the permissions of a run directory and of the files in it.
func modes(t *testing.T, dir string) map[string]fs.FileMode {
	t.Helper()
	all := map[string]fs.FileMode{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		all[name] = info.Mode().Perm()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Nobody but the user can read a run of the user's own data, whatever the umask is.
func TestPrivateRun(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	for _, own := range []bool{false, true} {
		run := &Run{Started: time.Now()}
		if own {
			run.Plan.Data = &Data{Files: []string{"orders.ndjson"}}
		}
		s, err := Create(t.TempDir(), run)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Append(Record{Note: &Note{Text: "x"}}); err != nil {
			t.Fatal(err)
		}
		if err := s.Update(run); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		check := func(when string) {
			for name, mode := range modes(t, s.Dir()) {
				if open := mode&0o077 != 0; open == own {
					t.Errorf("%s, own data %v: %s has the mode %v", when, own, name, mode)
				}
			}
		}
		check("made")
		if !own {
			continue
		}
		// Resume restricts a run that an earlier version made readable for all.
		for name := range modes(t, s.Dir()) {
			if err := os.Chmod(name, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		s, run, _, _, err = Resume(s.Dir())
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Finish(run); err != nil {
			t.Fatal(err)
		}
		check("resumed")
	}
}

// Resume does not follow a link to somebody else's file.
func TestResumeLink(t *testing.T) {
	run := &Run{Started: time.Now()}
	s, err := Create(t.TempDir(), run)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "precious")
	const text = "a line that is cut short"
	if err := os.WriteFile(other, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(s.Dir(), samplesFile)
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, name); err != nil {
		t.Fatal(err)
	}
	if _, _, _, _, err := Resume(s.Dir()); err == nil || !strings.Contains(err.Error(), "is no regular file") {
		t.Errorf("error = %v", err)
	}
	if data, _ := os.ReadFile(other); string(data) != text {
		t.Errorf("it holds %q now", data)
	}
}
