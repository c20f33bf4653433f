//go:build generated

package contenders_test

import (
	"cmp"
	"flag"
	"os"
	"slices"
	"testing"

	"assay/bench"
	"assay/contender/contendertest"
	"assay/contenders"
	"assay/workload"
	"assay/workload/builtin"
	"assay/workload/probes"
)

var memory = flag.Int64("memory", 0, "end the program when it uses more than so many `BYTES`; 0: never")

func TestMain(m *testing.M) {
	flag.Parse()
	contendertest.Limit(*memory)
	os.Exit(m.Run())
}

// TestConformance checks contenders on every workload that their formats can hold.
// TestGenerated runs it in one process for each contender.
func TestConformance(t *testing.T) {
	for _, c := range contenders.All() {
		t.Run(c.Dir(), func(t *testing.T) {
			t.Chdir(c.Dir()) // its golden files are there
			// The probes come first. If a library numbers things in the order of their first
			// use, as gob numbers types, the numbers are then the same here as in a runner that
			// loads only the probes.
			held := slices.SortedStableFunc(slices.Values(builtin.All()), func(a, b *workload.Workload) int { return cmp.Compare(order(a), order(b)) })
			checked := 0
			for _, w := range held {
				if !contenders.Holds(c.Name, w.Name) {
					continue
				}
				checked++
				own := slices.DeleteFunc(slices.Clone(bindings), func(b bench.Binding) bool { return b.Contender != c.Name || b.Workload != w.Name })
				contendertest.Check(t, c, own, w)
			}
			if checked == 0 {
				t.Errorf("%s can hold no workload, so nothing of it is checked", c.Name)
			}
		})
	}
}

// order returns the rank of a workload: the probes come first.
func order(w *workload.Workload) int {
	if w == probes.Workload {
		return 0
	}
	return 1
}
