// Package answer says in values what a run is worth to somebody who has to
// choose: which contender is the fastest, which the smallest, what changes
// least, what none is better than in both time and size, what each costs in
// machines, and what is given up by each. It prints nothing.
//
// No winner is named inside a tie: an answer has all that are not told apart
// from its first.
package answer

import (
	"cmp"
	"slices"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/result"
)

// Compressed is the codec whose sizes are compared. Of those that are measured
// it is the one that most stores of records offer.
const Compressed = "zstd"

// sameSize is the share by which two sizes must differ to be told apart. The
// sizes are exact, but those of another day's records differ by more.
const sameSize = 0.01

// A Question is what was asked and what is known.
type Question struct {
	Results *analysis.Results
	// Cell is the workload and size that is asked about, without an op.
	Cell result.Cell
	// Contenders describe those of the run, and the others that there are.
	Contenders []*contender.Contender
	// Have is the contender that is in use now.
	Have string
	// Must are what a recommended contender has to be; see Musts.
	Must []string
	// Records is how many records there are, and Bytes how many bytes each
	// subject encodes them to, all together.
	Records int64
	Bytes   map[result.Subject]int64
	// Aliases are what of decoded values points into the messages, by subject, as
	// it was seen.
	Aliases map[result.Subject][]string
	Prices  Prices
}

// An Answer is what follows.
type Answer struct {
	Have result.Subject
	Must []string
	// Picks are the recommendations, in the order of Questions.
	Picks []Pick
	// Front are the candidates than which none is better in both round-trip time
	// and size, fastest first.
	Front []*Candidate
	// Candidates are all that have a round trip, fastest first.
	Candidates []*Candidate
	// LeftOut are the contenders and modes without an answer, and why.
	LeftOut []Left
	// Costs are of the candidates that are recommended or in the front, and of
	// Have, the cheapest first.
	Costs  []Cost
	Prices Prices
	// CPU says that costs are of CPU time, collection included; otherwise they are
	// of time with the collector off, which is less.
	CPU bool
}

// A Candidate is a contender in one mode, with what is known of its round trip.
type Candidate struct {
	analysis.Trip
	About *contender.Contender
	// ToHave is its time over that of Have; nil where Have has none.
	ToHave *analysis.Interval
	// Size is the bytes of a record as the mean over all; 0: not known. Packed is
	// the same of all records compressed as one batch, and PackedAlone of each
	// compressed by itself.
	Size, Packed, PackedAlone float64
	// Losses are what the records did lose, as is declared.
	Losses []contender.Loss
	// Unsafe are why its values and bytes are not the caller's to keep, and Unmet
	// what it has to be and is not.
	Unsafe, Unmet []string
	// GivesUp is what is given up by it against Have.
	GivesUp Price
	// Pareto says that it is in the front.
	Pareto bool
	// place is its index in the ranking.
	place int
}

// Safe says that what it returns is the caller's to keep, and that damaged input
// cannot end the program.
func (c *Candidate) Safe() bool { return len(c.Unsafe) == 0 }

// A Pick is one recommendation.
type Pick struct {
	// Key names the question in machine-readable output, Title for people.
	Key, Title string
	// Best are the candidates that are not told apart from the first, the first
	// among them; empty when there is none, and Reason says why.
	Best   []*Candidate
	Reason string
	// Unresolved says that some of Best might be told apart by more measuring.
	Unresolved bool
	// Metric is what was compared: time, encoded-size, or zstd-batch-size.
	Metric string
	// Passed are the candidates that are faster, or smaller, and were not eligible,
	// the best first: what the question's conditions cost.
	Passed []*Candidate
	// Narrow says that the question is about some contenders only, as about those
	// without a generate step.
	Narrow bool
}

// Left is something without an answer.
type Left struct {
	result.Subject
	Status result.Status
	Reason string
}

// A Must is something that a contender may have to be.
type Must struct {
	Name string
	Text string
	// met returns why a candidate is not; empty: it is.
	met func(*Candidate) string
}

