package flags

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/measure"
	"assay/internal/nearest"
	"assay/internal/refusal"
)

// Passes has the flags that say what is measured besides the launches.
type Passes struct {
	Also []string
	// CPUs are the numbers of goroutines at which scaling is measured.
	CPUs []int
	// Footprints are the footprints of the launches, and of the pass that compares footprints.
	Footprints Footprints
}

// Add adds the flags to a command.
func (p *Passes) Add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&p.Also, "also", []string{measure.AlsoCPU}, "also run these `PASSES`: "+strings.Join(measure.PassNames(), ", ")+", all or none")
	f.IntSliceVar(&p.CPUs, "cpus", nil, "also run the ops on these `NUMBERS` of goroutines, such as 1,2,4; with -m stream, share the messages among that many files (default 1, with -m pipeline 1 and all CPUs)")
	f.Var(&p.Footprints, "footprint", "let batches allocate `SIZE` of memory between two garbage collections, and with several sizes, as in 3MiB,32MiB, also time every case at each (default 3 MiB)")
	Values(cmd, "also", measure.PassNames)
}

// Check checks and expands --also, and checks --cpus.
func (p *Passes) Check() error {
	var names []string
	for _, name := range p.Also {
		switch {
		case name == "all":
			names = measure.PassNames()
		case name == "none":
		case slices.Contains(measure.PassNames(), name):
			names = append(names, name)
		default:
			return refusal.Errorf("--also: there is no pass %q%s", name, nearest.Otherwise(name, append(measure.PassNames(), "all", "none")))
		}
	}
	p.Also = names
	for _, n := range p.CPUs {
		if n < 1 || n > 1024 {
			return refusal.Errorf("--cpus: %d is not a number of goroutines from 1 to 1024", n)
		}
	}
	return nil
}

// Goroutines returns the numbers of goroutines at which ops are measured: those of --cpus, if there are
// any, and one, with which the others are compared.
func (p *Passes) Goroutines() []int {
	if len(p.CPUs) == 0 || slices.Contains(p.CPUs, 1) {
		return p.CPUs
	}
	return append([]int{1}, p.CPUs...)
}
