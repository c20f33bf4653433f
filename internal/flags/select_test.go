package flags

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/analysis"
	"assay/internal/build"
	"assay/internal/measure"
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

// TestNarrowToChanged checks that a comparison of versions that names no contenders takes contenders of
// one runner, whatever module changes.
func TestNarrowToChanged(t *testing.T) {
	in := measure.Builtin()
	modules := map[string]bool{}
	for _, c := range in.Contenders() {
		modules[c.Module] = true
	}
	delete(modules, "")
	for module := range modules {
		var s Selection
		left, err := s.NarrowToChanged(in, []measure.Version{{}, {Variant: measure.Variant{With: []build.ModuleVersion{{Path: module}}}}})
		if err != nil {
			t.Errorf("%s: %v", module, err)
			continue
		}
		view, err := s.View()
		if err != nil {
			t.Fatal(err)
		}
		groups := map[string][]string{}
		for _, c := range in.Contenders() {
			switch chosen := view.Contender.Name(c.Name); {
			case c.Module == module && chosen == slices.Contains(left, c.Name), chosen && c.Module != module:
				t.Errorf("%s: %s is chosen: %v; left out %v", module, c.Name, chosen, left)
			case chosen:
				groups[c.Group] = append(groups[c.Group], c.Name)
			}
		}
		if len(groups) != 1 {
			t.Errorf("%s: contenders of %d groups: %v", module, len(groups), groups)
		}
	}
	var s Selection
	left, err := s.NarrowToChanged(in, []measure.Version{{}, {Variant: measure.Variant{With: []build.ModuleVersion{{Path: "google.golang.org/protobuf"}}}}})
	if want := []string{"protobuf-opaque"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("left out %v, %v; want %v", left, err, want)
	}
}

// What several goroutines do at once is compared with one.
func TestGoroutines(t *testing.T) {
	for _, test := range []struct{ given, want []int }{{nil, nil}, {[]int{2, 4}, []int{1, 2, 4}}, {[]int{4, 1}, []int{4, 1}}} {
		if got := (&Passes{CPUs: test.given}).Goroutines(); !slices.Equal(got, test.want) {
			t.Errorf("--cpus %v: %v; want %v", test.given, got, test.want)
		}
	}
}