// Musts are all of them.
var Musts = append([]Must{{
	Name: "safe", Text: "what it returns is the caller's to keep, and damaged input cannot end the program",
	met: func(c *Candidate) string { return strings.Join(c.Unsafe, ", ") },
}, {
	Name: "no-codegen", Text: "needs no generate step",
	met: func(c *Candidate) string { return lacksNot(c, contender.Codegen) },
}, {
	Name: "maintained", Text: "had a release in the last three years",
	met: func(c *Candidate) string { return lacksNot(c, contender.Unmaintained) },
}, {
	Name: "lossless", Text: "these records come back as they were, nothing declared as lost",
	met: func(c *Candidate) string {
		var texts []string
		for _, l := range c.Losses {
			texts = append(texts, contender.LossText[l])
		}
		return strings.Join(texts, ", ")
	},
}}, traits(contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.PureGo, contender.Streaming,
	contender.Evolvable, contender.Deterministic, contender.Standard, contender.Lazy)...)

func traits(all ...contender.Trait) []Must {
	var musts []Must
	for _, t := range all {
		musts = append(musts, Must{Name: string(t), Text: contender.TraitText[t], met: func(c *Candidate) string {
			if slices.Contains(c.About.Traits, t) {
				return ""
			}
			return "not " + string(t)
		}})
	}
	return musts
}

// lacksNot returns what a trait means where the contender has it.
func lacksNot(c *Candidate, t contender.Trait) string {
	if slices.Contains(c.About.Traits, t) {
		return contender.TraitText[t]
	}
	return ""
}

// MustNames are the names of Musts.
func MustNames() []string {
	var names []string
	for _, m := range Musts {
		names = append(names, m.Name)
	}
	return names
}

// Of answers.
func Of(q Question) *Answer {
	a := &asked{Question: q, Answer: &Answer{Have: result.Subject{Contender: q.Have}, Must: q.Must, Prices: q.Prices}}
	for i := range q.Results.Tables {
		t := &q.Results.Tables[i]
		if t.Cell.Workload != q.Cell.Workload || t.Cell.Size != q.Cell.Size {
			continue
		}
		switch t.Cell.Op {
		case result.Encode:
			a.encode = t
		case result.Decode:
			a.decode = t
		}
	}
	if a.encode != nil && a.decode != nil {
		a.candidates()
	}
	a.front()
	for _, ask := range questions {
		a.Picks = append(a.Picks, a.pick(ask))
	}
	a.leftOut()
	a.costs()
	return a.Answer
}

// asked is one Of.
type asked struct {
	Question
	*Answer
	encode, decode *analysis.Table // nil: not measured
	ranking        analysis.Ranking
}

// candidates makes those that have a round trip.
func (a *asked) candidates() {
	var trips []analysis.Trip
	trips, a.ranking = analysis.Trips(a.encode, a.decode)
	have := -1
	for i, t := range trips {
		about := a.about(t.Contender)
		if about == nil || t.Contender == analysis.Floor {
			continue
		}
		c := &Candidate{Trip: t, About: about, place: i}
		if t.Subject == a.Answer.Have {
			have = i
		}
		a.sizes(c)
		for _, row := range a.rowsOf(c) {
			for _, l := range row.Losses {
				if !slices.Contains(c.Losses, contender.Loss(l)) {
					c.Losses = append(c.Losses, contender.Loss(l))
				}
			}
		}
		c.Unsafe = unsafe(c, a.Aliases)
		a.Candidates = append(a.Candidates, c)
	}
	for _, c := range a.Candidates {
		if have >= 0 {
			to := a.ranking.Difference(c.place, have)
			c.ToHave = &to
		}
		c.GivesUp = priceOf(c, a.about(a.Question.Have))
		for _, m := range Musts {
			if !slices.Contains(a.Question.Must, m.Name) {
				continue
			}
			if why := m.met(c); why != "" {
				c.Unmet = append(c.Unmet, why)
			}
		}
	}
}

