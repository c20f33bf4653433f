package cachedir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/rootonly"
)

// key returns a valid key that ends with n.
func key(n int) string {
	s := strconv.Itoa(n)
	return strings.Repeat("a", 2*KeySize-len(s)) + s
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// marked returns a new cache whose directory exists.
func marked(t *testing.T) Dir {
	t.Helper()
	d := In(t.TempDir())
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	return d
}

// tree returns the paths below a directory, with the target of a link, the content of a file, and
// the empty string for a directory.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			all[rel], err = os.Readlink(name)
		case e.Type().IsRegular():
			var data []byte
			data, err = os.ReadFile(name)
			all[rel] = string(data)
		default:
			all[rel] = ""
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestMark(t *testing.T) {
	base := filepath.Join(t.TempDir(), "not", "there")
	d := In(base)
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{".": "", Name: "", Name + "/CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n" +
		"# This is the cache of assay, layout 2\n" + tagText}
	if diff := cmp.Diff(want, tree(t, base)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := d.Check(); err != nil {
		t.Errorf("the second time: %v", err)
	}
}

func TestDefault(t *testing.T) {
	user := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, user)
	}
	if d := In(""); !strings.HasPrefix(d.Path(), user) || filepath.Base(d.Path()) != Name {
		t.Errorf("the cache is in %s", d.Path())
	}
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, "")
	}
	for _, d := range []Dir{In(""), {}} {
		if err := d.Check(); err == nil || !strings.HasSuffix(err.Error(), "name one with --cache") {
			t.Errorf("without a home: %v", err)
		}
		if _, err := d.Clean(false); err == nil {
			t.Error("what is nowhere was cleaned")
		}
	}
}

// change calls every function that writes to a cache or removes from it.
func change(d Dir) map[string]error {
	e := d.Entry(Programs, key(1))
	_, clean := d.Clean(false)
	_, own := d.Clean(true)
	_, evict := d.Evict(0, time.Now().Add(1000*time.Hour))
	_, temp := d.Temp(false)
	_, build := d.GoBuild()
	return map[string]error{
		"clean": clean, "clean own": own, "evict": evict, "temp": temp, "go build": build, "check": d.Check(),
		"remove": e.Remove(), "write": e.WriteFile("x", []byte("x")), "keep": d.Keep(Failures, key(1), []byte("x")),
		"sentinel": d.AppendLearned([]byte("x\n")),
	}
}

