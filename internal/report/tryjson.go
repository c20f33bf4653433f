package report

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/result"
)

// JSONAnswer is the member "answer" in the JSON of a try.
type JSONAnswer struct {
	Have string   `json:"have"`
	Must []string `json:"must"`
	// Unanswered says why there is no answer about time; null if there is one.
	Unanswered *JSONShortage `json:"unanswered"`
	// Confidence is the confidence level of the intervals of ratios, as a share. At this level at
	// most 5% of the differences that they call are expected to be false. It is null if there are
	// no intervals.
	Confidence number `json:"confidence"`
	// RankedBy is the metric that orders, compares and recommends candidates. It is time, or
	// cpu-time if the fastest by cpu-time is another candidate.
	RankedBy        string               `json:"ranked_by"`
	Recommendations []JSONRecommendation `json:"recommendations"`
	// Front has the candidates that no other one is shown to beat in both time and size. Unbeaten
	// has those of them that are shown to belong to the front.
	Front      []result.Subject `json:"front"`
	Unbeaten   []result.Subject `json:"unbeaten"`
	Candidates []JSONCandidate  `json:"candidates"`
	LeftOut    []JSONLeft       `json:"left_out"`
	Costs      JSONCosts        `json:"costs"`
	// Worth says what the choice is worth; null if that is not known.
	Worth *JSONWorth `json:"worth"`
}

// JSONShortage says why there is no answer about time. Needs has the flags that would help
// together. Records says that --records would help, because the sample has only a few large
// records.
type JSONShortage struct {
	Reason  string   `json:"reason"`
	Needs   []string `json:"needs"`
	Records bool     `json:"records"`
}

// JSONWorth says what the choice is worth a month at the rate, for records as they are sent and
// kept.
type JSONWorth struct {
	Best    result.Subject `json:"best"` // the cheapest candidate
	Saves   number         `json:"saves"`
	SavesLo number         `json:"saves_lo"`
	SavesHi number         `json:"saves_hi"`
	Core    number         `json:"saves_core"` // this part of Saves
	Network number         `json:"saves_network"`
	Storage number         `json:"saves_storage"`
	Plain   number         `json:"saves_plain"` // for uncompressed records
	Cores   number         `json:"saves_cores"` // how many fewer cores the fastest candidate takes
	Matters bool           `json:"matters"`
	From    number         `json:"matters_from"` // in messages a second; null if it matters at no rate
	FromLo  number         `json:"matters_from_lo"`
	FromHi  number         `json:"matters_from_hi"`
}

// JSONRecommendation is the answer to one question. Best begins with the recommended candidate.
// The others in Best are told apart neither from the recommended candidate nor from the one with
// the best number. No eligible candidate is shown to be better than the first.
type JSONRecommendation struct {
	Question string `json:"question"`
	Title    string `json:"title"`
	// Metric is the compared metric. Time is the time of a round trip.
	Metric     string          `json:"metric"`
	Best       []JSONCandidate `json:"best"`
	Tied       bool            `json:"tied"`
	Unresolved bool            `json:"unresolved"`
	// Because says why the first of Best precedes the candidate with the best number. Meagre says
	// that the first of Best is hardly smaller than Have.
	Because string `json:"because"`
	Meagre  bool   `json:"meagre"`
	Reason  string `json:"reason"` // why there is no recommendation
	// Passed has the candidates that are better by the metric but not eligible.
	Passed []result.Subject `json:"passed"`
}

// JSONCandidate is a contender in one mode, with its round trip. Times are in ns. Sizes are in
// bytes a record.
type JSONCandidate struct {
	result.Subject
	Format string `json:"format"`
	// Rank counts from 1. Shared says that others have the same rank: they are not shown to be slower
	// than the first of them.
	Rank    int    `json:"rank"`
	Shared  bool   `json:"shared_rank"`
	Time    number `json:"time"`
	TimeLo  number `json:"time_lo"`
	TimeHi  number `json:"time_hi"`
	Ratio   number `json:"ratio"` // relative to Have's time: below 1 is faster
	RatioLo number `json:"ratio_lo"`
	RatioHi number `json:"ratio_hi"`
	// Size is the mean over all records. Packed is the mean if all records are compressed as one
	// batch, PackedAlone if each record is compressed by itself. They are null if not known.
	Size        number `json:"size"`
	Packed      number `json:"zstd_batch_size"`
	PackedAlone number `json:"zstd_size"`
	// Sent is the mean size of records as they are sent and kept, with the codec of the costs.
	Sent number `json:"sent_size"`
	// CPU is the CPU time of a round trip, garbage collection included.
	CPU   number `json:"cpu_time"`
	CPULo number `json:"cpu_time_lo"`
	CPUHi number `json:"cpu_time_hi"`
	// Total is the size of all records together, and TotalPacked is that size after compression.
	Total       number        `json:"total"`
	TotalPacked number        `json:"zstd_total"`
	Safe        bool          `json:"safe"`
	Unsafe      []string      `json:"unsafe"`
	Unmet       []string      `json:"unmet"`
	GivesUp     JSONPrice     `json:"gives_up"`
	Rows        []result.Case `json:"rows"` // the cases that the time is computed from
}

