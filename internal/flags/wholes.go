package flags

import (
	"github.com/spf13/cobra"

	"assay/internal/refusal"
)

// Wholes has the flags of commands that also use whole values, for sizes that take too much
// memory for other rows. The whole values come from a stored run or, with --giants, from a new
// run.
type Wholes struct {
	Streams
	Memory Size
	// Runs names the stored runs, each of another session.
	Runs []string
}

// Add adds the flags to a command.
func (o *Wholes) Add(cmd *cobra.Command, runs func() []string) {
	f := cmd.Flags()
	f.StringArrayVar(&o.Runs, "whole", nil, "also use the whole values of the stored `RUN`, which assay run -m whole made; assay claims takes several")
	f.BoolVar(&o.Giants, "giants", false, "measure sizes that take too much memory for other rows, each op alone in a process")
	f.StringVar(&o.dir, "stream-dir", "", "with --giants: write files to `DIR` (default: the directory for temporary files)")
	f.Var(&o.Memory, "memory", "with --giants: end a process that takes more than `SIZE` (default half of the free memory)")
	Values(cmd, "whole", runs)
}

// Check checks that the flags fit together.
func (o *Wholes) Check() error {
	switch {
	case !o.Giants && (o.Given() || o.Memory != 0):
		return refusal.Errorf("--memory and --stream-dir need whole values; add --giants")
	case o.Giants && len(o.Runs) > 0:
		return refusal.Errorf("--giants measures whole values; it cannot be combined with --whole")
	}
	return nil
}
