package sources_test

import (
	"slices"
	"testing"

	"assay/published"
	"assay/published/sources/chain"
	"assay/published/sources/customer"
	"assay/published/sources/movie"
	"assay/published/sources/sizes"
	"assay/published/sources/tick"
)

// Every benchmark that a row names must be in the source's set, and a row must name every benchmark
// of a set.
func TestBenchmarks(t *testing.T) {
	list, _ := load(t)
	for _, set := range []published.Set{chain.Set, customer.Set, movie.Set, sizes.Set, tick.Set} {
		var names []string
		for _, b := range set.Benchmarks {
			names = append(names, b.Name)
		}
		used := map[string]bool{}
		for _, s := range list {
			if set.Name != "sources/"+s.ID {
				continue
			}
			for _, table := range s.Tables {
				for _, r := range table.Rows {
					used[r.Benchmark] = true
					if r.Benchmark != "" && !slices.Contains(names, r.Benchmark) {
						t.Errorf("%s/%s: %q of %s: %s has no benchmark %s", s.ID, table.ID, r.Label, r.Library, set.Name, r.Benchmark)
					}
				}
			}
		}
		for _, name := range names {
			if !used[name] {
				t.Errorf("%s: no row is of the benchmark %s", set.Name, name)
			}
		}
	}
}
