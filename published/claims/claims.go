// Package claims reads ledgers of claims, published or one's own, and rules on each claim by
// measurements.
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
//	metric    = "time"                          # optional; see Times below
//	predicate = "ratio"
//	of        = "encoding/json"                 # a contender in its default mode …
//	to        = { contender = "protobuf", mode = "output=reuse" }  # … or a case in full
//	says      = "3 times"                       # the claim's words on its figure
//	every     = true                            # optional: one exception refutes it
//	expect    = "holds"                         # optional: anything else fails the check
//	exhibits  = ["timerinloop"]                 # optional: names of exhibits
//	note      = "Measured on one laptop."       # optional, shown with the verdict
//
//	  [[claim.also]]                            # optional, any number: the same claim
//	  name = "with conversion"                  # elsewhere, with the libraries used otherwise
//	  to   = { contender = "protobuf", mode = "types=program" }
//
//	[[claim]]
//	id        = "design-cold"
//	source    = "design"
//	statement = "the pod starts faster"
//	untested  = "the start of a pod is not what assay measures"
//
//	[[claim]]
//	id        = "design-maps"
//	source    = "design"
//	statement = "encoding/xml cannot write maps"
//
//	  [claim.settled]                           # optional: decided by a test or by reading
//	  verdict = "holds"                         # holds, refuted or depends
//	  test    = "internal/xmlmaps TestMaps"     # the package and the test that shows it
//	  why     = "encoding/xml returns an error for every map"
//
//	    [claim.settled.elsewhere]               # optional, without a predicate: the same
//	    verdict = "refuted"                     # keys for the verdict elsewhere
//	    test    = "internal/xmlmaps TestPairs"
//	    why     = "it writes a map that is a list of pairs"
//
// Further keys: every and most are the claim's quantifier; same says why conditions as published
// that were not measured cannot differ; differs says how the measured data differ from the
// published; from says where the published figure is, if it is not in the source itself.
//
// Each size, op and way of use is a condition, and gets a verdict of its own. The claim's own
// sizes, ops and cases are the claim as published. An also adds conditions elsewhere;
// for a claim that is settled or untested, everything measured is elsewhere. An also overrides the
// keys of, to and order that it sets; if it has sizes or ops, it covers only those. If a mode does
// not change an op, the row of the default mode stands for the mode. A condition that then has the
// same cases as an earlier one is left out.
//
// The ops are those of assay and round-trip. A round-trip is encode and decode together, for
// metrics that add up (time, cpu-time, cpu-time-live64, alloc-bytes, allocs).
//
// A case has these keys; only the first is required:
//
//	contender     its name, as assay list shows it
//	mode          as assay list modes shows it; the default mode without
//	op, size      in place of the condition's, to compare decode with scan, or two sizes
//	with_convert  true, for op round-trip: the conversion between the workload's own
//	              types and the library's, there and back, is counted in. Encode or
//	              decode alone has it in the mode types=program.
//
// # Times
//
// A published time includes the garbage collector. A claim without a metric is about such a time:
// as published, cpu-time rules, and code-only time is shown beside it. If the run lacks the
// cpu-time of one of its cases, code-only time rules, and the finding says so. Elsewhere code-only
// time rules, as it always does for a claim with metric = "time".
//
// # Times as short as a loop
//
// The loop around an operation may add half a nanosecond to its time, or hide as much. If that
// decides a condition as published, and the claim names the source's own benchmarks of its terms,
//
//	benchmarks = { of = "decode/SIZE/gogo", to = "decode/SIZE/flatbuffers" }
//
// the times of these benchmarks in a given run of assay reproduce rule: their loops are part of what
// was published. SIZE stands for the size. The key is for the predicates exact, with of alone, and
// ratio, of claims about published times. The claim's source must be a published one, and have these
// benchmarks: assay reproduce runs no others.
//
// # Sizes that are too large
//
// If a size takes too much memory for the ordinary passes, the whole values of another given run
// (analysis.Results.Besides) rule in place of cpu-time, alloc-bytes and allocs: one op in each of
// several processes, with the collector on. The figure is the geometric mean over processes, with a
// 95% t-interval of the logarithms. All cases of a condition must be of whole values, or none: if
// some cases have only a whole value and others only an ordinary figure, the condition is untested.
// A claim about whole values themselves names the mode session=whole and one of their metrics, such
// as stream-pause.
//
// # Predicates
//
//	ratio     metric of `of` ÷ metric of `to`
//	order     the metric of each case of `order`, a list of two or more, is less than
//	          the next one's; with only = "first" or "last", only that one's place counts
//	exact     the metric of `of`: a count, a size, a time; its words have the metric's unit or none
//	constant  the metric of `of` at the size with the largest ÷ that at the least
//	grows     the metric of `of` at the last size ÷ that at the first
//	trend     how many times as large the ratio of `of` to `to` is at a size with ten times
//	          as many items: the slope of its logarithm over that of the items, by least
//	          squares over three sizes or more, all by one method; sizes that are not
//	          measured, or by another method, are left out as long as three are left
//
// The key says writes what the figure must be in the claim's words. METHODOLOGY and the
// documentation of Band explain each word. A claim whose words METHODOLOGY does not have uses
// bounds instead:
//
//	at_least, at_most   met by a figure that reaches them, and by a time within 2% of them
//	above, below        not met by a time within 2% of them: a tie is not faster
//	published and tolerance   from published·(1-tolerance) to published·(1+tolerance)
//
// With per_item = true, exact, constant and grows use the metric per item of the size: per
// transaction, or per element of a slice. For time that grows faster than the number of items, use
// predicate grows with per_item and says = "more".
//
// at = { size = "…", op = "…", also = "…" } names the condition of the published figure, if there
// are several.
//
// # Verdicts
//
// A condition holds or is refuted if the whole 95% interval of its figure says so, with ties of 2%
// taken into account, and if Benjamini and Hochberg's procedure keeps it at a false discovery rate
// of 5% over all timed conditions of the ledger. Sizes and counts are exact, and only equality is a
// tie.
//
// A claim has two verdicts, as published and elsewhere, each on its own conditions:
//
//	holds      every condition holds; "holds where measured" when some were not measured
//	refuted    every condition is refuted, or with every = true one is
//	depends    some hold and some are refuted; elsewhere with every = true, too
//	undecided  some are undecided, and the others do not contradict each other
//	untested   no condition could be measured
//
// With most = true the claim holds if more than half of the conditions hold, and is refuted if at
// least half are. If conditions that were not measured could change that, it depends, unless all
// measured conditions agree.
//
// The keys every, most and same concern the claim as published. Elsewhere nothing was claimed about
// all conditions or about most, so exceptions there make the verdict depends.
package claims

