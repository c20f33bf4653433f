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
	// ToHave is the time that it is ranked by over that of Have, with the interval that decides whether
	// they are told apart; nil where Have has none.
	ToHave *analysis.Interval
	// CPU is the CPU time of a round trip in ns, collection included; nil where it
	// was not measured.
	CPU *analysis.Interval
	// Spent is the time that it is ranked by, in ns: Time, or CPU where there is a
	// Disagreement.
	Spent analysis.Interval
	// Size is the bytes of a record as the mean over all; 0: not known. Sent is the
	// same as records are sent and stored, after the codec that was asked for.
	// Packed is the same of all records compressed by Compressed as one batch, and
	// PackedAlone of each by itself.
	Size, Sent, Packed, PackedAlone float64
	// Losses are what the records did lose, as is declared.
	Losses []contender.Loss
	// Unsafe are why its values and bytes are not the caller's to keep, and Unmet
	// what it has to be and is not.
	Unsafe, Unmet []string
	// GivesUp is what is given up by it against Have.
	GivesUp Price
	// Pareto says that it is in the front, and Unbeaten that it is shown to belong
	// there: that no other of those eligible can beat it. Otherwise it is only not
	// shown to be beaten.
	Pareto, Unbeaten bool
	// place is its index in the ranking.
	place int
}

// Safe reports whether returned values belong to the caller and damaged input cannot
// end the program.
func (c *Candidate) Safe() bool { return len(c.Unsafe) == 0 }

// Codegen reports whether the candidate needs a generate step.
func (c *Candidate) Codegen() bool { return c.About.Is(contender.Codegen) }

// alone says that each message is complete by itself, so that its size is one.
func (c *Candidate) alone() bool { return !strings.Contains(c.Mode, "session=stream") }

// Cases are what a candidate's time rests on.
func (c *Candidate) Cases(cell result.Cell) []result.Case {
	encode, decode := cell, cell
	encode.Op, decode.Op = result.Encode, result.Decode
	return []result.Case{encode.Case(c.Encode), decode.Case(c.Decode)}
}

// borrowed are the values of mode axes by which bytes or values are not the
// caller's to keep, or a message is not one by itself.
var borrowed = []string{"output=reuse", "target=reuse", "pool=on", "strings=alias", "session=stream"}

// unsafe returns why a candidate is not safe.
func unsafe(c *Candidate, aliases map[result.Subject][]string) []string {
	var why, brief []string
	for _, axis := range strings.Split(c.Mode, ",") {
		switch {
		case !slices.Contains(borrowed, axis):
		case axis == "strings=alias":
			why = append(why, "strings point into the message")
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
	// Lacks are the wanted traits that what is in use has and the candidate has
	// not, and Brings the unwanted ones that it has and what is in use has not.
	Lacks, Brings []contender.Trait
	// Losses are what the records lose by it, and not by what is in use.
	Losses []contender.Loss
	// LossBytes is how many bytes a record is longer than the user's JSON, where the
	// candidate writes JSON and has Losses: less than 0 where it leaves something out.
	LossBytes float64
	// Format is another wire format; empty: it is the same.
	Format string
	// Modes are the axis=value of the mode that give something up;
	// contender.Axes says what.
	Modes []string
}

// Nothing reports whether the user gives up nothing.
func (p Price) Nothing() bool {
	return len(p.Lacks)+len(p.Brings)+len(p.Losses)+len(p.Modes) == 0 && p.Format == ""
}

// priceOf returns what is given up by a candidate against what is in use, which
// may be unknown, and whose losses are not where it was not measured.
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
