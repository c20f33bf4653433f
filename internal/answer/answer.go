// Package answer turns an analysed run into recommendations: the fastest contender,
// the smallest, the least change, the Pareto front of time and size, what each
// contender costs in machines, whether the choice matters, and what the user gives
// up. It returns values and prints nothing.
//
// If a run measured too little, there is no answer about time, and a Shortage says what would be
// enough. An answer names no winner inside a tie: it lists the contenders that are told apart
// neither from its first one nor from the one with the best number, and says why the first one
// comes first. Ties, the front and who is faster follow from the printed intervals, which are those
// of analysis.Ranking.
package answer

import (
	"cmp"
	"slices"

	"assay/contender"
	"assay/internal/analysis"
	"assay/result"
)

// Asked is what the user wants to know. It is stored with the run, because samples cannot tell it.
type Asked struct {
	// Have is the contender in use.
	Have string `json:"have"`
	// Must are the names of the conditions for a recommended contender; see Musts.
	Must []string `json:"must"`
	Prices
}

// A Question is what the user asked, with the analysed run that answers it.
type Question struct {
	Asked
	Results *analysis.Results
	// Cell is the workload and size of the question, without an op.
	Cell result.Cell
	// Contenders describe the contenders of the run, and all others.
	Contenders []*contender.Contender
	// Records is the number of records. Bytes is the total size of all records as each subject
	// encodes them.
	Records int64
	Bytes   map[result.Subject]int64
	// Pressed is the mean size of the messages that were compressed, before that, by subject.
	Pressed map[result.Subject]float64
	// Aliases says which parts of decoded values point into the messages, by subject, as
	// verification observed. Losses are the losses that it observed.
	Aliases map[result.Subject][]string
	Losses  map[result.Subject][]contender.Loss
}

// An Answer has the recommendations for a question, with costs and reasons.
type Answer struct {
	Asked Asked
	Have  result.Subject
	// Shortage says why there is no answer about time; nil if there is one.
	Shortage *Shortage
	// Confidence is the confidence of the intervals of ratios, as a share; 0 if fewer than two
	// round trips were measured.
	Confidence float64
	// Picks are the recommendations, in the order of the questions.
	Picks []Pick
	// Front is the Pareto front of time and size: the safe candidates that no other candidate is
	// shown to beat, in the order of time. It is empty if there is a Shortage.
	Front []*Candidate
	// Candidates are all candidates that have a round trip, fastest first.
	Candidates []*Candidate
	// LeftOut are the contenders and modes without an answer, with the reasons.
	LeftOut []Left
	// Costs are the costs of the candidates that are recommended or on the front, of the cheapest
	// one, and of Have, the cheapest first. It is empty if there is a Shortage.
	Costs []Cost
	// Worth is what the choice is worth; nil if it is unknown.
	Worth *Worth
	// CPU says that costs are of CPU time, with collection. Otherwise they are of time with the
	// collector off, which is less.
	CPU bool
	// Disagreement says why candidates are ranked by CPU time with the garbage collector on; nil if
	// they are ranked by time with the collector off.
	Disagreement *Disagreement

	// Outside are the candidates in their default mode that are not safe or miss a condition, and
	// would beat one on the front.
	Outside []*Candidate

	ranking analysis.Ranking
}

// A Disagreement says that there are two answers to which candidate is fastest: Code is the fastest
// with the garbage collector off, and CPU is shown to take less CPU time with the collector on.
type Disagreement struct{ Code, CPU *Candidate }

// Left is a contender or mode that is left out of the answer, with the reason.
type Left struct {
	result.Subject
	Status result.Status
	Reason string
	// Size is the mean size of a message in bytes; 0 if it is unknown.
	Size float64

	unfit bool // it lacks what Question.Must asks for, or its messages are not complete by themselves
}

// Unknown is the reason of a Left that was measured, by a version that knew the contender.
const Unknown = "this version of assay does not know it"

// Smaller returns the smallest of LeftOut that was verified, has what the question asks for, and is
// clearly smaller than a candidate; nil if there is none.
func (a *Answer) Smaller(c *Candidate) *Left {
	var least *Left
	for i, l := range a.LeftOut {
		if !l.unfit && l.Size > 0 && l.Size < (1-sameSize)*c.Size && (least == nil || l.Size < least.Size) {
			least = &a.LeftOut[i]
		}
	}
	return least
}

