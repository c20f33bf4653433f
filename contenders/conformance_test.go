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
// Who runs it has a process for each contender.
func TestConformance(t *testing.T) {
	for _, c := range contenders.All() {
		t.Run(c.Dir(), func(t *testing.T) {
			t.Chdir(c.Dir()) // its golden files are there
			// The probes come first. What a library numbers in the order of its first use,
			// as gob does types, is then the same here and in a runner that loads them only.
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

// order is the place of a workload's check.
func order(w *workload.Workload) int {
	if w == probes.Workload {
		return 0
	}
	return 1
}
