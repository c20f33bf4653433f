package report

import (
	stdbytes "bytes"
	"encoding/json"
	"io"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/result"
)

// JSONAnswer is what the JSON of a try has as "answer".
type JSONAnswer struct {
	Have string   `json:"have"`
	Must []string `json:"must"`
	// Unanswered is why there is no answer about time; null: there is one.
	Unanswered *JSONShortage `json:"unanswered"`
	// Confidence is that of the intervals of ratios, as a share: of the differences
	// that they call, at most 5% are expected to be false. Null where there is none.
	Confidence number `json:"confidence"`
	// RankedBy is the metric by which candidates are ordered, compared and recommended:
	// time, or cpu-time where that shows another one to be the fastest.
	RankedBy        string               `json:"ranked_by"`
	Recommendations []JSONRecommendation `json:"recommendations"`
	// Front are the candidates than which none is shown to be better in both time
	// and size, and Unbeaten those of them that are shown to belong there.
	Front      []result.Subject `json:"front"`
	Unbeaten   []result.Subject `json:"unbeaten"`
	Candidates []JSONCandidate  `json:"candidates"`
	LeftOut    []JSONLeft       `json:"left_out"`
	Costs      JSONCosts        `json:"costs"`
	// Worth is what the choice is worth; null where that is not known.
	Worth *JSONWorth `json:"worth"`
}

// JSONShortage is why there is no answer about time, and the flags that would help
// together; Records says that --records would, since the sample is a few large ones.
type JSONShortage struct {
	Reason  string   `json:"reason"`
	Needs   []string `json:"needs"`
	Records bool     `json:"records"`
}

// JSONWorth is what the choice is worth a month at the rate, as records are sent
// and kept.
type JSONWorth struct {
	Best    result.Subject `json:"best"` // what costs least
	Saves   number         `json:"saves"`
	SavesLo number         `json:"saves_lo"`
	SavesHi number         `json:"saves_hi"`
	Core    number         `json:"saves_core"` // of Saves
	Network number         `json:"saves_network"`
	Storage number         `json:"saves_storage"`
	Plain   number         `json:"saves_plain"` // of records as they are
	Cores   number         `json:"saves_cores"` // how many fewer the fastest takes
	Matters bool           `json:"matters"`
	From    number         `json:"matters_from"` // messages a second; null: at no rate
	FromLo  number         `json:"matters_from_lo"`
	FromHi  number         `json:"matters_from_hi"`
}

// JSONRecommendation is the answer to one question. Best has what is recommended first, and
// those that are told apart neither from it nor from the one with the best number. Nothing
// that may be the answer is told apart from the first as better.
type JSONRecommendation struct {
	Question string `json:"question"`
	Title    string `json:"title"`
	// Metric is what was compared: time is of the round trip.
	Metric     string          `json:"metric"`
	Best       []JSONCandidate `json:"best"`
	Tied       bool            `json:"tied"`
	Unresolved bool            `json:"unresolved"`
	// Because is why the first of Best comes before the one with the best number;
	// Meagre says that it is hardly smaller than Have.
	Because string `json:"because"`
	Meagre  bool   `json:"meagre"`
	Reason  string `json:"reason"` // why there is none
	// Passed are better by the metric, and not eligible.
	Passed []result.Subject `json:"passed"`
}

// JSONCandidate is a contender in one mode with its round trip. Times are in ns,
// sizes in bytes a record.
type JSONCandidate struct {
	result.Subject
	Format  string `json:"format"`
	Time    number `json:"time"`
	TimeLo  number `json:"time_lo"`
	TimeHi  number `json:"time_hi"`
	Ratio   number `json:"ratio"` // to Have's time: below 1 is faster
	RatioLo number `json:"ratio_lo"`
	RatioHi number `json:"ratio_hi"`
	// Size is the mean over all records; Packed is that of all records compressed
	// as one batch, PackedAlone of each by itself. Null where not known.
	Size        number `json:"size"`
	Packed      number `json:"zstd_batch_size"`
	PackedAlone number `json:"zstd_size"`
	// Sent is the mean as records are sent and kept, by the codec of the costs.
	Sent number `json:"sent_size"`
	// CPU is the CPU time of a round trip, collection included.
	CPU   number `json:"cpu_time"`
	CPULo number `json:"cpu_time_lo"`
	CPUHi number `json:"cpu_time_hi"`
	// Total and TotalPacked are the same of all records together.
	Total       number        `json:"total"`
	TotalPacked number        `json:"zstd_total"`
	Safe        bool          `json:"safe"`
	Unsafe      []string      `json:"unsafe"`
	Unmet       []string      `json:"unmet"`
	GivesUp     JSONPrice     `json:"gives_up"`
	Rows        []result.Case `json:"rows"` // what the time rests on
}