// Of returns the answer to a question.
func Of(q Question) *Answer {
	a := &asked{Question: q, Answer: &Answer{Asked: q.Asked, Have: result.Subject{Contender: q.Have}}}
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
		a.longer = a.lengths()
		a.candidates()
	}
	a.leftOut()
	a.Shortage = a.shortage()
	a.front()
	for _, ask := range questions {
		a.Picks = append(a.Picks, a.pick(ask))
	}
	a.costs()
	return a.Answer
}

// asked is one call of Of.
type asked struct {
	Question
	*Answer
	encode, decode *analysis.Table // nil: not measured
	// longer is how many times as long all records are, on average, as those that were compressed.
	longer float64
}

// Between returns the time of one candidate over that of another, with the interval that decides.
func (a *Answer) Between(x, y *Candidate) analysis.Interval {
	return a.ranking.Difference(x.place, y.place)
}

// Rank returns the rank of a candidate, from 1, and whether others share it.
func (a *Answer) Rank(c *Candidate) (rank int, shared bool) {
	if c.place >= len(a.ranking.Places) {
		return 0, false
	}
	p := a.ranking.Places[c.place]
	return p.Rank, p.Equal
}

// Candidate returns the candidate of a subject, or nil.
func (a *Answer) Candidate(s result.Subject) *Candidate {
	i := slices.IndexFunc(a.Candidates, func(c *Candidate) bool { return c.Subject == s })
	if i < 0 {
		return nil
	}
	return a.Candidates[i]
}

// candidates makes a candidate for every contender and mode with a round trip. It leaves out the
// contenders that are unknown.
func (a *asked) candidates() {
	var trips []analysis.Trip
	trips, a.ranking = analysis.Trips(a.encode, a.decode)
	a.Confidence = a.ranking.Confidence
	for i, t := range trips {
		if t.Contender == analysis.Floor {
			continue
		}
		about := a.about(t.Contender)
		if about == nil {
			a.LeftOut = append(a.LeftOut, Left{Subject: t.Subject, Status: result.Unsupported, Reason: Unknown, unfit: true})
			continue
		}
		c := &Candidate{Trip: t, About: about, place: i, Spent: t.Time}
		a.sizes(c)
		if cpu, ok := a.busy(c, analysis.CPUTime); ok {
			c.CPU = &cpu
		}
		for _, row := range a.rowsOf(c) {
			for _, l := range row.Losses {
				c.loses(contender.Loss(l))
			}
		}
		c.loses(a.lossesOf(c)...)
		c.Unsafe = unsafe(c, a.Aliases)
		a.Candidates = append(a.Candidates, c)
	}
	a.conditions()
	a.byCPU()
	inUse := a.Answer.Candidate(a.Answer.Have)
	for _, c := range a.Candidates {
		if inUse != nil {
			to := a.ranking.Difference(c.place, inUse.place)
			c.ToHave = &to
		}
		c.GivesUp = priceOf(c, a.about(a.Question.Have), inUse)
		if j := a.Results.JSON; j != nil && c.About.Format == "json" && len(c.GivesUp.Losses) > 0 && c.Size > 0 {
			c.GivesUp.LossBytes = c.Size - float64(j.Compact)/float64(max(1, j.Records))
		}
	}
}

// lossesOf returns the losses that verification observed for a candidate. The losses of a contender
// are also those of its modes. So if all records were verified in its default mode only, what they
// lost there counts for its other modes, of which fewer records are known.
func (a *asked) lossesOf(c *Candidate) []contender.Loss {
	plain := result.Subject{Contender: c.Contender}
	from := []result.Subject{c.Encode, c.Decode}
	if a.Bytes[plain] > 0 && (a.Bytes[c.Encode] == 0 || a.Bytes[c.Decode] == 0) {
		from = append(from, plain)
	}
	var losses []contender.Loss
	for _, s := range from {
		losses = append(losses, a.Question.Losses[s]...)
	}
	return losses
}

// conditions sets the unmet conditions of each candidate.
func (a *asked) conditions() {
	for _, c := range a.Candidates {
		c.Unmet = a.unmet(c)
	}
}

// unmet says which conditions of the question a candidate does not meet.
func (a *asked) unmet(c *Candidate) (why []string) {
	for _, m := range Musts {
		if !slices.Contains(a.Question.Must, m.Name) {
			continue
		}
		if text := m.met(c); text != "" {
			why = append(why, text)
		}
	}
	return why
}

