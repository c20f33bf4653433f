package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"assay/internal/rootonly"
)

// TestMain lets the test binary act as the process that TestCollect kills.
func TestMain(m *testing.M) {
	if parent := os.Getenv("ASSAY_TEST_SCRATCH"); parent != "" {
		var d Dir
		path, err := d.Make(parent)
		if err == nil {
			err = os.WriteFile(filepath.Join(path, "file"), nil, 0o600)
		}
		fmt.Println(path, err)
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// A directory within a relative path has an absolute path.
func TestRelative(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("tmp", 0o700); err != nil {
		t.Fatal(err)
	}
	var d Dir
	path, err := d.Make("tmp")
	if err != nil || !filepath.IsAbs(path) {
		t.Fatalf("%q, %v", path, err)
	}
	if err := d.Remove(); err != nil || exists(path) {
		t.Errorf("%v, and %s is there", err, path)
	}
}

// Only the user can read a directory, Collect keeps it while its process lives, and Remove
// removes it with its contents.
func TestDir(t *testing.T) {
	parent := t.TempDir()
	var d Dir
	path, err := d.Make(parent)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := d.Make(parent); again != path || err != nil {
		t.Errorf("made again: %s, %v", again, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o700 && locks {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	Collect(parent)
	if !exists(path) {
		t.Fatal("it was collected while its process lives")
	}
	if err := os.MkdirAll(filepath.Join(path, "mod/a"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, "mod/a/b"), nil, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(path, "mod/a"), 0o555); err != nil {
		t.Fatal(err)
	}
	if err := d.Remove(); err != nil || exists(path) {
		t.Errorf("removed: %v", err)
	}
	if err := d.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := d.Make(parent); err == nil {
		t.Error("another was made after it was removed")
	}
	var none Dir
	if err := none.Remove(); err != nil {
		t.Error(err)
	}
}

// Collect removes what a killed process left, and nothing else.
func TestCollect(t *testing.T) {
	if !locks {
		t.Skip("no locks here")
	}
	parent := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ASSAY_TEST_SCRATCH="+parent)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var left, failed string
	if _, err := fmt.Fscan(out, &left, &failed); err != nil || failed != "<nil>" {
		t.Fatal(left, failed, err)
	}
	file := func(path, text string) string {
		t.Helper()
		path = filepath.Join(parent, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	elsewhere := t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, owner), []byte(signedBy+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	others := []string{
		file("assay-12-34/something", "of somebody else"),
		file("assay-12-35/"+owner, "another text"),
		file("assay-12-36/"+owner, signedBy),
		file("assay-12-x/"+owner, signedBy+"\n"),
		file("assay/"+owner, signedBy+"\n"),
		file("my-assay-1-2/"+owner, signedBy+"\n"),
		file("assay-12-37", signedBy+"\n"),
		file("assay-12-40/"+owner, signedBy+"\nprocess 12 on another.example\n"), // which may hold a lock that is not seen here
		filepath.Join(parent, "assay-12-38"), filepath.Join(elsewhere, owner),
	}
	if err := os.Symlink(elsewhere, filepath.Join(parent, "assay-12-38")); err != nil {
		t.Fatal(err)
	}
	abroad := file("assay-12-43/"+owner, signedBy+"\nprocess 12 on another.example\n")
	if long := time.Now().Add(-abandoned - time.Hour); os.Chtimes(abroad, long, long) != nil {
		t.Fatal("no time was set")
	}
	ended := []string{
		abroad,
		file("assay-12-41/"+owner, signedBy+"\nprocess 12\n"), // of an earlier version
		file("assay-12-42/"+owner, signedBy+"\nprocess 12 on "+host()+"\n"),
	}
	link := filepath.Join(parent, "assay-12-39", owner)
	if err := os.MkdirAll(filepath.Dir(link), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(elsewhere, owner), link); err != nil {
		t.Fatal(err)
	}
	others = append(others, link)

	Collect(parent)
	if !exists(left) {
		t.Error("it was collected while its process lives")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // it was killed
	Collect(parent)
	for _, name := range append(ended, left) {
		if exists(name) {
			t.Errorf("%s was not collected", name)
		}
	}
	for _, name := range others {
		if !exists(name) {
			t.Errorf("%s is gone", name)
		}
	}
	Collect(filepath.Join(parent, "none"))
}

// Collect keeps what belongs to another user, even if the owner of the directory or of the file in it
// is this one.
func TestCollectOthers(t *testing.T) {
	if os.Geteuid() != 0 {
		rootonly.Skip(t, "only root can give a file away")
	}
	parent := t.TempDir()
	for name, given := range map[string][]string{
		"assay-1-1": {"", owner}, "assay-1-2": {""}, "assay-1-3": {owner}, "assay-1-4": nil,
	} {
		dir := filepath.Join(parent, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, owner), []byte(signedBy+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, part := range given {
			if err := os.Lchown(filepath.Join(dir, part), 4711, -1); err != nil {
				t.Fatal(err)
			}
		}
		Collect(parent)
		if kept := exists(filepath.Join(dir, owner)); kept != (given != nil) && locks {
			t.Errorf("%s, of which %q is another user's, is there: %t", name, given, kept)
		}
	}
}

// In makes a directory in a directory that the user names. Remove removes it, In removes the
// directory of a killed process, and other files stay.
func TestIn(t *testing.T) {
	parent := t.TempDir()
	mine := filepath.Join(parent, "mine")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var other Dir
	defer other.Remove()
	left, err := other.Make(parent)
	if err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(parent, "assay-1-1") // a copy of left that nobody locks
	if err := os.CopyFS(killed, os.DirFS(left)); err != nil {
		t.Fatal(err)
	}
	var all Temporaries
	dir, err := all.In(parent)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(dir) != parent || !exists(dir) || !exists(left) || locks && exists(killed) {
		t.Errorf("%s is there: %t, another process's: %t, a killed one's: %t", dir, exists(dir), exists(left), exists(killed))
	}
	if err := os.WriteFile(filepath.Join(dir, "stream"), []byte("records"), 0o600); err != nil {
		t.Fatal(err)
	}
	all.Remove()
	if exists(dir) || !exists(mine) {
		t.Errorf("%s is there: %t, and %s: %t", dir, exists(dir), mine, exists(mine))
	}
	if _, err := all.In(mine); err == nil {
		t.Error("a directory was made in a file")
	}
}

// Abandon also removes a directory that an ending program creates after Remove.
func TestAbandon(t *testing.T) {
	parent := t.TempDir()
	t.Setenv("TMPDIR", parent)
	t.Setenv("TMP", parent)
	t.Setenv("TEMP", parent)
	t.Setenv("GOTMPDIR", "")
	var all Temporaries
	all.Make()
	path := os.TempDir()
	if path == parent {
		t.Fatal("no directory was made")
	}
	made := make(chan error, 1)
	go func() {
		for exists(path) {
			time.Sleep(time.Millisecond)
		}
		// Retry, because the parents may be removed while the program creates them.
		err := errors.New("not tried")
		for end := time.Now().Add(time.Second); err != nil && time.Now().Before(end); {
			err = os.MkdirAll(filepath.Join(path, "go-build1", "b001"), 0o700)
		}
		made <- err
	}()
	all.abandon(time.Second) // longer than linger: this machine may be busy
	if err := <-made; err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
