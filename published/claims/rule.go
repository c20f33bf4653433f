package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"assay/contender"
	"assay/internal/analysis"
	"assay/result"
)

// Rule rules on every claim of the ledger by the numbers of a run. results must have all of the
// run, without a view. Where times are as short as the loop around an operation, the reproductions of
// the claim's source rule, the first that can. The ledger is one family of tests, so a part of it may
// get other verdicts by itself.
func Rule(l *Ledger, results *analysis.Results, reproductions ...Reproduction) []Ruling {
	rulings := make([]Ruling, len(l.Claims))
	for i, c := range l.Claims {
		rulings[i] = weigh(c, results, reproductions)
		rulings[i].Number = i + 1
	}
	adjust(rulings)
	for i := range rulings {
		rulings[i].conclude()
	}
	return rulings
}

// weigh measures the conditions of a claim and rules on each by itself.
func weigh(c *Claim, results *analysis.Results, reproductions []Reproduction) Ruling {
	r := Ruling{Claim: c, Unit: Times}
	if c.Predicate == "" {
		return r
	}
	m, _ := analysis.MetricNamed(c.Metric)
	r.Exact = m.Exact
	if c.Predicate == Exact || c.Predicate == Constant {
		r.Unit = m.Unit
	}
	j := judge{claim: c, metric: m, results: results, reproductions: reproductions}
	for _, condition := range c.Conditions {
		r.Findings = append(r.Findings, j.finding(condition))
	}
	for part, elsewhere := range []bool{false, true} {
		r.reach[part] = c.reaching(r.Part(elsewhere))
	}
	return r
}

// finding rules on a condition. As published, and where only the data are not the published ones,
// cpu-time rules if the claim is about times with the collector on and the run has it. Elsewhere
// code-only time rules, except for sizes that are too large for the ordinary passes, because they
// have no other time.
func (j judge) finding(c Condition) Finding {
	f := j.condition(c)
	f.Elsewhere = j.claim.elsewhere(c)
	if j.claim.WithGC && (j.claim.published(c) || f.Missing == result.Unsupported) {
		with := j
		with.metric, _ = analysis.MetricNamed(analysis.CPUTime)
		if g := with.condition(c); g.Measured != nil || f.Measured == nil && (g.whole || g.Missing == result.Unsupported) {
			g.Elsewhere = f.Elsewhere
			g.Code, g.CodeStep = f.Measured, f.Step
			return j.byOwnMethod(g)
		}
	}
	return j.byOwnMethod(f)
}

// elsewhere reports whether a condition is not part of the claim as published. What is measured of a
// claim that is settled, or cannot be tested as published, is all elsewhere.
func (c *Claim) elsewhere(one Condition) bool {
	return one.Also != "" || c.Settled != nil || c.Untested != ""
}

// published reports whether a condition is ruled on by the published metric: it is one as published,
// or is elsewhere only because its data are not the published ones.
func (c *Claim) published(one Condition) bool { return one.Also == "" && c.Settled == nil }

// stated returns the figure to show beside the published one. isRange is Ruling.Range.
func stated(c *Claim, findings []Finding) (measured *analysis.Interval, isRange bool) {
	var all []analysis.Interval
	for _, f := range findings {
		if f.Measured == nil {
			continue
		}
		if c.At != nil && c.Untested == "" && sameCondition(*c.At, f.Condition) {
			return f.Measured, c.Predicate == Constant
		}
		if f.Elsewhere {
			continue
		}
		all = append(all, *f.Measured)
	}
	switch len(all) {
	case 0:
		return nil, false
	case 1:
		return &all[0], c.Predicate == Constant
	}
	s := spread(all)
	if c.Predicate == Constant {
		for _, one := range all {
			s.Lo, s.Hi = min(s.Lo, one.Lo), max(s.Hi, one.Hi)
		}
	}
	return &s, true
}

func sameCondition(a, b Condition) bool {
	return a.Size == b.Size && a.Op == b.Op && a.Also == b.Also
}

// spread returns the median of the figures, with the smallest and the largest as bounds.
func spread(all []analysis.Interval) analysis.Interval {
	values := make([]float64, len(all))
	for i, one := range all {
		values[i] = one.Value
	}
	return analysis.Spread(values)
}

// A judge rules on the conditions of one claim.
type judge struct {
	claim   *Claim
	metric  analysis.Metric
	results *analysis.Results
	// reproductions are runs by the sources' own methods.
	reproductions []Reproduction
	// session is the run besides results that whole values come from; nil if there is none.
	session *analysis.Results
	// wholes says that only whole values may measure.
	wholes bool
	// bare leaves out what the loop may add to a time.
	bare bool
}