import (
	"errors"
	"fmt"

	"assay/internal/analysis"
	"assay/internal/tomldoc"
	"assay/result"
)

// A Ledger holds claims and their sources.
type Ledger struct {
	Sources []Source
	Claims  []*Claim
}

// A Source is the place where claims were made.
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
	Trend    Predicate = "trend"
)

// Predicates are all predicates.
var Predicates = []Predicate{Ratio, Order, Exact, Constant, Grows, Trend}

// RoundTrip is encode and decode together. It is an op of claims only, and nothing is measured
// under it.
const RoundTrip result.Op = "round-trip"

// A Claim is a statement about results that can be ruled on.
type Claim struct {
	ID        string
	Source    string // the ID of a Source
	Statement string
	// Published is the figure, or two figures for a range; empty if there is none.
	Published []float64
	Unit      string
	// At is the condition of the published figure; nil if it is for no single condition.
	At *Condition
	// From says where the figure is, if it is not in the source itself.
	From string

	Predicate Predicate
	Metric    string
	Workload  string
	// Conditions get a verdict each. They are in the order of ways of use, ops, sizes. Constant,
	// Grows and Trend use several sizes in one condition.
	Conditions []Condition
	// Says is the claim's words on its figure, and Band what they mean. If Band is nil, Bounds
	// applies.
	Says   string
	Band   *Band
	Bounds Bounds
	// WithGC says that the claim is about times with the collector on, as benchmarks measure them.
	WithGC bool
	// Every says that one exception refutes the claim as published. Most says that it holds if more
	// than half of its conditions do.
	Every, Most bool
	// Same says why conditions that were not measured cannot differ; empty if they can.
	Same string
	// Differs says how the measured data differ from the published; empty if they do not.
	Differs string
	// Settled is the verdict as published, if a test or reading decides it.
	Settled *Settled
	// Only is "first" or "last" if an order is about one place only.
	Only    string
	PerItem bool
	// Benchmarks are the source's own benchmarks of the terms; nil if it names none.
	Benchmarks *Benchmarks

	Exhibits []string
	// Untested is the reason why the claim as published is not measured; empty if it is.
	Untested string
	// Expect is the expected verdict; empty if there is none.
	Expect Verdict
	Note   string

	// File and Line are the place of the claim in its file.
	File string
	Line int

	at tomldoc.Error // the place of the ID, without a reason
}

