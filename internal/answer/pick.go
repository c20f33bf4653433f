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
	// Key names the question in machine-readable output, Title for people.
	Key, Title string
	// Best has what is recommended first, and the candidates that are told apart neither from
	// it nor from the one with the best number, in the order in which they are recommended.
	// None that may be the answer is told apart from the first as better. It is empty when
	// there is none, and Reason says why.
	Best   []*Candidate
	Reason string
	// Because is why the first of Best comes before the one with the best number, as
	// in "it is maintained"; empty where that is the first.
	Because string
	// Unresolved says that some of Best might be told apart from its first by more measuring.
	Unresolved bool
	// Meagre says that the answer is about size and that the first of Best is
	// hardly smaller than what is in use.
	Meagre bool
	// Metric is what was compared: time, encoded-size, or the size after a codec.
	Metric string
	// Passed are the candidates that are faster, or smaller, and were not eligible,
	// the best first: what the question's conditions cost.
	Passed []*Candidate
	// Narrow says that the question is about some contenders only, as about those
	// without a generate step.
	Narrow bool
}

// sameSize is the share by which two sizes must differ to be told apart. The
// sizes are exact, but those of another day's records differ by more. meagre is
// the share by which a size must be smaller than that of what is in use to be
// worth a word.
const (
	sameSize = 0.01
	meagre   = 0.05
)

// A question is one kind of recommendation.
type question struct {
	key, title string
	// metric is what is compared; empty: the size as records are sent.
	metric string
	// eligible says whether a candidate that is all it must be may be the answer.
	eligible func(a *asked, c *Candidate) bool
	// nobody says why there may be no answer.
	nobody string
	narrow bool
}

// questions are asked of every run.
var questions = []question{
	{key: "fastest", title: "fastest that is safe with damaged input", metric: analysis.Time,
		eligible: func(_ *asked, c *Candidate) bool { return c.Safe() }, nobody: "no contender is safe"},
	{key: "smallest", title: "smallest", metric: analysis.EncodedSize,
		eligible: func(_ *asked, c *Candidate) bool { return c.Size > 0 && c.alone() }, nobody: "no size is known"},
	{key: "smallest-compressed",
		eligible: func(_ *asked, c *Candidate) bool { return c.Sent > 0 && c.alone() }, nobody: "nothing was compressed (--also compressed)"},
	{key: "fastest-no-codegen", title: "fastest without a generate step", metric: analysis.Time, narrow: true,
		eligible: func(_ *asked, c *Candidate) bool { return c.Safe() && !c.Codegen() }, nobody: "no contender without a generate step is safe"},
	{key: "least-change", title: "least change", metric: analysis.Time, narrow: true,
		eligible: func(a *asked, c *Candidate) bool { return c.Safe() && a.replaces(c) }, nobody: "no other contender of its format could take its place"},
}

// replaces says whether a candidate reads and writes the bytes of what is in use,
// without a generate step where that has none.
func (a *asked) replaces(c *Candidate) bool {
	have := a.about(a.Question.Have)
	return have != nil && c.About.Format == have.Format && (!c.Codegen() || have.Is(contender.Codegen)) &&
		(c.Mode == "" || c.Contender != have.Name)
}

// preferences are why one of several that are not told apart comes first, the
// strongest first.
var preferences = []struct {
	because string
	holds   func(a *asked, c *Candidate) bool
}{
	{"it is maintained", func(_ *asked, c *Candidate) bool { return !c.About.Is(contender.Unmaintained) }},
	{"it is in use", func(a *asked, c *Candidate) bool { return c.Subject == a.Answer.Have }},
	{"it needs no generate step", func(_ *asked, c *Candidate) bool { return !c.Codegen() }},
	{"it is part of the standard library", func(_ *asked, c *Candidate) bool { return c.About.Is(contender.Standard) }},
}

// prefer puts those that are not told apart from the first into the order in which they are
// recommended, those that are beaten last, and says why the first comes before the one that
// was first.
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

// sized says of the question about the size as records are sent what its metric
// is and how it is called.
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

// eligible are those of the candidates that may be the answer. unmet says that one was left out
// for what --must asks.
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

// A relation says what is known of two candidates by the metric of a pick.
type relation func(x, y *Candidate) analysis.Relation

// open says that the two are not told apart.
func (r relation) open(x, y *Candidate) bool {
	is := r(x, y)
	return is == analysis.Tied || is == analysis.Unresolved
}

// choose fills in the best of what may be the answer, which is in the order of the metric. Not to
// be told apart is not transitive: of two that are not told apart from the first, one may be
// faster than the other. It comes first, whatever is preferred, and the other is then none of
// the best.
func (a *asked) choose(p *Pick, eligible []*Candidate, better relation) {
	for _, c := range eligible {
		if better.open(eligible[0], c) {
			p.Best = append(p.Best, c)
		}
	}
	p.distinct(better)
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

// ordered are the candidates in the order of the pick's metric, those without a
// number left out. Of equal sizes the fastest comes first.
func (a *asked) ordered(p Pick) []*Candidate {
	order := slices.Clone(a.Candidates)
	if p.Metric == analysis.Time {
		return order
	}
	order = slices.DeleteFunc(order, func(c *Candidate) bool { return p.Size(c) == 0 })
	slices.SortStableFunc(order, func(x, y *Candidate) int { return cmp.Compare(p.Size(x), p.Size(y)) })
	return order
}

// distinct leaves modes out that are not told apart from the default mode of their contender,
// where that is among the best: the plainer use of a library is the better answer where it is
// as good.
func (p *Pick) distinct(better relation) {
	plain := map[string]*Candidate{}
	for _, c := range p.Best {
		if c.Mode == "" {
			plain[c.Contender] = c
		}
	}
	p.Best = slices.DeleteFunc(p.Best, func(c *Candidate) bool {
		return c.Mode != "" && plain[c.Contender] != nil && better(c, plain[c.Contender]) != analysis.Faster
	})
}

// Size returns a candidate's value of the pick's size metric, in bytes of a record;
// 0 if not known.
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

// front finds the Pareto front of time and size, among what is safe and all that
// it must be, and says of each whether it is shown to belong there.
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
}

// beats says whether x is shown to be better than y in one of time and size and no
// worse in the other; or as good, and the plainer use of the same library.
func (a *asked) beats(x, y *Candidate) bool {
	time, size := a.ranking.Relation(x.place, y.place), smaller(x.Size, y.Size)
	if x.Contender == y.Contender && x.Mode == "" && (time == analysis.Tied || time == analysis.Unresolved) && size == analysis.Tied {
		return true
	}
	return size == analysis.Faster && a.ranking.NoSlower(x.place, y.place) || size == analysis.Tied && time == analysis.Faster
}

// cannotBeat says whether x is shown not to beat y: it is larger; or smaller, and
// slower; or as large, and no faster.
func (a *asked) cannotBeat(x, y *Candidate) bool {
	switch smaller(x.Size, y.Size) {
	case analysis.Slower:
		return true
	case analysis.Faster:
		return a.ranking.Relation(x.place, y.place) == analysis.Slower
	}
	return a.ranking.NoSlower(y.place, x.place)
}
