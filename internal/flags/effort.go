package flags

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"assay/internal/measure"
	"assay/internal/plan"
	"assay/internal/refusal"
	"assay/result"
)

// An Effort has the flags that say how much is measured: --quick, --budget, --layouts, --rounds
// and --precision. A command may have only some of them.
type Effort struct {
	Quick     bool
	Budget    time.Duration
	usual     bool // no flag sets the budget
	Layouts   int
	Rounds    int     // 0 for as many as the budget allows
	Precision string  // as given, such as 2%
	Share     float64 // Precision as a share; 0 if it was not given
}

// An Amount has the defaults of an effort. A zero means that the command decides in another way.
type Amount struct {
	Budget  time.Duration
	Layouts int
}

// The amounts of the commands that measure, in full and with --quick. assay try measures one workload
// while the user waits for the answer, and a run for claims has many cells. Of a comparison of versions,
// each side has the layouts. The budget of a reproduction is without its builds, and in full depends on
// its rows.
var (
	FullRun, QuickRun       = Amount{3 * time.Minute, 16}, Amount{40 * time.Second, 8}
	FullTry, QuickTry       = Amount{90 * time.Second, 16}, Amount{30 * time.Second, 8}
	FullClaims, QuickClaims = Amount{5 * time.Minute, 16}, Amount{2 * time.Minute, 8}
	FullSides, QuickSides   = Amount{3 * time.Minute, 48}, Amount{30 * time.Second, 8}
	QuickReproduction       = Amount{Budget: 2 * time.Minute}
)

// The limits of flags. Nobody measures for longer, and more layouts need more disk space than
// there is.
const (
	mostBudget = 1000 * time.Hour
	// MostLayouts is the largest number of random layouts.
	MostLayouts = 1000
	mostRounds  = 10_000
)

// Budget adds --budget. Its text names the defaults.
func Budget(cmd *cobra.Command, budget *time.Duration, full, quick Amount) {
	cmd.Flags().DurationVar(budget, "budget", 0, fmt.Sprintf("take about `DURATION` after the build (default %s, with --quick %s)", plan.Brief(full.Budget), plan.Brief(quick.Budget)))
}

// Layouts adds --layouts. Its text names the defaults.
func Layouts(cmd *cobra.Command, layouts *int, full, quick Amount) {
	cmd.Flags().IntVar(layouts, "layouts", 0, fmt.Sprintf("link `N` random layouts (default %d, with --quick %d)", full.Layouts, quick.Layouts))
}

// Seed adds --seed.
func Seed(cmd *cobra.Command, seed *uint64) {
	cmd.Flags().Uint64Var(seed, "seed", 1, "make the values from `SEED`")
}

// Resume adds --resume. then says what the command does after the measurement, and ids completes the
// flag.
func Resume(cmd *cobra.Command, run *string, then string, ids func() []string) {
	cmd.Flags().StringVar(run, "resume", "", "go on with the stored `RUN` (an ID, a directory, or latest)"+then)
	Values(cmd, "resume", ids)
}

// Quick adds --quick. less says what a quick run leaves out, and takes.budget how long it
// takes.
func Quick(cmd *cobra.Command, quick *bool, less string, takes Amount) {
	cmd.Flags().BoolVar(quick, "quick", false, less+", and take "+plan.Brief(takes.Budget))
}

// Complete checks the flags and fills in the defaults of a full run, or of a quick run with
// --quick. A flag that was not given is 0, so Complete refuses an explicit 0.
func (e *Effort) Complete(cmd *cobra.Command, full, quick Amount) error {
	given := cmd.Flags().Changed
	switch {
	case given("budget") && e.Budget <= 0:
		return refusal.Errorf("--budget is %v; it must be positive", e.Budget)
	case e.Budget > mostBudget:
		return refusal.Errorf("--budget is %v, which is too long: at most %v", e.Budget, mostBudget)
	case given("layouts") && (e.Layouts < 1 || e.Layouts > MostLayouts):
		return refusal.Errorf("--layouts is %d; it must be between 1 and %d", e.Layouts, MostLayouts)
	case given("rounds") && (e.Rounds < 1 || e.Rounds > mostRounds):
		return refusal.Errorf("--rounds is %d; it must be between 1 and %d", e.Rounds, mostRounds)
	}
	if e.Precision != "" {
		var err error
		if e.Share, err = Percent("--precision", e.Precision); err != nil {
			return err
		}
		if e.Share < measure.Finest {
			return refusal.Errorf("--precision is %q; the best possible is ±%.1f%%, because the machine itself changes that much", e.Precision, 100*measure.Finest)
		}
	}
	if e.Quick {
		full = quick
	}
	if e.Budget == 0 {
		e.Budget, e.usual = full.Budget, true
	}
	if e.Layouts == 0 {
		e.Layouts = full.Layouts
	}
	return nil
}

// Left returns the part of the budget that remains for measuring after reading the input. A
// default budget includes the reading, and the fraction of a second is left for the answer. A
// budget from a flag is only for measuring.
func (e *Effort) Left(reading time.Duration) time.Duration {
	if !e.usual {
		return e.Budget
	}
	return max(e.Budget/2, (e.Budget - reading).Truncate(time.Second))
}

// WithLayouts returns an effort with the default layouts of another command. full and quick are
// that command's amounts.
func (e Effort) WithLayouts(full, quick Amount) Effort {
	if e.Quick {
		full = quick
	}
	e.Layouts = full.Layouts
	return e
}

// Anew returns the flags that measure as much as a stored run did and, if wholes is not nil, the whole
// values of that run too. full and quick are the amounts of the command.
func Anew(run, wholes *result.Run, full, quick Amount) string {
	text, usual := "", full
	if run.Plan.Quick {
		text, usual = " --quick", quick
	}
	if budget := run.Plan.Budget; budget > 0 && budget != usual.Budget {
		text += " --budget " + plan.Brief(budget)
	}
	if n := len(run.Plan.Layouts) - 1; n > 0 && n != usual.Layouts { // the first is the ordinary one
		text += fmt.Sprintf(" --layouts %d", n)
	}
	if run.Seed != 1 {
		text += fmt.Sprintf(" --seed %d", run.Seed)
	}
	if wholes == nil {
		return text
	}
	text += " --giants"
	if s := wholes.Plan.Stream; s != nil && s.Memory > 0 {
		text += " --memory " + exactBytes(s.Memory)
	}
	return text
}
