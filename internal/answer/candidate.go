package answer

import (
	"slices"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/result"
)

// A Candidate is a contender in one mode, with its measured round trip and sizes.
type Candidate struct {
	analysis.Trip
	About *contender.Contender
	// ToHave is Spent over the Spent of the contender in use (Answer.Have), with the interval that
	// decides; nil if that has none.
	ToHave *analysis.Interval
	// CPU is the CPU time of a round trip in ns, with collection; nil if it was not measured.
	CPU *analysis.Interval
	// Spent is the time in ns that the candidate is ranked by: Time, or CPU if there is a
	// Disagreement.
	Spent analysis.Interval
	// Size is the mean bytes of a record over all records; 0 if it is unknown. The other sizes are
	// means over the measured messages. Sent is the size of a record as it is sent and stored,
	// after the codec that was asked for. Packed is the size if all records are compressed with
	// Compressed as one batch, and PackedAlone the size if each is compressed by itself.
	Size, Sent, Packed, PackedAlone float64
	// Losses are the declared losses that the records suffered.
	Losses []contender.Loss
	// Unsafe says why its values and bytes do not belong to the caller, or why damaged input can
	// end the program. Unmet are the conditions of --must that it does not meet.
	Unsafe, Unmet []string
	// GivesUp is what the user gives up by moving to it from the contender in use.
	GivesUp Price
	// Pareto says that it is on the front: no eligible candidate is shown to beat it. Unbeaten says
	// more: every other eligible candidate is shown not to beat it.
	Pareto, Unbeaten bool
	// place is its index in the ranking.
	place int
}

// Safe reports whether returned values belong to the caller and damaged input cannot
// end the program.
func (c *Candidate) Safe() bool { return len(c.Unsafe) == 0 }

// loses adds losses, each once.
func (c *Candidate) loses(losses ...contender.Loss) {
	for _, l := range losses {
		if !slices.Contains(c.Losses, l) {
			c.Losses = append(c.Losses, l)
		}
	}
}

// Codegen reports whether the candidate needs a generate step.
func (c *Candidate) Codegen() bool { return c.About.Is(contender.Codegen) }

// alone reports whether each message is complete by itself, so that its size has a meaning.
func (c *Candidate) alone() bool { return !strings.Contains(c.Mode, "session=stream") }

// Cases returns the cases whose times make up the candidate's time.
func (c *Candidate) Cases(cell result.Cell) []result.Case {
	encode, decode := cell, cell
	encode.Op, decode.Op = result.Encode, result.Decode
	return []result.Case{encode.Case(c.Encode), decode.Case(c.Decode)}
}

// borrowed are the values of mode axes with which bytes or values do not belong to the caller, or a
// message is not complete by itself.
var borrowed = []string{"output=reuse", "target=reuse", "pool=on", "strings=alias", "session=stream"}

// unsafe returns the reasons why a candidate is not safe.
func unsafe(c *Candidate, aliases map[result.Subject][]string) []string {
	var why, brief []string
	for _, axis := range strings.Split(c.Mode, ",") {
		switch {
		case !slices.Contains(borrowed, axis):
		case axis == "strings=alias":
			what := "strings" // if verification did not see what
			if seen := aliases[c.Decode]; len(seen) > 0 {
				what = strings.Join(seen, " and ")
			}
			why = append(why, what+" point into the message")
		case axis == "session=stream":
			why = append(why, "a message may need those before it")
		default:
			brief = append(brief, axis)
		}
	}
	if len(brief) > 0 {
		why = append([]string{"what it returns is valid until the next call only (" + strings.Join(brief, ", ") + ")"}, why...)
	}
	if what := aliases[c.Decode]; len(what) > 0 && !slices.Contains(strings.Split(c.Mode, ","), "strings=alias") {
		why = append(why, strings.Join(what, " and ")+" point into the message")
	}
	for _, t := range []contender.Trait{contender.Panics, contender.Unbounded} {
		if c.About.Is(t) {
			why = append(why, t.In().Short)
		}
	}
	return why
}

// A Price is what the user gives up by moving from the contender in use to a candidate.
type Price struct {
	// Lacks are the wanted traits that the contender in use has and the candidate lacks. Brings are
	// the unwanted traits that the candidate has and the contender in use lacks.
	Lacks, Brings []contender.Trait
	// Losses are what the records lose with the candidate, but not with the contender in use.
	Losses []contender.Loss
	// LossBytes is how many bytes a record is longer than the user's JSON, if the candidate writes
	// JSON and has Losses. It is negative if the candidate leaves something out.
	LossBytes float64
	// Format is the candidate's wire format if it is another one; empty if it is the same.
	Format string
	// Modes are the axis=value parts of the mode that give something up; contender.Axes says what.
	Modes []string
}

// Nothing reports whether the user gives up nothing.
func (p Price) Nothing() bool {
	return len(p.Lacks)+len(p.Brings)+len(p.Losses)+len(p.Modes) == 0 && p.Format == ""
}

// priceOf returns what the user gives up by moving to a candidate. have may be nil if the contender
// in use is unknown, and measured nil if it was not measured; then its losses are unknown.
func priceOf(c *Candidate, have *contender.Contender, measured *Candidate) Price {
	var p Price
	for _, w := range contender.Traits {
		if w.Wanted && have.Is(w.Trait) && !c.About.Is(w.Trait) {
			p.Lacks = append(p.Lacks, w.Trait)
		}
		if w.Unwanted && c.About.Is(w.Trait) && !have.Is(w.Trait) {
			p.Brings = append(p.Brings, w.Trait)
		}
	}
	for _, l := range c.Losses {
		if measured == nil || !slices.Contains(measured.Losses, l) {
			p.Losses = append(p.Losses, l)
		}
	}
	if have != nil && have.Format != c.About.Format {
		p.Format = c.About.Format
	}
	for _, axis := range strings.Split(c.Mode, ",") {
		if contender.AxisOf(axis).GivesUp != "" {
			p.Modes = append(p.Modes, axis)
		}
	}
	return p
}
