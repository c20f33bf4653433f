package analysis

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"assay/result"
)

// A Side is one of the two sides of a comparison.
type Side struct {
	// Label is the side's name in tables.
	Label   string
	Run     *result.Run
	Records []result.Record
	// Version is the label of the side's launches (result.Launch.Side), if one run compares two
	// versions in lock step.
	Version string
	// Contender is the side's contender, if two contenders of one run are compared.
	Contender string
}

// A ComparisonKind says what was compared, and therefore how.
type ComparisonKind string

// The kinds of comparison.
const (
	// OfRuns compares two runs at different times. A change is the change of a run's ratio to the
	// reference; the ratios of the two runs are independent.
	OfRuns ComparisonKind = "runs"
	// OfContenders compares two contenders of one run, paired round by round.
	OfContenders ComparisonKind = "contenders"
	// OfVersions compares two versions in lock step, paired round by round.
	OfVersions ComparisonKind = "versions"
)

// Margin returns the change of time, as a logarithm, up to which there is no reason to prefer one
// side.
func (c *Comparison) Margin() float64 {
	if c.Kind == OfVersions {
		return versionMargin
	}
	return margin
}

// FalseShare returns the expected share of false changes, at most, among the changes of time that
// the comparison shows.
func (c *Comparison) FalseShare() float64 {
	if c.Kind == OfVersions {
		return versionFalseShare
	}
	return falseShare
}

// versionFalseShare is the share for two versions. Authors compare versions at every change of a
// library, and most changes do not change a time: with 5%, every twentieth comparison of one row
// would show a change where there is none.
const versionFalseShare = 0.02

// Margins of ties, as logarithms.
const (
	// versionMargin is the margin for two versions. They are mostly the same code, so the
	// neighbours affect both in the same way. Two contenders or runs have the margin of ranks.
	versionMargin = 0.01
	// exactMargin is the margin for counts, which differ slightly where the runtime allocates at
	// random.
	exactMargin = 0.005
)

// A Comparison is the change from side A to side B.
type Comparison struct {
	Kind ComparisonKind
	A, B *Side
	// GradeA and GradeB are the grades of the sides' runs; nil if nothing was launched.
	GradeA, GradeB *Grade
	// Rows are in the order of side A's tables; the rows of one case are in the order of Metrics.
	Rows []Change
	// OnlyA and OnlyB are the cases in view that the other side does not have.
	OnlyA, OnlyB []result.Case
	// Lacking are the metrics that only one side has of a case that both sides have, without the
	// first metric of a case.
	Lacking []Gap
	// Confidence is the confidence of the intervals of changes of times, as a share. It is so high
	// that at most FalseShare of the changes that these intervals show are expected to be false. It
	// is 0 without a time.
	Confidence float64
	// Reference is the reference of the ratios of two runs; empty for other comparisons.
	Reference string
	// Differs says what else differs between two runs or the builds of two versions, such as "msgp
	// v1.3.0 → v1.3.1". OneSided lists the modules that only one side links, and Same lists what
	// does not differ between two runs.
	Differs, OneSided, Same []string
	Warnings                []Warning
}

// A Change is one metric of one case on both sides.
type Change struct {
	// A and B are the cases; they differ at most in the contender.
	A, B   result.Case
	Metric string
	Unit   string
	// ValueA and ValueB are nil on a side without a number. Factor is not computed from times in
	// ValueA and ValueB, which only describe.
	ValueA, ValueB *Interval
	// StatusA and StatusB are the statuses of the sides.
	StatusA, StatusB result.Status
	// Factor is B over A; nil if it is unknown, and then Reason says why. A count that grows from 0
	// has an infinite factor.
	Factor *Interval
	// Reference says that this is the time of the reference of both of two runs. It has a number on
	// both sides and no factor, because the other changes are relative to it.
	Reference bool
	// Verdict says how B compares with A; for bytes, Faster means fewer. It says that there is a
	// difference, which may be small. Tied and Unresolved are both shown as "~".
	Verdict Relation
	// Beyond says that the whole interval is beyond Margin: the difference is certain and worth
	// acting on.
	Beyond bool
	Reason string

	// log is the estimate of the logarithm of a time's Factor, before it is adjusted for the number
	// of changes.
	log *estimate
}

