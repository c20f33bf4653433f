package behaviour

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/contenders"
	"assay/internal/cachedir/cachetest"
	"assay/internal/catalog"
	"assay/internal/cli"
	"assay/workload/probes"
)

func TestExplainFound(t *testing.T) {
	for name, want := range map[string][]string{
		"encoding/json": {"Found by probes", "nan", "encode-refuses", "json: unsupported value: NaN"},
		"encoding/gob":  {"neg-zero", "Double: -0 became 0"},
		"floor":         {"all probes", "survives"},
		"probe=nan":     {"probe=nan is a probe", "nan-inf explains", "encode-refuses: ", "encoding/json"},
	} {
		text := printed(t, "explain", name)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("assay explain %s does not say %q:\n%s", name, w, text)
			}
		}
	}
}

func TestProbesUsage(t *testing.T) {
	for args, want := range map[string]string{
		"-w tick":       "leave --workload and --op out",
		"-o decode":     "leave --workload and --op out",
		"--quick":       "leave --quick and --seed out",
		"--seed 2":      "leave --quick and --seed out",
		"--runner x":    "leave --runner out",
		"--format csv":  `--format is "csv"`,
		"-c nobody":     `no contender matches "nobody"`,
		"--size ^no$":   "leave --size out",
		"--size =nan$":  "asks for all probes: leave --size out",
		"-m layout=odd": "no mode matches",
	} {
		_, stderr, code := assayed(t, append([]string{"verify", "--probes"}, strings.Fields(args)...)...)
		if code != cli.ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("verify --probes %s: exit code %d, %q; want %d and %q", args, code, stderr, cli.ExitUsage, want)
		}
	}
	if _, stderr, code := assayed(t, "verify", "--format", "md"); code != cli.ExitUsage || !strings.Contains(stderr, "md with --probes") {
		t.Errorf("verify --format md: exit code %d, %q", code, stderr)
	}
}

// In a runner, the command finds what the contenders' own tests found.
func TestProbes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a runner")
	}
	stdout, stderr, code := assayed(t, "verify", "--probes", "-c", "^(encoding/json|yaml.v3|floor)$", "--format", "json", "--cache", cachetest.Dir(t))
	if code != cli.ExitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if strings.Contains(stderr, "behaves differently than in its last test") {
		t.Error(stderr)
	}
	var got struct {
		Schema  int
		Probes  []struct{ Name, Text, Losses any }
		Missing []any
		Rows    []struct {
			Contender, Mode string
			Losses, Aliases []string
			Bytes           *int
			Varies          *bool
			Answers         map[string]probes.Answer
			Wrong           []string
		}
	}
	decode(t, stdout, &got)
	if got.Schema != 1 || len(got.Probes) != len(probes.All) || len(got.Missing) != 0 {
		t.Errorf("schema %d, %d probes, %v missing", got.Schema, len(got.Probes), got.Missing)
	}
	i := 0
	for _, c := range contenders.All() {
		if !slices.Contains([]string{"encoding/json", "yaml.v3", "floor"}, c.Name) {
			continue
		}
		rows, err := catalog.Stored(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range rows {
			if i == len(got.Rows) {
				t.Fatalf("%d rows are printed, and there is also one of %s in mode %q", i, c.Name, want.Mode)
			}
			r := got.Rows[i]
			i++
			if r.Contender != c.Name || r.Mode != want.Mode {
				t.Errorf("row %d is of %s in mode %q, want %s in mode %q", i, r.Contender, r.Mode, c.Name, want.Mode)
			}
			if diff := cmp.Diff(want.Answers, r.Answers); diff != "" {
				t.Errorf("%s in mode %q (-stored +printed)\n%s", r.Contender, r.Mode, diff)
			}
		}
	}
	if i != len(got.Rows) {
		t.Errorf("%d rows are printed, want %d", len(got.Rows), i)
	}
}
