package outfile

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// content returns the contents of the files below a directory; for a link, its target.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		if e.Type()&fs.ModeSymlink != 0 {
			all[rel], err = os.Readlink(name)
			return err
		}
		data, err := os.ReadFile(name)
		all[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	if err := Write(name, text("one")); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("failed")
	if err := Write(filepath.Join(dir, "half"), func(w io.Writer) error {
		return errors.Join(text("half of it")(w), failed)
	}); !errors.Is(err, failed) {
		t.Errorf("error = %v, want that of writing", err)
	}
	long := strings.Repeat("x", 300)
	for below, want := range map[string]string{
		"nowhere/out": "there is no directory " + filepath.Join(dir, "nowhere"), "out/out": name + " is no directory",
		long: long, // the system says that it is too long
	} {
		file := filepath.Join(dir, below)
		if err := Check(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check of %s: %v, want ... %s ...", file, err, want)
		}
		if err := Write(file, func(io.Writer) error { t.Errorf("%s is written", file); return nil }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Write to %s: %v, want ... %s ...", file, err, want)
		}
	}
	if diff := cmp.Diff(map[string]string{"out": "one"}, content(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWriteOverNothing checks that an existing name keeps its content.
func TestWriteOverNothing(t *testing.T) {
	other := filepath.Join(t.TempDir(), "precious")
	put(t, other, "precious")
	tests := []struct {
		name string
		make func(name string) error
		want string
	}{
		{"a file", func(name string) error { return os.WriteFile(name, []byte("precious"), 0o666) }, "out exists, and assay writes over no file; name another, or remove it"},
		{"an empty file", func(name string) error { return os.WriteFile(name, nil, 0o666) }, "out exists"},
		{"a directory", func(name string) error { return os.Mkdir(name, 0o777) }, "out is a directory; name a file"},
		{"a link to a file", func(name string) error { return os.Symlink(other, name) }, "out is a symbolic link to a file"},
		{"a link to nothing", func(name string) error { return os.Symlink(name+"-", name) }, "out is a symbolic link to a file"},
		{"a link to a directory", func(name string) error { return os.Symlink(filepath.Dir(other), name) }, "out is a directory"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			name := filepath.Join(dir, "out")
			if err := test.make(name); err != nil {
				if runtime.GOOS == "windows" {
					t.Skip(err)
				}
				t.Fatal(err)
			}
			before := content(t, dir)
			called := false
			err := Write(name, func(io.Writer) error { called = true; return nil })
			if err == nil || !strings.Contains(err.Error(), test.want) || called {
				t.Errorf("error = %v, want ... %s ...; called: %v", err, test.want, called)
			}
			if diff := cmp.Diff(before, content(t, dir)); diff != "" {
				t.Errorf("it was changed (-before +after):\n%s", diff)
			}
		})
	}
	if data, _ := os.ReadFile(other); string(data) != "precious" {
		t.Errorf("a link was followed: %q", data)
	}
}

// TestWriteMeanwhile checks that a file that appears while another is written stays.
func TestWriteMeanwhile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	err := Write(name, func(w io.Writer) error {
		put(t, name, "precious")
		return text("ours")(w)
	})
	if err == nil || !strings.Contains(err.Error(), "exists, and assay writes over no file") {
		t.Errorf("error = %v", err)
	}
	if diff := cmp.Diff(map[string]string{"out": "precious"}, content(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWriteWithoutLinks checks the same on a file system without hard links.
func TestWriteWithoutLinks(t *testing.T) {
	link = func(string, string) error { return errors.ErrUnsupported }
	t.Cleanup(func() { link = os.Link })
	TestWrite(t)
	TestWriteOverNothing(t)
	TestWriteMeanwhile(t)
	TestWritePrivate(t)
}

func TestWriteNew(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	if err := WriteNew(name, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteNew(name, []byte("two"), 0o600); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error = %v", err)
	}
	if data, _ := os.ReadFile(name); string(data) != "one" {
		t.Errorf("it holds %q", data)
	}
}

func TestWriteDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	files := func(sets ...string) []File {
		var out []File
		for _, s := range sets {
			name, data, _ := strings.Cut(s, "=")
			out = append(out, File{Name: name, Data: []byte(data)})
		}
		return out
	}
	if err := WriteDir(dir, files("a=1", "b/c=2")); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "mine"), "precious")
	// Files that assay wrote are replaced, and the list has all files that it ever wrote.
	if err := WriteDir(dir, files("a=3", "d=4")); err != nil {
		t.Fatal(err)
	}
	got := content(t, dir)
	listed := got[ListFile]
	delete(got, ListFile)
	if diff := cmp.Diff(map[string]string{"a": "3", filepath.Join("b", "c"): "2", "d": "4", "mine": "precious"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := listHead + "\n" + hash([]byte("3")) + "  a\n" + hash([]byte("2")) + "  b/c\n" + hash([]byte("4")) + "  d\n"
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}

	put(t, filepath.Join(dir, "a"), "3 and an edit")
	if err := os.Mkdir(filepath.Join(dir, "e"), 0o777); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "precious")
	put(t, outside, "precious")
	linked := os.Symlink(outside, filepath.Join(dir, "l")) == nil && os.Symlink(filepath.Dir(outside), filepath.Join(dir, "m")) == nil
	before := content(t, dir)
	for _, test := range []struct{ name, want string }{
		{"a", "a: assay did not write that, or it was changed since; move it away, or name another directory"},
		{"mine", "mine: assay did not write that"},
		{"e", "e: assay did not write that"},
		{"l", "l: assay did not write that"},
		{"m/precious", "escapes"},
		{"../x", "cannot be the name of a file"},
		{ListFile, "cannot be the name of a file"},
	} {
		if !linked && (test.name == "l" || test.name[0] == 'm' && test.name != "mine") {
			continue
		}
		err := WriteDir(dir, files("d=new", test.name+"=new", "f=new"))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want ... %s ...", test.name, err, test.want)
		}
		if err := CheckDir(dir, "f", test.name); err == nil {
			t.Errorf("%s can be written, says CheckDir", test.name)
		}
	}
	if err := CheckDir(dir, "mine", "a", "e"); err == nil || !strings.Contains(err.Error(), "a and 2 more: assay did not write that") {
		t.Errorf("several files: %v", err)
	}
	if err := CheckDir(dir, "d", "f", "b/c"); err != nil {
		t.Errorf("what is ours, or not there: %v", err)
	}
	if err := CheckDir(filepath.Join(dir, "none"), "d"); err != nil {
		t.Errorf("a directory that is not there: %v", err)
	}
	if err := CheckDir(filepath.Join(dir, "mine"), "d"); err == nil || !strings.Contains(err.Error(), "mine is no directory") {
		t.Errorf("a file: %v", err)
	}
	// A file that already has the content counts as written.
	if err := WriteDir(dir, files("mine=precious")); err != nil {
		t.Error(err)
	}
	after := content(t, dir)
	delete(before, ListFile)
	delete(after, ListFile)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("something was changed (-before +after):\n%s", diff)
	}
	if data, _ := os.ReadFile(outside); string(data) != "precious" {
		t.Error("a link was followed")
	}
}

