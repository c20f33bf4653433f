// Package claims reads ledgers of claims, published or of one's own, and rules
// on each of them from what was measured.
//
// # The file
//
// A claims file is TOML. Every claim belongs to a source, covers one workload,
// and states a predicate about a metric of one case or several:
//
//	[[source]]
//	id    = "design"                            # lower-case letters, digits and hyphens
//	title = "Why the queue speaks protobuf"
//	text  = "Design document, March 2025."      # optional: who, when, with what
//
//	[[claim]]
//	id        = "design-three-times"            # unique; same letters
//	source    = "design"
//	statement = "protobuf encodes customers three times as fast as JSON"
//	published = 3                               # optional figure; [3, 4] for "three to four"
//	unit      = "times"                         # of the figure: times for ratios, otherwise
//	                                            # the metric's own: ns, B (or bytes), B/s
//	workload  = "customer"
//	sizes     = ["level=1", "level=2"]          # not needed where the workload has one
//	ops       = ["encode"]
//	metric    = "time"                          # the default
//	predicate = "ratio"
//	of        = "encoding/json"                 # a contender in its default mode …
//	to        = { contender = "protobuf", mode = "output=reuse" }  # … or a case in full
//	at_least  = 3
//	expect    = "holds"                         # optional: anything else fails the check
//	exhibits  = ["timerloop"]                   # optional: names of exhibits
//	note      = "Measured on one laptop."       # optional, shown with the verdict
//
//	  [[claim.also]]                            # optional, any number: the same claim with
//	  name = "with conversion"                  # the libraries used otherwise
//	  to   = { contender = "protobuf", with_convert = true }
//
//	[[claim]]
//	id        = "design-cold"
//	source    = "design"
//	statement = "the pod starts faster"
//	untested  = "the start of a pod is not what assay measures"
//
// Each size, op and way of use (as stated, then each also) is a condition, and
// is ruled on by itself. An also replaces those of the keys of, to and order that
// it has; with sizes or ops of its own it covers those only. Where a mode
// does not change an op, the default mode's row is the mode's, and a condition
// that so comes to the same cases as an earlier one is left out.
//
// The ops are those of assay and round-trip: encode and decode together, for
// metrics that add up (time, cpu-time, cpu-time-live64, alloc-bytes, allocs).
//
// A case has these keys, of which the first is needed:
//
//	contender     its name, as assay list shows it
//	mode          as assay list modes shows it; the default mode without
//	op, size      in place of the condition's, to compare decode with scan, or two sizes
//	with_convert  true: the conversion between the workload's own types and the
//	              library's is counted in. It is measured there and back together,
//	              so a round trip has all of it; encode or decode has half of it as
//	              its figure, and the bounds allow from none to all of it.
//
// # Predicates
//
//	ratio     metric of `of` ÷ metric of `to`, within the bounds
//	order     the metric of each case of `order`, a list of two or more, is less than
//	          the next one's; with only = "first" or "last", only that one's place counts
//	exact     the metric of `of` is within the bounds: a count, a size, a time
//	constant  the metric of `of` differs by at most `tolerance` (0.1 is 10%) between any
//	          two of the sizes
//	grows     the metric of `of` at the last size ÷ that at the first, within the bounds
//
// The bounds are any of
//
//	at_least, at_most   met by a figure that reaches them, and by a time within 2% of them
//	above, below        not met by a time within 2% of them: a tie is not faster
//	published and tolerance   from published·(1-tolerance) to published·(1+tolerance);
//	                          used where there are no others
//
// With per_item = true, exact, constant and grows take the metric by item of the
// size: a transaction, an element of a slice. Time that grows faster than the
// number of items is predicate grows with per_item and above = 1.
//
// at = { size = "…", op = "…", also = "…" } names the condition that the published
// figure belongs to, where there are several.
//
// # Verdicts
//
// A condition holds or is refuted when the 95% interval of its figure says so.
// Differences of times under 2% are ties, as everywhere in assay. Sizes and
// counts are exact and have no ties but equality. Each condition is judged at
// 95% by itself. The claim then
//
//	holds      where all conditions that could be measured hold
//	refuted    where none holds, and at least one is refuted
//	depends    where some hold and some are refuted
//	undecided  where some are undecided, and the others hold
//	untested   where no condition could be measured
package claims

import (
	"errors"
	"fmt"

	"assay/internal/analysis"
	"assay/result"
)

// A Ledger is claims with their sources.
type Ledger struct {
	Sources []Source
	Claims  []*Claim
}

// A Source is where claims were made.
type Source struct {
	ID    string
	Title string
	// Text says who made them, when, and with what. It may be empty.
	Text string
}

// A Predicate is what a claim states about its cases.
type Predicate string

// The predicates.
const (
	Ratio    Predicate = "ratio"
	Order    Predicate = "order"
	Exact    Predicate = "exact"
	Constant Predicate = "constant"
	Grows    Predicate = "grows"
)

// Predicates are all predicates.
var Predicates = []Predicate{Ratio, Order, Exact, Constant, Grows}

// RoundTrip is encode and decode together. It is an op of claims only: nothing
// is measured as such.
const RoundTrip result.Op = "round-trip"

