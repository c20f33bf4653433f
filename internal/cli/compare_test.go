package cli

import (
	"runtime"
	"strings"
	"testing"
)

// A setting that the go command has anyway makes no other version, so --fail-on refuses it.
func TestSameSetting(t *testing.T) {
	t.Setenv("GOENV", "off")
	for _, name := range []string{"GOFLAGS", "GOEXPERIMENT", "GOTOOLCHAIN"} {
		t.Setenv(name, "")
	}
	same := [][]string{{"--env", "GOFLAGS="}, {"--env", "GOEXPERIMENT="}}
	if strings.HasPrefix(runtime.Version(), "go") { // an unreleased Go has no name for --go
		same = append(same, []string{"--go", runtime.Version()})
	}
	for _, args := range same {
		all := append([]string{"compare", "-w", "tick", "--fail-on", "+5%", "--results", t.TempDir()}, args...)
		_, stderr, code := assayed(t, all...)
		if want := "have the same source and settings, which --fail-on would always let pass"; code != ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit code %d, %s; want %q", args, code, stderr, want)
		}
	}
}