// Counted reports whether the change is of a metric that is counted, not timed.
func (ch *Change) Counted() bool {
	m, _ := MetricNamed(ch.Metric)
	return m.Exact
}

// Compare compares two sides in view. Both sides must be of one run, unless the comparison is of
// runs.
func Compare(a, b *Side, view View) (*Comparison, error) {
	c := &Comparison{Kind: OfRuns, A: a, B: b}
	switch {
	case a.Contender != "" && a.Contender == b.Contender:
		return nil, fmt.Errorf("%s is compared with itself: name another contender", a.Contender)
	case a.Version != "" && a.Version == b.Version:
		return nil, fmt.Errorf("%s is compared with itself: name another version", a.Version)
	case a.Version != b.Version:
		c.Kind = OfVersions
	case a.Contender != b.Contender:
		c.Kind = OfContenders
	}
	if c.Kind != OfRuns && a.Run.ID != b.Run.ID {
		return nil, fmt.Errorf("%s and %s are in two runs: assay compares contenders and versions within one run, which takes their samples in turn", a.Label, b.Label)
	}
	if c.Kind == OfContenders && (a.Contender == "" || b.Contender == "") {
		return nil, errors.New("a contender is compared with a contender")
	}
	left, right := gather(a.Run, a.Records, a.Version), gather(b.Run, b.Records, b.Version)
	if c.Kind == OfRuns && !a.Run.Host.Other(b.Run.Host) {
		left.know(right)
	}
	environment, controls := 0.0, right.controls()
	if c.Kind == OfVersions {
		environment = left.lockStepEnvironment(right)
		if len(controls) == 0 { // in older runs one version has a control, which stands for both
			controls = left.controls()
		}
	}
	c.GradeA, c.GradeB = left.grade(left.controls()), right.grade(controls)
	for _, key := range left.order {
		if view.cell(key) {
			c.cell(comparer{c, left, right, key, left.cellOf(key), right.cellOf(key), environment}, view)
		}
	}
	c.decide()
	c.only(left, right, view)
	switch {
	case c.Kind == OfRuns:
		c.Differs, c.OneSided, c.Same = differences(a.Run, b.Run)
	case c.Kind == OfVersions && a.Run.SecondBuild != nil: // older runs store one build
		c.Differs, c.OneSided, _ = differences(left.run, right.run)
	}
	c.warn()
	return c, nil
}

func (a *account) cellOf(key result.Cell) *cell {
	if c := a.cells[key]; c != nil {
		return c
	}
	return newCell()
}

// other returns the case of side B that corresponds to a case of side A.
func (c *Comparison) other(one result.Case) (result.Case, bool) {
	if c.Kind == OfContenders {
		if one.Contender != c.A.Contender {
			return one, false
		}
		one.Contender = c.B.Contender
	}
	return one, true
}

// cell adds the rows of one cell.
func (c *Comparison) cell(with comparer, view View) {
	for _, one := range with.left.cases[with.key] {
		two, ok := c.other(one)
		if !ok || !view.Case(one) && !view.Case(two) || !slices.Contains(with.right.cases[with.key], two) {
			continue
		}
		c.Rows = append(c.Rows, with.changes(one, two)...)
		if reference := with.left.reference(with.key, with.a); c.Kind == OfRuns && c.Reference == "" && reference != nil {
			c.Reference = reference.String()
		}
	}
}