// A Claim is a statement about results that can be ruled on.
type Claim struct {
	ID        string
	Source    string // the ID of a Source
	Statement string
	// Published is the figure, two for a range; empty: there is none.
	Published []float64
	Unit      string
	// At is the condition that the figure belongs to; nil: none in particular.
	At *Condition

	Predicate Predicate
	Metric    string
	Workload  string
	// Conditions are what is ruled on, each by itself, in the order of ways of use,
	// ops, sizes. Constant and Grows look at several sizes in one condition.
	Conditions []Condition
	Bounds     Bounds
	// Only is "first" or "last" where an order is about one place only.
	Only    string
	PerItem bool

	Exhibits []string
	// Untested is the reason why the claim is not measured; empty: it is.
	Untested string
	// Expect is the verdict that was expected; empty: none was.
	Expect Verdict
	Note   string

	// File and Line are where the claim was read.
	File string
	Line int
}

// A Condition is one size, op and way of use.
type Condition struct {
	// Size is empty where the condition looks at several sizes.
	Size string
	Op   result.Op
	// Also is the name of the way of use; empty: as the claim states it.
	Also string
	// Terms are what the predicate is about: for a ratio of and to; for an order its
	// cases; for exact of; for constant and grows of at each size.
	Terms []Term
}

// A Term is a case of a claim.
type Term struct {
	result.Subject
	Size string
	Op   result.Op // may be RoundTrip
	// WithConvert says that conversion is counted in.
	WithConvert bool
}

// Bounds are what a figure must be within; nil: unbounded there.
type Bounds struct {
	AtLeast, Above, AtMost, Below *float64
	// Tolerance is a share: of the published figure where no bound is given, and of
	// the metric for Constant.
	Tolerance float64
}

// A Verdict is what was found of a claim or of one of its conditions.
type Verdict string

// The verdicts. Depends is of claims only.
const (
	Holds     Verdict = "holds"
	Refuted   Verdict = "refuted"
	Depends   Verdict = "depends"
	Undecided Verdict = "undecided"
	Untested  Verdict = "untested"
)

// Verdicts are all verdicts in the order of lists.
var Verdicts = []Verdict{Holds, Refuted, Depends, Undecided, Untested}

// VerdictText explains each verdict in one sentence.
var VerdictText = map[Verdict]string{
	Holds:     "every condition that could be measured is as the claim says",
	Refuted:   "no condition is as the claim says, and at least one certainly is not",
	Depends:   "as the claim says at some sizes, ops or ways of use, and not at others",
	Undecided: "the intervals are too wide to say",
	Untested:  "nothing was measured that could say",
}

// A Ruling is the verdict on a claim and what it rests on.
type Ruling struct {
	Claim   *Claim
	Verdict Verdict
	// Measured is the figure that stands beside the published one: that of the
	// condition of Claim.At, or of the only condition that was measured; otherwise
	// the median over conditions, with the least and the largest figure as bounds,
	// and Range is set. Nil when nothing was measured.
	Measured *analysis.Interval
	Range    bool
	// Exact says that the figures are counted: they have no interval.
	Exact bool
	// Unit is that of Measured: ns, B, B/s, or 1, and times for ratios.
	Unit string
	// Reason is one line.
	Reason   string
	Findings []Finding
}

// A Finding is the verdict on one condition.
type Finding struct {
	Condition
	Verdict Verdict
	// Measured is nil when nothing was measured.
	Measured *analysis.Interval
	Reason   string
	// Missing is why a figure was not measured: the status of its case, or Absent;
	// empty where none is missing.
	Missing result.Status
	// Launches is about how many launches it would take to decide; 0 where that is
	// not the question.
	Launches int
}

// Absent is the Missing of a figure whose case the run does not have.
const Absent result.Status = "absent"

// Times is the unit of ratios.
const Times = "times"

// Source returns the source of that ID.
func (l *Ledger) Source(id string) (Source, bool) {
	for _, s := range l.Sources {
		if s.ID == id {
			return s, true
		}
	}
	return Source{}, false
}

// Claim returns the claim of that ID; nil when there is none.
func (l *Ledger) Claim(id string) *Claim {
	for _, c := range l.Claims {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Add adds the sources and claims of another ledger. A source may be in both; the
// first one's title stands. The error names each claim whose ID is taken.
func (l *Ledger) Add(other *Ledger) error {
	for _, s := range other.Sources {
		if _, ok := l.Source(s.ID); !ok {
			l.Sources = append(l.Sources, s)
		}
	}
	var errs []error
	for _, c := range other.Claims {
		if taken := l.Claim(c.ID); taken != nil {
			errs = append(errs, fmt.Errorf("%s:%d: there is another claim %q, at %s:%d", c.File, c.Line, c.ID, taken.File, taken.Line))
			continue
		}
		l.Claims = append(l.Claims, c)
	}
	return errors.Join(errs...)
}

// Of returns the part of the ledger that is of one source.
func (l *Ledger) Of(source string) *Ledger {
	part := &Ledger{}
	for _, s := range l.Sources {
		if s.ID == source {
			part.Sources = append(part.Sources, s)
		}
	}
	for _, c := range l.Claims {
		if c.Source == source {
			part.Claims = append(part.Claims, c)
		}
	}
	return part
}
