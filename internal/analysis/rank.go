package analysis

import (
	"cmp"
	"math"
	"slices"

	"assay/result"
)

// Tie is the share by which two times must differ to be told apart.
const Tie = margin

// margin is the smallest difference, as a logarithm, that is ranked. Contention moves ratios
// between libraries by 1 to 2%, because they differ in how much cache they need. So a smaller
// difference is no property of the libraries, however narrow the interval.
const margin = 0.02

// A Relation says how two subjects' times compare, by the interval of their ratio. That interval is
// also the one that is printed.
type Relation int

// The relations.
const (
	// Unresolved means that the interval is too wide to say.
	Unresolved Relation = iota
	// Tied means that the whole interval is within 2% of no difference.
	Tied
	// Faster and Slower mean that the whole interval is beyond 2%.
	Faster
	Slower
)

// String returns the relation as one word.
func (r Relation) String() string {
	return [...]string{Unresolved: "unresolved", Tied: "tied", Faster: "faster", Slower: "slower"}[r]
}

// A Ranking orders the subjects of one cell by time, with ties.
type Ranking struct {
	// Places are in the order of the ratio to the reference, fastest first.
	Places []Place
	// Confidence is the confidence of the intervals that decide, as a share; see falseShare. It is
	// 0 if there are fewer than two places.
	Confidence float64
	// alone has the estimates of the logarithm of the time of Places[i] over that of Places[j] for
	// i < j, row by row, each with the bounds of this pair alone. together has the same estimates
	// with the bounds that decide.
	alone, together [][]estimate
	// ratios are the logarithms of the places' ratios to the reference. It is nil if there is no
	// single reference.
	ratios []estimate
	// times are the logarithms of the places' times, with the prior of ratios: they weigh the ops of
	// round trips. A printed time has no prior, because the machine's speed moves all times alike.
	times []estimate
}

// A Place is a subject's place in a ranking.
type Place struct {
	result.Subject
	// Rank is the number of the first place, counted from 1, of the group that shares the rank. A
	// place starts a new rank if it is shown to be slower than the first place of the rank before.
	Rank int
	// Equal says that another place has the same rank.
	Equal bool
	// Shared says that the subject is not told apart from at least one other.
	Shared bool
	// Undecided says that at least one of these is Unresolved rather than Tied.
	Undecided bool
	// Letters are the compact letter display: two places that share a letter are not told apart,
	// and two places that share none are.
	Letters string
}

// Place returns the place of the subject.
func (r *Ranking) Place(s result.Subject) (Place, bool) {
	i := r.at(s)
	if i < 0 {
		return Place{}, false
	}
	return r.Places[i], true
}

// pair returns the logarithm of a's time over b's, with the bounds of this pair alone; false if one
// of them has no place.
func (r *Ranking) pair(a, b result.Subject) (estimate, bool) {
	i, j := r.at(a), r.at(b)
	if i < 0 || j < 0 {
		return estimate{}, false
	}
	return between(r.alone, i, j), true
}

// toward is pair, also if b is the reference and has no place because it is out of view.
func (r *Ranking) toward(a, b, reference result.Subject) (estimate, bool) {
	if i := r.at(a); i >= 0 && b == reference && r.at(b) < 0 {
		return r.ratios[i], true
	}
	return r.pair(a, b)
}

// time returns the time of a subject that has a place.
func (r *Ranking) time(s result.Subject) estimate { return r.times[r.at(s)] }

// at returns the index of the subject's place, or -1.
func (r *Ranking) at(s result.Subject) int {
	return slices.IndexFunc(r.Places, func(p Place) bool { return p.Subject == s })
}

// estimate is pair for two subjects that have places.
func (r *Ranking) estimate(a, b result.Subject) estimate {
	e, _ := r.pair(a, b)
	return e
}

// same is the estimate of the ratio of a time to itself.
var same = estimate{df: math.Inf(1)}

// between returns the logarithm of the time of place i over that of place j. pairs is alone or
// together.
func between(pairs [][]estimate, i, j int) estimate {
	switch {
	case i == j:
		return same
	case i < j:
		return pairs[i][j-i-1]
	}
	return pairs[j][i-j-1].inverse()
}

// Relation returns how place i compares with place j.
func (r *Ranking) Relation(i, j int) Relation { return between(r.together, i, j).relation(margin) }

// NoSlower reports whether place i is shown not to be slower than place j by more than 2%: it is
// faster or tied, even if it is undecided which.
func (r *Ranking) NoSlower(i, j int) bool {
	e := between(r.together, i, j)
	return e.log+e.up < margin
}

// Difference returns the time of place i over that of place j, with the interval that decides. The
// ratio is paired by round if the two shared launches.
func (r *Ranking) Difference(i, j int) Interval {
	if i == j {
		return exactly(1)
	}
	return between(r.together, i, j).interval()
}

// rank compares every pair of subjects. All of them must have a ratio to the reference.
func rank(c *cell, reference result.Subject, subjects []result.Subject) Ranking {
	to := make(map[result.Subject]estimate, len(subjects))
	for _, s := range subjects {
		use, _ := c.pick(c.ratios(s, reference))
		to[s] = c.ratio(use)
	}
	order := slices.Clone(subjects)
	slices.SortStableFunc(order, func(a, b result.Subject) int { return cmp.Compare(to[a].log, to[b].log) })

	var estimates []estimate
	for i, a := range order {
		for j := i + 1; j < len(order); j++ {
			estimates = append(estimates, compare(c, a, order[j], to))
		}
	}
	r := ordered(order, estimates)
	for _, s := range order {
		use, _ := c.pick(c.times(s))
		r.ratios, r.times = append(r.ratios, to[s]), append(r.times, c.prior().timeOf(use))
	}
	return r
}