// only finds the cases that one side has and the other lacks.
func (c *Comparison) only(left, right *account, view View) {
	missing := func(from, in *account, contender, other string) []result.Case {
		var cases []result.Case
		for _, key := range from.order {
			for _, one := range from.cases[key] {
				if !view.Case(one) || c.Kind == OfContenders && one.Contender != contender {
					continue
				}
				there := one
				if c.Kind == OfContenders {
					there.Contender = other
				}
				if !slices.Contains(in.cases[key], there) {
					cases = append(cases, one)
				}
			}
		}
		return cases
	}
	c.OnlyA = missing(left, right, c.A.Contender, c.B.Contender)
	c.OnlyB = missing(right, left, c.B.Contender, c.A.Contender)
}

// LeastLayouts is the fewest layouts a side that a comparison of two binaries needs.
const LeastLayouts = 4

func (c *Comparison) warn() {
	if c.Kind == OfRuns && c.Reference != "" {
		c.Warnings = append(c.Warnings, Warning{AcrossRuns, fmt.Sprintf(
			"two runs are compared through the reference: each change is a change of the ratio to %s", c.Reference)})
	}
	if c.Kind == OfContenders {
		if c.A.Run.External(c.A.Contender) || c.A.Run.External(c.B.Contender) {
			c.Warnings = append(c.Warnings, acrossProcesses)
		}
		return
	}
	for _, side := range []*Side{c.A, c.B} {
		seen := make(map[uint64]bool)
		launches := 0
		for _, r := range side.Records {
			if r.Launch != nil && r.Launch.Disturbed == "" && (side.Version == "" || r.Launch.Side == side.Version) {
				seen[r.Launch.Layout] = true
				launches++
			}
		}
		delete(seen, 0)
		if launches > 0 && len(seen) < LeastLayouts {
			c.Warnings = append(c.Warnings, Warning{FewLayouts,
				fmt.Sprintf("%s was measured in %d random layouts: fewer than %d show differences that another link would not show", side.Label, len(seen), LeastLayouts)})
		}
	}
}

// A comparer compares the cases of one cell.
type comparer struct {
	of          *Comparison
	left, right *account
	key         result.Cell
	a, b        *cell
	// lockStep is the environment term for two versions.
	lockStep float64
}

// changes returns the rows of one case. A case without a number on a side has one row with the
// reason.
func (with comparer) changes(one, two result.Case) []Change {
	before := with.left.rows(one, with.a, with.left.reference(with.key, with.a))
	after := with.right.rows(two, with.b, with.right.reference(with.key, with.b))
	// The first row is of the metric that says why there is no number.
	first := before[0].Metric
	var changes []Change
	for _, m := range Metrics {
		// Other metrics follow from these, or their bounds are no intervals.
		if m.Name != first && m.steady == nil && !m.Exact {
			continue
		}
		if with.of.Kind == OfVersions && m.Name != Time {
			continue // other records do not have a version
		}
		ra, rb := rowOf(before, m.Name), rowOf(after, m.Name)
		if ra == nil || rb == nil || m.Name != first && (ra.Number == nil || rb.Number == nil) {
			if before[0].Number != nil && after[0].Number != nil {
				with.lacking(m.Name, one, ra, rb)
			}
			continue
		}
		ch := Change{A: one, B: two, Metric: m.Name, Unit: m.Unit, ValueA: ra.Number, ValueB: rb.Number, StatusA: ra.Status, StatusB: rb.Status}
		switch {
		case ra.Number == nil || rb.Number == nil:
			ch.Reason = with.of.missing(ra, rb)
		case m.Exact:
			ch.count()
		case m.Name == Time || m.steady != nil:
			with.time(&ch, m)
		default:
			continue // the bounds of build times are no interval
		}
		changes = append(changes, ch)
	}
	return changes
}

func rowOf(rows []Row, metric string) *Row {
	if i := slices.IndexFunc(rows, func(r Row) bool { return r.Metric == metric }); i >= 0 {
		return &rows[i]
	}
	return nil
}