// A Condition is one size, op and way of use.
type Condition struct {
	// Size is empty if the condition uses several sizes.
	Size string
	Op   result.Op
	// Also is the name of the way of use; empty for the use that the claim states.
	Also string
	// Terms are the cases of the predicate: for a ratio of and to; for an order its cases; for
	// exact of; for constant and grows of at each size; for a trend of and to at each size, in
	// turn.
	Terms []Term
}

// Settled is a verdict that needs no measurement.
type Settled struct {
	Verdict Verdict
	// Test is the directory of a package and the name of the test that shows it.
	Test string
	// Why is one line.
	Why string
	// Elsewhere is the verdict elsewhere, if a test decides that too; nil if not.
	Elsewhere *Settled
}

// A Term is a case of a claim.
type Term struct {
	result.Subject
	Size string
	Op   result.Op // may be RoundTrip
	// WithConvert says that the conversion is included.
	WithConvert bool
}

// Bounds are the bounds of a figure; nil means that there is none.
type Bounds struct {
	AtLeast, Above, AtMost, Below *float64
	// Tolerance is a share: of the published figure if there is no bound, and of the metric for
	// Constant.
	Tolerance float64
}

// A Verdict is the result for a claim or for one of its conditions.
type Verdict string

// The verdicts. Only claims have Depends, HoldsMeasured and RefutedMeasured.
const (
	Holds           Verdict = "holds"
	HoldsMeasured   Verdict = "holds where measured"
	Refuted         Verdict = "refuted"
	RefutedMeasured Verdict = "refuted where measured"
	Depends         Verdict = "depends"
	Undecided       Verdict = "undecided"
	Untested        Verdict = "untested"
)

// A VerdictWord explains a verdict.
type VerdictWord struct {
	Verdict Verdict
	// Text is the end of a sentence that explains it.
	Text string
}

// Verdicts are all verdicts, in the order of lists.
var Verdicts = []VerdictWord{
	{Holds, "every condition is as the claim says; of a claim about most, more than half are"},
	{HoldsMeasured, "every measured condition is as the claim says, and some were not measured"},
	{Refuted, "no condition is as the claim says; of a claim about most, at least half are not; of a claim about every condition, one is not"},
	{RefutedMeasured, "no measured condition is as the claim says, and some were not measured"},
	{Depends, "some conditions are as the claim says, and others are not; elsewhere also of a claim about every condition or about most"},
	{Undecided, "the intervals are too wide to say"},
	{Untested, "nothing was measured that could say"},
}

// Plain returns the verdict without "where measured".
func (v Verdict) Plain() Verdict {
	switch v {
	case HoldsMeasured:
		return Holds
	case RefutedMeasured:
		return Refuted
	}
	return v
}

