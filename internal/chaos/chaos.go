// Package chaos disturbs measuring commands and checks their runs. It starts assay as a user
// does, two processes at a time with one results directory and mostly one cache. It kills,
// interrupts, stops and starves them at random moments of every phase, and continues the runs
// with --resume. Then it checks what must hold after any disturbance: no line of samples is lost
// or doubled, nothing is left behind, and the resumed run is complete and its ratios agree with
// those of undisturbed runs.
//
// A seed determines the disturbances of each run. The moment of a disturbance is a share of the
// usual duration of the phase, so it is only as repeatable as these durations.
package chaos

import (
	"fmt"
	"slices"
	"time"
)

// Options configure the disturbed runs.
type Options struct {
	// Assay is the path of the program.
	Assay string
	// Dir is an empty directory for all files that Run writes.
	Dir string
	// N is the number of disturbed runs, and Seed determines their disturbances.
	N    int
	Seed uint64
	// Undisturbed is the number of runs of each command that are made first, for comparison.
	Undisturbed int
	// Layouts is the number of random layouts of a run, and Rounds is the number of rounds of a
	// launch.
	Layouts, Rounds int
	// Commands are the commands to disturb: "try", "run" or both.
	Commands []string
	// Log receives progress messages; it may be nil.
	Log func(format string, args ...any)
}

// A Report is the result of all disturbed runs.
type Report struct {
	// Runs are the disturbed runs in the order of their numbers.
	Runs []Outcome
	// Rounds are violations that belong to no single run: what two runs left behind in the cache
	// or the results directory that they shared.
	Rounds []string
	// Ratios are the ratios of the runs, each compared with the ratio of undisturbed runs.
	Ratios []Ratio
	// Notes say what could not be tested on this machine, and why.
	Notes []string
}

// An Outcome is the result of one run.
type Outcome struct {
	Planned
	// Hits are the disturbances that took place, in order. A run that is complete early may have
	// fewer hits than planned disturbances.
	Hits []Hit
	// Resumed is the number of processes that resumed the run.
	Resumed int
	// Refused is the result of a second process that tried to resume the run at the same time:
	// "refused"; "too late" if the run was already complete; or empty if there was no second
	// process.
	Refused string
	// Lacked reports whether a case has no number because memory was lacking. A process whose
	// memory was limited may leave out a case.
	Lacked bool
	// Lines is the number of lines of samples at the end.
	Lines int
	// Violations describe the properties that do not hold.
	Violations []string
}

// A Hit is a disturbance that took place.
type Hit struct {
	Kind Kind
	// Phase is the phase of the command at that moment; Over: the command had ended.
	Phase Phase
	// Exit is the exit code or the signal with which the command ended.
	Exit string
	// Took is the time from the disturbance to the end of the command.
	Took time.Duration
}

// Violations returns all violations, each with its run.
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

// Disturbed counts the disturbances by kind and phase. Those that came after the command had
// ended count for the phase Over.
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

// Exits counts the exits of commands after a kind of disturbance: "130 ×4".
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