// missing says why there is no number on one side or both.
func (c *Comparison) missing(a, b *Row) string {
	if a.Number == nil && b.Number == nil && a.Status == b.Status && a.Reason == b.Reason {
		return fmt.Sprintf("%s: %s", a.Status, a.Reason)
	}
	row, side := a, c.A
	if a.Number != nil || b.Number == nil && a.Status == result.Timeout {
		row, side = b, c.B // the side that failed explains more than the side that then had no turn
	}
	return fmt.Sprintf("%s: %s: %s", side.Label, row.Status, row.Reason)
}

// count fills in the change of a counted metric. Counts that vary have bounds.
func (ch *Change) count() {
	over := func(b, a float64) float64 {
		if a == b {
			return 1
		}
		return b / a
	}
	a, b := ch.ValueA, ch.ValueB
	ch.Factor = &Interval{over(b.Value, a.Value), over(b.Lo, a.Hi), over(b.Hi, a.Lo)}
	switch lo, hi := math.Log(ch.Factor.Lo), math.Log(ch.Factor.Hi); {
	case -exactMargin < lo && hi < exactMargin:
		ch.Verdict = Tied
	case hi <= -exactMargin:
		ch.Verdict = Faster
	case lo >= exactMargin:
		ch.Verdict = Slower
	default:
		ch.Verdict = Unresolved
	}
	ch.Beyond = ch.Verdict == Faster || ch.Verdict == Slower
}

// time fills in the change of a time.
func (with comparer) time(ch *Change, m Metric) {
	a, b := with.a, with.b
	if m.steady != nil {
		mb := 0
		if m.Name == CPUTimeLive {
			mb = liveMB
		}
		a, b = with.left.passes.steady[steadyKey{with.key, mb}], with.right.passes.steady[steadyKey{with.key, mb}]
	}
	s, t := ch.A.Subject(), ch.B.Subject()
	var e estimate
	switch with.of.Kind {
	case OfVersions:
		use, _ := a.pick(versions(a, b, s))
		if len(use) == 0 {
			ch.Reason = "the two versions shared no round"
			return
		}
		e = estimateOf(use).with(with.lockStep)
	case OfContenders:
		use, _ := a.pick(a.ratios(t, s))
		if len(use) == 0 {
			if e, ch.Reason = with.through(a, t, s); ch.Reason != "" {
				return
			}
		} else {
			e = a.ratio(use)
		}
	default:
		if e, ch.Reason = with.across(a, b, s); ch.Reason != "" {
			ch.Reference = ch.Reason == theReference
			return
		}
	}
	ch.log = &e
}

// decide sets the intervals that decide, and the verdicts, of all changes of times.
func (c *Comparison) decide() {
	var all []estimate
	for _, ch := range c.Rows {
		if ch.log != nil {
			all = append(all, *ch.log)
		}
	}
	c.Confidence = decides(all, 0, c.FalseShare())
	limit := c.Margin()
	for i := range c.Rows {
		ch := &c.Rows[i]
		if ch.log == nil {
			continue
		}
		e := ch.log.at(c.Confidence)
		factor := e.interval()
		ch.Factor, ch.Verdict = &factor, relate(e, limit)
		ch.Beyond = e.log-e.down > limit || e.log+e.up < -limit
	}
}

// through compares two contenders of different runners by their ratios to the reference.
func (with comparer) through(c *cell, s, t result.Subject) (estimate, string) {
	if reference := with.left.reference(with.key, with.a); reference != nil {
		x, _ := c.pick(c.ratios(s, *reference))
		y, _ := c.pick(c.ratios(t, *reference))
		if len(x) > 0 && len(y) > 0 {
			return c.ratio(x).minus(c.ratio(y)), ""
		}
	}
	return estimate{}, "the two shared no launch, with each other or with the reference"
}

// theReference is the Reason of a Change whose Reference is true.
const theReference = "the reference: the others are compared through it"

