package cli

import (
	"runtime"
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/internal/build"
	"assay/internal/measure"
	"assay/result"
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

// Versions that were built with the same modules and settings are the same, whatever the user called them.
func TestBuiltAlike(t *testing.T) {
	latest := measure.Variant{With: []build.ModuleVersion{{Path: "google.golang.org/protobuf", Version: "latest"}}}
	env := latest
	env.Env = []string{"GO386=softfloat"}
	other := latest
	other.Go = "go1.25.0"
	second := &result.Build{}
	for _, test := range []struct {
		name    string
		variant measure.Variant
		c       analysis.Comparison
		second  *result.Build
		want    bool
	}{
		{"the latest is the ordinary one", latest, analysis.Comparison{}, second, true},
		{"another version", latest, analysis.Comparison{Differs: []string{"protobuf v1.36.12 → v1.36.13"}}, second, false},
		{"another requirement", latest, analysis.Comparison{OneSided: []string{"more none → v1.0.0"}}, second, false},
		{"a setting that the run does not store", env, analysis.Comparison{}, second, false},
		{"another Go", other, analysis.Comparison{}, second, false},
		{"one build is stored", latest, analysis.Comparison{}, nil, false},
	} {
		test.c.B = &analysis.Side{Run: &result.Run{SecondBuild: test.second}}
		if got := builtAlike(&test.c, []measure.Version{{Label: ordinary}, {Label: "other", Variant: test.variant}}); got != test.want {
			t.Errorf("%s: alike is %v, want %v", test.name, got, test.want)
		}
	}
}
