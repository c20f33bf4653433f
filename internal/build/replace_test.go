package build

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/internal/cachedir"
)

// commit makes a git repository with a module in its directory "lib" and two commits of the
// module, and returns the module's directory. The tag "first" names the first one.
func commit(t *testing.T) string {
	t.Helper()
	builds(t)
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	repo := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = repo
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	put(t, filepath.Join(repo, "README"), "before the module\n")
	git("add", ".")
	git("commit", "-q", "-m", "none")
	git("tag", "none")
	put(t, filepath.Join(repo, "lib", "go.mod"), "module example.com/tiny\n")
	put(t, filepath.Join(repo, "lib", "in", "a.go"), "package in // first\n")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	git("tag", "first")
	put(t, filepath.Join(repo, "lib", "in", "a.go"), "package in // second\n")
	git("commit", "-q", "-a", "-m", "second")
	put(t, filepath.Join(repo, "lib", "in", "a.go"), "package in // not committed\n")
	return filepath.Join(repo, "lib")
}

func TestCheckout(t *testing.T) {
	dir, cache := commit(t), cachedir.In(t.TempDir())
	for _, test := range []struct{ revision, want string }{
		{"first", "package in // first\n"},
		{"HEAD", "package in // second\n"},
		{"HEAD~1", "package in // first\n"},
		{".", "package in // not committed\n"},
		{"worktree", "package in // not committed\n"},
	} {
		r, err := Checkout(t.Context(), cache, dir, test.revision)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(r.Dir, "in", "a.go"))
		if string(data) != test.want {
			t.Errorf("%s: file holds %q, %v; want %q", test.revision, data, err, test.want)
		}
		if r.Path != "example.com/tiny" || r.Name == "" {
			t.Errorf("%s: %+v", test.revision, r)
		}
		if (r.Name == "worktree") != strings.Contains(test.want, "not committed") {
			t.Errorf("%s is called %s", test.revision, r.Name)
		}
	}
	trees, err := filepath.Glob(filepath.Join(cache.Path(), "tree", "*"))
	if len(trees) != 2 {
		t.Errorf("exported %v, %v; want two trees", trees, err)
	}
	if left, _ := filepath.Glob(filepath.Join(cache.Path(), "new", "*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	// A damaged tree is exported again.
	r, err := Checkout(t.Context(), cache, dir, "first")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(r.Dir, "in", "a.go")
	if err := os.WriteFile(file, []byte("package in // damaged\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Checkout(t.Context(), cache, dir, "first"); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(file); string(data) != "package in // first\n" {
		t.Errorf("a damaged tree holds %q, %v", data, err)
	}
	if _, err := cache.Clean(false); err != nil {
		t.Fatal(err)
	}
	if trees, _ := filepath.Glob(filepath.Join(cache.Path(), "tree", "*")); len(trees) != 0 {
		t.Errorf("Clean leaves %v", trees)
	}
}

func TestCheckoutErrors(t *testing.T) {
	dir := commit(t)
	for _, test := range []struct{ name, dir, revision, want string }{
		{"unknown revision", dir, "v9", `has no revision "v9"; git log shows those it has`},
		{"a flag", dir, "--all", `has no revision "--all"`},
		{"no revision", dir, "", `has no revision ""`},
		{"no repository", t.TempDir(), "HEAD", "is not in a git repository: "},
		{"before there was a module", filepath.Dir(dir), "none", "revision none of " + filepath.Dir(dir) + " has no go.mod there"},
		{"before the directory", dir, "none", "exporting revision none of " + dir + ": "},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Checkout(t.Context(), cachedir.In(t.TempDir()), test.dir, test.revision)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error = %v\nwant ... %s ...", err, test.want)
			}
		})
	}
	t.Run("no git", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		_, err := Checkout(t.Context(), cachedir.In(t.TempDir()), dir, "HEAD")
		if err == nil || !strings.Contains(err.Error(), "git is not on PATH") {
			t.Errorf("error = %v", err)
		}
	})
}

// A revision has all files of the commit as they are, whatever attributes and filters say.
func TestCheckoutAttributes(t *testing.T) {
	dir, cache := commit(t), cachedir.In(t.TempDir())
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "-c", "core.autocrlf=false"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	want := map[string]string{
		"in/left_out.go": "package in // left out\n", "in/changed.go": "package in // $Format:%H$\n", "in/a b\tc.go": "package in\r\n", "in/empty": "",
	}
	for name, text := range want {
		put(t, filepath.Join(dir, name), text)
	}
	git("add", ".")
	git("commit", "-q", "-m", "files")
	put(t, filepath.Join(dir, ".gitattributes"), "left_out.go export-ignore\nchanged.go export-subst\n*.go text eol=crlf\n")
	if err := os.Symlink("a.go", filepath.Join(dir, "in", "link.go")); err != nil {
		t.Fatal(err)
	}
	git("add", ".gitattributes", "in/link.go")
	git("commit", "-q", "-m", "attributes")
	r, err := Checkout(t.Context(), cache, dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range want {
		if data, err := os.ReadFile(filepath.Join(r.Dir, name)); err != nil || string(data) != text {
			t.Errorf("%q holds %q, %v; want %q", name, data, err, text)
		}
	}
	if _, err := os.Lstat(filepath.Join(r.Dir, "in", "link.go")); err == nil {
		t.Error("the link was written")
	}
}

// The directives of a module that the go command does not follow are known.
func TestOverruled(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "go.mod"), "module example.com/a\n\nrequire example.com/b v1.0.0\n\nreplace example.com/b => ./b\n\nexclude example.com/c v1.2.3\n")
	if got := (Replacement{Dir: dir}).Overruled(); !slices.Equal(got, []string{"example.com/b", "example.com/c"}) {
		t.Errorf("overruled are %v", got)
	}
	put(t, filepath.Join(dir, "go.mod"), "module example.com/a\n")
	if got := (Replacement{Dir: dir}).Overruled(); len(got) > 0 {
		t.Errorf("overruled are %v", got)
	}
}

