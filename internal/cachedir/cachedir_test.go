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
)

// key returns a key that ends with a number.
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

// marked returns a cache that exists.
func marked(t *testing.T) Dir {
	t.Helper()
	d := In(t.TempDir())
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	return d
}

// tree returns what is below a directory: a link's target, a file's content, or
// nothing for a directory.
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

// change is everything that writes to a cache or removes from it.
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
		"sentinel": d.AppendSentinel([]byte("x\n")),
	}
}

// Whatever is no cache of ours is neither written to nor emptied.
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

// give gives a file to another user, which only root can.
func give(t *testing.T, name string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	if err := os.Lchown(name, 4711, -1); err != nil {
		t.Fatal(err)
	}
}

// fill makes an entry in every part, and returns the size of those of a user's
// own data.
func fill(t *testing.T, d Dir) (own, all int64) {
	t.Helper()
	for i, p := range parts {
		text := strings.Repeat("x", i+1)
		e := d.Entry(p, key(i))
		switch {
		case strings.HasSuffix(string(p), temporary):
			tmp, err := d.Temp(p.own())
			if err != nil {
				t.Fatal(err)
			}
			put(t, tmp.Path("x"), text)
		case p.fits(key(i), 0):
			if err := d.Keep(p, key(i), []byte(text)); err != nil {
				t.Fatal(err)
			}
			text += strings.Repeat("s", 65)
		default:
			if err := e.WriteFile("a/b", []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		all += int64(len(text))
		if p.own() {
			own += int64(len(text))
		}
	}
	return own, all
}

func TestClean(t *testing.T) {
	if freed, err := In(t.TempDir()).Clean(false); err != nil || freed.Entries != 0 {
		t.Errorf("nothing: %+v, %v", freed, err)
	}
	d := marked(t)
	own, all := fill(t, d)
	outside := t.TempDir()
	put(t, filepath.Join(outside, "precious"), "x")
	strange := map[string]string{
		"notes.txt": "x", "bin/readme": "x", "bin/" + key(90) + ".bak/x": "x", "src/assay/x": "x", "bin/" + key(91): "a file",
		"failed/" + key(92) + "/x": "a directory", "new/123": "x", "user/mine": "x", "user/data/orders.json": "x", "other/" + key(1) + "/x": "x",
		"go-build/00/x-a": "0123456789", "go-build/cache/x": "x",
	}
	for name, text := range strange {
		put(t, filepath.Join(d.path, name), text)
	}
	link(t, outside, filepath.Join(d.path, "src", key(93)))
	link(t, outside, d.Entry(Programs, key(0)).Path("a", "link"))
	if err := d.AppendSentinel([]byte("x\n")); err != nil {
		t.Fatal(err)
	}

	freed, err := d.Clean(true)
	if err != nil || freed.Bytes != own || freed.Entries != 8 {
		t.Errorf("clean of a user's own = %+v, %v; want %d bytes of 8 entries", freed, err, own)
	}
	if _, err := os.Stat(d.Entry(Programs, key(0)).Path("a", "b")); err != nil {
		t.Errorf("what is no user's own went too: %v", err)
	}
	freed, err = d.Clean(false)
	if err != nil || freed.Entries != 6 {
		t.Errorf("clean = %+v, %v; want 6 entries", freed, err)
	}
	// The link's own size counts where the system says that it has one.
	if least := all - own + 10; freed.Bytes < least || freed.Bytes > least+int64(len(outside)) {
		t.Errorf("%d bytes were freed, want %d", freed.Bytes, least)
	}
	want := []string{
		"bin/" + key(91), "bin/" + key(90) + ".bak", "bin/readme", "failed/" + key(92), "go-build/cache", "new/123", "notes.txt",
		"other", "src/" + key(93), "src/assay", "user/data/orders.json", "user/mine",
	}
	if diff := cmp.Diff(want, freed.Left, cmp.Transformer("sorted", sorted)); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	after := tree(t, d.path)
	for name, text := range strange {
		if name != "go-build/00/x-a" && after[filepath.FromSlash(name)] != text {
			t.Errorf("%s is gone", name)
		}
	}
	if _, err := os.Stat(filepath.Join(outside, "precious")); err != nil {
		t.Errorf("a link was followed: %v", err)
	}
	if string(d.Sentinel()) != "x\n" {
		t.Error("what is known of the machine is gone")
	}
}

func sorted(list []string) map[string]bool {
	all := map[string]bool{}
	for _, s := range list {
		all[s] = true
	}
	return all
}

// Only what has the mark around it is removed: a directory that looks like a
// cache of the earlier layout is named, and stays.
func TestEarlier(t *testing.T) {
	base := t.TempDir()
	d := In(base)
	put(t, filepath.Join(base, "bin", key(1), "layout-0"), "x")
	put(t, filepath.Join(base, "failed", key(1)+".json"), "{}")
	put(t, filepath.Join(base, "src", "project", "main.go"), "package main")
	put(t, filepath.Join(base, "src", key(1), "go.mod"), "module assay")
	put(t, filepath.Join(base, "data", "orders.json"), "{}")
	if err := os.Mkdir(filepath.Join(base, "tree"), 0o700); err != nil {
		t.Fatal(err)
	}
	before := tree(t, base)
	want := []string{filepath.Join(base, "bin"), filepath.Join(base, "failed")}
	if diff := cmp.Diff(want, d.Earlier()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	if freed, err := d.Clean(false); err != nil || freed.Entries != 0 || len(freed.Left) != 0 {
		t.Errorf("clean = %+v, %v", freed, err)
	}
	if _, err := d.Evict(0, time.Now().Add(1000*time.Hour)); err != nil {
		t.Error(err)
	}
	after := tree(t, base)
	delete(after, Name)
	delete(after, filepath.Join(Name, tagFile))
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("it was changed (-before +after):\n%s", diff)
	}
}

func TestEvict(t *testing.T) {
	now := time.Now()
	tests := []struct {
		name  string
		limit int64
		want  []string // left, of 1 to 4, each 10 bytes, used that many hours ago
	}{
		{"room for all", 40, []string{"1", "2", "3", "4"}},
		{"room for three", 30, []string{"1", "2", "4"}},
		{"room for two", 29, []string{"1", "4"}},
		{"those in use and those kept stay", 0, []string{"1", "4"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := marked(t)
			for hours := 1; hours <= 4; hours++ {
				p := Programs
				if hours == 3 {
					p = Records
				}
				e := d.Entry(p, key(hours))
				if err := e.WriteFile("layout-0", []byte("0123456789")); err != nil {
					t.Fatal(err)
				}
				used := now.Add(-time.Duration(hours) * time.Hour)
				if err := os.Chtimes(e.Path(), used, used); err != nil {
					t.Fatal(err)
				}
			}
			old := filepath.Join(d.path, "src", "project")
			put(t, filepath.Join(old, "main.go"), strings.Repeat("x", 1000))
			past := now.Add(-1000 * time.Hour)
			if err := os.Chtimes(old, past, past); err != nil {
				t.Fatal(err)
			}
			freed, err := d.Evict(test.limit, now, d.Entry(Programs, key(4)).Path("layout-0"))
			if err != nil {
				t.Fatal(err)
			}
			var left []string
			for hours := 1; hours <= 4; hours++ {
				if d.Entry(Programs, key(hours)).Exists() || d.Entry(Records, key(hours)).Exists() {
					left = append(left, strconv.Itoa(hours))
				}
			}
			if diff := cmp.Diff(test.want, left); diff != "" {
				t.Errorf("left (-want +got):\n%s", diff)
			}
			if gone := 4 - len(left); freed.Entries != gone || freed.Bytes != int64(10*gone) {
				t.Errorf("freed %+v, and %d are gone", freed, gone)
			}
			if _, err := os.Stat(filepath.Join(old, "main.go")); err != nil {
				t.Errorf("what assay did not make was evicted: %v", err)
			}
		})
	}
}

// What interrupted processes left goes when nobody can be making it any more.
func TestEvictAbandoned(t *testing.T) {
	d := marked(t)
	now := time.Now()
	var left []string
	for _, hours := range []int{1, 30} {
		tmp, err := d.Temp(true)
		if err != nil {
			t.Fatal(err)
		}
		used := now.Add(-time.Duration(hours) * time.Hour)
		if err := os.Chtimes(tmp.Path(), used, used); err != nil {
			t.Fatal(err)
		}
		left = append(left, tmp.Path())
	}
	if freed, err := d.Evict(1<<40, now); err != nil || freed.Entries != 1 {
		t.Errorf("freed %+v, %v; want one entry", freed, err)
	}
	for i, want := range []bool{true, false} {
		if _, err := os.Stat(left[i]); (err == nil) != want {
			t.Errorf("%d: %v", i, err)
		}
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
	for _, bad := range []string{"", "..", "x", strings.ToUpper(key(1)), key(1) + "/x", "../" + key(1)} {
		e := d.Entry(Sources, bad)
		_, ok := d.Recall(Failures, bad)
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

// An entry that was turned into a link is not written through.
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

// Nothing is removed but entries and what is in them.
func TestErase(t *testing.T) {
	d := marked(t)
	fill(t, d)
	root, err := d.open()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	before := tree(t, d.path)
	for _, name := range []string{
		"", ".", "..", "/", "bin", "bin/", "bin/.", "bin/..", "bin/../bin/" + key(0), "bin/x", "user", "user/data", "user/" + key(6), "user/data/x",
		tagFile, sentinelFile, "other/" + key(0), "go-build", "go-build/x", "go-build/00/x", key(0), "./bin/" + key(0), "bin//" + key(0), "bin/" + strings.ToUpper(key(0)),
	} {
		if err := erase(root, name); err == nil {
			t.Errorf("%q was removed", name)
		}
	}
	if diff := cmp.Diff(before, tree(t, d.path)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	put(t, filepath.Join(d.path, goBuild, "00", "x-a"), "x")
	for _, name := range []string{"bin/" + key(0) + "/a/b", "bin/" + key(0), "user/data/" + key(6), "go-build/00"} {
		if err := erase(root, name); err != nil {
			t.Error(err)
		}
		if _, err := os.Lstat(filepath.Join(d.path, filepath.FromSlash(name))); err == nil {
			t.Errorf("%s is still there", name)
		}
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
	// A directory where the file belongs is damage.
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
	// What another process put there stays.
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

// Of several processes that make the directory at once one does, and all use it.
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

// A directory that cannot be made says what to do.
func TestNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	put(t, file, "")
	for _, base := range []string{file, filepath.Join(file, "below")} {
		for what, err := range change(In(base)) {
			if what == "clean" || what == "clean own" || what == "evict" || what == "remove" {
				continue // there is nothing
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