func (a *asked) about(name string) *contender.Contender {
	i := slices.IndexFunc(a.Contenders, func(c *contender.Contender) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return a.Contenders[i]
}

// rowsOf are the rows of time that a candidate rests on.
func (a *asked) rowsOf(c *Candidate) []analysis.Row {
	e, _ := a.encode.Row(a.encode.Cell.Case(c.Encode), analysis.Time)
	d, _ := a.decode.Row(a.decode.Cell.Case(c.Decode), analysis.Time)
	return []analysis.Row{e, d}
}

// sizes fills in what is known of the sizes of a candidate's messages.
func (a *asked) sizes(c *Candidate) {
	at := func(metric string) float64 {
		if row, ok := a.encode.Row(a.encode.Cell.Case(c.Encode), metric); ok && row.Number != nil {
			return row.Number.Value
		}
		return 0
	}
	c.Size = at(analysis.EncodedSize)
	plain := result.Subject{Contender: c.Contender}
	switch n, p := a.Bytes[c.Encode], a.Bytes[plain]; {
	case a.Records == 0:
	case n > 0:
		c.Size = float64(n) / float64(a.Records)
	case p > 0:
		// All records are encoded in default modes only; of the others it is known
		// how the sizes of those that are timed are to one another.
		if row, ok := a.encode.Row(a.encode.Cell.Case(plain), analysis.EncodedSize); ok && row.Number != nil && row.Number.Value > 0 {
			c.Size *= float64(p) / float64(a.Records) / row.Number.Value
		}
	}
	c.Packed = at(analysis.CompressedSize(Compressed, true))
	c.PackedAlone = at(analysis.CompressedSize(Compressed, false))
}

// borrowed are the values of mode axes by which bytes or values are not the
// caller's to keep, or a message is not one by itself.
var borrowed = []string{"output=reuse", "target=reuse", "pool=on", "strings=alias", "session=stream"}

// unsafe returns why a candidate is not safe.
func unsafe(c *Candidate, aliases map[result.Subject][]string) []string {
	var why []string
	for _, axis := range strings.Split(c.Mode, ",") {
		switch {
		case !slices.Contains(borrowed, axis):
		case axis == "strings=alias":
			why = append(why, "strings point into the message")
		case axis == "session=stream":
			why = append(why, "a message may need those before it")
		default:
			why = append(why, axis+": valid until the next call only")
		}
	}
	if what := aliases[c.Decode]; len(what) > 0 && !slices.Contains(strings.Split(c.Mode, ","), "strings=alias") {
		why = append(why, strings.Join(what, " and ")+" point into the message")
	}
	if slices.Contains(c.About.Traits, contender.Panics) {
		why = append(why, "damaged input can make it panic")
	}
	return why
}

// A Price is what is given up by a candidate against what is in use.
type Price struct {
	// Lacks are the good traits that what is in use has and the candidate has not,
	// and Brings the bad ones that it has and what is in use has not.
	Lacks, Brings []contender.Trait
	// Losses are what the records did lose, as is declared.
	Losses []contender.Loss
	// Format is another wire format; empty: it is the same.
	Format string
	// Modes are the axis=value of the mode that give something up;
	// contender.AxisText says what.
	Modes []string
}

// Nothing says that nothing is given up.
func (p Price) Nothing() bool {
	return len(p.Lacks)+len(p.Brings)+len(p.Losses)+len(p.Modes) == 0 && p.Format == ""
}

// good and bad are the traits whose lack, or presence, is a price. How a library
// works inside, such as by reflection, is none.
var (
	good = []contender.Trait{contender.HumanReadable, contender.SchemaFree, contender.CrossLanguage, contender.Evolvable,
		contender.Streaming, contender.Deterministic, contender.PureGo, contender.Standard}
	bad = []contender.Trait{contender.Codegen, contender.Unsafe, contender.Panics, contender.Unmaintained}
)

// priceOf returns what is given up by a candidate against what is in use, which
// may be unknown.
func priceOf(c *Candidate, have *contender.Contender) Price {
	p := Price{Losses: c.Losses}
	has := func(of *contender.Contender, t contender.Trait) bool {
		return of != nil && slices.Contains(of.Traits, t)
	}
	for _, t := range good {
		if has(have, t) && !has(c.About, t) {
			p.Lacks = append(p.Lacks, t)
		}
	}
	for _, t := range bad {
		if has(c.About, t) && !has(have, t) {
			p.Brings = append(p.Brings, t)
		}
	}
	if have != nil && have.Format != c.About.Format {
		p.Format = c.About.Format
	}
	for _, axis := range strings.Split(c.Mode, ",") {
		if strings.Contains(contender.AxisText[axis], "Gives up: ") {
			p.Modes = append(p.Modes, axis)
		}
	}
	return p
}

// leftOut lists what has no number, and what is not eligible.
func (a *asked) leftOut() {
	seen := map[result.Subject]bool{}
	for _, t := range []*analysis.Table{a.encode, a.decode} {
		if t == nil {
			continue
		}
		for _, row := range t.Rows {
			s := row.Case.Subject()
			if row.Metric != analysis.Time || row.Number != nil || s.Contender == analysis.Floor || seen[s] {
				continue
			}
			seen[s] = true
			a.LeftOut = append(a.LeftOut, Left{s, row.Status, row.Reason})
		}
	}
	slices.SortStableFunc(a.LeftOut, func(x, y Left) int { return cmp.Compare(x.Contender, y.Contender) })
}
