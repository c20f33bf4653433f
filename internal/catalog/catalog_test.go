package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/contender"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/measure"
	"assay/internal/refusal"
	"assay/internal/report"
	"assay/internal/runlock"
	"assay/result"
	"assay/workload/probes"
)

// Every name that the program uses has an explanation.
func TestTopics(t *testing.T) {
	names := slices.Concat(ContenderNames(), WorkloadNames(), ModeNames(), OpNames())
	for _, m := range analysis.Metrics {
		names = append(names, m.Name)
	}
	for _, c := range contenders.All() {
		for _, trait := range c.Traits {
			names = append(names, string(trait))
		}
		for _, loss := range c.Losses {
			names = append(names, string(loss))
		}
	}
	for _, s := range result.Statuses {
		names = append(names, string(s.Status))
	}
	known := TopicNames()
	for _, name := range names {
		if !slices.Contains(known, name) {
			t.Errorf("there is no topic %s", name)
		}
	}
	for _, op := range result.Ops {
		if opText[op] == "" {
			t.Errorf("op %s has no text", op)
		}
	}
	for _, m := range contenders.All() {
		for _, mode := range m.Modes {
			for _, axis := range strings.Split(mode.Key, ",") {
				if contender.AxisOf(axis).Text == "" {
					t.Errorf("%s of %s has no text", axis, m.Name)
				}
			}
		}
	}
}

// The stored findings of every contender match what it declares, for every mode that can be
// probed. The contender's own test checks that the stored findings are true.
func TestStored(t *testing.T) {
	for _, c := range contenders.All() {
		rows, err := Stored(c)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(rows) == 0 {
			if measure.Builtin().Holds(c, probes.Workload) == nil {
				t.Errorf("%s can be asked, and nothing is stored of it: go test ./contenders -run TestGenerated -only %[1]s -update", c.Name)
			}
			continue
		}
		var want, got []string
		for _, ops := range append([]contender.Mode{{Ops: c.Ops}}, c.ModesFor(probes.Schema)...) {
			if slices.Contains(ops.Ops, result.Encode) || slices.Contains(ops.Ops, result.Decode) {
				want = append(want, ops.Key)
			}
		}
		for _, r := range rows {
			got = append(got, r.Mode)
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("modes of %s (-declared +stored)\n%s", c.Name, diff)
		}
		for _, wrong := range probes.Misdeclared(c, rows) {
			t.Errorf("%s: %s", c.Name, wrong)
		}
	}
}

func TestListContenders(t *testing.T) {
	var got struct {
		Schema     int
		Contenders []struct {
			Name, Format, Module, Version, License string
			Traits, Modes, Losses                  []string
			Default                                bool
			// The fields below are not part of the documented contract.
			Title string
			Ops   []string
		}
	}
	l, err := List("contenders", assay.Source)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(l.Contract)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if got.Schema != 1 || len(got.Contenders) != len(contenders.All()) {
		t.Fatalf("schema %d, %d contenders", got.Schema, len(got.Contenders))
	}
	for i, c := range contenders.All() {
		g := got.Contenders[i]
		if g.Name != c.Name || g.Format != c.Format || g.Module != c.Module || g.License != c.License || g.Title != c.Title {
			t.Errorf("%s is listed as %+v", c.Name, g)
		}
		if g.Version == "" || g.Default != (c.Group == "") {
			t.Errorf("%s has version %q, default %v", c.Name, g.Version, g.Default)
		}
		modes := []string{}
		for _, m := range c.Modes {
			modes = append(modes, m.Key)
		}
		for _, list := range [][2][]string{
			{modes, g.Modes}, {names(c.Traits), g.Traits}, {names(c.Losses), g.Losses}, {names(c.Ops), g.Ops},
		} {
			if diff := cmp.Diff(list[0], list[1]); diff != "" { // null would differ from []
				t.Errorf("%s (-want +got):\n%s", c.Name, diff)
			}
		}
	}
}

// No findings are stored for a contender that is not built in.
func TestDiffersElsewhere(t *testing.T) {
	if differ, err := Differs(report.MatrixRow{Row: probes.Row{Contender: "mine"}}); differ != nil || err != nil {
		t.Errorf("got %q, %v", differ, err)
	}
}

// Sources and exhibits are found by name. An unknown name is refused with the nearest one, or with all.
func TestNamed(t *testing.T) {
	some, err := Sources(assay.Source, []string{"tick", "movie"})
	if err != nil || len(some) != 2 || some[0].ID != "movie" {
		t.Errorf("%d sources, %v", len(some), err)
	}
	if all, err := Exhibits(assay.Source, nil); err != nil || len(all) != len(ExhibitNames(assay.Source)) {
		t.Errorf("%d exhibits, %v", len(all), err)
	}
	for name, want := range map[string]string{
		"movies": `there is no source "movies" (did you mean "movie"?)`,
		"abc":    `there is no source "abc"; there are: ` + strings.Join(SourceIDs(assay.Source), ", "),
	} {
		if _, err := Sources(assay.Source, []string{name}); !errors.As(err, new(*refusal.Error)) || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A run is running while it has a writer, and is complete if it ended after it was read.
func TestRuns(t *testing.T) {
	results := t.TempDir()
	run := &result.Run{}
	store, err := result.Create(results, run)
	if err != nil {
		t.Fatal(err)
	}
	lock, _, err := runlock.Take(store.Dir())
	if err != nil {
		t.Fatal(err)
	}
	read, err := result.ReadRun(store.Dir())
	if err != nil {
		t.Fatal(err)
	}
	state := func(want string) {
		t.Helper()
		text, err := json.Marshal(Runs(results, []*result.Run{read}).Contract)
		if complete := fmt.Sprintf(`"complete":%v,"state":%q`, want == "complete", want); err != nil || !strings.Contains(string(text), complete) {
			t.Errorf("%s, %v; want %s", text, err, want)
		}
	}
	state("running")
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	state("cut short")
	if err := store.Finish(run); err != nil {
		t.Fatal(err)
	}
	state("complete")
}
