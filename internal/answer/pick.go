package answer

import (
	"cmp"
	"slices"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
)

// A Pick is one recommendation.
type Pick struct {
	// Key names the question in machine-readable output, and Title names it for people.
	Key, Title string
	// Best has the recommended candidate first. It also has the candidates that are told apart
	// neither from the first one nor from the one with the best number, in the order of preference.
	// No eligible candidate is told apart as better than the first one. Best is empty if there is
	// no recommendation, and Reason says why.
	Best   []*Candidate
	Reason string
	// Because says why the first of Best comes before the one with the best number, as in "it is
	// maintained"; empty if these are the same.
	Because string
	// Unresolved says that more measuring might tell some of Best apart from the first.
	Unresolved bool
	// Meagre says that the answer is about size, and that the first of Best is hardly smaller than
	// the contender in use.
	Meagre bool
	// Metric is what was compared: time, encoded-size, or the size after a codec.
	Metric string
	// Passed are the candidates that are faster, or smaller, but were not eligible, the best first.
	// They show what the question's conditions cost.
	Passed []*Candidate
	// Narrow says that the question is only about some contenders, such as those without a generate
	// step.
	Narrow bool
}

// sameSize is the share by which two sizes must differ to be told apart. Sizes are exact, but those
// of another day's records differ by more. meagre is the share by which a size must be smaller than
// that of the contender in use to be worth mentioning.
const (
	sameSize = 0.01
	meagre   = 0.05
)

// A question is one kind of recommendation.
type question struct {
	key, title string
	// metric is the metric to compare; empty: the size as records are sent.
	metric string
	// eligible reports whether a candidate that meets all conditions of --must may be the answer.
	eligible func(a *asked, c *Candidate) bool
	// nobody is the reason if no candidate is eligible.
	nobody string
	narrow bool
}

// NoCodegen is the key of the question for the fastest without a generate step.
const NoCodegen = "fastest-no-codegen"

// questions are the questions that every answer has.
var questions = []question{
	{key: "fastest", title: "fastest that is safe with damaged input", metric: analysis.Time,
		eligible: func(_ *asked, c *Candidate) bool { return c.Safe() }, nobody: "no contender is safe"},
	{key: "smallest", title: "smallest", metric: analysis.EncodedSize,
		eligible: func(_ *asked, c *Candidate) bool { return c.Size > 0 && c.alone() }, nobody: "no size is known"},
	{key: "smallest-compressed",
		eligible: func(_ *asked, c *Candidate) bool { return c.Sent > 0 && c.alone() }, nobody: "nothing was compressed (--also compressed)"},
	{key: NoCodegen, title: "fastest that is safe without a generate step", metric: analysis.Time, narrow: true,
		eligible: func(_ *asked, c *Candidate) bool { return c.Safe() && !c.Codegen() }, nobody: "no contender without a generate step is safe"},
	{key: "least-change", title: "least change", metric: analysis.Time, narrow: true,
		eligible: func(a *asked, c *Candidate) bool { return c.Safe() && a.replaces(c) }, nobody: "no other contender of its format could take its place"},
}

// replaces reports whether a candidate reads and writes the format of the contender in use, and
// needs a generate step only if that does.
func (a *asked) replaces(c *Candidate) bool {
	have := a.about(a.Question.Have)
	return have != nil && c.About.Format == have.Format && (!c.Codegen() || have.Is(contender.Codegen)) &&
		(c.Mode == "" || c.Contender != have.Name)
}

// preferences are the reasons for the order of candidates that are not told apart, the strongest
// first.
var preferences = []struct {
	because string
	holds   func(a *asked, c *Candidate) bool
}{
	{"it is maintained", func(_ *asked, c *Candidate) bool { return !c.About.Is(contender.Unmaintained) }},
	{"it is in use", func(a *asked, c *Candidate) bool { return c.Subject == a.Answer.Have }},
	{"it needs no generate step", func(_ *asked, c *Candidate) bool { return !c.Codegen() }},
	{"it is part of the standard library", func(_ *asked, c *Candidate) bool { return c.About.Is(contender.Standard) }},
}

