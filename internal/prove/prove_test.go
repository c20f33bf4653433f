package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/analysis"
)

const stored = "../../docs/evidence"

// TestStored checks that every experiment has a stored finding, and that the page and the README
// are generated from the stored numbers. The finding must have the experiment's present bar,
// unless it says that it is of an earlier engine.
func TestStored(t *testing.T) {
	now, err := engine("../..")
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range slices.Concat(experiments, timings) {
		data, err := os.ReadFile(filepath.Join(stored, e.name+".json"))
		if os.IsNotExist(err) && i >= len(experiments) {
			continue // timings need not be stored
		}
		if err != nil {
			t.Error(err)
			continue
		}
		var f finding
		if err := json.Unmarshal(data, &f); err != nil {
			t.Errorf("%s: %v", e.name, err)
			continue
		}
		if f.Earlier != (f.Engine != now) {
			t.Errorf("%s: the engine has changed since, and the finding does not say so: run the experiment again, or go run ./internal/prove -mark", e.name)
		}
		if f.Name != e.name || f.Bar != e.bar && !f.Earlier {
			t.Errorf("%s: the stored finding is %q and asks %q, want %q: run the experiment again", e.name, f.Name, f.Bar, e.bar)
		}
		again := f
		if err := again.restate(); err != nil {
			t.Error(err)
		} else if diff := cmp.Diff(f, again); diff != "" {
			t.Errorf("%s: the finding is not what its rows say: go run ./internal/prove -mark (-stored +restated):\n%s", e.name, diff)
		}
		text, err := os.ReadFile(filepath.Join(stored, e.name+".md"))
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(string(f.markdown()), string(text)); diff != "" {
			t.Errorf("%s.md is not made of %s.json (-want +got):\n%s", e.name, e.name, diff)
		}
	}
	table, err := findings(stored)
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(stored, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(table), string(findingsTable.Find(readme))); diff != "" {
		t.Errorf("the table of README.md is not made of the findings: go run ./internal/prove -mark (-want +got):\n%s", diff)
	}
}

// TestIndex checks that index replaces the table with the latest findings and keeps the text
// around it.
func TestIndex(t *testing.T) {
	dir := t.TempDir()
	if err := index(dir); err != nil {
		t.Errorf("without a README: %v", err)
	}
	f := &finding{Name: "aa", Summary: "0 of 300", Met: true, Earlier: true, Head: []string{"x"}}
	if err := f.write(dir); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "README.md")
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("# Evidence\n\n| experiment | asks |\n| --- | --- |\n| x | y |\n\nAfter.\n\n| run | of |\n| --- | --- |\n")
	if err := index(dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := "# Evidence\n\n| experiment | asks | bar | found |\n| --- | --- | --- | --- |\n" +
		"| [aa](aa.md) | how often is a case called different from itself? | met, by an earlier engine | 0 of 300 |\n\nAfter.\n\n| run | of |\n| --- | --- |\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	write("# Evidence\n")
	if err := index(dir); err == nil {
		t.Error("a README without the table is written, or taken for written")
	}
}

func TestUnknownExperiment(t *testing.T) {
	for name, want := range map[string]string{"nothing": `no experiment "nothing"`, "-n": "-n comes after the name of an experiment; flags come first"} {
		if err := prove(t.Context(), t.TempDir(), []string{name}, disturbing{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, want %q", name, err, want)
		}
	}
}

func TestBenchstat(t *testing.T) {
	same := []float64{100, 101, 99, 100, 102, 98, 100, 101, 99, 100}
	more := []float64{110, 111, 109, 110, 112, 108, 110, 111, 109, 110}
	if differ, _ := benchstat(same, same); differ {
		t.Error("samples differ from themselves")
	}
	if differ, change := benchstat(same, more); !differ || change < 0.09 || change > 0.11 {
		t.Errorf("10%% more: differ %v, change %v", differ, change)
	}
}

func TestApart(t *testing.T) {
	one := analysis.Interval{Value: 1, Lo: 0.99, Hi: 1.01}
	for _, c := range []struct {
		other analysis.Interval
		want  bool
	}{
		{one, false},
		{analysis.Interval{Value: 1.01, Lo: 1, Hi: 1.02}, false},
		{analysis.Interval{Value: 1.03, Lo: 1.02, Hi: 1.04}, true},
		{analysis.Interval{Value: 0.97, Lo: 0.96, Hi: 0.98}, true},
	} {
		if got := apart(one, c.other); got != c.want {
			t.Errorf("apart(%v, %v) = %v", one, c.other, got)
		}
	}
}

func TestQuantile(t *testing.T) {
	values := []float64{5, 1, 4, 2, 3}
	for q, want := range map[float64]float64{0: 1, 0.5: 3, 1: 5} {
		if got := quantile(values, q); got != want {
			t.Errorf("quantile(%v) = %v, want %v", q, got, want)
		}
	}
	if values[0] != 5 {
		t.Error("quantile sorts its argument")
	}
}

// TestWrite checks that write replaces an earlier finding of the same name and refuses to replace
// any other file.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	f := &finding{Name: "aa", Bar: "a bar", Head: []string{"x"}}
	for range 2 {
		if err := f.write(dir); err != nil {
			t.Fatal(err)
		}
		f.Summary = "another time"
	}
	for _, name := range []string{"aa.json", "aa.md"} {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte("{\"name\": \"precious\"}"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := f.write(dir); err == nil || !strings.Contains(err.Error(), name+" was not written by assay") {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}
