package cachedir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOpen checks that Open opens regular files only: a pipe in the cache would stop its reader.
func TestOpen(t *testing.T) {
	e := marked(t).Entry(Records, key(1))
	if err := e.WriteFile("a", []byte("x")); err != nil {
		t.Fatal(err)
	}
	link(t, "a", e.Path("link"))
	if err := os.Mkdir(e.Path("directory"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a": true, "link": false, "directory": false, "none": false} {
		f, err := e.Open(name)
		if (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
	}
}

// TestNoCache checks that a cache that does not exist is empty: it is no error to remove something
// from it, and reading does not make it.
func TestNoCache(t *testing.T) {
	d := In(t.TempDir())
	for _, p := range []Part{Programs, Generated} {
		e := d.Entry(p, key(1))
		if err := e.Remove(); err != nil {
			t.Error(err)
		}
		if _, err := e.Open("a"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("opened: %v", err)
		}
		if _, ok := d.Recall(p, key(1)); ok || e.Exists() {
			t.Errorf("%s has an entry", p)
		}
		if kept, err := d.Entries(p); len(kept) != 0 || err != nil {
			t.Errorf("%s has %v, %v", p, kept, err)
		}
	}
	if got := d.Learned(); got != nil {
		t.Errorf("learned %q", got)
	}
	if _, err := os.Lstat(d.path); err == nil {
		t.Error("it made the cache")
	}
}

// TestKeepWhole checks that KeepWhole replaces only an entry that is damaged.
func TestKeepWhole(t *testing.T) {
	for _, test := range []struct {
		name  string
		there bool // an entry exists
		whole bool
		want  string
	}{
		{"nothing there", false, false, "new"},
		{"whole", true, true, "old"},
		{"damaged", true, false, "new"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := marked(t)
			e := d.Entry(Records, key(1))
			if test.there {
				if err := e.WriteFile("a", []byte("old")); err != nil {
					t.Fatal(err)
				}
			}
			tmp, err := d.Temp(true)
			if err != nil {
				t.Fatal(err)
			}
			if err := tmp.Fill(func(w *Writer) error { return w.WriteFile("in/a", []byte("new")) }); err != nil {
				t.Fatal(err)
			}
			if err := tmp.KeepWhole("in", e, func() bool { return test.whole }); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]string{".": "", "a": test.want}, tree(t, e.Path())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestCopy checks that Copy copies a whole entry, that an absent one is empty, and that the end of
// the context is its error.
func TestCopy(t *testing.T) {
	d := marked(t)
	e := d.Entry(Compiled, key(1))
	for _, name := range []string{"00/x-a", "01/x-d", "README"} {
		if err := e.WriteFile(name, []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	tmp, err := d.Temp(false)
	if err != nil {
		t.Fatal(err)
	}
	if err := tmp.Copy(t.Context(), e, "copy"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tree(t, e.Path()), tree(t, tmp.Path("copy"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := tmp.Copy(t.Context(), d.Entry(Compiled, key(2)), "absent"); err != nil {
		t.Errorf("absent: %v", err)
	}
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	if err := tmp.Copy(ctx, e, "late"); !errors.Is(err, enough) {
		t.Errorf("after the end of the context: %v", err)
	}
}

// TestLearned checks that lines are added to what is known, and that a link in the place of the
// file is not followed.
func TestLearned(t *testing.T) {
	d := marked(t)
	for _, line := range []string{"one\n", "two\n"} {
		if err := d.AppendLearned([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(d.Learned()); got != "one\ntwo\n" {
		t.Errorf("learned %q", got)
	}
	other := filepath.Join(d.path, string(Sources), "precious")
	put(t, other, "x")
	if err := os.Remove(filepath.Join(d.path, learnedFile)); err != nil {
		t.Fatal(err)
	}
	link(t, filepath.Join(string(Sources), "precious"), filepath.Join(d.path, learnedFile))
	var foreign *ForeignError
	if err := d.AppendLearned([]byte("three\n")); !errors.As(err, &foreign) {
		t.Errorf("through a link: %v", err)
	}
	if got := d.Learned(); got != nil {
		t.Errorf("a link was read: %q", got)
	}
	if text, err := os.ReadFile(other); string(text) != "x" {
		t.Errorf("a link was followed: %q, %v", text, err)
	}
}
