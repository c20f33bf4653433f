package publishedtest

import (
	"flag"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/BurntSushi/toml"

	"assay/published"
	"assay/published/exhibits"
)

// operations is the benchtime of each half: enough operations to fill pools, and few enough for a
// test.
const operations = "100x"

// CheckExhibit checks the exhibit in the working directory: its exhibit.toml must be valid and
// concern metrics that its benchmarks report, and it and the claims must name each other. exact are
// the metrics that do not depend on time. CheckExhibit checks the expectations of these metrics;
// for other metrics it checks only that both halves report them.
func CheckExhibit(t *testing.T, set published.Set, exact ...string) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("exhibit.toml")
	if err != nil {
		t.Fatal(err)
	}
	name := path.Join("exhibits", filepath.Base(dir))
	e, err := exhibits.Parse(path.Join("published", name, "exhibit.toml"), data)
	if err != nil {
		t.Fatal(err)
	}
	if set.Name != name {
		t.Errorf("the set is named %q, want %q", set.Name, name)
	}
	for _, m := range exact {
		if !slices.ContainsFunc(e.Expect, func(x exhibits.Expect) bool { return x.Metric == m }) {
			t.Errorf("exhibit.toml expects nothing of %s", m)
		}
	}
	checkClaims(t, e)
	measured := measure(t, set)
	for _, x := range e.Expect {
		p, inPublished := measured["published"][x.Metric]
		c, inCorrected := measured["corrected"][x.Metric]
		if !inPublished || !inCorrected {
			t.Errorf("exhibit.toml expects something of %s, which one half or both do not report", x.Metric)
			continue
		}
		if !slices.Contains(exact, x.Metric) {
			continue
		}
		for _, part := range []struct {
			name  string
			value float64
			want  *exhibits.Bound
		}{{"published", p, x.Published}, {"corrected", c, x.Corrected}, {"ratio", c / p, x.Ratio}} {
			if part.want != nil && !part.want.Allows(part.value) {
				t.Errorf("%s of %s: %g, want %s", part.name, x.Metric, part.value, part.want)
			}
		}
	}
}

// checkClaims checks that the exhibit names exactly the claims that name it.
func checkClaims(t *testing.T, e exhibits.Description) {
	t.Helper()
	files, err := filepath.Glob("../../sources/*/claims.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no claims are found: %v", err)
	}
	var want []string
	for _, file := range files {
		var ledger struct {
			Claim []struct {
				ID       string
				Exhibits []string
			}
		}
		if _, err := toml.DecodeFile(file, &ledger); err != nil {
			t.Fatal(err)
		}
		for _, c := range ledger.Claim {
			if slices.Contains(c.Exhibits, e.Name) {
				want = append(want, c.ID)
			}
		}
	}
	if got := slices.Sorted(slices.Values(e.Claims)); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("exhibit.toml names the claims %q; those that name the exhibit are %q", e.Claims, want)
	}
}

// measure runs both halves for a few operations and returns what each reports, by half and metric.
func measure(t *testing.T, set published.Set) map[string]map[string]float64 {
	t.Helper()
	benchtime := flag.Lookup("test.benchtime").Value
	before := benchtime.String()
	if err := benchtime.Set(operations); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := benchtime.Set(before); err != nil {
			t.Error(err)
		}
	}()
	measured := map[string]map[string]float64{}
	for _, half := range set.Benchmarks {
		r := testing.Benchmark(half.Run)
		if r.N == 0 {
			t.Fatalf("%s fails: run it with go test -bench", half.Name)
		}
		m := map[string]float64{}
		for name, v := range r.Extra {
			m[name] = v
		}
		m["time"], m["alloc-bytes"], m["allocs"] = float64(r.T)/float64(r.N), float64(r.AllocedBytesPerOp()), float64(r.AllocsPerOp())
		measured[half.Name] = m
	}
	if len(set.Benchmarks) != 2 || measured["published"] == nil || measured["corrected"] == nil {
		t.Fatal("an exhibit has two benchmarks, published and corrected")
	}
	return measured
}
