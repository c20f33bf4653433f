package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"assay/internal/measure"
	"assay/internal/plan"
)

// An effort has the flags that say how much is measured: --quick, --budget, --layouts, --rounds
// and --precision. A command may have only some of them.
type effort struct {
	quick     bool
	budget    time.Duration
	usual     bool // no flag sets the budget
	layouts   int
	rounds    int // 0 for as many as the budget allows
	precision string
	asked     float64 // precision as a share; 0 if it was not given
}

// An amount has the defaults of an effort. A zero means that the command decides in another way.
type amount struct {
	budget  time.Duration
	layouts int
}

// The limits of flags. Nobody measures for longer, and more layouts need more disk space than
// there is.
const (
	mostBudget  = 1000 * time.Hour
	mostLayouts = 1000
	mostRounds  = 10_000
)

// budgetFlag adds --budget. Its text names the defaults.
func budgetFlag(cmd *cobra.Command, budget *time.Duration, full, quick amount) {
	cmd.Flags().DurationVar(budget, "budget", 0, fmt.Sprintf("take about `DURATION` after the build (default %s, with --quick %s)", plan.Brief(full.budget), plan.Brief(quick.budget)))
}

// layoutsFlag adds --layouts. Its text names the defaults.
func layoutsFlag(cmd *cobra.Command, layouts *int, full, quick amount) {
	cmd.Flags().IntVar(layouts, "layouts", 0, fmt.Sprintf("link `N` random layouts (default %d, with --quick %d)", full.layouts, quick.layouts))
}

// quickFlag adds --quick. less says what a quick run leaves out, and takes.budget how long it
// takes.
func quickFlag(cmd *cobra.Command, quick *bool, less string, takes amount) {
	cmd.Flags().BoolVar(quick, "quick", false, less+", and take "+plan.Brief(takes.budget))
}

// complete checks the flags and fills in the defaults of a full run, or of a quick run with
// --quick. A flag that was not given is 0, so complete refuses an explicit 0.
func (e *effort) complete(cmd *cobra.Command, full, quick amount) error {
	given := cmd.Flags().Changed
	switch {
	case given("budget") && e.budget <= 0:
		return usagef("--budget is %v; it must be positive", e.budget)
	case e.budget > mostBudget:
		return usagef("--budget is %v, which is too long: at most %v", e.budget, mostBudget)
	case given("layouts") && (e.layouts < 1 || e.layouts > mostLayouts):
		return usagef("--layouts is %d; it must be between 1 and %d", e.layouts, mostLayouts)
	case given("rounds") && (e.rounds < 1 || e.rounds > mostRounds):
		return usagef("--rounds is %d; it must be between 1 and %d", e.rounds, mostRounds)
	}
	if e.precision != "" {
		var err error
		if e.asked, err = parsePercent("--precision", e.precision); err != nil {
			return err
		}
		if e.asked < measure.Finest {
			return usagef("--precision is %q; the best possible is ±%.1f%%, because the machine itself changes that much", e.precision, 100*measure.Finest)
		}
	}
	if e.quick {
		full = quick
	}
	if e.budget == 0 {
		e.budget, e.usual = full.budget, true
	}
	if e.layouts == 0 {
		e.layouts = full.layouts
	}
	return nil
}

// left returns the part of the budget that remains for measuring after reading the input. A
// default budget includes the reading, and the fraction of a second is left for the answer. A
// budget from a flag is only for measuring.
func (e *effort) left(reading time.Duration) time.Duration {
	if !e.usual {
		return e.budget
	}
	return max(e.budget/2, (e.budget - reading).Truncate(time.Second))
}
