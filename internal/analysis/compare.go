package analysis

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"assay/result"
)

// A Side is one of the two that are compared.
type Side struct {
	// Label is how the side is called in tables.
	Label   string
	Run     *result.Run
	Records []result.Record
	// Version is the label of the side's launches (result.Launch.Side), where
	// one run compares two versions in lock step.
	Version string
	// Contender is the side's contender, where two of one run are compared.
	Contender string
}

// A ComparisonKind says what was compared, and so how.
type ComparisonKind string

// The kinds of comparison.
const (
	// OfRuns: two runs at different times. What changes is each run's ratio to
	// the reference; the two ratios are independent.
	OfRuns ComparisonKind = "runs"
	// OfContenders: two contenders of one run, paired round by round.
	OfContenders ComparisonKind = "contenders"
	// OfVersions: two versions in lock step, paired round by round.
	OfVersions ComparisonKind = "versions"
)

// Margin is the share under which a change of time is no reason to prefer one side.
func (c *Comparison) Margin() float64 {
	if c.Kind == OfVersions {
		return versionMargin
	}
	return margin
}

// Margins of ties, as logarithms.
const (
	// versionMargin is that of two versions: the same code mostly, which feels
	// the neighbours in the same way. Two contenders or runs have that of ranks.
	versionMargin = 0.01
	// exactMargin is that of counts, which differ by a hair where the runtime
	// allocates at random.
	exactMargin = 0.005
)

// A Comparison is what changes from side A to side B.
type Comparison struct {
	Kind ComparisonKind
	A, B *Side
	// GradeA and GradeB are the grades of the sides' runs; nil when nothing was
	// launched.
	GradeA, GradeB *Grade
	// Rows are in the order of side A's tables; those of one case are in the
	// order of Metrics.
	Rows []Change
	// OnlyA and OnlyB are the cases in view that the other side does not have.
	OnlyA, OnlyB []result.Case
	// Lacking are the metrics besides the first that one side alone has of a case
	// that both have.
	Lacking []Gap
	// Confidence is that of the intervals of changes of times, as a share: of the
	// changes that they show, at most 5% are expected to be false. 0 without a time.
	Confidence float64
	// Reference is what the ratios of two runs are taken to; empty otherwise.
	Reference string
	// Differs says what else differs between two runs, such as "msgp v1.3.0 →
	// v1.3.1"; OneSided the modules that one run alone links, and Same what does not
	// differ.
	Differs, OneSided, Same []string
	Warnings                []Warning
}

// A Change is one metric of one case on both sides.
type Change struct {
	// A and B are the cases; they differ in the contender at most.
	A, B   result.Case
	Metric string
	Unit   string
	// ValueA and ValueB are nil on a side without a number. Times describe; they
	// are not what Factor is made from.
	ValueA, ValueB *Interval
	// StatusA and StatusB are those of the sides.
	StatusA, StatusB result.Status
	// Factor is B over A; nil where it cannot be told, with Reason. A count that
	// grows from 0 has an infinite one.
	Factor *Interval
	// Reference says that it is a time of what ratios are taken to in both of two
	// runs, which has a number on both sides and no factor: the others are told by it.
	Reference bool
	// Verdict is what B is to A: Faster also means less, of bytes. It says that there
	// is a difference, not that it is large. Tied and Unresolved are both shown as "~".
	Verdict Relation
	// Beyond says that the whole interval is beyond Margin: a difference that is
	// certain and worth acting on.
	Beyond bool
	Reason string

	// log is what is known of the logarithm of a time's Factor, by itself.
	log *estimate
}

// Compare compares two sides in view. Both must be of one run unless they are
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
	environment, controls := 0.0, right.controls()
	if c.Kind == OfVersions {
		environment = left.lockStepEnvironment(right)
		if len(controls) == 0 { // in older runs one of the two has a control, which is that of both
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
	if c.Kind == OfRuns {
		c.Differs, c.OneSided, c.Same = differences(a.Run, b.Run)
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

// other returns the case of side B that belongs to the one of side A.
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

// only finds the cases that one side has and the other has not.
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

// LeastLayouts is the fewest layouts a side that a comparison of two binaries
// can do with.
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
	// lockStep is the environment term of two versions.
	lockStep float64
}

// changes makes the rows of one case. A case without a number on either side
// has one row with the reason.
func (with comparer) changes(one, two result.Case) []Change {
	before := with.left.rows(one, with.a, with.left.reference(with.key, with.a))
	after := with.right.rows(two, with.b, with.right.reference(with.key, with.b))
	// The first row is that of the metric that says why there is no number.
	first := before[0].Metric
	var changes []Change
	for _, m := range Metrics {
		// Other metrics follow from these or have bounds that are no intervals.
		if m.Name != first && m.steady == nil && !m.Exact {
			continue
		}
		if with.of.Kind == OfVersions && m.Name != Time {
			continue // other records do not say which version they are of
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
			continue // the bounds of the time of builds are no interval
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
		row, side = b, c.B // the one that failed says more than the one that then had no turn
	}
	return fmt.Sprintf("%s: %s: %s", side.Label, row.Status, row.Reason)
}

// count fills in the change of a counted metric. What allocates another amount each time
// has been counted with bounds.
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

// decide gives all changes of times the intervals that decide, and their verdicts.
func (c *Comparison) decide() {
	var all []estimate
	for _, ch := range c.Rows {
		if ch.log != nil {
			all = append(all, *ch.log)
		}
	}
	c.Confidence = decides(all, 0)
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

// through compares two contenders of different runners by their ratios to the
// reference.
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

// theReference is the reason of a Change with Reference.
const theReference = "the reference: the others are compared through it"

// across compares a subject's ratios to the reference in two runs: the
// difference of two independent means over layouts, with Welch's t-interval, no
// narrower than the two sign tests' intervals allow, and with the environment
// terms of both, within each run and between them.
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
		with(math.Hypot(a.session, b.session)), ""
}

// welch estimates the difference of two independent quantities. Where a side
// has one cluster only, its own interval stands in for what Welch's lacks.
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

// versions reads version B's time over version A's of one subject, round by
// round in the launches of one index, which ran in lock step. The unit of
// replication is the layout of the side that has fewer: a layout that met
// several others is one all the same. Controls are further processes of the same
// files, and say as much.
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

// lockStep are the rows of Look for a run of two versions; a is the first of
// them.
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
