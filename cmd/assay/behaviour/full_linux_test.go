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

// If the disk becomes full during a run, the run ends, prints what it measured, keeps the stored records,
// and says how to resume.
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("builds runners and measures")
	}
	cachetest.Once(t)
	cache := cachetest.Dir(t)
	orders := filepath.Join(t.TempDir(), "orders.ndjson")
	if err := os.WriteFile(orders, []byte("{\"id\": 1}\n{\"id\": 2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		title string // of a table
		args  []string
	}{
		{"movie · record=one · encode", []string{"run", "-w", "movie"}},
		{"orders · records=2 · encode", []string{"try", orders}},
	} {
		t.Run(test.args[0], func(t *testing.T) {
			dir := t.TempDir()
			if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=48k"); err != nil {
				rootonly.Skip(t, "a small disk needs the right to mount one: ", err)
			}
			t.Cleanup(func() {
				if err := syscall.Unmount(dir, 0); err != nil {
					t.Error(err)
				}
			})
			args := append(test.args, "-c", "encoding/json|sonic|jsoniter", "-o", "encode", "--rounds", "200", "--layouts", "3", "--results", dir, "--cache", cache)
			stdout, stderr, code := assayed(t, args...)
			if code != cli.ExitFailed {
				t.Errorf("exit code %d", code)
			}
			for _, part := range []string{"no space left on device", "what was measured is kept", "free some space there", "assay " + test.args[0] + " --resume "} {
				if !strings.Contains(stderr, part) {
					t.Errorf("standard error does not say %q:\n%s", part, stderr)
				}
			}
			if !strings.Contains(stdout, test.title) {
				t.Errorf("what was measured is not printed:\n%s", stdout)
			}
			if stdout := printed(t, "show", "-o", "encode", "--results", dir); !strings.Contains(stdout, test.title) {
				t.Errorf("show prints\n%s", stdout)
			}
		})
	}
}
