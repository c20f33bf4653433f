package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"assay/internal/measure"
	"assay/internal/plan"
)

// An effort is the flags that say how much is measured, as far as a command has them:
// --quick, --budget, --layouts, --rounds and --precision.
type effort struct {
	quick     bool
	budget    time.Duration
	usual     bool // no flag says the budget
	layouts   int
	rounds    int // 0: as the budget allows
	precision string
	asked     float64 // precision as a share; 0: none was asked for
}

// An amount is what an effort is where no flag says; zero where the command decides
// otherwise.
type amount struct {
	budget  time.Duration
	layouts int
}

// The limits of flags: nobody measures for longer, and more layouts take more disk
// than there is.
const (
	mostBudget  = 1000 * time.Hour
	mostLayouts = 1000
	mostRounds  = 10_000
)

// budgetFlag adds --budget, which says what it is by default.
func budgetFlag(cmd *cobra.Command, budget *time.Duration, full, quick amount) {
	cmd.Flags().DurationVar(budget, "budget", 0, fmt.Sprintf("take about `DURATION` after the build (default %s, with --quick %s)", plan.Brief(full.budget), plan.Brief(quick.budget)))
}

// layoutsFlag adds --layouts, which says how many there are by default.
func layoutsFlag(cmd *cobra.Command, layouts *int, full, quick amount) {
	cmd.Flags().IntVar(layouts, "layouts", 0, fmt.Sprintf("link `N` random layouts (default %d, with --quick %d)", full.layouts, quick.layouts))
}

// quickFlag adds --quick, which does so much less in the time of a quick amount.
func quickFlag(cmd *cobra.Command, quick *bool, less string, takes amount) {
	cmd.Flags().BoolVar(quick, "quick", false, less+", and take "+plan.Brief(takes.budget))
}

// complete checks the flags and fills in the amount of a full run, or of one with
// --quick. What was not given is 0, so a 0 that was given is refused: it would be
// taken for what was not.
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

// left is what a budget has left for measuring when reading took so long. Where no flag says
// the budget, reading is part of it, and a part of a second is for the answer.
func (e *effort) left(reading time.Duration) time.Duration {
	if !e.usual {
		return e.budget
	}
	return max(e.budget/2, (e.budget - reading).Truncate(time.Second))
}
