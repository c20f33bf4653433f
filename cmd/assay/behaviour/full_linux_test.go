package behaviour

import (
	"strings"
	"syscall"
	"testing"

	"assay/internal/cachedir/cachetest"
	"assay/internal/cli"
)

// If the disk becomes full during a run, the run ends, prints what it measured, keeps the stored records,
// and says how to resume.
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a runner and measures")
	}
	cachetest.Once(t)
	dir, cache := t.TempDir(), cachetest.Dir(t)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=48k"); err != nil {
		t.Skip("a small disk needs the right to mount one: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	stdout, stderr, code := assayed(t, "run", "-w", "movie", "-c", "json", "-o", "encode", "--rounds", "200", "--layouts", "3", "--results", dir, "--cache", cache)
	if code != cli.ExitFailed {
		t.Errorf("exit code %d", code)
	}
	for _, part := range []string{"no space left on device", "what was measured is kept", "free some space there", "assay run --resume "} {
		if !strings.Contains(stderr, part) {
			t.Errorf("standard error does not say %q:\n%s", part, stderr)
		}
	}
	if !strings.Contains(stdout, "movie · record=one · encode") {
		t.Errorf("what was measured is not printed:\n%s", stdout)
	}
	if stdout := printed(t, "show", "--results", dir); !strings.Contains(stdout, "movie · record=one · encode") {
		t.Errorf("show prints\n%s", stdout)
	}
}