// JSONPrice is what is given up against Have: good traits that it has, bad traits
// that it has not, what the records did lose, another format, and what the mode
// gives up.
type JSONPrice struct {
	Lacks  []contender.Trait `json:"lacks"`
	Brings []contender.Trait `json:"brings"`
	Losses []contender.Loss  `json:"losses"`
	// LossBytes is how many bytes a record is longer than the user's JSON, of a contender
	// that writes JSON and loses something.
	LossBytes float64  `json:"loss_bytes,omitempty"`
	Format    string   `json:"format"`
	Modes     []string `json:"modes"`
}

// JSONLeft is what has no number, and why.
type JSONLeft struct {
	result.Subject
	Status result.Status `json:"status"`
	Reason string        `json:"reason"`
}

// JSONCosts are what candidates take in machines.
type JSONCosts struct {
	answer.Prices
	// Metric is what cores were computed from: time or cpu-time.
	Metric string     `json:"metric"`
	Rows   []JSONCost `json:"rows"`
}

// JSONCost is one candidate's.
type JSONCost struct {
	result.Subject
	Cores      number `json:"cores"`
	CoresLo    number `json:"cores_lo"`
	CoresHi    number `json:"cores_hi"`
	Network    number `json:"network"` // bytes a second
	Storage    number `json:"storage"` // bytes
	PerMonth   number `json:"per_month"`
	PerMonthLo number `json:"per_month_lo"`
	PerMonthHi number `json:"per_month_hi"`
	Saves      number `json:"saves"` // a month, against Have
	SavesLo    number `json:"saves_lo"`
	SavesHi    number `json:"saves_hi"`
	// BreakEven is the price of a core-hour at which both cost the same, null where
	// there is none; Below says that it is the cheaper one below that.
	BreakEven number `json:"break_even_core_hour"`
	Below     bool   `json:"break_even_below"`
	// CoreAt is the rate at which it saves one core; null where it saves none.
	CoreAt number `json:"saves_core_at"`
	// Sent is the same of messages after the codec; null without one. The members
	// above are of messages as they are.
	Sent *JSONBill `json:"sent"`
}

// JSONBill is what messages after a codec cost.
type JSONBill struct {
	Network    number `json:"network"` // bytes a second
	Storage    number `json:"storage"` // bytes
	PerMonth   number `json:"per_month"`
	PerMonthLo number `json:"per_month_lo"`
	PerMonthHi number `json:"per_month_hi"`
	Saves      number `json:"saves"`
	SavesLo    number `json:"saves_lo"`
	SavesHi    number `json:"saves_hi"`
}

// TryJSON writes the run and its rows as JSON does, with "data" and "answer".
func TryJSON(w io.Writer, t *Try) error {
	var b stdbytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := writeRun(&b, e, t.Results, JSONRows(t.Results)); err != nil {
		return err
	}
	d := t.Data
	d.Guesses, d.Notes = orEmpty(d.Guesses), orEmpty(d.Notes)
	for _, part := range []struct {
		name  string
		value any
	}{{"data", jsonData(t, d)}, {"answer", jsonAnswer(t)}} {
		b.WriteString(",\n\"" + part.name + "\":")
		if err := e.Encode(part.value); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1) // Encode ends with a newline
	}
	b.WriteString("\n}\n")
	_, err := w.Write(b.Bytes())
	return err
}

// JSONData is what the JSON of a try has as "data".
type JSONData struct {
	TryData
	// Sizes are those of the JSON of all records; null where they are not JSON.
	Sizes *JSONSizes `json:"json"`
}

// JSONSizes is how far the JSON that is measured is the user's.
type JSONSizes struct {
	// Compact and Written are as of result.JSONSize; Measured is what encoding/json
	// wrote of all records when they were verified, or Written.
	result.JSONSize
	Measured int64 `json:"measured"`
	// AsGoWrites is Compact if the numbers, times and escapes of the sample were
	// spelled as Go writes them: what is between it and Measured is not spelling.
	AsGoWrites int64 `json:"as_go_writes"`
	// Warning says that the two are more than 2% apart, or that one change is more
	// than that; empty otherwise.
	Warning string `json:"warning"`
}

func jsonData(t *Try, d TryData) JSONData {
	out := JSONData{TryData: d}
	if j := t.Results.JSON; j != nil && d.JSON != nil {
		same, _ := asGoWrites(j)
		out.Sizes = &JSONSizes{JSONSize: *d.JSON, Measured: j.Written, AsGoWrites: same}
		if j.Off() {
			out.Sizes.Warning = strings.Join(jsonLines(j), "; ")
		}
	}
	return out
}