// byCPU ranks the candidates by CPU time with the collector on, if that shows another candidate to
// be faster than the fastest, among those that can be recommended. It changes nothing if the CPU
// time of a candidate is unknown.
func (a *asked) byCPU() {
	trips, ranking := analysis.Trips(a.encode.ByCPU(), a.decode.ByCPU())
	at := map[*Candidate]int{}
	for _, c := range a.Candidates {
		i := slices.IndexFunc(trips, func(t analysis.Trip) bool {
			return t.Subject == c.Subject && t.Encode == c.Encode && t.Decode == c.Decode
		})
		if i < 0 || c.CPU == nil {
			return
		}
		at[c] = i
	}
	a.Disagreement = a.disagreement(func(x, y *Candidate) bool { return ranking.Relation(at[x], at[y]) == analysis.Faster })
	if a.Disagreement == nil {
		return
	}
	a.ranking, a.Confidence = ranking, ranking.Confidence
	for c, i := range at {
		c.place, c.Spent = i, *c.CPU
	}
	slices.SortStableFunc(a.Candidates, func(x, y *Candidate) int { return cmp.Compare(x.place, y.place) })
}

// disagreement finds the candidate that is shown to be faster than the fastest one, among those
// that can be recommended, and the fastest if there are several; nil if there is none.
func (a *asked) disagreement(faster func(x, y *Candidate) bool) *Disagreement {
	var d *Disagreement
	for _, c := range a.Candidates {
		switch {
		case !c.Safe() || len(c.Unmet) > 0:
		case d == nil:
			d = &Disagreement{c, c}
		case faster(c, d.Code) && (d.CPU == d.Code || c.CPU.Value < d.CPU.CPU.Value):
			d.CPU = c
		}
	}
	if d == nil || d.CPU == d.Code {
		return nil
	}
	return d
}

func (a *asked) about(name string) *contender.Contender {
	i := slices.IndexFunc(a.Contenders, func(c *contender.Contender) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return a.Contenders[i]
}

// rowsOf returns the rows of time that a candidate's time is made from.
func (a *asked) rowsOf(c *Candidate) []analysis.Row {
	e, _ := a.encode.Row(a.encode.Cell.Case(c.Encode), analysis.Time)
	d, _ := a.decode.Row(a.decode.Cell.Case(c.Decode), analysis.Time)
	return []analysis.Row{e, d}
}

// lengths returns how many times as long all records are, on average, as those that were compressed:
// the median over the contenders that encoded all records. Of more than some megabytes of records, a
// part is compressed. All compressed sizes are scaled by the same number, so that their ratios stay
// those that were measured.
func (a *asked) lengths() float64 {
	var all []float64
	for s, n := range a.Bytes {
		if m := a.Pressed[s]; m > 0 && a.Records > 0 && n > 0 {
			all = append(all, float64(n)/float64(a.Records)/m)
		}
	}
	if len(all) == 0 {
		return 1
	}
	return analysis.Spread(all).Value
}

// sizes fills in the known sizes of a candidate's messages.
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
		// All records are encoded in default modes only. For other modes, the ratio of the sizes of
		// the timed records is known.
		if row, ok := a.encode.Row(a.encode.Cell.Case(plain), analysis.EncodedSize); ok && row.Number != nil && row.Number.Value > 0 {
			c.Size *= float64(p) / float64(a.Records) / row.Number.Value
		}
	}
	c.Packed = a.longer * at(analysis.CompressedSize(Compressed, true))
	c.PackedAlone = a.longer * at(analysis.CompressedSize(Compressed, false))
	if a.Question.Codec != NoCodec {
		c.Sent = a.longer * at(analysis.CompressedSize(a.Question.Codec, a.Question.Batch))
	}
}

// unfit reports whether a subject without a time could not be recommended for its size.
func (a *asked) unfit(s result.Subject) bool {
	c := &Candidate{Trip: analysis.Trip{Subject: s, Encode: s, Decode: s}, About: a.about(s.Contender)}
	if c.About == nil {
		return true
	}
	c.loses(a.lossesOf(c)...)
	c.Unsafe = unsafe(c, a.Aliases)
	return !c.alone() || len(a.unmet(c)) > 0
}

// leftOut lists the contenders and modes without a time, beside those that are unknown.
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
			a.LeftOut = append(a.LeftOut, Left{s, row.Status, row.Reason, float64(a.Bytes[s]) / float64(max(a.Records, 1)), a.unfit(s)})
		}
	}
	slices.SortStableFunc(a.LeftOut, func(x, y Left) int { return cmp.Compare(x.Contender, y.Contender) })
}