// prefer sorts candidates that are not told apart from the first by preference, with the beaten
// ones last. It returns why the new first candidate comes before the old one; empty if it is the
// same.
func (a *asked) prefer(tied []*Candidate, beaten func(*Candidate) bool) (because string) {
	if len(tied) == 0 {
		return ""
	}
	best := tied[0]
	slices.SortStableFunc(tied, func(x, y *Candidate) int {
		if bx, by := beaten(x), beaten(y); bx != by {
			if bx {
				return 1
			}
			return -1
		}
		for _, p := range preferences {
			if hx, hy := p.holds(a, x), p.holds(a, y); hx != hy {
				if hx {
					return -1
				}
				return 1
			}
		}
		return 0
	})
	for _, p := range preferences {
		if p.holds(a, tied[0]) && !p.holds(a, best) {
			return p.because
		}
	}
	return ""
}

// sized completes the question about the size as records are sent with its metric and title.
func (a *asked) sized(q question) question {
	if q.metric != "" {
		return q
	}
	p := a.Question.Prices
	if p.Codec == NoCodec {
		q.metric, q.title, q.nobody = analysis.EncodedSize, "smallest as sent", "records are sent and stored as they are (--codec none)"
		return q
	}
	q.metric, q.title = analysis.CompressedSize(p.Codec, p.Batch), "smallest "+p.Sending()
	return q
}

// pick answers one question.
func (a *asked) pick(q question) Pick {
	q = a.sized(q)
	p := Pick{Key: q.key, Title: q.title, Metric: q.metric, Narrow: q.narrow}
	if q.key == "least-change" {
		p.Title += " from " + a.Question.Have
	}
	timed := q.metric == analysis.Time
	if timed && a.Shortage != nil {
		p.Reason = a.Shortage.Reason
		return p
	}
	order := a.ordered(p)
	better := func(x, y *Candidate) analysis.Relation {
		if timed {
			return a.ranking.Relation(x.place, y.place)
		}
		return smaller(p.Size(x), p.Size(y))
	}
	eligible, unmet := a.eligible(q, order)
	a.choose(&p, eligible, better)
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
	for _, c := range order {
		if !slices.Contains(p.Best, c) && better(c, p.Best[0]) == analysis.Faster {
			p.Passed = append(p.Passed, c)
		}
	}
	if have := a.Candidate(a.Answer.Have); !timed && have != nil && have != p.Best[0] && p.Size(have) > 0 {
		p.Meagre = p.Size(p.Best[0]) > (1-meagre)*p.Size(have)
	}
	return p
}

// eligible returns the candidates that may be the answer. unmet says that a candidate was left out
// because of --must.
func (a *asked) eligible(q question, order []*Candidate) (eligible []*Candidate, unmet bool) {
	for _, c := range order {
		switch ok := q.eligible(a, c); {
		case ok && len(c.Unmet) == 0:
			eligible = append(eligible, c)
		case ok:
			unmet = true
		}
	}
	return eligible, unmet
}

// A relation returns how two candidates compare by the metric of a pick.
type relation func(x, y *Candidate) analysis.Relation

// open reports whether the two are not told apart.
func (r relation) open(x, y *Candidate) bool {
	is := r(x, y)
	return is == analysis.Tied || is == analysis.Unresolved
}

// choose fills in the best of the eligible candidates, which are in the order of the metric.
//
// The relation of not being told apart is not transitive. Of two candidates that are not told apart
// from the first, one may be told apart as faster than the other. Then the faster one comes first,
// whatever the preferences, and the other is not among the best.
func (a *asked) choose(p *Pick, eligible []*Candidate, better relation) {
	for _, c := range eligible {
		if better.open(eligible[0], c) {
			p.Best = append(p.Best, c)
		}
	}
	p.distinct(eligible, better)
	beaten := func(c *Candidate) bool {
		return slices.ContainsFunc(eligible, func(by *Candidate) bool { return better(by, c) == analysis.Faster })
	}
	p.Because = a.prefer(p.Best, beaten)
	if len(p.Best) == 0 {
		return
	}
	first := p.Best[0]
	p.Best = slices.DeleteFunc(p.Best, func(c *Candidate) bool { return !better.open(first, c) })
	p.Unresolved = slices.ContainsFunc(p.Best, func(c *Candidate) bool { return better(first, c) == analysis.Unresolved })
}