// ordered ranks subjects that are in the order of their times. estimates has the logarithms of
// their ratios: of the first subject to all that follow, then of the second to all that follow it,
// and so on.
func ordered(order []result.Subject, estimates []estimate) Ranking {
	r := Ranking{Places: make([]Place, len(order)), Confidence: decides(estimates, margin, falseShare)}
	for i := range order {
		own := estimates[:len(order)-1-i]
		estimates = estimates[len(own):]
		var together []estimate
		for _, e := range own {
			together = append(together, e.at(r.Confidence))
		}
		r.alone, r.together = append(r.alone, own), append(r.together, together)
	}
	for i, s := range order {
		p := Place{Subject: s, Rank: 1}
		for j := range order {
			switch relation := r.Relation(i, j); {
			case i == j:
			case relation == Tied:
				p.Shared = true
			case relation == Unresolved:
				p.Shared, p.Undecided = true, true
			}
		}
		if i > 0 {
			if p.Rank = r.Places[i-1].Rank; r.Relation(i, p.Rank-1) == Slower {
				p.Rank = i + 1
			} else {
				p.Equal, r.Places[i-1].Equal = true, true
			}
		}
		r.Places[i] = p
	}
	told := func(i, j int) bool { relation := r.Relation(i, j); return relation == Faster || relation == Slower }
	for i, text := range letters(len(order), told) {
		r.Places[i].Letters = text
	}
	return r
}

// compare estimates the logarithm of a's time over b's, paired by round if they shared launches.
// Subjects of different runners never do; then the result is the difference of their ratios to the
// reference.
func compare(c *cell, a, b result.Subject, to map[result.Subject]estimate) estimate {
	if use, _ := c.pick(c.ratios(a, b)); len(use) > 0 {
		return c.ratio(use)
	}
	return to[a].minus(to[b])
}

// relation returns the verdict on a pair by its interval. margin is the largest logarithm that
// counts as no difference.
func (e estimate) relation(margin float64) Relation {
	switch {
	case e.log+e.up < -margin:
		return Faster
	case e.log-e.down > margin:
		return Slower
	case e.within(margin):
		return Tied
	}
	return Unresolved
}

// relate returns the verdict on a pair by itself: Faster and Slower mean that its interval excludes
// 0, however small the difference is, and Tied means that it lies within the margin, a logarithm.
func relate(e estimate, margin float64) Relation {
	switch {
	case e.p() < 1-confidence && e.log < 0:
		return Faster
	case e.p() < 1-confidence:
		return Slower
	case e.within(margin):
		return Tied
	}
	return Unresolved
}

// within reports whether the interval lies within the margin on both sides of 0.
func (e estimate) within(margin float64) bool {
	return -margin < e.log-e.down && e.log+e.up < margin
}

// falseShare is the expected share of false differences, at most, among those that a table shows. A
// limit on the chance of even one false difference, as in Holm's procedure, takes intervals many
// times as wide if there are few layouts: rows with a factor of six between them were not told
// apart.
const falseShare = 1 - confidence

// decides returns the confidence of the intervals that decide on all pairs of a table, or on all
// changes of a comparison. share is the expected share of false differences among those shown.
//
// The procedure is that of Benjamini and Hochberg (Controlling the False Discovery Rate, 1995),
// applied to pairs as Williams, Jones and Tukey recommend (Controlling Error in Multiple
// Comparisons, 1999). The hypotheses are that two times are within the margin, a logarithm, of each
// other. The intervals are those that belong to the procedure (Benjamini and Yekutieli, False
// Discovery Rate-Adjusted Multiple Confidence Intervals for Selected Parameters, 2005): if R of m
// pairs are told apart, their confidence is 1 − R·share/m. A pair is told apart exactly when its
// interval lies beyond the margin. If all pairs are, the confidence is 1 − share; if none is, R
// counts as 1.
func decides(estimates []estimate, margin, share float64) float64 {
	if len(estimates) == 0 {
		return 0
	}
	p := make([]float64, len(estimates))
	for i, e := range estimates {
		p[i] = e.pBeyond(margin)
	}
	slices.Sort(p)
	m := float64(len(p))
	told := 1
	for i, v := range p {
		if v <= float64(i+1)*share/m {
			told = i + 1
		}
	}
	return 1 - float64(told)*share/m
}

// Between returns the time of one subject over that of another, with the 95% interval of this pair
// alone. The ratio is paired by round if the two shared launches. Between returns false if one of
// them has no ratio to the reference.
func (t *Table) Between(a, b result.Subject) (Interval, bool) {
	if e, ok := t.Ranking.pair(a, b); ok {
		return e.interval(), true
	}
	// The floor takes no place.
	x, _ := t.Row(t.Cell.Case(a), Time)
	y, _ := t.Row(t.Cell.Case(b), Time)
	if x.Ratio == nil || y.Ratio == nil {
		return Interval{}, false
	}
	return x.Ratio.Quotient(*y.Ratio), true
}
