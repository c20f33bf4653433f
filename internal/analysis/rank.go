package analysis

import (
	"cmp"
	"math"
	"slices"

	"assay/result"
)

// Tie is the share by which two times must differ to be told apart at all.
const Tie = margin

// margin is the smallest difference, as a logarithm, that is ranked. Contention
// moves ratios between libraries by 1 to 2% because they differ in how much
// cache they need, so smaller differences are no property of the libraries,
// however narrow the interval.
const margin = 0.02

// A Relation is what is known of two subjects' times.
type Relation int

// The relations.
const (
	// Unresolved: the samples are too few or too disturbed to say.
	Unresolved Relation = iota
	// Tied: no difference worth ranking, either because the interval holds none
	// or because the difference, though certain, is under 2%.
	Tied
	// Faster and Slower: a difference of 2% or more that survives Holm's
	// correction for the number of pairs.
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
	// pairs has the relation of Places[i] to Places[j] for i < j, row by row, and
	// differences the estimates of the logarithms of their times' ratios.
	pairs       [][]Relation
	differences [][]estimate
}

// A Place is a subject's place in a ranking.
type Place struct {
	result.Subject
	// Rank is one more than the number of subjects shown to be faster, and no
	// less than the rank of the place before.
	Rank int
	// Shared says that the subject is not told apart from at least one other.
	Shared bool
	// Undecided says that some of those are Unresolved rather than Tied.
	Undecided bool
	// Letters are the compact letter display: two places that share a letter are
	// not told apart, two that share none are.
	Letters string
}

// Place returns the place of the subject.
func (r *Ranking) Place(s result.Subject) (Place, bool) {
	i := slices.IndexFunc(r.Places, func(p Place) bool { return p.Subject == s })
	if i < 0 {
		return Place{}, false
	}
	return r.Places[i], true
}

// Relation returns what place i is to place j.
func (r *Ranking) Relation(i, j int) Relation {
	switch {
	case i == j:
		return Tied
	case i < j:
		return r.pairs[i][j-i-1]
	}
	switch relation := r.pairs[j][i-j-1]; relation {
	case Faster:
		return Slower
	case Slower:
		return Faster
	default:
		return relation
	}
}

// Difference returns the time of place i over that of place j, paired by round
// where they shared launches.
func (r *Ranking) Difference(i, j int) Interval {
	switch {
	case i == j:
		return exactly(1)
	case i < j:
		return r.differences[i][j-i-1].interval()
	}
	return r.differences[j][i-j-1].interval().Over(1)
}

// rank compares every pair of subjects. All of them have a ratio to the
// reference.
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
	return ordered(order, estimates)
}

// ordered ranks subjects that are in the order of their times by the estimates
// of the logarithms of their ratios: of the first to all that follow, of the
// second to all that follow it, and so on.
func ordered(order []result.Subject, estimates []estimate) Ranking {
	type pair struct{ i, j int }
	var pairs []pair
	for i := range order {
		for j := i + 1; j < len(order); j++ {
			pairs = append(pairs, pair{i, j})
		}
	}
	r := Ranking{Places: make([]Place, len(order)), pairs: make([][]Relation, len(order)), differences: make([][]estimate, len(order))}
	certain := holm(estimates)
	for k, p := range pairs {
		r.pairs[p.i] = append(r.pairs[p.i], relate(estimates[k], certain[k], margin))
		r.differences[p.i] = append(r.differences[p.i], estimates[k])
	}
	for i, s := range order {
		p := Place{Subject: s, Rank: 1}
		for j := range order {
			switch relation := r.Relation(i, j); {
			case i == j:
			case relation == Slower:
				p.Rank++
			case relation == Tied:
				p.Shared = true
			case relation == Unresolved:
				p.Shared, p.Undecided = true, true
			}
		}
		if i > 0 {
			p.Rank = max(p.Rank, r.Places[i-1].Rank)
		}
		r.Places[i] = p
	}
	told := func(i, j int) bool { relation := r.Relation(i, j); return relation == Faster || relation == Slower }
	for i, text := range letters(len(order), told) {
		r.Places[i].Letters = text
	}
	return r
}

// compare estimates the logarithm of a's time over b's, paired by round where
// they shared launches. Subjects of different runners never do: then it is the
// difference of their ratios to the reference.
func compare(c *cell, a, b result.Subject, to map[result.Subject]estimate) estimate {
	if use, _ := c.pick(c.ratios(a, b)); len(use) > 0 {
		return c.ratio(use)
	}
	return to[a].minus(to[b])
}

// relate is the verdict on one pair. Certain says that its difference survived
// the correction for many pairs, where there is one; margin is the largest
// difference, as a logarithm, that is called a tie.
func relate(e estimate, certain bool, margin float64) Relation {
	switch {
	case math.Abs(e.log) < margin && (certain || e.within(margin)):
		return Tied
	case math.Abs(e.log) < margin || !certain:
		return Unresolved
	case e.log < 0:
		return Faster
	}
	return Slower
}

// within says whether the interval lies within the margin on both sides of 0.
func (e estimate) within(margin float64) bool {
	return -margin < e.log-e.down && e.log+e.up < margin
}

// holm says which of the estimates differ from 0 when all are looked at
// together: Holm's step-down procedure, which keeps the chance of even one
// false difference at 5% whatever the dependence between pairs.
func holm(estimates []estimate) []bool {
	p := make([]float64, len(estimates))
	order := make([]int, len(estimates))
	for i, e := range estimates {
		p[i], order[i] = e.p(), i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	certain := make([]bool, len(estimates))
	for k, i := range order {
		if p[i] > (1-confidence)/float64(len(order)-k) {
			break
		}
		certain[i] = true
	}
	return certain
}

// Between returns the time of one subject over that of another, paired by round
// where they shared launches, as the ranking has it. It is false where one of
// them has no ratio to the reference.
func (t *Table) Between(a, b result.Subject) (Interval, bool) {
	at := func(s result.Subject) int {
		return slices.IndexFunc(t.Ranking.Places, func(p Place) bool { return p.Subject == s })
	}
	if i, j := at(a), at(b); i >= 0 && j >= 0 {
		return t.Ranking.Difference(i, j), true
	}
	// The floor takes no place.
	x, _ := t.Row(t.Cell.Case(a), Time)
	y, _ := t.Row(t.Cell.Case(b), Time)
	if x.Ratio == nil || y.Ratio == nil {
		return Interval{}, false
	}
	return x.Ratio.Quotient(*y.Ratio), true
}