// ordered returns the candidates in the order of the pick's metric, without those that lack a
// number. Of equal sizes the fastest comes first.
func (a *asked) ordered(p Pick) []*Candidate {
	order := slices.Clone(a.Candidates)
	if p.Metric == analysis.Time {
		return order
	}
	order = slices.DeleteFunc(order, func(c *Candidate) bool { return p.Size(c) == 0 })
	slices.SortStableFunc(order, func(x, y *Candidate) int { return cmp.Compare(p.Size(x), p.Size(y)) })
	return order
}

// distinct leaves out modes that are not shown to be better than the default mode of their contender,
// which is the plainer use of a library.
func (p *Pick) distinct(eligible []*Candidate, better relation) {
	plain := map[string]*Candidate{}
	for _, c := range eligible {
		if c.Mode == "" {
			plain[c.Contender] = c
		}
	}
	p.Best = slices.DeleteFunc(p.Best, func(c *Candidate) bool {
		return c.Mode != "" && plain[c.Contender] != nil && better(c, plain[c.Contender]) != analysis.Faster
	})
}

// Size returns a candidate's value of the pick's size metric, in bytes of a record; 0 if it is
// unknown.
func (p Pick) Size(c *Candidate) float64 {
	if p.Metric == analysis.EncodedSize && p.Key != "smallest-compressed" {
		return c.Size
	}
	return c.Sent
}

// smaller compares two sizes; Faster means smaller.
func smaller(x, y float64) analysis.Relation {
	switch {
	case x == y || max(x, y) <= min(x, y)*(1+sameSize):
		return analysis.Tied
	case x < y:
		return analysis.Faster
	}
	return analysis.Slower
}

// front finds the Pareto front of time and size, among the candidates that are safe and meet all
// conditions. It sets Unbeaten for those that are shown to belong there.
func (a *asked) front() {
	if a.Shortage != nil {
		return
	}
	eligible := slices.DeleteFunc(slices.Clone(a.Candidates), func(c *Candidate) bool {
		return !c.Safe() || len(c.Unmet) > 0 || c.Size == 0
	})
	for _, c := range eligible {
		if slices.ContainsFunc(eligible, func(by *Candidate) bool { return by != c && a.beats(by, c) }) {
			continue
		}
		c.Pareto, c.Unbeaten = true, true
		for _, by := range eligible {
			c.Unbeaten = c.Unbeaten && (by == c || a.cannotBeat(by, c))
		}
		a.Front = append(a.Front, c)
	}
	for _, c := range a.Candidates {
		if c.Mode == "" && !slices.Contains(eligible, c) && c.Size > 0 && slices.ContainsFunc(a.Front, func(of *Candidate) bool { return a.beats(c, of) }) {
			a.Outside = append(a.Outside, c)
		}
	}
}

// beats reports whether x is shown to be better than y in one of time and size and no worse in the
// other, or as good and the plainer use of the same library.
func (a *asked) beats(x, y *Candidate) bool {
	time, size := a.ranking.Relation(x.place, y.place), smaller(x.Size, y.Size)
	if x.Contender == y.Contender && x.Mode == "" && (time == analysis.Tied || time == analysis.Unresolved) && size == analysis.Tied {
		return true
	}
	return size == analysis.Faster && a.ranking.NoSlower(x.place, y.place) || size == analysis.Tied && time == analysis.Faster
}

// cannotBeat reports whether x is shown not to beat y: x is larger, or it is smaller and slower, or
// it is as large and not faster.
func (a *asked) cannotBeat(x, y *Candidate) bool {
	switch smaller(x.Size, y.Size) {
	case analysis.Slower:
		return true
	case analysis.Faster:
		return a.ranking.Relation(x.place, y.place) == analysis.Slower
	}
	return a.ranking.NoSlower(y.place, x.place)
}
