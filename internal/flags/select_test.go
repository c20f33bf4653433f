package flags

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/analysis"
	"assay/result"
)

// Patterns may match all names that stored runs have, also those that are not built in.
func TestShown(t *testing.T) {
	of := func(workload, contender, mode string) *result.Run {
		return &result.Run{Plan: result.Plan{Cases: []result.Case{{Workload: workload, Size: "records=1", Contender: contender, Mode: mode, Op: result.Encode}}}}
	}
	one, two := of("orders", "own/protobuf", ""), of("clicks", "guest", "fast")
	for _, test := range []struct {
		workload, contender, mode string
		runs                      []*result.Run
		ok                        bool
	}{
		{"^orders$", "^own/", "", []*result.Run{one}, true},
		{"^orders$", "^guest$", "^fast$", []*result.Run{one, two}, true},
		{"^clicks$", "", "", []*result.Run{one, two}, true},
		{"^movie$", "^protobuf$", "output=reuse", []*result.Run{one}, true},
		{"^clicks$", "", "", []*result.Run{one}, false},
		{"", "^guest$", "", []*result.Run{one}, false},
		{"", "", "^fast$", []*result.Run{one}, false},
	} {
		var s Selection
		s.Include.Workload, s.Include.Contender, s.Include.Mode = test.workload, test.contender, test.mode
		if _, err := s.Shown(test.runs[0], test.runs[1:]...); (err == nil) != test.ok {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

// The full name of a size selects only that size, although other names contain it.
func TestSizes(t *testing.T) {
	run := &result.Run{}
	for _, size := range []string{"txs=100", "blocks=1,txs=100", "txs=1000"} {
		run.Plan.Cases = append(run.Plan.Cases, result.Case{Workload: "chain", Size: size})
	}
	for pattern, want := range map[string][]string{
		"":        {"txs=100", "blocks=1,txs=100", "txs=1000"},
		"txs=100": {"txs=100"},
		"txs":     {"txs=100", "blocks=1,txs=100", "txs=1000"},
		"^txs":    {"txs=100", "txs=1000"},
	} {
		re, err := (&Selection{Size: pattern}).sizes(run)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range run.Plan.Cases {
			if (analysis.Match{Include: re}).Name(c.Size) {
				got = append(got, c.Size)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("--size %q (-want +got):\n%s", pattern, diff)
		}
	}
}

// Build costs are of the selected contenders without the one that all are built beside.
func TestBuildCosts(t *testing.T) {
	for _, test := range []struct {
		workload, contender string
		want                []string
	}{
		{"tick", "^(encoding/gob|floor)$", []string{"tick encoding/gob building"}},
		{"tick", "^floor$", []string{"nothing is selected: floor is what every contender is built beside"}},
		{"tik", "", []string{`there is no workload "tik" (did you mean "tick"?)`}},
	} {
		var s Selection
		s.Include.Contender = test.contender
		p, err := s.BuildCosts(test.workload, 5)
		var got []string
		for _, c := range p.Cases {
			got = append(got, c.Workload+" "+c.Contender+" building")
		}
		if err != nil {
			got = []string{err.Error()}
		} else if p.Rounds != 5 {
			t.Errorf("%d builds of each", p.Rounds)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", test, diff)
		}
	}
}