// A Ruling has the verdicts on a claim, and what they rest on.
type Ruling struct {
	Claim *Claim
	// Number is the claim's place in the ledger that was ruled on, from 1.
	Number int
	// Verdict is on the claim as published: its sizes, ops, ways of use and metric. Elsewhere is on
	// its other conditions; empty if there are none.
	Verdict, Elsewhere Verdict
	// Measured is the figure to show beside the published one. It is the figure of the condition
	// Claim.At, or of the only condition that was measured. Otherwise it is the median over the
	// conditions as published, with the smallest and the largest figure as bounds, and Range is
	// set. Range is also set for predicate constant. Measured is nil if nothing was measured.
	Measured *analysis.Interval
	Range    bool
	// Exact says that the figures are counted, so they have no interval.
	Exact bool
	// Unit is the unit of Measured: ns, B, B/s, or 1, and times for ratios.
	Unit string
	// Q is the largest adjusted level of the timed conditions that Verdict rests on: the false
	// discovery rate at which the ledger would decide all of them. It is NaN if the verdict rests
	// on no estimate.
	Q float64
	// Reason explains Verdict in one line, and ElsewhereReason explains Elsewhere.
	Reason, ElsewhereReason string
	Findings                []Finding

	// reach has the tests whether the largest figure of "up to N" comes near N, for the conditions
	// as published and elsewhere; nil if there is nothing to test.
	reach [2]*Finding
}

// A Finding is the verdict on one condition.
type Finding struct {
	Condition
	Verdict Verdict
	// Elsewhere says that the condition is not part of the claim as published.
	Elsewhere bool
	// Metric is the metric that ruled.
	Metric string
	// Measured is nil if nothing was measured. For predicate constant it is the metric: its median,
	// smallest and largest over the sizes.
	Measured *analysis.Interval
	// OwnMethod is the ID of the run of assay reproduce whose times ruled, by the source's own
	// method; empty if none did.
	OwnMethod string
	// Code is the figure by code-only time if cpu-time or OwnMethod ruled; nil if there is none.
	Code *analysis.Interval
	// Step and CodeStep name the two cases of an order whose ratio Measured and Code are. Of all
	// pairs of the order, it is the one that is strongest evidence against it.
	Step, CodeStep string
	Reason         string
	// Timed says that the figure is an estimate. P is then its p-value: the smallest significance
	// level at which its interval would decide. Q is P adjusted for the number of timed conditions
	// of the ledger.
	Timed bool
	P, Q  float64
	// Missing says why a figure was not measured: the status of its case, or Absent. It is empty if
	// no figure is missing.
	Missing result.Status
	// Launches is about how many launches would decide the condition; 0 if it is decided or the
	// number is unknown.
	Launches int

	whole bool // whole values were looked up
	// barely says that the condition is undecided only because of the loop around an operation.
	barely bool
	// layouts is the number of replications behind the interval of an estimate.
	layouts int
	// detail is the Reason without later additions. open says why no number of launches would
	// decide the condition, or is given.
	detail, open string
}

// Absent is the Missing of a figure whose case is not in the run.
const Absent result.Status = "absent"

// Times is the unit of ratios.
const Times = "times"

// Source returns the source with that ID.
func (l *Ledger) Source(id string) (Source, bool) {
	for _, s := range l.Sources {
		if s.ID == id {
			return s, true
		}
	}
	return Source{}, false
}

// Claim returns the claim with that ID; nil if there is none.
func (l *Ledger) Claim(id string) *Claim {
	for _, c := range l.Claims {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Add adds the sources and claims of another ledger. If both have a source, the first title stays.
// The error names each claim whose ID is taken.
func (l *Ledger) Add(other *Ledger) error {
	for _, s := range other.Sources {
		if _, ok := l.Source(s.ID); !ok {
			l.Sources = append(l.Sources, s)
		}
	}
	var errs []error
	for _, c := range other.Claims {
		if taken := l.Claim(c.ID); taken != nil {
			at := c.at
			at.Reason = fmt.Sprintf("there is another claim %q, at %s:%d", c.ID, taken.File, taken.Line)
			errs = append(errs, &at)
			continue
		}
		l.Claims = append(l.Claims, c)
	}
	return errors.Join(errs...)
}

// Of returns the part of the ledger that belongs to one source.
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
