package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/result"
)

// A question is one kind of recommendation.
type question struct {
	key, title string
	metric     string
	// eligible says whether a candidate that is all it must be may be the answer.
	eligible func(a *asked, c *Candidate) bool
	// nobody says why there may be no answer.
	nobody string
}

// questions are asked of every run.
var questions = []question{
	{"fastest", "fastest that is safe", analysis.Time, func(_ *asked, c *Candidate) bool { return c.Safe() },
		"no contender is safe"},
	{"smallest", "smallest", analysis.EncodedSize, func(_ *asked, c *Candidate) bool { return c.Size > 0 && c.alone() },
		"no size is known"},
	{"smallest-compressed", "smallest with " + Compressed, analysis.CompressedSize(Compressed, true), func(_ *asked, c *Candidate) bool { return c.Packed > 0 && c.alone() },
		"nothing was compressed (--also compressed)"},
	{"fastest-no-codegen", "fastest without a generate step", analysis.Time, func(_ *asked, c *Candidate) bool { return c.Safe() && !c.trait(contender.Codegen) },
		"no contender without a generate step is safe"},
	{"least-change", "least change", analysis.Time, func(a *asked, c *Candidate) bool { return c.Safe() && a.replaces(c) },
		"no other contender of its format could take its place"},
}

// Codegen says that it needs a generate step.
func (c *Candidate) Codegen() bool { return c.trait(contender.Codegen) }

func (c *Candidate) trait(t contender.Trait) bool { return slices.Contains(c.About.Traits, t) }

// alone says that each message is complete by itself, so that its size is one.
func (c *Candidate) alone() bool { return !strings.Contains(c.Mode, "session=stream") }

// replaces says whether a candidate reads and writes the bytes of what is in use,
// without a generate step where that has none.
func (a *asked) replaces(c *Candidate) bool {
	have := a.about(a.Question.Have)
	return have != nil && c.About.Format == have.Format && (!c.trait(contender.Codegen) || slices.Contains(have.Traits, contender.Codegen)) &&
		(c.Mode == "" || c.Contender != have.Name)
}

// pick answers one question.
func (a *asked) pick(q question) Pick {
	p := Pick{Key: q.key, Title: q.title, Metric: q.metric, Narrow: q.key == "fastest-no-codegen" || q.key == "least-change"}
	if q.key == "least-change" {
		p.Title += " from " + a.Question.Have
	}
	better := a.faster
	if q.metric != analysis.Time {
		better = func(x, y *Candidate) analysis.Relation { return smaller(x.size(q.metric), y.size(q.metric)) }
	}
	order := slices.Clone(a.Candidates)
	if q.metric != analysis.Time {
		order = slices.DeleteFunc(order, func(c *Candidate) bool { return c.size(q.metric) == 0 })
		// Of equal sizes the fastest comes first.
		slices.SortStableFunc(order, func(x, y *Candidate) int { return cmp.Compare(x.size(q.metric), y.size(q.metric)) })
	}
	var unmet bool
	var eligible []*Candidate
	var places []int
	for _, c := range order {
		ok := q.eligible(a, c)
		unmet = unmet || ok && len(c.Unmet) > 0
		if ok && len(c.Unmet) == 0 {
			eligible, places = append(eligible, c), append(places, c.place)
		}
	}
	relations := a.ranking.ToBest(places)
	for i, c := range eligible {
		r := relations[i]
		if q.metric != analysis.Time {
			r = better(eligible[0], c)
		}
		if r == analysis.Tied || r == analysis.Unresolved {
			p.Best = append(p.Best, c)
			p.Unresolved = p.Unresolved || r == analysis.Unresolved
		}
	}
	if len(p.Best) == 0 {
		p.Reason = q.nobody
		if unmet {
			p.Reason = "none is " + strings.Join(a.Question.Must, ", ")
		}
		if len(a.Candidates) == 0 {
			p.Reason = "no round trip was measured"
		}
		return p
	}
	p.distinct()
	for _, c := range order {
		if !slices.Contains(p.Best, c) && better(c, p.Best[0]) == analysis.Faster {
			p.Passed = append(p.Passed, c)
		}
	}
	return p
}

// distinct leaves modes out whose contender is among the best by its default
// mode: the plainer use of a library is the better answer where it is as good.
func (p *Pick) distinct() {
	plain := map[string]bool{}
	for _, c := range p.Best {
		if c.Mode == "" {
			plain[c.Contender] = true
		}
	}
	p.Best = slices.DeleteFunc(p.Best, func(c *Candidate) bool { return c.Mode != "" && plain[c.Contender] })
}

// size returns the candidate's number of a metric of size.
func (c *Candidate) size(metric string) float64 {
	if metric == analysis.EncodedSize {
		return c.Size
	}
	return c.Packed
}

// faster returns how the round trip of x is to that of y.
func (a *asked) faster(x, y *Candidate) analysis.Relation {
	return a.ranking.Relation(x.place, y.place)
}

// smaller returns how one size is to another: Faster is smaller.
func smaller(x, y float64) analysis.Relation {
	switch {
	case x == y || max(x, y) <= min(x, y)*(1+sameSize):
		return analysis.Tied
	case x < y:
		return analysis.Faster
	}
	return analysis.Slower
}

// front finds the candidates than which no other is at least as good in both
// time and size and better in one of them. Only what is known counts: a
// candidate that another might be faster than stays.
func (a *asked) front() {
	eligible := slices.DeleteFunc(slices.Clone(a.Candidates), func(c *Candidate) bool {
		return !c.Safe() || len(c.Unmet) > 0 || c.Size == 0
	})
	for _, c := range eligible {
		if !slices.ContainsFunc(eligible, func(by *Candidate) bool { return by != c && a.dominates(by, c) }) {
			c.Pareto = true
			a.Front = append(a.Front, c)
		}
	}
}

func (a *asked) dominates(x, y *Candidate) bool {
	time, size := a.faster(x, y), smaller(x.Size, y.Size)
	if x.Contender == y.Contender && x.Mode == "" && (time == analysis.Tied || time == analysis.Unresolved) && size == analysis.Tied {
		return true // the plainer use is the better where it is as good
	}
	return time == analysis.Faster && size != analysis.Slower || time == analysis.Tied && size == analysis.Faster
}

// Cases are what a candidate's time rests on.
func (c *Candidate) Cases(cell result.Cell) []result.Case {
	encode, decode := cell, cell
	encode.Op, decode.Op = result.Encode, result.Decode
	return []result.Case{encode.Case(c.Encode), decode.Case(c.Decode)}
}

// CheckMust returns the names, each once, or an error that names the one that is
// none.
func CheckMust(names []string, hint func(name string, known []string) string) ([]string, error) {
	var out []string
	for _, n := range names {
		if n = strings.TrimSpace(n); n == "" || slices.Contains(out, n) {
			continue
		}
		if !slices.Contains(MustNames(), n) {
			return nil, fmt.Errorf("there is no condition %q%s", n, hint(n, MustNames()))
		}
		out = append(out, n)
	}
	return out, nil
}
