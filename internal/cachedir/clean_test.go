package cachedir

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fill makes an entry in every part. It returns the total size of the entries with a user's own
// data, and of all entries.
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
		case slices.Contains([]string{"failed", "mod", "generated", "verified"}, strings.TrimPrefix(string(p), user)):
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
	if err := d.AppendLearned([]byte("x\n")); err != nil {
		t.Fatal(err)
	}

	freed, err := d.Clean(true)
	if err != nil || freed.Bytes != own+10 || freed.Entries != 10 {
		t.Errorf("clean of a user's own = %+v, %v; want %d bytes of 10 entries", freed, err, own+10)
	}
	if _, err := os.Stat(d.Entry(Programs, key(0)).Path("a", "b")); err != nil {
		t.Errorf("what is no user's own went too: %v", err)
	}
	freed, err = d.Clean(false)
	if err != nil || freed.Entries != 10 {
		t.Errorf("clean = %+v, %v; want 10 entries", freed, err)
	}
	// The size of the link itself counts on systems that report one.
	if least := all - own; freed.Bytes < least || freed.Bytes > least+int64(len(outside)) {
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
	if string(d.Learned()) != "x\n" {
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

// TestEarlier checks that a directory that looks like a cache of the earlier layout is reported
// and not removed.
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
		want  []string // the remaining ones of 1 to 4, each 10 bytes, used that many hours ago
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

// TestEvictAbandoned checks that unfinished directories are removed once they are too old for
// their writer to be running.
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

// TestEvictUsedMeanwhile checks that an entry that was used after the listing stays.
func TestEvictUsedMeanwhile(t *testing.T) {
	d := marked(t)
	long := time.Now().Add(-time.Hour)
	for i := range 2 {
		e := d.Entry(Programs, key(i))
		if err := e.WriteFile("layout-0", []byte("0123456789")); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(e.Path(), long, long); err != nil {
			t.Fatal(err)
		}
	}
	root, err := d.open()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	kept, _, err := d.entries(root, Programs)
	if err != nil || len(kept) != 2 {
		t.Fatal(kept, err)
	}
	kept[0].Touch()
	for i, k := range kept {
		err := k.erase(root)
		_, gone := os.Stat(k.Path("layout-0"))
		if used := i == 0; errors.Is(err, errUsed) != used || (gone == nil) != used {
			t.Errorf("entry %d: %v, %v", i, err, gone)
		}
	}
}

// TestErase checks that erase removes only entries and files in them.
func TestErase(t *testing.T) {
	d := marked(t)
	fill(t, d)
	if err := d.AppendLearned([]byte("x\n")); err != nil {
		t.Fatal(err)
	}
	root, err := d.open()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	before := tree(t, d.path)
	for _, name := range []string{
		"bin/" + key(0) + "/../../" + learnedFile, "bin/" + key(0) + "/a/..",
		"", ".", "..", "/", "bin", "bin/", "bin/.", "bin/..", "bin/../bin/" + key(0), "bin/x", "user", "user/data", "user/" + key(6), "user/data/x",
		tagFile, learnedFile, "other/" + key(0), "go-build", "go-build/x", "go-build/00/x", key(0), "./bin/" + key(0), "bin//" + key(0), "bin/" + strings.ToUpper(key(0)),
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

// TestHalfWritten checks that Evict removes an unfinished file after a day, both in the place of
// an entry and within an entry, and keeps a younger one, which another process may be writing.
// Clean removes it at once.
func TestHalfWritten(t *testing.T) {
	halves := func(d Dir) []string {
		return []string{string(Generated) + "/.new-1x2y3z", string(Programs) + "/" + key(1) + "/.new-abc", string(Sources) + "/" + key(2) + "/a/.new-0"}
	}
	for _, test := range []struct {
		name  string
		age   time.Duration
		clean func(Dir) (Freed, error)
		gone  bool
	}{
		{"old", 25 * time.Hour, func(d Dir) (Freed, error) { return d.Evict(1<<40, time.Now()) }, true},
		{"young", time.Hour, func(d Dir) (Freed, error) { return d.Evict(1<<40, time.Now()) }, false},
		{"cleaned", 0, func(d Dir) (Freed, error) { return d.Clean(false) }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := marked(t)
			fill(t, d)
			for _, name := range halves(d) {
				put(t, filepath.Join(d.path, name), "half")
				at := time.Now().Add(-test.age)
				if err := os.Chtimes(filepath.Join(d.path, name), at, at); err != nil {
					t.Fatal(err)
				}
			}
			young := filepath.Join(d.path, string(Sources), key(2), ".new-1") // found before the older one
			put(t, young, "half")
			freed, err := test.clean(d)
			if err != nil || len(freed.Left) > 0 {
				t.Errorf("left %q, %v", freed.Left, err)
			}
			if _, err := os.Lstat(young); (err != nil) != (test.name == "cleaned") {
				t.Errorf("the new one: %v", err)
			}
			if test.name == "old" && freed.Bytes != int64(len("half")*len(halves(d))) {
				t.Errorf("freed %d bytes", freed.Bytes)
			}
			for _, name := range halves(d) {
				if _, err := os.Lstat(filepath.Join(d.path, name)); (err != nil) != test.gone {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}
