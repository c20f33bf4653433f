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
	Have            string               `json:"have"`
	Must            []string             `json:"must"`
	Recommendations []JSONRecommendation `json:"recommendations"`
	// Front are the candidates than which none is better in both time and size.
	Front      []result.Subject `json:"front"`
	Candidates []JSONCandidate  `json:"candidates"`
	LeftOut    []JSONLeft       `json:"left_out"`
	Costs      JSONCosts        `json:"costs"`
}

// JSONRecommendation is the answer to one question. Best has all that are not
// told apart from its first.
type JSONRecommendation struct {
	Question string `json:"question"`
	Title    string `json:"title"`
	// Metric is what was compared: time is of the round trip.
	Metric     string          `json:"metric"`
	Best       []JSONCandidate `json:"best"`
	Tied       bool            `json:"tied"`
	Unresolved bool            `json:"unresolved"`
	Reason     string          `json:"reason"` // why there is none
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
	Format string            `json:"format"`
	Modes  []string          `json:"modes"`
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
	// BreakEven is the price of a core-hour at which both cost the same, null where
	// there is none; Below says that it is the cheaper one below that.
	BreakEven number `json:"break_even_core_hour"`
	Below     bool   `json:"break_even_below"`
	// CoreAt is the rate at which it saves one core; null where it saves none.
	CoreAt number `json:"saves_core_at"`
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
	// Warning says that the two are more than 2% apart, or that one change is more
	// than that; empty otherwise.
	Warning string `json:"warning"`
}

func jsonData(t *Try, d TryData) JSONData {
	out := JSONData{TryData: d}
	if j := t.Results.JSON; j != nil && d.JSON != nil {
		out.Sizes = &JSONSizes{JSONSize: *d.JSON, Measured: j.Written}
		if j.Off() {
			out.Sizes.Warning = strings.Join(jsonLines(j), "; ")
		}
	}
	return out
}

func jsonAnswer(t *Try) JSONAnswer {
	a := t.Answer
	out := JSONAnswer{
		Have: a.Have.Contender, Must: orEmpty(a.Must), Front: []result.Subject{}, Recommendations: []JSONRecommendation{},
		Candidates: jsonCandidates(t, a.Candidates), LeftOut: []JSONLeft{},
		Costs: JSONCosts{Prices: a.Prices, Metric: analysis.Time, Rows: []JSONCost{}},
	}
	if a.CPU {
		out.Costs.Metric = analysis.CPUTime
	}
	for _, p := range a.Picks {
		r := JSONRecommendation{
			Question: p.Key, Title: p.Title, Metric: p.Metric, Best: jsonCandidates(t, p.Best),
			Tied: len(p.Best) > 1, Unresolved: p.Unresolved, Reason: p.Reason, Passed: []result.Subject{},
		}
		for _, c := range p.Passed {
			r.Passed = append(r.Passed, c.Subject)
		}
		out.Recommendations = append(out.Recommendations, r)
	}
	for _, c := range a.Front {
		out.Front = append(out.Front, c.Subject)
	}
	for _, l := range a.LeftOut {
		out.LeftOut = append(out.LeftOut, JSONLeft(l))
	}
	for _, c := range a.Costs {
		out.Costs.Rows = append(out.Costs.Rows, jsonCost(c))
	}
	return out
}

func jsonCandidates(t *Try, all []*answer.Candidate) []JSONCandidate {
	out := []JSONCandidate{}
	known := func(v float64) number {
		if v == 0 {
			return null
		}
		return number(v)
	}
	n := float64(t.Data.Records)
	for _, c := range all {
		j := JSONCandidate{
			Subject: c.Subject, Format: c.About.Format, Size: known(c.Size), Packed: known(c.Packed), PackedAlone: known(c.PackedAlone),
			Total: known(n * c.Size), TotalPacked: known(n * c.Packed), Safe: c.Safe(), Unsafe: orEmpty(c.Unsafe), Unmet: orEmpty(c.Unmet),
			GivesUp: JSONPrice{
				Lacks: orEmpty(c.GivesUp.Lacks), Brings: orEmpty(c.GivesUp.Brings), Losses: orEmpty(c.GivesUp.Losses),
				Format: c.GivesUp.Format, Modes: orEmpty(c.GivesUp.Modes),
			},
			Rows: c.Cases(result.Cell{}),
		}
		if len(t.Results.Tables) > 0 {
			j.Rows = c.Cases(t.Results.Tables[0].Cell)
		}
		j.Time, j.TimeLo, j.TimeHi = numbers(&c.Time)
		j.Ratio, j.RatioLo, j.RatioHi = numbers(c.ToHave)
		out = append(out, j)
	}
	return out
}

func jsonCost(c answer.Cost) JSONCost {
	j := JSONCost{Subject: c.Subject, Network: number(c.Network), Storage: number(c.Storage), Saves: null, BreakEven: null, CoreAt: null}
	j.Cores, j.CoresLo, j.CoresHi = numbers(&c.Cores)
	j.PerMonth, j.PerMonthLo, j.PerMonthHi = numbers(&c.PerMonth)
	if c.Saves != nil {
		j.Saves = number(*c.Saves)
	}
	if c.BreakEven != nil {
		j.BreakEven, j.Below = number(c.BreakEven.CoreHour), c.BreakEven.Below
	}
	if c.CoreAt > 0 {
		j.CoreAt = number(c.CoreAt)
	}
	return j
}