func jsonAnswer(t *Try) JSONAnswer {
	a := t.Answer
	out := JSONAnswer{
		Have: a.Have.Contender, Must: orEmpty(a.Asked.Must), Confidence: known(a.Confidence), RankedBy: analysis.Time,
		Front: []result.Subject{}, Unbeaten: []result.Subject{}, Recommendations: []JSONRecommendation{},
		Candidates: jsonCandidates(t, a.Candidates), LeftOut: []JSONLeft{},
		Costs: JSONCosts{Prices: a.Asked.Prices, Metric: analysis.Time, Rows: []JSONCost{}},
		Worth: jsonWorth(a.Worth),
	}
	if s := a.Shortage; s != nil {
		out.Unanswered = &JSONShortage{s.Reason, orEmpty(s.Needs()), s.Records}
	}
	if a.Disagreement != nil {
		out.RankedBy = analysis.CPUTime
	}
	if a.CPU {
		out.Costs.Metric = analysis.CPUTime
	}
	for _, p := range a.Picks {
		r := JSONRecommendation{
			Question: p.Key, Title: p.Title, Metric: p.Metric, Best: jsonCandidates(t, p.Best),
			Tied: len(p.Best) > 1, Unresolved: p.Unresolved, Because: p.Because, Meagre: p.Meagre, Reason: p.Reason, Passed: []result.Subject{},
		}
		for _, c := range p.Passed {
			r.Passed = append(r.Passed, c.Subject)
		}
		out.Recommendations = append(out.Recommendations, r)
	}
	for _, c := range a.Front {
		out.Front = append(out.Front, c.Subject)
		if c.Unbeaten {
			out.Unbeaten = append(out.Unbeaten, c.Subject)
		}
	}
	for _, l := range a.LeftOut {
		out.LeftOut = append(out.LeftOut, JSONLeft{l.Subject, l.Status, l.Reason})
	}
	for _, c := range a.Costs {
		out.Costs.Rows = append(out.Costs.Rows, jsonCost(c))
	}
	return out
}

// known is a number that is not known where it is 0.
func known(v float64) number {
	if v == 0 {
		return null
	}
	return number(v)
}

func jsonCandidates(t *Try, all []*answer.Candidate) []JSONCandidate {
	out := []JSONCandidate{}
	n := float64(t.Data.Records)
	for _, c := range all {
		j := JSONCandidate{
			Subject: c.Subject, Format: c.About.Format, Size: known(c.Size), Packed: known(c.Packed), PackedAlone: known(c.PackedAlone), Sent: known(c.Sent),
			Total: known(n * c.Size), TotalPacked: known(n * c.Packed), Safe: c.Safe(), Unsafe: orEmpty(c.Unsafe), Unmet: orEmpty(c.Unmet),
			GivesUp: JSONPrice{
				Lacks: orEmpty(c.GivesUp.Lacks), Brings: orEmpty(c.GivesUp.Brings), Losses: orEmpty(c.GivesUp.Losses), LossBytes: c.GivesUp.LossBytes,
				Format: c.GivesUp.Format, Modes: orEmpty(c.GivesUp.Modes),
			},
			Rows: c.Cases(result.Cell{}),
		}
		if len(t.Results.Tables) > 0 {
			j.Rows = c.Cases(t.Results.Tables[0].Cell)
		}
		j.Time, j.TimeLo, j.TimeHi = numbers(&c.Time)
		j.Ratio, j.RatioLo, j.RatioHi = numbers(c.ToHave)
		j.CPU, j.CPULo, j.CPUHi = numbers(c.CPU)
		out = append(out, j)
	}
	return out
}

func jsonCost(c answer.Cost) JSONCost {
	b := c.Plain
	j := JSONCost{Subject: c.Subject, Network: number(b.Network), Storage: number(b.Storage), BreakEven: null, CoreAt: known(c.CoreAt)}
	j.Cores, j.CoresLo, j.CoresHi = numbers(&c.Cores)
	j.PerMonth, j.PerMonthLo, j.PerMonthHi = numbers(&b.PerMonth)
	j.Saves, j.SavesLo, j.SavesHi = numbers(saves(&b))
	if b.BreakEven != nil {
		j.BreakEven, j.Below = number(b.BreakEven.CoreHour), b.BreakEven.Below
	}
	if b := c.Sent; b != nil {
		j.Sent = &JSONBill{Network: number(b.Network), Storage: number(b.Storage)}
		j.Sent.PerMonth, j.Sent.PerMonthLo, j.Sent.PerMonthHi = numbers(&b.PerMonth)
		j.Sent.Saves, j.Sent.SavesLo, j.Sent.SavesHi = numbers(saves(b))
	}
	return j
}

// saves is what a bill saves, or nil.
func saves(b *answer.Bill) *analysis.Interval {
	if b.Saves == nil {
		return nil
	}
	return &b.Saves.Interval
}

func jsonWorth(w *answer.Worth) *JSONWorth {
	if w == nil {
		return nil
	}
	j := &JSONWorth{
		Best: w.Best.Subject, Core: number(w.Saving.Core), Network: number(w.Saving.Network), Storage: number(w.Saving.Storage),
		Plain: number(w.Saving.Value), Cores: number(w.Cores.Value), Matters: w.Matters, From: null, FromLo: null, FromHi: null,
	}
	j.Saves, j.SavesLo, j.SavesHi = numbers(&w.Saving.Interval)
	if w.Plain != nil {
		j.Plain = number(w.Plain.Value)
	}
	if w.At.Value > 0 {
		j.From, j.FromLo, j.FromHi = numbers(&w.At)
	}
	return j
}