// TestWriteDirAgain checks that after a writing that ended early, WriteDir may replace both the
// files that were written and those that were not.
func TestWriteDirAgain(t *testing.T) {
	dir := t.TempDir()
	files := func(data string) []File {
		return []File{{Name: "a", Data: []byte(data)}, {Name: "b", Data: []byte(data)}, {Name: "c/d", Data: []byte(data)}}
	}
	if err := WriteDir(dir, files("1")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	early := func(data string) {
		ours, err := checked(root, dir, "", files(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(announce(root, ours, "", files(data)), write(root, files(data)[0])); err != nil {
			t.Fatal(err)
		}
	}
	early("2")
	early("3")
	if err := WriteDir(dir, files("4")); err != nil {
		t.Fatal(err)
	}
	want := listHead + "\n" + hash([]byte("4")) + "  a\n" + hash([]byte("4")) + "  b\n" + hash([]byte("4")) + "  c/d\n"
	if diff := cmp.Diff(want, content(t, dir)[ListFile]); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
	early("5")
	put(t, filepath.Join(dir, "b"), "precious")
	if err := WriteDir(dir, files("6")); err == nil || !strings.Contains(err.Error(), "b: assay did not write that") {
		t.Errorf("what was changed after the writing ended early: %v", err)
	}
}

// TestReplaceDir checks that ReplaceDir removes the earlier files that are no longer among the
// new ones, and no others.
func TestReplaceDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	files := func(names ...string) (out []File) {
		for _, name := range append(names, "mark") {
			out = append(out, File{Name: name, Data: []byte(name)})
		}
		return out
	}
	write := func(names ...string) {
		t.Helper()
		if err := CheckOwn(dir, "mark"); err != nil {
			t.Fatal(err)
		}
		if err := ReplaceDir(dir, "mark", files(names...)); err != nil {
			t.Fatal(err)
		}
	}
	has := func(want ...string) {
		t.Helper()
		got := slices.DeleteFunc(slices.Sorted(maps.Keys(content(t, dir))), func(name string) bool { return name == ListFile })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	write("a/b/c", "a/d", "e", "z")
	put(t, filepath.Join(dir, "a", "mine"), "precious")
	if err := os.Remove(filepath.Join(dir, "e")); err != nil {
		t.Fatal(err)
	}
	write("f")
	has(filepath.Join("a", "mine"), "f", "mark")
	if _, err := os.Stat(filepath.Join(dir, "a", "b")); err == nil {
		t.Error("an empty directory is left")
	}
	// A file that already has the content is the user's own, and stays.
	put(t, filepath.Join(dir, "h"), "h")
	write("f", "h")
	write("f")
	has(filepath.Join("a", "mine"), "f", "h", "mark")
	if err := os.Remove(filepath.Join(dir, "h")); err != nil {
		t.Fatal(err)
	}
	// A changed file is not removed, and nothing is written.
	put(t, filepath.Join(dir, "f"), "precious")
	if err := ReplaceDir(dir, "mark", files("g")); err == nil || !strings.Contains(err.Error(), "f: assay wrote that, it was changed since") {
		t.Errorf("error = %v", err)
	}
	has(filepath.Join("a", "mine"), "f", "mark")
	// A link that took the place of a directory stays.
	dir = filepath.Join(t.TempDir(), "linked")
	write("b/c", "d/e")
	if err := errors.Join(os.RemoveAll(filepath.Join(dir, "b")), os.Rename(filepath.Join(dir, "d"), filepath.Join(dir, "moved"))); err != nil {
		t.Fatal(err)
	}
	if os.Symlink("nowhere", filepath.Join(dir, "b")) == nil && os.Symlink("moved", filepath.Join(dir, "d")) == nil {
		write("f")
		has("b", "d", "f", "mark")
	}
	// Files that assay wrote for another purpose are not removed either.
	dir = t.TempDir()
	if err := WriteDir(dir, []File{{Name: "page", Data: []byte("x")}}); err != nil {
		t.Fatal(err)
	}
	if err := CheckOwn(dir, "mark"); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("error = %v", err)
	}
	if err := ReplaceDir(dir, "mark", files("a")); err == nil || !strings.Contains(err.Error(), "has other files that assay wrote") {
		t.Errorf("error = %v", err)
	}
	has("page")
	if err := CheckOwn(filepath.Join(dir, "none"), "mark"); err != nil {
		t.Error(err)
	}
}

// TestWriteDirWithin checks that nothing is written if one file would be a directory of another.
func TestWriteDirWithin(t *testing.T) {
	dir := t.TempDir()
	one := []File{{Name: "a", Data: []byte("1")}}
	if err := WriteDir(dir, one); err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{{"b", "b/c"}, {"b/c/d", "b"}, {"b/c/d", "b/c"}} {
		both := []File{{Name: "a", Data: []byte("2")}, {Name: names[0]}, {Name: names[1]}}
		err := WriteDir(dir, both)
		if err == nil || !strings.Contains(err.Error(), "one is a directory of the other") {
			t.Errorf("%q: %v", names, err)
		}
		if got := content(t, dir); len(got) != 2 || got["a"] != "1" {
			t.Errorf("%q: there are %q", names, got)
		}
		if err := WriteDir(dir, one); err != nil {
			t.Errorf("after %q: %v", names, err)
		}
	}
}

// TestWriteDevice checks that a device is written to and not replaced.
func TestWriteDevice(t *testing.T) {
	if err := Write(os.DevNull, text("x")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s was replaced: %v, %v", os.DevNull, info, err)
	}
}

// TestForeignList checks that a list that assay did not write makes no file replaceable.
func TestForeignList(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a"), "precious")
	put(t, filepath.Join(dir, ListFile), hash([]byte("precious"))+"  a\n")
	if err := WriteDir(dir, []File{{Name: "a", Data: []byte("x")}}); err == nil || !strings.Contains(err.Error(), "it is no list of files that assay wrote") {
		t.Errorf("error = %v", err)
	}
	if err := WriteDir(dir, []File{{Name: "b", Data: []byte("x")}}); err == nil {
		t.Error("the list was written over")
	}
}

// TestDamagedList checks that damaged lines of a list make no file replaceable, and leave the other
// lines as they are.
func TestDamagedList(t *testing.T) {
	sum, other := hash([]byte("1")), hash([]byte("2"))
	text := listHead + "\n" + sum + "  a\n"
	for _, line := range []string{"", "x  b", sum[1:] + "  b", sum[2:] + "  b", sum + " b", sum, "  b", sum + "  ", sum + "  ../b", sum + "  /b", sum + "  b/", strings.Repeat("x", 64) + "  b"} {
		text += line + "\n"
	}
	text += other + "  a\n" + other + "  c/d e"
	ours, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string][]string{"a": {sum, other}, "c/d e": {other}}, ours); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestForeignDirectory checks that a directory with files of somebody else is refused by the name
// of one.
func TestForeignDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := CheckOwn(dir, "mark"); err != nil {
		t.Errorf("empty: %v", err)
	}
	put(t, filepath.Join(dir, "mark"), "x")
	if err := CheckOwn(dir, "mark"); err == nil || !strings.Contains(err.Error(), dir+" is not empty, it has mark; name another directory") {
		t.Errorf("a file of the mark's name: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(string(list(map[string][]string{"a": {hash(nil)}}, "")))
	f.Add(listHead + "\nx  y\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		ours, err := parse(s)
		if err != nil {
			return
		}
		for name, sums := range ours {
			for _, sum := range sums {
				if !fs.ValidPath(name) || len(sum) != 64 {
					t.Errorf("%q has %q", name, sum)
				}
			}
		}
	})
}

// TestWritePrivate checks that only the owner can read a private file.
func TestWritePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes")
	}
	inDir := func(private bool) func(string) error {
		return func(name string) error {
			return WriteDir(filepath.Dir(name), []File{{Name: filepath.Base(name), Data: []byte("x"), Private: private}})
		}
	}
	ours := func([]byte) bool { return true }
	for _, test := range []struct {
		name        string
		write, open func(string) error
	}{
		{"a file", func(name string) error { return WritePrivate(name, text("x")) }, func(name string) error { return Write(name, text("x")) }},
		{"in a directory", inDir(true), inDir(false)},
		{"replaced", func(name string) error { return ReplacePrivate(name, []byte("x"), ours) }, func(name string) error { return Replace(name, []byte("x"), ours) }},
	} {
		mode := func(name string, write func(string) error) fs.FileMode {
			t.Helper()
			if err := write(name); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			return info.Mode()
		}
		private, open := filepath.Join(t.TempDir(), "x"), filepath.Join(t.TempDir(), "x")
		if got := mode(private, test.write); got != 0o600 {
			t.Errorf("%s: mode %v", test.name, got)
		}
		if got := mode(open, test.open); got&0o077 == 0 {
			t.Errorf("%s, not private: mode %v", test.name, got)
		}
		if test.name == "a file" {
			continue // it is never written again
		}
		if got := mode(open, test.write); got != 0o600 {
			t.Errorf("%s, private from now on: mode %v", test.name, got)
		}
	}
}

