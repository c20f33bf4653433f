package analysis

import (
	"fmt"
	"math"
	"slices"

	"assay/result"
)

// A Judgement is the result of holding a comparison against a limit.
type Judgement struct {
	// Worse are the rows whose whole interval is beyond the limit.
	Worse []Change
	// Open lists what cannot be judged: a side has no number, or the difference has no interval or
	// one that is too wide.
	Open []Gap
	// Judged counts the rows that were judged, Worse included.
	Judged int
}

// A Gap is a metric of a case that could not be compared.
type Gap struct {
	Case   result.Case
	Metric string
	// Status is the reason as a status. Unverified means that a side returned a value other than
	// the one it was given, which is an answer; any other status means that there is no answer.
	Status result.Status
	Reason string
}

// Judge holds the comparison against a limit, a share: with 0.05, the rows that are certainly more
// than 5% worse are beyond the limit. Judge reports everything that it cannot judge as open, so a
// comparison without findings is one in which everything was compared. Open are:
//
//   - a case without a number on a side, unless both sides have the same reason, and this
//     is that the format cannot hold the schema or that the case was only to be counted;
//   - a metric that only one side has;
//   - a case that only one side has, for runs and versions; two contenders may have
//     different modes and ops;
//   - a number without an interval, unless it is counted;
//   - an interval that reaches beyond the limit and has a half-width of WideC or more,
//     because it may contain even a large change; counts that vary have intervals too;
//   - the reference of two runs in a cell where they have no other case, because a change
//     of the reference shows only in other cases, and where all other cases became faster by
//     more than the limit, because a slower reference looks like that.
func (c *Comparison) Judge(limit float64) Judgement {
	var j Judgement
	for _, row := range c.Rows {
		switch f := row.Factor; {
		case f == nil:
			j.missing(row, c.countedOnly(row))
		case !row.Counted() && (math.IsNaN(f.Lo) || !f.Bounded()):
			j.open(row, result.Noisy, oneSample)
		case f.Lo <= 1+limit && f.Hi > 1+limit && f.HalfWidth() >= WideC:
			j.open(row, result.Noisy, fmt.Sprintf("±%s is too wide to judge by (raise --budget, or stop other work)", shortPercent(f.HalfWidth())))
		default:
			j.Judged++
			lo := f.Lo
			if row.Counted() && row.Verdict == Tied {
				lo = 1 // a count that differs by less than the margin
			}
			if lo > 1+limit {
				j.Worse = append(j.Worse, row)
			}
		}
	}
	j.Open = append(j.Open, c.Lacking...)
	if c.Kind == OfContenders {
		return j
	}
	for _, only := range []struct {
		side  *Side
		cases []result.Case
	}{{c.A, c.OnlyA}, {c.B, c.OnlyB}} {
		for _, one := range only.cases {
			j.Open = append(j.Open, Gap{Case: one, Metric: Time, Status: result.Timeout, Reason: "only in " + only.side.Label})
		}
	}
	j.references(c, limit)
	return j
}

// references adds to Open the time of the reference of two runs in each cell where other cases
// do not show that it did not become slower: there are none, or all of them became faster by
// more than the limit. It leaves out cells that already have an open case.
func (j *Judgement) references(c *Comparison, limit float64) {
	spoken := map[result.Cell]bool{}
	for _, g := range j.Open {
		spoken[g.Case.Cell()] = true
	}
	least := map[result.Cell]float64{} // the upper bound of the case that became faster by the least
	for _, row := range c.Rows {
		if row.Metric == Time && !row.Reference && row.Factor != nil {
			least[row.A.Cell()] = max(least[row.A.Cell()], row.Factor.Hi)
		}
	}
	for _, row := range c.Rows {
		if row.Metric != Time || !row.Reference || spoken[row.A.Cell()] || c.countedOnly(row) {
			continue
		}
		switch hi, others := least[row.A.Cell()]; {
		case !others:
			j.open(row, result.Timeout, "two runs are compared through it, and no other case of this cell can show its change: measure another contender too")
		case hi < 1/(1+limit):
			j.open(row, result.Noisy, "every other case of this cell became faster against it, as if it had become slower itself: measure a contender that did not change too")
		}
	}
}

// countedOnly reports whether the plans of both sides count the case of a row but do not time it.
func (c *Comparison) countedOnly(row Change) bool {
	untimed := func(s *Side, one result.Case) bool {
		return slices.ContainsFunc(s.Run.Plan.Untimed, func(o result.Outcome) bool { return o.Case == one })
	}
	return row.Metric == Time && untimed(c.A, row.A) && untimed(c.B, row.B)
}

// missing adds a row without a factor to Open, unless the reason is acceptable. counted says
// that the case was only to be counted.
func (j *Judgement) missing(row Change, counted bool) {
	same := row.ValueA == nil && row.ValueB == nil && row.StatusA == row.StatusB
	switch {
	case row.Reference:
	case same && (row.StatusA == result.Unsupported || counted):
	default:
		j.open(row, graver(row.StatusA, row.StatusB), row.Reason)
	}
}

func (j *Judgement) open(row Change, status result.Status, reason string) {
	j.Open = append(j.Open, Gap{row.A, row.Metric, status, reason})
}

// graver returns the status that explains better why there is no number. A side that has
// none only because the other side failed is timed out.
func graver(a, b result.Status) result.Status {
	if a.Rank() < b.Rank() {
		return b
	}
	return a
}

// lacking records a metric that only one side has.
func (with comparer) lacking(metric string, one result.Case, a, b *Row) {
	has := func(r *Row) bool { return r != nil && r.Number != nil }
	if has(a) == has(b) {
		return
	}
	side := with.of.A
	if has(b) {
		side = with.of.B
	}
	with.of.Lacking = append(with.of.Lacking, Gap{one, metric, result.Timeout, "only in " + side.Label})
}