// TestForeign checks that a directory that is not our cache is neither written to nor emptied.
func TestForeign(t *testing.T) {
	tests := []struct {
		name string
		make func(t *testing.T, d Dir)
		want string
	}{{
		name: "no mark",
		make: func(t *testing.T, d Dir) { put(t, filepath.Join(d.path, "bin", key(1), "precious"), "x") },
		want: "it has no CACHEDIR.TAG, so assay did not make it",
	}, {
		name: "an empty directory",
		make: func(t *testing.T, d Dir) {
			if err := os.MkdirAll(d.path, 0o700); err != nil {
				t.Fatal(err)
			}
		},
		want: "it has no CACHEDIR.TAG",
	}, {
		name: "a file",
		make: func(t *testing.T, d Dir) { put(t, d.path, "x") },
		want: "it is no directory",
	}, {
		name: "the mark of another program",
		make: func(t *testing.T, d Dir) {
			put(t, filepath.Join(d.path, tagFile), tagSignature+"\n# This file is a cache directory tag created by cargo.\n")
			put(t, filepath.Join(d.path, "bin", key(1), "precious"), "x")
		},
		want: "its CACHEDIR.TAG is that of another program",
	}, {
		name: "a mark without a signature",
		make: func(t *testing.T, d Dir) { put(t, filepath.Join(d.path, tagFile), "") },
		want: "does not begin as that of a cache does",
	}, {
		name: "another layout",
		make: func(t *testing.T, d Dir) {
			put(t, filepath.Join(d.path, tagFile), strings.Replace(string(tag()), "layout 2", "layout 3", 1))
		},
		want: "another version of assay made it (layout 3; this one has layout 2)",
	}, {
		name: "a link to a cache",
		make: func(t *testing.T, d Dir) {
			other := marked(t)
			put(t, other.Entry(Programs, key(1)).Path("layout-0"), "x")
			link(t, other.path, d.path)
		},
		want: "it is a symbolic link, and assay makes none",
	}, {
		name: "a mark that is a link",
		make: func(t *testing.T, d Dir) {
			if err := os.MkdirAll(d.path, 0o700); err != nil {
				t.Fatal(err)
			}
			link(t, filepath.Join(marked(t).path, tagFile), filepath.Join(d.path, tagFile))
		},
		want: "its CACHEDIR.TAG is no regular file",
	}, {
		name: "a part that is a link",
		make: func(t *testing.T, d Dir) {
			put(t, filepath.Join(d.path, tagFile), string(tag()))
			other := t.TempDir()
			put(t, filepath.Join(other, key(1), "precious"), "x")
			link(t, other, filepath.Join(d.path, "src"))
		},
		want: "it is a symbolic link",
	}, {
		name: "the user's part is a link",
		make: func(t *testing.T, d Dir) {
			put(t, filepath.Join(d.path, tagFile), string(tag()))
			other := t.TempDir()
			put(t, filepath.Join(other, "data", key(1), "precious"), "x")
			link(t, other, filepath.Join(d.path, "user"))
		},
		want: "it is a symbolic link",
	}, {
		name: "a part that is a file",
		make: func(t *testing.T, d Dir) {
			put(t, filepath.Join(d.path, tagFile), string(tag()))
			put(t, filepath.Join(d.path, "bin"), "x")
		},
		want: "it is no directory",
	}, {
		name: "another user's",
		make: func(t *testing.T, d Dir) {
			if err := d.Check(); err != nil {
				t.Fatal(err)
			}
			give(t, d.path)
		},
		want: "it belongs to another user (4711, and this is 0)",
	}, {
		name: "another user's mark",
		make: func(t *testing.T, d Dir) {
			if err := d.Check(); err != nil {
				t.Fatal(err)
			}
			give(t, filepath.Join(d.path, tagFile))
		},
		want: "it belongs to another user",
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			base := t.TempDir()
			d := In(base)
			test.make(t, d)
			before := tree(t, base)
			for what, err := range change(d) {
				var foreign *ForeignError
				if !errors.As(err, &foreign) || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), d.path) || !strings.HasSuffix(err.Error(), "--cache") {
					t.Errorf("%s: %v; want ... %s ...", what, err, test.want)
				}
			}
			if d.Entry(Programs, key(1)).Exists() {
				t.Error("an entry of it is used")
			}
			if diff := cmp.Diff(before, tree(t, base)); diff != "" {
				t.Errorf("it was changed (-before +after):\n%s", diff)
			}
		})
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip(err)
		}
		t.Fatal(err)
	}
}

// give changes the owner of a file, which only root can do.
func give(t *testing.T, name string) {
	t.Helper()
	if os.Geteuid() != 0 {
		rootonly.Skip(t, "only root can give a file away")
	}
	if err := os.Lchown(name, 4711, -1); err != nil {
		t.Fatal(err)
	}
}

