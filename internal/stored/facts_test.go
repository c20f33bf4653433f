package stored

import (
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/console"
	"assay/internal/refusal"
	"assay/result"
)

// Runs of whole values are read in their order, each once, and none that has no whole values.
func TestWholes(t *testing.T) {
	results := t.TempDir()
	day := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	of := func(mode string) result.Plan {
		return result.Plan{Cases: []result.Case{{Workload: "movie", Size: "record=one", Contender: "gob", Mode: mode, Op: result.Encode}}, Stream: &result.StreamPlan{}}
	}
	one, two := made(t, results, day, of(contender.WholeMode)), made(t, results, day.Add(time.Hour), of(contender.WholeMode))
	stream := made(t, results, day.Add(2*time.Hour), of(contender.StreamMode))
	runs := Runs{Dir: results, Console: &console.Console{Err: io.Discard}}
	first, dirs, err := runs.Wholes([]string{filepath.Base(one), "latest"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{one, two}, dirs); diff != "" {
		t.Errorf("directories (-want +got):\n%s", diff)
	}
	if first.Run.ID != filepath.Base(one) || first.Besides.Run.ID != filepath.Base(two) || first.Besides.Besides != nil {
		t.Errorf("%s and %+v", first.Run.ID, first.Besides)
	}
	for want, names := range map[string][]string{
		"is given twice":      {one, one},
		"has no whole values": {one, stream},
		`there is no run "x"`: {"x"},
	} {
		if _, _, err := runs.Wholes(names); !errors.As(err, new(*refusal.Error)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", names, err, want)
		}
	}
}

// Commands that print cases refuse a run that has only published benchmarks, and those that print one
// number a case refuse a run of two versions.
func TestFacts(t *testing.T) {
	one := result.Case{Workload: "movie", Size: "record=one", Contender: "gob", Op: result.Encode}
	bench := []result.Record{{Bench: &result.Bench{Set: "exhibits/x", Name: "published"}}}
	for _, test := range []struct {
		name            string
		plan            result.Plan
		records         []result.Record
		cases, versions string
	}{
		{"cases", result.Plan{Cases: []result.Case{one}}, nil, "", ""},
		{"cases and benchmarks", result.Plan{Cases: []result.Case{one}}, bench, "", ""},
		{"benchmarks", result.Plan{}, bench, "run id has no cases, only published benchmarks: assay exhibits --run r/id shows those that are exhibits", ""},
		{"nothing yet", result.Plan{}, nil, "", ""},
		{"two versions", result.Plan{Cases: []result.Case{one}, Sides: []string{"a", "b"}}, nil, "", "run id compares two versions; assay compare r/id prints them"},
	} {
		run := &result.Run{ID: "id", Name: "r/id", Plan: test.plan}
		text := func(err error) string {
			if err == nil {
				return ""
			}
			return err.Error()
		}
		if got := text(HasCases(run, test.records)); got != test.cases {
			t.Errorf("%s: %q, want %q", test.name, got, test.cases)
		}
		if got := text(OfOneVersion(run, test.records)); got != test.versions {
			t.Errorf("%s: %q, want %q", test.name, got, test.versions)
		}
	}
}

// A view that shows nothing names the filter that leaves nothing, unless it takes several to do so.
func TestNoneInView(t *testing.T) {
	run := &result.Run{ID: "id", Name: "r/id"}
	for _, size := range []string{"level=1", "level=2"} {
		for _, mode := range []string{"", "output=reuse"} {
			run.Plan.Cases = append(run.Plan.Cases, result.Case{Workload: "customer", Size: size, Contender: "msgp", Mode: mode, Op: result.Encode})
		}
	}
	run.Plan.Cases = append(run.Plan.Cases, result.Case{Workload: "movie", Size: "record=one", Contender: "gob", Op: result.Decode})
	only := func(pattern string) analysis.Match { return analysis.Match{Include: regexp.MustCompile(pattern)} }
	for _, test := range []struct {
		view analysis.View
		want string
	}{
		{analysis.View{Workload: only("tick")}, "nothing to show: no workload of run id matches the filter; it has customer and movie"},
		{analysis.View{Size: only("nosuch"), Op: only("encode")}, "nothing to show: no size of run id matches the filter; it has level=1, level=2 and record=one"},
		{analysis.View{Contender: analysis.Match{Exclude: regexp.MustCompile("g")}}, "nothing to show: no contender of run id matches the filter; it has msgp and gob"},
		{analysis.View{Mode: only("pool")}, "nothing to show: no mode of run id matches the filter; it has default and output=reuse"},
		{analysis.View{Op: only("scan")}, "nothing to show: no op of run id matches the filter; it has encode and decode"},
		{analysis.View{Workload: only("movie"), Contender: only("msgp")}, "nothing to show: no case of run id matches all the filters; assay show r/id without them shows all"},
	} {
		err := NoneInView(run, test.view)
		if !errors.As(err, new(*refusal.Error)) || err.Error() != test.want {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
}

// A directory that a shell would split is quoted once.
func TestWholeFlags(t *testing.T) {
	for _, test := range []struct {
		dirs []string
		want string
	}{
		{nil, ""},
		{[]string{".assay/runs/20261129-1", "r/20261129-2"}, " --whole 20261129-1 --whole r/20261129-2"},
		{[]string{"my runs/20261129-1"}, " --whole 'my runs/20261129-1'"},
	} {
		if got := WholeFlags(test.dirs); got != test.want {
			t.Errorf("%q: %s, want %s", test.dirs, got, test.want)
		}
	}
}
