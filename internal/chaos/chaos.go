// Package chaos disturbs commands that measure and checks what becomes of their
// runs. It starts assay as a user does, two at a time on one results directory and
// one cache, kills, interrupts, stops and starves them at random moments of every
// phase, goes on with --resume, and looks at what must hold whatever happened: no
// line of samples is lost or doubled, nothing is left behind, and the run that was
// gone on with is complete and says what an undisturbed one says.
//
// What is done to which run follows from a seed. When it is done is a share of the
// time that the phase usually takes, so it repeats as far as the machine's clock
// lets it.
package chaos

import (
	"fmt"
	"slices"
	"time"
)

// Options say what is disturbed.
type Options struct {
	// Assay is the path of the program.
	Assay string
	// Dir is an empty directory for everything that is written.
	Dir string
	// N is the number of runs that are disturbed, and Seed what is done to them.
	N    int
	Seed uint64
	// Undisturbed is how many runs of each plan are made first, to compare with.
	Undisturbed int
	// Layouts is the number of random layouts of a run, and Rounds the rounds of a
	// launch.
	Layouts, Rounds int
	// Commands are the commands that are disturbed: "try", "run" or both.
	Commands []string
	// Log is told how far it is; it may be nil.
	Log func(format string, args ...any)
}

// A Report is what became of the runs.
type Report struct {
	// Runs are the disturbed runs in the order of their numbers.
	Runs []Outcome
	// Rounds are violations that belong to no single run: what is left in the cache
	// or the results directory that two runs shared.
	Rounds []string
	// Ratios are the ratios of the runs, each with that of undisturbed runs.
	Ratios []Ratio
	// Notes say what could not be tried here, and why.
	Notes []string
}

// An Outcome is what became of one run.
type Outcome struct {
	Planned
	// Hits are the disturbances as they came, one for each planned.
	Hits []Hit
	// Resumed is how many processes went on with the run.
	Resumed int
	// Refused is what became of a second process that wanted to go on with the run at
	// the same time: "refused", "too late" when the run was complete by then, or empty
	// when there was none.
	Refused string
	// Lacked says that a case has no number, and the run says that memory was lacking:
	// what a process may do from which memory was taken away.
	Lacked bool
	// Lines are the lines of samples in the end.
	Lines int
	// Violations say what does not hold.
	Violations []string
}

// A Hit is a disturbance as it came.
type Hit struct {
	Kind Kind
	// Phase is what the command did at that moment; Over: it had ended.
	Phase Phase
	// Exit is how the command ended: an exit code or a signal.
	Exit string
	// Took is the time from the disturbance to the end.
	Took time.Duration
}

// Violations returns all violations, each with the run it is of.
func (r *Report) Violations() []string {
	var all []string
	for _, o := range r.Runs {
		for _, v := range o.Violations {
			all = append(all, fmt.Sprintf("run %d (%s): %s", o.Number, o.Planned, v))
		}
	}
	all = append(all, r.Rounds...)
	for _, ratio := range r.Ratios {
		if ratio.Apart {
			all = append(all, ratio.String())
		}
	}
	return all
}

// Disturbed counts the disturbances that came before the command had ended, by
// kind and phase.
func (r *Report) Disturbed() map[Kind]map[Phase]int {
	counts := map[Kind]map[Phase]int{}
	for _, o := range r.Runs {
		for _, h := range o.Hits {
			if counts[h.Kind] == nil {
				counts[h.Kind] = map[Phase]int{}
			}
			counts[h.Kind][h.Phase]++
		}
	}
	return counts
}

// Exits counts how commands ended after a kind of disturbance: "130 ×4".
func (r *Report) Exits(k Kind) []string {
	counts := map[string]int{}
	for _, o := range r.Runs {
		for _, h := range o.Hits {
			if h.Kind == k {
				counts[h.Exit]++
			}
		}
	}
	var all []string
	for exit, n := range counts {
		all = append(all, fmt.Sprintf("%s ×%d", exit, n))
	}
	slices.Sort(all)
	return all
}
