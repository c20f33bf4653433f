package chaos

import (
	"bytes"
	"regexp"
	"slices"
)

// A Phase is a part of the work of a measuring command.
type Phase string

// The phases.
const (
	Reading     Phase = "reading"
	Generating  Phase = "generating"
	Building    Phase = "building"
	Verifying   Phase = "verifying"
	Calibrating Phase = "calibrating"
	Counting    Phase = "counting"
	Launches    Phase = "launches"
	Passes      Phase = "passes"
	// Over means that the command has ended.
	Over Phase = "over"
)

// Phases are all phases but Over, in order.
var Phases = []Phase{Reading, Generating, Building, Verifying, Calibrating, Counting, Launches, Passes}

// begins match the lines of standard error that begin a phase.
var begins = map[Phase]*regexp.Regexp{
	Generating:  regexp.MustCompile(`(?m)^read {2,}`),
	Building:    regexp.MustCompile(`(?m)^generated code of |^runner {2,}compiling `),
	Verifying:   regexp.MustCompile(`(?m)^runner {2,}\d+ contender`),
	Calibrating: regexp.MustCompile(`(?m)^verified {2,}`),
	Counting:    regexp.MustCompile(`(?m)^sized {2,}`),
	Launches:    regexp.MustCompile(`(?m)^counted {2,}|^measuring `),
	Passes:      regexp.MustCompile(`(?m)^CPU time {2,}`),
	Over:        regexp.MustCompile(`(?m)^stored {2,}|^answered {2,}`),
}

// steady occurs in the samples of a run whose launches have ended.
var steady = []byte(`,"steady":{`)

// phaseOf returns the present phase of a command, from its standard error and the samples of its
// run.
func phaseOf(command string, stderr, samples []byte) Phase {
	now := Reading
	if command != "try" {
		now = Building
	}
	for _, p := range slices.Concat(Phases, []Phase{Over}) {
		if r := begins[p]; r != nil && r.Match(stderr) {
			now = p
		}
	}
	if now == Launches && bytes.Contains(samples, steady) {
		now = Passes
	}
	return now
}

// reached reports whether the phase now is wanted or a later one.
func reached(now, wanted Phase) bool {
	order := slices.Concat(Phases, []Phase{Over})
	return slices.Index(order, now) >= slices.Index(order, wanted)
}