// A kept copy has the content that its key names, even if its files and its hash were changed
// alike.
func TestKeptModule(t *testing.T) {
	dir, cache := t.TempDir(), cachedir.In(t.TempDir())
	put(t, filepath.Join(dir, "go.mod"), "module example.com/a\n")
	put(t, filepath.Join(dir, "a.go"), "package a\n")
	r, hash, err := Replacement{Dir: dir}.kept(cache)
	if err != nil {
		t.Fatal(err)
	}
	// Such a copy and its matching hash could come from files that changed while they were
	// copied.
	put(t, filepath.Join(r.Dir, "a.go"), "package a // changed\n")
	sum, err := sumModule(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(filepath.Dir(r.Dir), exportSum), sum)
	again, same, err := Replacement{Dir: dir}.kept(cache)
	if err != nil || again.Dir != r.Dir || same != hash {
		t.Fatalf("%+v, %s, %v; want %+v, %s", again, same, err, r, hash)
	}
	if data, err := os.ReadFile(filepath.Join(again.Dir, "a.go")); err != nil || string(data) != "package a\n" {
		t.Errorf("the copy holds %q, %v", data, err)
	}
	// exportInto keeps nothing if files changed meanwhile.
	entry := cache.Entry(cachedir.Trees, strings.Repeat("0", cachedir.KeySize*2))
	err = exportInto(cache, entry, hash, func(w *cachedir.Writer, to string) error {
		return w.WriteFile(to+"/a.go", []byte("package other\n"))
	})
	if !errors.Is(err, errChanged) || entry.Exists() {
		t.Errorf("error = %v; kept: %v", err, entry.Exists())
	}
}

// The cache may be within the module, as on machines that keep it in their workspace.
func TestCacheWithinModule(t *testing.T) {
	dir := t.TempDir()
	cache := cachedir.In(filepath.Join(dir, ".cache"))
	put(t, filepath.Join(dir, "go.mod"), "module example.com/a\n")
	put(t, filepath.Join(dir, "a.go"), "package a\n")
	first, hash, err := Replacement{Dir: dir}.kept(cache)
	if err != nil {
		t.Fatal(err)
	}
	again, same, err := Replacement{Dir: dir}.kept(cache)
	if err != nil || again.Dir != first.Dir || same != hash {
		t.Errorf("%+v, %s, %v; want %+v, %s", again, same, err, first, hash)
	}
}

// The named directory decides which repository is read, also within a hook of another one.
func TestCheckoutInHook(t *testing.T) {
	dir := commit(t)
	t.Setenv("GIT_DIR", filepath.Join(t.TempDir(), "another.git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(t.TempDir(), "index"))
	r, err := Checkout(t.Context(), cachedir.In(t.TempDir()), dir, "first")
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(r.Dir, "in", "a.go")); string(data) != "package in // first\n" {
		t.Errorf("the file holds %q, %v", data, err)
	}
}

// A link to a module's directory stands for the module.
func TestLinkedModule(t *testing.T) {
	dir, cache := t.TempDir(), cachedir.In(t.TempDir())
	put(t, filepath.Join(dir, "go.mod"), "module example.com/a\n")
	put(t, filepath.Join(dir, "a.go"), "package a\n")
	link := filepath.Join(t.TempDir(), "linked")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	r, err := Replacement{Dir: link}.normal()
	if err != nil || r.Name != "linked" {
		t.Fatalf("%+v, %v", r, err)
	}
	if r, _, err = r.kept(cache); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(r.Dir, "a.go")); err != nil || string(data) != "package a\n" {
		t.Errorf("the copy holds %q, %v", data, err)
	}
}

func TestSumModule(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "go.mod"), "module example.com/a\n")
	put(t, filepath.Join(dir, "a.go"), "package a\n")
	hash := func() string {
		t.Helper()
		h, err := sumModule(dir)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	before := hash()
	for _, name := range []string{".git/HEAD", "vendor/modules.txt", "tools/go.mod", "tools/t.go", ".cache/assay-cache/bin/x"} {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), "x")
	}
	if hash() != before {
		t.Error("files that are no part of the module change its hash")
	}
	put(t, filepath.Join(dir, "in", "table.bin"), "x")
	if hash() == before {
		t.Error("a file that may be embedded does not change the hash")
	}
	if _, err := sumModule(filepath.Join(dir, "absent")); err == nil {
		t.Error("no error for a directory that is absent")
	}
}
