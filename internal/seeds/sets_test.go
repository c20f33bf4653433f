package seeds_test

import (
	"slices"
	"testing"

	"assay/published"
	"assay/published/seeds/chain"
	"assay/published/seeds/customer"
	"assay/published/seeds/movie"
	"assay/published/seeds/sizes"
	"assay/published/seeds/tick"
)

// Every benchmark that a row names is in the seed's set, and every benchmark of
// a set is named by a row.
func TestBenchmarks(t *testing.T) {
	list, _ := load(t)
	for _, set := range []published.Set{chain.Set, customer.Set, movie.Set, sizes.Set, tick.Set} {
		var names []string
		for _, b := range set.Benchmarks {
			names = append(names, b.Name)
		}
		used := map[string]bool{}
		for _, s := range list {
			if set.Name != "seeds/"+s.ID {
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