// An amount is the metric of one term.
type amount struct {
	figure
	term Term
	// trip is a round trip without conversion, and convert the conversion there and back.
	trip, convert figure
	// by has, for each method, a case of the amount that the method measured; empty: none.
	by [2]string
	// sessions has the amount in each of several sessions of whole values; nil: there are not several.
	sessions []amount
}

// sum adds two independent figures. If one has no interval, the sum has none.
func sum(a, b figure) figure {
	v := a.Value + b.Value
	i := analysis.Interval{Value: v, Lo: v - math.Hypot(a.Value-a.Lo, b.Value-b.Lo), Hi: v + math.Hypot(a.Hi-a.Value, b.Hi-b.Value)}
	if !a.Bounded() || !b.Bounded() {
		i.Lo, i.Hi = 0, math.Inf(1)
	}
	return figure{
		Interval: i,
		exact:    a.exact, launches: fewer(a.launches, b.launches), layouts: fewer(a.layouts, b.layouts), whole: fewer(a.whole, b.whole), here: a.here || b.here,
	}
}

func fewer(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// condition rules on one condition.
func (j judge) condition(c Condition) Finding {
	m := j.measured(c)
	if m.why != "" {
		return Finding{Condition: c, Metric: j.metric.Name, Verdict: Untested, Reason: m.why, Missing: m.missing, whole: m.asked}
	}
	amounts, whole := m.amounts, m.processes()
	shown := j.figure(amounts)
	counted := (j.claim.Predicate == Order || j.claim.Predicate == Constant) && shown.exact // counts may have a ratio to 0
	if math.IsNaN(shown.Value) || math.IsInf(shown.Value, 0) && !counted {
		return Finding{Condition: c, Metric: j.metric.Name, Verdict: Untested, Reason: noRatio(j.claim)}
	}
	limits := j.claim.limits()
	f := Finding{
		Condition: c, Metric: j.metric.Name, Verdict: shown.within(limits),
		Step: shown.step, Measured: &shown.Interval,
		detail: shown.detail + m.left, Timed: !shown.exact, P: shown.level(limits), layouts: shown.layouts,
	}
	f.Reason = f.detail
	if whole > 0 {
		f.Reason = wholeWords(f.detail, whole, m.sessionsOf())
	}
	if p := j.claim.Predicate; p == Exact || p == Constant {
		f.Measured = j.level(amounts)
	}
	if f.Verdict == Refuted && f.P > FalseDiscovery && f.Timed {
		f.Verdict, f.open = Undecided, fmt.Sprintf("this pair refutes it by itself, but not once the choice among %d pairs is allowed for", shown.steps)
		f.Reason = joinWords(f.Reason, f.open)
	}
	switch {
	case f.Verdict != Undecided, f.open != "":
	case whole > 0:
		from := "one session"
		if n := m.sessionsOf(); n > 1 {
			from = fmt.Sprintf("%d sessions", n)
		}
		f.open = fmt.Sprintf("the interval from %d processes of %s is too wide", whole, from)
	case j.barely(amounts, limits):
		f.barely = true
		f.open = fmt.Sprintf("the loop around an operation may add or hide %v ns", loop)
	default:
		if f.Launches = shown.launchesFor(limits); f.Launches == 0 {
			f.open = shown.unbounded()
		}
	}
	return f
}

// barely reports whether the figure would be decided without what loops may add or hide.
func (j judge) barely(amounts []amount, limits []limit) bool {
	j.bare = true
	return j.figure(amounts).within(limits) != Undecided
}

// noRatio says why a figure is not a number.
func noRatio(c *Claim) string {
	if c.Predicate == Trend {
		return "one of the figures is 0, or all sizes that were measured have as many items: there is no trend"
	}
	return "one of the figures is 0, so there is no ratio"
}

// joinWords joins two remarks; the first may be empty.
func joinWords(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// A weighed is a figure that is compared with the limits, with a few words about it.
type weighed struct {
	figure
	detail string
	step   string // for an order, the two cases whose ratio the figure is
	// steps is the number of pairs that an order is about, if one of them refutes it.
	steps int
	// least is the p-value of an order's least certain step, if no step refutes the order.
	least float64
}

// level returns the p-value of the figure. An order holds if all of its steps do, which is no more
// certain than the least certain step. It is refuted by one step, the worst of all: Bonferroni's
// inequality allows for the choice.
func (w weighed) level(limits []limit) float64 {
	return max(min(1, w.figure.level(limits)*float64(max(1, w.steps))), w.least)
}

// figure returns the figure that the predicate is about.
func (j judge) figure(amounts []amount) weighed {
	switch j.claim.Predicate {
	case Ratio:
		return weighed{figure: j.ratio(amounts[0], amounts[1])}
	case Constant:
		return j.constant(amounts)
	case Grows:
		first, last := amounts[0], amounts[len(amounts)-1]
		return weighed{figure: j.ratio(last, first), detail: fmt.Sprintf("from %s to %s",
			Figure(first.Value, j.metric.Unit), Figure(last.Value, j.metric.Unit))}
	case Trend:
		return j.trend(amounts)
	case Order:
		return j.order(amounts)
	}
	a := j.ofSession(amounts[0])
	a.Interval = j.looped(a)
	return weighed{figure: a.figure}
}

// ofSession returns an amount by itself. For a time of whole values it widens the interval by what
// sessions differ by, for each session.
func (j judge) ofSession(a amount) amount {
	if a.whole > 0 && !a.exact && j.metric.Unit == "ns" {
		a.Interval = widened(a.Interval, math.Log(sessionPause))
	}
	a.sessions = slices.Clone(a.sessions)
	for i, s := range a.sessions {
		a.sessions[i] = j.ofSession(s)
	}
	return a.pooled()
}

// constant returns the ratio of two sizes, the larger figure over the less, that is the strongest evidence
// against a claim that all are the same.
func (j judge) constant(amounts []amount) weighed {
	limits := j.claim.limits()
	var worst weighed
	least, pairs := 0.0, 0
	for i, a := range amounts {
		for _, b := range amounts[i+1:] {
			less, more := a, b
			if byValue(a, b) > 0 {
				less, more = b, a
			}
			q := j.ratio(more, less)
			least = max(least, q.level(limits))
			if pairs++; pairs > 1 && !q.worse(worst.figure, limits) {
				continue
			}
			worst = weighed{figure: q, detail: fmt.Sprintf("%s, from %s at %s to %s at %s", timesText(q.Interval, q.exact),
				Figure(less.Value, j.metric.Unit), less.term.Size, Figure(more.Value, j.metric.Unit), more.term.Size)}
		}
	}
	if worst.within(limits) == Refuted {
		worst.steps = pairs
	} else {
		worst.least = least
	}
	return worst
}

// worse reports whether a ratio is stronger evidence than another one against a claim that both are within
// limits.
func (f figure) worse(than figure, limits []limit) bool {
	rank := map[Verdict]int{Refuted: 0, Undecided: 1, Holds: 2}
	x, y := rank[f.within(limits)], rank[than.within(limits)]
	return x < y || x == y && f.Value > than.Value
}

func byValue(a, b amount) int { return cmp.Compare(a.Value, b.Value) }

// order returns the worst step of the order. A step is the metric of a case over that of a case
// that should come before it.
func (j judge) order(amounts []amount) weighed {
	terms := make([]Term, len(amounts))
	for i, a := range amounts {
		terms[i] = a.term
	}
	var worst weighed
	least := 0.0
	steps := j.steps(len(amounts))
	for i, s := range steps {
		step := j.ratio(amounts[s[0]], amounts[s[1]])
		least = max(least, step.level(inOrder))
		if i == 0 || worseStep(step, worst.figure) {
			worst = weighed{figure: step, step: terms[s[0]].among(terms) + " ÷ " + terms[s[1]].among(terms)}
		}
	}
	if worst.meets(inOrder[0]) == Refuted {
		worst.steps = len(steps)
	} else {
		worst.least = least
	}
	worst.detail = j.sequence(amounts, terms)
	return worst
}

// steps returns the pairs of n cases that the order is about, each as the later case and the
// earlier one.
func (j judge) steps(n int) [][2]int {
	var steps [][2]int
	for i := range n {
		switch {
		case j.claim.Only == "first" && i > 0:
			steps = append(steps, [2]int{i, 0})
		case j.claim.Only == "last" && i < n-1:
			steps = append(steps, [2]int{n - 1, i})
		case j.claim.Only == "" && i > 0:
			steps = append(steps, [2]int{i, i - 1})
		}
	}
	return steps
}

// worseStep reports whether step a is stronger evidence against an order than step b.
func worseStep(a, b figure) bool {
	rank := map[Verdict]int{Refuted: 0, Undecided: 1, Holds: 2}
	x, y := rank[a.meets(inOrder[0])], rank[b.meets(inOrder[0])]
	return x < y || x == y && a.Value < b.Value
}

// sequence returns the cases in the measured order. Two neighbours have "<" between them if the
// rule for orders says so, "=" if they are tied, and otherwise "≈".
func (j judge) sequence(amounts []amount, terms []Term) string {
	sorted := slices.Clone(amounts)
	slices.SortStableFunc(sorted, byValue)
	text := ""
	for i, a := range sorted {
		if i > 0 {
			switch step := j.ratio(a, sorted[i-1]); {
			case step.meets(inOrder[0]) == Holds:
				text += " < "
			case step.to(1) == tied:
				text += " = "
			default:
				text += " ≈ "
			}
		}
		text += a.term.among(terms)
	}
	return text
}

// level returns the metric itself, for predicates about that: for one size its figure, and for
// several sizes the median, with the smallest and the largest as bounds.
func (j judge) level(amounts []amount) *analysis.Interval {
	all := make([]analysis.Interval, len(amounts))
	for i, a := range amounts {
		a = j.ofSession(a)
		all[i] = a.Interval
		if j.claim.Predicate == Exact {
			all[i] = j.looped(a)
		}
	}
	if len(all) == 1 {
		return &all[0]
	}
	return new(spread(all))
}

// amount measures a term, or says why it is not measured: missing is Finding.Missing.
func (j judge) amount(t Term) (a amount, missing result.Status, why string) {
	a.term = t
	items := 1.0
	if j.claim.PerItem {
		if size, err := workloadNamed(j.claim.Workload).Size(t.Size); err == nil {
			items = float64(max(1, size.Items))
		}
	}
	for i, c := range t.cases(j.claim.Workload) {
		f, missing, why := j.row(c)
		if missing != "" {
			a.figure = f
			return a, missing, why
		}
		f.Value, f.Lo, f.Hi = f.Value/items, f.Lo/items, f.Hi/items
		a.by[f.method()] = caseText(c)
		switch {
		case i == 0:
			a.figure = f
		case c.Op == result.Convert:
			a.convert = f
			a.figure = sum(a.figure, f)
		default:
			a.figure = sum(a.figure, f)
			a.trip = a.figure
		}
	}
	return a, "", ""
}

// row reads the metric of a measured case, or says why there is none. A whole value does not stand for a
// case that failed.
func (j judge) row(c result.Case) (f figure, missing result.Status, why string) {
	t := j.table(c.Cell())
	row, ok := t.Row(c, j.metric.Name)
	clock, there := t.Row(c, analysis.Time)
	if failed := there && clock.Status.Failed(); !failed && (!ok || row.Number == nil || j.wholes || contender.Whole(c.Mode)) {
		switch f, missing, why, tried := j.whole(c); {
		case tried:
			return f, missing, why
		case j.wholes:
			return f, Absent, caseText(c) + " has no whole value"
		}
	}
	if ok && row.Number != nil {
		if n := row.Number; j.metric.Exact && n.Lo != n.Hi {
			return f, result.Noisy, fmt.Sprintf("%s has no exact count: its %s are %.4g to %.4g", caseText(c), j.metric.Title, n.Lo, n.Hi)
		}
		f = figure{Interval: *row.Number, exact: j.metric.Exact}
		if !f.exact {
			f.launches, f.layouts = row.N, layoutsOf(row)
		}
		return f, "", ""
	}
	name := caseText(c)
	switch {
	case !there && contender.Whole(c.Mode):
		return f, Absent, fmt.Sprintf("%s is not in run %s; assay claims --giants measures it", name, j.results.Run.ID)
	case !there:
		return f, Absent, fmt.Sprintf("%s is not in run %s", name, j.results.Run.ID)
	case clock.Number != nil || clock.Status == result.OK:
		return f, result.Timeout, fmt.Sprintf("%s has no %s in run %s", name, j.metric.Name, j.results.Run.ID)
	case clock.Status == result.Timeout:
		return f, clock.Status, fmt.Sprintf("%s: %s", name, clock.Reason)
	}
	return f, clock.Status, fmt.Sprintf("%s: %s: %s", name, clock.Status, j.advised(c, clock.Reason))
}

// caseText returns the name of a case for display.
func caseText(c result.Case) string { return fmt.Sprintf("%s %s at %s", c.Subject(), c.Op, c.Size) }

// advised returns why a case has no number. If reason ends with the advice to use --giants, advised
// keeps that only for cases that --giants measures.
func (j judge) advised(c result.Case, reason string) string {
	if before, found := result.WithoutGiants(reason); found && j.wholeMetric(c) == "" {
		return before + "; --giants measures CPU time and memory of encode, decode and convert only"
	}
	return reason
}

// layoutsOf returns the number of layouts behind a row or, if that is unknown, the number of
// processes.
func layoutsOf(row analysis.Row) int {
	seen := map[uint64]bool{}
	for _, l := range row.Launches {
		seen[l.Layout] = true
	}
	if len(seen) > 1 {
		return len(seen)
	}
	return row.N
}

// table returns the table of a cell; an empty one if there is none.
func (j judge) table(cell result.Cell) *analysis.Table {
	for i := range j.results.Tables {
		if j.results.Tables[i].Cell == cell {
			return &j.results.Tables[i]
		}
	}
	return &analysis.Table{Cell: cell}
}