func TestWriteFile(t *testing.T) {
	d := marked(t)
	e := d.Entry(Sources, key(1))
	for _, name := range []string{"../x", "/x", "a/../../x", ""} {
		if err := e.WriteFile(name, nil); err == nil {
			t.Errorf("%q was written", name)
		}
	}
	put(t, filepath.Join(d.path, string(Sources), "x"), "x")
	for _, bad := range []string{"", "..", "x", strings.ToUpper(key(1)), key(1) + "/x", "../" + key(1), "../" + string(Sources)} {
		e := d.Entry(Sources, bad)
		_, ok := d.Recall(Failures, bad)
		if _, err := e.Open("x"); err == nil {
			t.Errorf("%q was opened", bad)
		}
		if e.WriteFile("x", nil) == nil || d.Keep(Failures, bad, nil) == nil || e.Remove() == nil || e.Exists() || ok {
			t.Errorf("%q was taken for a key", bad)
		}
	}
	outside := filepath.Join(t.TempDir(), "precious")
	put(t, outside, "x")
	if err := e.WriteFile("a/b", []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(e.Path("a", "b")); err != nil {
		t.Fatal(err)
	}
	link(t, outside, e.Path("a", "b"))
	if err := e.WriteFile("a/b", []byte("two")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{".": "", "a": "", "a/b": "two"}, tree(t, e.Path())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if data, err := os.ReadFile(outside); string(data) != "x" {
		t.Errorf("a link was followed: %q, %v", data, err)
	}
	link(t, filepath.Dir(outside), e.Path("out"))
	if err := e.WriteFile("out/new", []byte("x")); err == nil {
		t.Error("a file was written outside of the cache")
	}
	if _, err := e.Open("out/precious"); err == nil {
		t.Error("a file outside of the cache was read")
	}
}

// TestLinkedEntry checks that nothing is written through an entry that was replaced by a link.
func TestLinkedEntry(t *testing.T) {
	d := marked(t)
	other := d.Entry(Sources, key(2))
	if err := other.WriteFile("x", []byte("x")); err != nil {
		t.Fatal(err)
	}
	e := d.Entry(Sources, key(1))
	link(t, other.Path(), e.Path())
	var foreign *ForeignError
	if err := e.WriteFile("x", []byte("y")); !errors.As(err, &foreign) || e.Exists() {
		t.Errorf("error %v, exists %v", err, e.Exists())
	}
	if data, _ := os.ReadFile(other.Path("x")); string(data) != "x" {
		t.Errorf("a link was followed: %q", data)
	}
}

func TestRecall(t *testing.T) {
	d := marked(t)
	if err := d.Keep(Failures, key(1), []byte(`{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	got, ok := d.Recall(Failures, key(1))
	if !ok || string(got) != `{"a":1}` {
		t.Fatalf("recalled %q, %v", got, ok)
	}
	if _, ok := d.Recall(Failures, key(2)); ok {
		t.Error("recalled what was never kept")
	}
	name := d.Entry(Failures, key(1)).Path()
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	flipped := append([]byte(nil), whole...)
	flipped[len(flipped)-2] ^= 1
	for what, text := range map[string][]byte{"empty": {}, "cut": whole[:len(whole)-1], "flipped": flipped, "without its hash": []byte(`{"a":1}`)} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, ok := d.Recall(Failures, key(1)); ok {
			t.Errorf("%s: recalled %q", what, got)
		}
		if err := d.Keep(Failures, key(1), []byte(`{"a":1}`)); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if _, ok := d.Recall(Failures, key(1)); !ok {
			t.Errorf("%s: it was not mended", what)
		}
	}
	// A link to sound data is not followed, and is replaced.
	other := filepath.Join(d.path, string(Generated), "other")
	put(t, other, string(whole))
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	link(t, "../generated/other", name)
	if got, ok := d.Recall(Failures, key(1)); ok {
		t.Errorf("a link: recalled %q", got)
	}
	if err := d.Keep(Failures, key(1), []byte("new")); err != nil {
		t.Error(err)
	}
	if got, ok := d.Recall(Failures, key(1)); !ok || string(got) != "new" {
		t.Errorf("in the place of a link: %q, %v", got, ok)
	}
	if text, err := os.ReadFile(other); string(text) != string(whole) {
		t.Errorf("a link was followed: %q, %v", text, err)
	}
}

func TestTemp(t *testing.T) {
	d := In(t.TempDir())
	tmp, err := d.Temp(false)
	if err != nil {
		t.Fatal(err)
	}
	put(t, tmp.Path("out"), "one")
	e := d.Entry(Programs, key(1))
	if err := tmp.KeepFile("out", e, "layout-0"); err != nil {
		t.Fatal(err)
	}
	// The test puts a directory in the place of the file, which KeepFile must replace.
	put(t, e.Path("layout-1", "x"), "x")
	put(t, tmp.Path("out"), "two")
	if err := tmp.KeepFile("out", e, "layout-1"); err != nil {
		t.Fatal(err)
	}
	if err := tmp.Fill(func(w *Writer) error { return w.WriteFile("tree/a", []byte("a")) }); err != nil {
		t.Fatal(err)
	}
	kept := d.Entry(Trees, key(2))
	if err := tmp.Keep("tree", kept); err != nil {
		t.Fatal(err)
	}
	// An entry that another process made stays.
	put(t, tmp.Path("tree", "a"), "b")
	if err := tmp.Keep("tree", kept); err != nil {
		t.Error(err)
	}
	if err := tmp.Remove(); err != nil {
		t.Error(err)
	}
	got := tree(t, d.path)
	delete(got, tagFile)
	want := map[string]string{
		".": "", "bin": "", "bin/" + key(1): "", "bin/" + key(1) + "/layout-0": "one", "bin/" + key(1) + "/layout-1": "two",
		"new": "", "tree": "", "tree/" + key(2): "", "tree/" + key(2) + "/a": "a",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := tmp.Keep("nothing", d.Entry(Trees, key(3))); err == nil {
		t.Error("what is not there was kept")
	}
}

// TestMakeAtOnce checks that several processes can make the directory at the same time, and that
// all of them then use it.
func TestMakeAtOnce(t *testing.T) {
	base := t.TempDir()
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if err := In(base).Keep(Failures, key(i), []byte("x")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if left, err := os.ReadDir(base); err != nil || len(left) != 1 {
		t.Errorf("in the directory are %v, %v", left, err)
	}
	if kept, err := In(base).Entries(Failures); err != nil || len(kept) != 20 {
		t.Errorf("%d entries, %v", len(kept), err)
	}
}

// TestNowhere checks that the error for a directory that cannot be made names the remedy.
func TestNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	put(t, file, "")
	for _, base := range []string{file, filepath.Join(file, "below")} {
		for what, err := range change(In(base)) {
			if what == "clean" || what == "clean own" || what == "evict" || what == "remove" {
				continue // there is nothing to remove
			}
			if err == nil || !strings.Contains(err.Error(), "cannot be written: ") || !strings.HasSuffix(err.Error(), "; choose another with --cache") {
				t.Errorf("%s in %s: %v", what, base, err)
			}
		}
	}
}

func FuzzMark(f *testing.F) {
	f.Add(string(tag()))
	f.Add(tagSignature + "\r\n" + tagOurs + "2\r\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		err := markOf(text, func(reason string) error { return &ForeignError{"x", reason} })
		if ours := strings.HasPrefix(strings.ReplaceAll(text, "\r\n", "\n")+"\n", tagSignature+"\n"+tagOurs+"2\n"); ours != (err == nil) {
			t.Errorf("%q: %v", text, err)
		}
	})
}

func FuzzUnsealed(f *testing.F) {
	f.Add([]byte("x"), []byte("y"))
	f.Add([]byte{}, []byte("\n"))
	f.Fuzz(func(t *testing.T, data, other []byte) {
		if got, ok := unsealed(append(seal(data), data...)); !ok || string(got) != string(data) {
			t.Errorf("%q came back as %q", data, got)
		}
		if got, ok := unsealed(other); ok && string(append(seal(got), got...)) != string(other) {
			t.Errorf("%q was taken for sealed", other)
		}
	})
}
