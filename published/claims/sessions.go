package claims

import (
	"cmp"
	"math"
	"slices"

	"assay/internal/analysis"
)

// sessions returns the runs that whole values may come from, each of another session, besides the
// run that is ruled on. If there is none, it returns one nil.
func (j judge) sessions() []*analysis.Results {
	all := []*analysis.Results{j.results.Besides}
	for all[len(all)-1] != nil && all[len(all)-1].Besides != nil {
		all = append(all, all[len(all)-1].Besides)
	}
	return all
}

// measured measures the terms of a condition by one method. If whole values measure them, and
// several sessions have all of these, the amounts are those of all sessions.
func (j judge) measured(c Condition) measurement {
	var found []measurement
	var missing *measurement
	for _, session := range j.sessions() {
		j.session = session
		m := j.measuredOnce(c)
		switch {
		case m.why == "" && (m.processes() == 0 || m.here()):
			return m // no session has anything to do with it
		case m.why == "" && (len(found) == 0 || m.sameTerms(found[0])):
			found = append(found, m)
		case m.why != "" && (missing == nil || m.asked && !missing.asked):
			missing = &m
		}
	}
	switch len(found) {
	case 0:
		return *missing
	case 1:
		return found[0]
	}
	all := found[0]
	all.amounts = slices.Clone(all.amounts)
	for i := range all.amounts {
		for _, m := range found {
			all.amounts[i].sessions = append(all.amounts[i].sessions, m.amounts[i])
		}
		all.amounts[i] = all.amounts[i].pooled()
	}
	return all
}

// here reports whether a whole value of the run that is ruled on is among the amounts.
func (m measurement) here() bool {
	return slices.ContainsFunc(m.amounts, func(a amount) bool { return a.here })
}

// sameTerms reports whether two sessions measured the same terms. Of a trend, one may lack a size.
func (m measurement) sameTerms(other measurement) bool {
	return slices.EqualFunc(m.amounts, other.amounts, func(a, b amount) bool { return a.term == b.term })
}

// sessionsOf is the number of sessions that the amounts come from; 1 if they are not of several.
func (m measurement) sessionsOf() int {
	n := 1
	for _, a := range m.amounts {
		n = max(n, len(a.sessions))
	}
	return n
}

// pooled returns an amount of several sessions with its figure taken over all of them.
func (a amount) pooled() amount {
	if len(a.sessions) == 0 {
		return a
	}
	all := make([]figure, len(a.sessions))
	for i, s := range a.sessions {
		all[i] = s.figure
	}
	a.figure = pool(all)
	return a
}

// pool returns the figure over sessions. An estimate is the geometric mean, with the sessions as
// independent: if each has an interval that allows for what sessions differ by, that share of the
// mean's interval shrinks with the square root of their number. A count is the median, the lower one
// of two.
func pool(all []figure) figure {
	f := all[0]
	if f.exact {
		sorted := slices.Clone(all)
		slices.SortStableFunc(sorted, func(a, b figure) int { return cmp.Compare(a.Value, b.Value) })
		f = sorted[(len(sorted)-1)/2]
	} else {
		n := float64(len(all))
		mean, down, up := 0.0, 0.0, 0.0
		for _, one := range all {
			mean += math.Log(one.Value) / n
			down, up = math.Hypot(down, math.Log(one.Value/one.Lo)/n), math.Hypot(up, math.Log(one.Hi/one.Value)/n)
		}
		f.Interval = analysis.Interval{Value: math.Exp(mean), Lo: math.Exp(mean - down), Hi: math.Exp(mean + up)}
	}
	f.whole = 0
	for _, one := range all {
		f.whole += one.whole
	}
	return f
}
