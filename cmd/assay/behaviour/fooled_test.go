package behaviour

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/cachedir/cachetest"
	"assay/internal/cli"
	"assay/result"
)

// A rowSaid has the fields of a row of a command's JSON that the test checks.
type rowSaid struct {
	Contender, Reason, Metric string
	Op                        result.Op
	Value                     *float64
	Status                    result.Status
}

// fooled runs a command with planted contenders. It returns the rows of its JSON and, by
// contender, the warnings beside the numbers.
func fooled(t *testing.T, of []plant, args ...string) (rows []rowSaid, beside map[string]string) {
	t.Helper()
	var more []*contender.Contender
	var names []string
	for _, p := range of {
		more = append(more, p.contender(t))
		names = append(names, regexp.QuoteMeta(p.name))
	}
	results := t.TempDir()
	args = append(args, "--all", "-c", "^("+strings.Join(names, "|")+")$", "-m", "default", "-o", "encode|decode",
		"--rounds", "20", "--layouts", "1", "--format", "json", "--results", results, "--cache", t.TempDir())
	var stdout, stderr bytes.Buffer
	if code := cli.Run(t.Context(), args, &stdout, &stderr, assay.Source, more...); code != cli.ExitOK {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	t.Cleanup(func() { // after the errors, which this long output would hide
		if t.Failed() {
			t.Log(stderr.String())
		}
	})
	var out struct{ Rows []rowSaid }
	if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	run := newestRun(t, results)
	_, records, _, err := result.Read(results + "/" + run.ID)
	if err != nil {
		t.Fatal(err)
	}
	beside = map[string]string{}
	for _, table := range analysis.Of(run, records, analysis.View{}).Tables {
		for _, row := range table.Rows {
			for _, w := range row.Warnings {
				beside[row.Case.Contender] += w.Text + "\n"
			}
		}
	}
	return out.Rows, beside
}

// TestPlantedRun checks that assay run finds each planted fault and attributes it to the right
// contender, which then has no number. All other rows have numbers.
func TestPlantedRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a runner and measures")
	}
	cachetest.Once(t)
	groups := map[string][]plant{}
	for _, p := range plants {
		switch {
		case p.late:
			groups["late"] = append(groups["late"], p)
		case p.stops:
			groups["stops"] = append(groups["stops"], p)
		default:
			groups["others"] = append(groups["others"], p)
		}
	}
	for name, some := range groups {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// The default passes would measure the CPU times of so many contenders for a minute
			// longer.
			findsPlants(t, some, "run", "-w", "movie", "--also", "cpu", "--budget", "60s")
		})
	}
}

// findsPlants checks that a command finds the planted faults. With so many contenders, a busy
// machine can cause a failure. So it tries failed plants again, beside contenders without faults
// only, and those that fail then once more.
func findsPlants(t *testing.T, some []plant, args ...string) {
	t.Helper()
	for tries := 1; ; tries++ {
		all := slices.Concat(sound, some)
		rows, beside := fooled(t, all, args...)
		wrong := checkPlants(all, rows, beside)
		if len(wrong) == 0 {
			return
		}
		for name, text := range wrong {
			if tries == 3 {
				t.Error(text)
			} else {
				t.Logf("tried again: %s: %s", name, text)
			}
		}
		if tries == 3 {
			return
		}
		some = slices.DeleteFunc(slices.Clone(some), func(p plant) bool { return wrong[p.name] == "" })
	}
}

// TestPlantedTry checks the same for assay try with a user's own records.
func TestPlantedTry(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a runner and measures")
	}
	cachetest.Once(t)
	var some []plant
	for _, p := range plants {
		if p.own {
			some = append(some, p)
		}
	}
	findsPlants(t, some, "try", movies(t))
}

// movies returns a file of records that the planted contenders support. They have a map, with which
// lengths may vary.
func movies(t *testing.T) string {
	t.Helper()
	var records strings.Builder
	for i := range 40 {
		fmt.Fprintf(&records, "{\"Id\":\"%d\",\"Title\":\"The Movie %d\",\"Description\":\"about %d things\",\"Director\":\"somebody %d\",\"Votes\":{\"reader %d\":%d,\"reader %d\":%d}}\n",
			10000+7*i, i, 3*i, i%5, 2*i, i, 2*i+1, 3*i)
	}
	file := filepath.Join(t.TempDir(), "movies.ndjson")
	if err := os.WriteFile(file, []byte(records.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// checkPlants checks what is reported of each plant. It returns the failures by contender.
func checkPlants(of []plant, rows []rowSaid, beside map[string]string) map[string]string {
	wrong := map[string]string{}
	fails := func(name, format string, args ...any) {
		wrong[name] += fmt.Sprintf(name+" "+format+"\n", args...)
	}
	seen := map[string]bool{}
	times := map[result.Op]map[string]float64{result.Encode: {}, result.Decode: {}}
	for _, r := range rows {
		if r.Metric == "time" && r.Value != nil {
			times[r.Op][r.Contender] = *r.Value
		}
		i := slices.IndexFunc(of, func(p plant) bool { return p.name == r.Contender })
		p := plant{}
		if i >= 0 {
			p = of[i]
		}
		// On a machine under load there may be time for only one launch, so a noisy row counts as
		// timed.
		timed := r.Status == result.OK || r.Status == result.Noisy
		switch {
		case p.warning != "" && r.Op == p.op && timed: // the warning is beside the number
		case p.op != "" && r.Op == p.op:
			want := p.status
			if want == "" {
				want = result.Unverified
			}
			seen[p.name] = true
			if r.Value != nil || r.Status != want || !strings.Contains(r.Reason, p.reason) {
				fails(r.Contender, "%s %s: number %v, %s %q; want none, and %s %q", r.Op, r.Metric, r.Value != nil, r.Status, r.Reason, want, p.reason)
			}
		case timed && r.Value != nil || p.op != "": // the other op of a faulty contender may be lost with it
		default:
			fails(r.Contender, "%s %s: %s %q", r.Op, r.Metric, r.Status, r.Reason)
		}
	}
	for _, p := range of {
		for op, of := range times {
			if ns, timed := of[p.name]; p.least != "" && timed && 4*ns < of[p.least] {
				fails(p.name, "%s takes %v ns, and what it remembers decides: %s takes %v", op, ns, p.least, of[p.least])
			}
		}
		if p.op != "" && p.warning == "" && !seen[p.name] {
			fails(p.name, "has no row")
		}
		if !seen[p.name] && !strings.Contains(beside[p.name], p.warning) {
			fails(p.name, "has %q beside its numbers, want %q", beside[p.name], p.warning)
		}
	}
	return wrong
}
