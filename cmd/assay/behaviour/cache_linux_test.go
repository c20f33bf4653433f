package behaviour

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assay/internal/cachedir/cachetest"
	"assay/internal/cli"
	"assay/internal/rootonly"
)

// A read-only cache works if it has everything. Otherwise the error says what to do.
func TestReadOnlyCache(t *testing.T) {
	if testing.Short() {
		t.Skip("builds runners and measures")
	}
	cachetest.Once(t)
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=200m"); err != nil {
		rootonly.Skip(t, "a read-only file system needs the right to mount one: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	remount := func(flags uintptr) {
		if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|flags, "size=200m"); err != nil {
			t.Fatal(err)
		}
	}
	results := t.TempDir()
	samples := filepath.Join(t.TempDir(), "orders.ndjson")
	var text strings.Builder
	for i := range 400 { // more than are timed, so that assay chooses some of them
		text.WriteString(`{"id": ` + strings.Repeat("1", 1+i%9) + `, "text": "` + strings.Repeat("x", 2000) + "\"}\n")
	}
	if err := os.WriteFile(samples, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	try := []string{"try", samples, "--quick", "--rounds", "3", "--layouts", "1", "-c", "^(encoding/json|msgp)$", "--cache", dir, "--results", results}

	remount(syscall.MS_RDONLY)
	want := "the cache " + filepath.Join(dir, "assay-cache") + " cannot be written: read-only file system; choose another with --cache"
	for _, args := range [][]string{try, {"run", "-w", "movie", "--cache", dir, "--results", results}, {"verify", "-w", "movie", "--cache", dir}} {
		if _, stderr, code := assayed(t, args...); code != cli.ExitFailed || !strings.Contains(stderr, want) {
			t.Errorf("cold, assay %s: exit code %d: %s", args[0], code, stderr)
		}
	}
	remount(0)
	printed(t, try...)
	remount(syscall.MS_RDONLY)
	if _, stderr, code := assayed(t, try...); code != cli.ExitOK || strings.Contains(stderr, "left out") {
		t.Errorf("warm: exit code %d: %s", code, stderr)
	}
	other := filepath.Join(t.TempDir(), "other.ndjson")
	if err := os.WriteFile(other, []byte(`{"other": true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	try[1] = other
	if _, stderr, code := assayed(t, try...); code != cli.ExitFailed || !strings.Contains(stderr, want) {
		t.Errorf("other records: exit code %d: %s", code, stderr)
	}
	if stdout := printed(t, "runner", "list", "--cache", dir); !strings.Contains(stdout, "1 runner in ") {
		t.Errorf("list prints %s", stdout)
	}
	if _, stderr, code := assayed(t, "runner", "clean", "--cache", dir); code != cli.ExitFailed || !strings.Contains(stderr, "read-only file system") {
		t.Errorf("clean: exit code %d: %s", code, stderr)
	}
}