// across compares a subject's ratios to the reference in two runs. The result is the difference of
// two independent means over layouts with Welch's t-interval, which is at least as wide as the
// intervals of the two sign tests require. It includes the environment terms of both runs, within
// each run and between the runs. CPU times have the terms between the runs of the launches.
func (with comparer) across(a, b *cell, s result.Subject) (estimate, string) {
	x, y := with.left.reference(with.key, with.a), with.right.reference(with.key, with.b)
	switch {
	case x == nil || y == nil:
		return estimate{}, "a run without a reference"
	case *x != *y:
		return estimate{}, fmt.Sprintf("the runs have different references: %s and %s", x, y)
	case s == *x:
		return estimate{}, theReference
	}
	before, _ := a.pick(a.ratios(s, *x))
	after, _ := b.pick(b.ratios(s, *y))
	if len(before) == 0 || len(after) == 0 {
		return estimate{}, "no launch with the reference"
	}
	return welch(after, before).with(math.Hypot(a.environment, b.environment)).
		with(math.Hypot(with.a.watch.session(with.left.remembered()), with.b.watch.session(with.right.remembered()))), ""
}

// welch estimates the difference of two independent quantities. If a side has only one cluster,
// welch uses the side's own interval instead of Welch's.
func welch(xs, ys []reading) estimate {
	x, y := estimateOf(xs), estimateOf(ys)
	d := x.minus(y)
	a, _ := clustersOf(xs)
	b, _ := clustersOf(ys)
	if len(a) < 2 || len(b) < 2 {
		return d
	}
	na, nb := float64(len(a)), float64(len(b))
	va, vb := variance(a)/na, variance(b)/nb
	if va+vb == 0 {
		d.df = na + nb - 2
	} else {
		d.df = (va + vb) * (va + vb) / (va*va/(na-1) + vb*vb/(nb-1))
	}
	half := tQuantile((1+confidence)/2, d.df) * math.Sqrt(va+vb)
	xDown, xUp := signDistances(pool(xs))
	yDown, yUp := signDistances(pool(ys))
	d.down, d.up = max(half, math.Hypot(xDown, yUp)), max(half, math.Hypot(xUp, yDown))
	return d
}

// versions returns the readings of version B's time over version A's for one subject. It pairs the
// rounds of launches with the same index, which ran in lock step. The unit of replication is the
// layout of the side that has fewer layouts: a layout that was paired with several others counts
// once. Controls are further processes of the same files, so their values count like the others.
func versions(a, b *cell, s result.Subject) (readings, ordinary []reading) {
	byB := b.layouts() < a.layouts()
	for _, l := range a.launches {
		i := slices.IndexFunc(b.launches, func(other *launch) bool { return other.index == l.index })
		if i < 0 || l.series[s] == nil || b.launches[i].series[s] == nil {
			continue
		}
		other := b.launches[i]
		values, clock := other.series[s].ratios(l.series[s])
		if again, before := other.control[s], l.control[s]; again != nil && before != nil {
			more, _ := again.ratios(before)
			values = append(values, more...)
		}
		r := reading{l.layout, values, clock}
		if byB {
			r.layout = other.layout
		}
		switch {
		case len(values) == 0 || (l.layout == 0) != (other.layout == 0):
		case l.layout == 0:
			ordinary = append(ordinary, r)
		default:
			readings = append(readings, r)
		}
	}
	return readings, ordinary
}

// lockStep returns the rows of Look for a run of two versions; a is the first version and b is the
// second.
func (a *account) lockStep(b *account, key result.Cell) []candidate {
	c, d := a.cellOf(key), b.cellOf(key)
	var rows []candidate
	for _, one := range a.cases[key] {
		if one.Contender == Floor || !a.usable(one, c) || !b.usable(one, d) {
			continue
		}
		use, _ := c.pick(versions(c, d, one.Subject()))
		rows = append(rows, candidate{one, use})
	}
	return rows
}