// A file is the same by another name, and none that is not there is the same as another.
func TestSame(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	put(t, file, "x")
	put(t, filepath.Join(dir, "b"), "x")
	for other, want := range map[string]bool{file: true, dir + "/../" + filepath.Base(dir) + "/a": true, filepath.Join(dir, "b"): false, "": false, filepath.Join(dir, "none"): false} {
		if Same(file, other) != want || Same(other, file) != want {
			t.Errorf("%s: %v", other, !want)
		}
	}
	if none := filepath.Join(dir, "none"); Same(none, none) {
		t.Error("what is not there is a file")
	}
}

// Files that assay wrote for another purpose are not added to a set, which would remove them when it
// is replaced.
func TestSetStaysAlone(t *testing.T) {
	dir := t.TempDir()
	set := []File{{Name: "mark", Data: []byte("1")}, {Name: "a", Data: []byte("2")}}
	if err := ReplaceDir(dir, "mark", set); err != nil {
		t.Fatal(err)
	}
	if err := WriteDir(dir, []File{{Name: "page.html", Data: []byte("3")}}); err == nil || !strings.Contains(err.Error(), "has other files that assay wrote") {
		t.Errorf("a page beside a set: %v", err)
	}
	if err := CheckDir(dir, "page.html"); err == nil || !strings.Contains(err.Error(), "has other files that assay wrote") {
		t.Errorf("a page beside a set, checked before: %v", err)
	}
	if err := CheckReplaceDir(dir, "mark", "mark", "a"); err != nil {
		t.Errorf("the set again, checked before: %v", err)
	}
	if err := ReplaceDir(dir, "other", []File{{Name: "other"}}); err == nil || !strings.Contains(err.Error(), "has other files that assay wrote") {
		t.Errorf("another set: %v", err)
	}
	if err := ReplaceDir(dir, "mark", set[:1]); err != nil {
		t.Errorf("the set again: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a")); err == nil {
		t.Error("what the set has no longer is still there")
	}
}