// JSONPrice is what a candidate gives up compared with Have: good traits of Have that it lacks,
// bad traits that only it has, losses that the records really suffered, another format, and what
// its mode gives up.
type JSONPrice struct {
	Lacks  []contender.Trait `json:"lacks"`
	Brings []contender.Trait `json:"brings"`
	Losses []contender.Loss  `json:"losses"`
	// LossBytes is how many bytes a record becomes longer than in the user's JSON. Only a
	// contender that writes JSON and loses something has it.
	LossBytes float64  `json:"loss_bytes,omitempty"`
	Format    string   `json:"format"`
	Modes     []string `json:"modes"`
}

// JSONLeft is a subject without a number, or one that this version of assay does not know, and why
// it is left out.
type JSONLeft struct {
	result.Subject
	Status result.Status `json:"status"`
	Reason string        `json:"reason"`
	// Size is the mean size of a record in bytes; null if it is unknown. A subject that was verified
	// but not timed has one.
	Size number `json:"size"`
}

// JSONCosts is what the candidates cost in machines.
type JSONCosts struct {
	answer.Prices
	// Metric is the metric that cores are computed from: time or cpu-time.
	Metric string     `json:"metric"`
	Rows   []JSONCost `json:"rows"`
}

// JSONCost is the cost of one candidate.
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
	// BreakEven is the price of a core-hour at which the candidate and Have cost the same; null
	// if there is none. Below says that the candidate is cheaper below that price.
	BreakEven number `json:"break_even_core_hour"`
	Below     bool   `json:"break_even_below"`
	// CoreAt is the rate at which the candidate saves one core; null if it saves none.
	CoreAt number `json:"saves_core_at"`
	// Sent has the costs of messages after the codec; null without a codec. The members above are
	// for uncompressed messages.
	Sent *JSONBill `json:"sent"`
}

// JSONBill is what messages cost after a codec.
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

// TryJSON writes the run and its rows as JSON does, with further members "data" and "answer".
func TryJSON(w io.Writer, t *Try) error {
	var b bytes.Buffer
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

// JSONData is the member "data" in the JSON of a try.
type JSONData struct {
	TryData
	// Sizes describes the JSON of all records; null if the records are not JSON.
	Sizes *JSONSizes `json:"json"`
}

// JSONSizes says how closely the measured JSON matches the user's JSON.
type JSONSizes struct {
	// Compact and Written are defined by result.JSONSize. Measured is the number of bytes that
	// encoding/json wrote for all records during verification; without that number it is Written.
	result.JSONSize
	Measured int64 `json:"measured"`
	// AsGoWrites is what Compact would be if Go had written the numbers, times and escapes of the
	// sample. The rest of the difference to Measured has other causes.
	AsGoWrites int64 `json:"as_go_writes"`
	// Warning is set if the two sizes differ by more than 2%, or if one change is larger than
	// that; empty otherwise.
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
		out.LeftOut = append(out.LeftOut, JSONLeft{l.Subject, l.Status, l.Reason, known(l.Size)})
	}
	for _, c := range a.Costs {
		out.Costs.Rows = append(out.Costs.Rows, jsonCost(c))
	}
	return out
}

// known converts a number for which 0 means not known.
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
		j.Rank, j.Shared = t.Answer.Rank(c)
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

// saves returns the interval of what a bill saves, or nil.
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
		// A bound may be known if the other one is not.
		j.From, j.FromLo, j.FromHi = number(w.At.Value), number(w.At.Lo), number(w.At.Hi)
	}
	return j
}
