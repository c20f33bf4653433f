package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"assay/internal/answer"
	"assay/internal/report"
	"assay/result"
)

// An island is the data that the script of a page reads. Another page reads it if this page is
// dropped on it. A page holds it compressed, because the rankings against every baseline are
// large.
type island struct {
	Schema   int             `json:"schema"`
	Run      string          `json:"run"`
	Machine  string          `json:"machine,omitempty"`
	Title    string          `json:"title"`
	Subjects []islandSubject `json:"subjects"`
	Views    []islandView    `json:"views"`
	Costs    []islandCosts   `json:"costs"`
	Prices   *answer.Prices  `json:"prices"`
	Beside   []island        `json:"beside,omitempty"`
}

type islandSubject struct {
	Contender string   `json:"contender"`
	Mode      string   `json:"mode"`
	Traits    []string `json:"traits"`
}

type islandView struct {
	ID string `json:"id"`
	// Key identifies the workload, size and op, or those that a mean is of. It is the same on every
	// page.
	Key string `json:"key"`
	// Reference is what the rows are relative to; "" if there is nothing.
	Reference string      `json:"reference,omitempty"`
	Rows      []islandRow `json:"rows"`
	// Base has a list for each row that may be a baseline. The list says how many times as fast
	// as the baseline each ranked row is, as text: "14.7× (14.5…14.9)".
	Base [][]string `json:"base,omitempty"`
}

// An islandRow has the known numbers of a row.
type islandRow struct {
	Subject int `json:"s"`
	// Time and CPU say how many times as fast the row is, with the interval, as text.
	Time   string `json:"time,omitempty"`
	CPU    string `json:"cpu,omitempty"`
	Size   *exact `json:"size,omitempty"`
	Allocs *exact `json:"allocs,omitempty"`
	// Abs is the time of an op in ns. The script sorts by it.
	Abs float64 `json:"abs,omitempty"`
}

// A quantity is written as value, bounds and text.
type quantity struct{ v value }

func (q quantity) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{brief(q.v.V), brief(q.v.Lo), brief(q.v.Hi), clean(q.v.Text)})
}

// brief rounds to five digits, which is more than any picture can show.
func brief(v float64) float64 { return rounded(v, 5) }

// rounded rounds a number to that many digits. It returns 0 if the number is not finite.
func rounded(v float64, digits int) float64 {
	if !finite(v) {
		return 0
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		return v
	}
	return short
}

// An islandCosts is the calculator's data for one dataset.
type islandCosts struct {
	Data string          `json:"data"`
	Have int             `json:"have"`
	CPU  bool            `json:"cpu"` // times are CPU times, with the garbage collector on
	Rows []islandCostRow `json:"rows"`
}

type islandCostRow struct {
	Subject int       `json:"s"`
	Time    quantity  `json:"time"` // ns a record
	Size    float64   `json:"size"` // bytes a record
	Packed  []float64 `json:"packed"`
}

// An exact is written as value and text.
type exact struct{ v value }

func (e exact) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{brief(e.v.V), clean(e.v.Text)})
}

func exactOf(v *value) *exact {
	if v == nil {
		return nil
	}
	return &exact{*v}
}

// island collects the data of the page's script.
func (p *builder) island() island {
	out := island{Schema: report.JSONSchema, Title: short(p.header().Title), Subjects: []islandSubject{}, Views: []islandView{}, Costs: []islandCosts{}}
	if p.Results == nil {
		return out
	}
	out.Run, out.Machine = short(p.Results.Run.ID), machineOf(p.Results.Run)
	for _, v := range p.views {
		one := islandView{ID: v.ID, Key: p.keyOf(v), Reference: short(v.Reference), Rows: []islandRow{}}
		for _, r := range v.Rows {
			row := islandRow{Subject: r.Subject, Time: textOf(r.Speed), CPU: textOf(r.CPU), Size: exactOf(r.Size), Allocs: exactOf(r.Allocs)}
			if r.Time != nil {
				row.Abs = brief(r.Time.V)
			}
			one.Rows = append(one.Rows, row)
		}
		for _, column := range v.base {
			var list []string
			for _, i := range column {
				text := ""
				if s := speedOf(&i); s != nil {
					text = s.Text
				}
				list = append(list, text)
			}
			one.Base = append(one.Base, list)
		}
		out.Views = append(out.Views, one)
	}
	for _, d := range p.datas {
		if t := p.answers[d.ID]; t != nil && len(t.Answer.Candidates) > 0 {
			out.Prices = &t.Answer.Asked.Prices
			out.Costs = append(out.Costs, p.costsOf(d.ID, t))
		}
	}
	for _, s := range p.subjects { // last, because collecting the views adds subjects
		out.Subjects = append(out.Subjects, islandSubject{short(s.Contender), short(s.Mode), p.traitsOf(s)})
	}
	for _, r := range p.Beside {
		other := &builder{Source: &Source{Results: r, Contenders: p.Contenders, Typical: p.Typical}}
		other.prepare()
		isle := other.island()
		for i := range isle.Views {
			isle.Views[i].Base = nil
		}
		isle.Costs, isle.Prices = nil, nil
		out.Beside = append(out.Beside, isle)
	}
	return out
}

// keyOf returns the key of a view; see islandView.Key.
func (p *builder) keyOf(v view) string {
	for _, d := range p.datas {
		if d.ID == v.Data {
			if d.ID == "all" {
				var of []string
				for _, c := range d.overview.Columns {
					of = append(of, short(c.Workload)+" "+short(c.Size))
				}
				slices.Sort(of)
				return "all|" + strings.Join(of, ";") + "|" + v.Op
			}
			return short(d.cell.Workload) + "|" + short(d.cell.Size) + "|" + v.Op
		}
	}
	return ""
}

// costsOf returns the data that costs are computed from. It uses CPU time for all candidates or
// code-only time for all candidates.
func (p *builder) costsOf(id string, t *report.Try) islandCosts {
	a := t.Answer
	out := islandCosts{Data: id, Have: -1, CPU: a.CPU, Rows: []islandCostRow{}}
	for _, c := range a.Candidates {
		time := &c.Time
		if a.CPU {
			time = c.CPU
		}
		if time == nil || !(c.Size > 0) || !finite(time.Value, c.Size) {
			continue
		}
		if c.Subject == a.Have {
			out.Have = len(out.Rows)
		}
		v := valueOf(*time, report.MeasureText(*time))
		if v == nil {
			continue
		}
		out.Rows = append(out.Rows, islandCostRow{Subject: p.subject(c.Subject), Time: quantity{*v}, Size: c.Size, Packed: []float64{zeroIfNot(c.PackedAlone), zeroIfNot(c.Packed)}})
	}
	return out
}

func zeroIfNot(v float64) float64 {
	if !finite(v) {
		return 0
	}
	return v
}

// mostPage is the target size of a page in bytes. leastSamples is how many bytes the samples may
// take in any case.
const (
	mostPage     = 3_000_000
	leastSamples = 200_000
)

// sampleDigits is how many digits a sample keeps, which makes the rounding error less than 0.1%.
const sampleDigits = 4

// A packedLaunch is a launch in the form that a page stores.
type packedLaunch struct {
	Workload string    `json:"workload"`
	Size     string    `json:"size"`
	Op       result.Op `json:"op"`
	Layout   uint64    `json:"layout"`
	Index    int       `json:"index"`
	// Side is the version that was measured, of a run that compares two.
	Side     string         `json:"side,omitempty"`
	Sentinel []int64        `json:"sentinel,omitempty"`
	Series   []packedSeries `json:"series"`
}

// A packedSeries has the time of one operation in ns, round by round.
type packedSeries struct {
	Contender string    `json:"contender"`
	Mode      string    `json:"mode,omitempty"`
	Role      string    `json:"role,omitempty"`
	NS        []float64 `json:"ns"`
}

// packed returns the samples, compressed; "" if there are none. If they take more than room
// bytes, it keeps only every second launch of each cell, or every third, and so on. every is that
// number.
func packed(records []result.Record, room int) (text string, every int, err error) {
	var launches []packedLaunch
	for _, r := range records {
		if r.Launch != nil && r.Launch.Disturbed == "" { // no number comes from a launch that was repeated
			launches = append(launches, pack(r.Launch))
		}
	}
	for every = 1; len(launches) > 0; {
		seen := map[string]int{}
		var some []packedLaunch
		for _, l := range launches {
			cell := l.Workload + "|" + l.Size + "|" + string(l.Op) + "|" + l.Side
			if seen[cell]%every == 0 {
				some = append(some, l)
			}
			seen[cell]++
		}
		text, err = compressed(some)
		if err != nil || len(text) <= room || every >= len(launches) {
			return text, every, err
		}
		every = max(every+1, every*len(text)/room)
	}
	return "", 1, nil
}

// compressed returns a value as JSON, compressed by gzip and encoded in base64url, which
// html/template does not change.
func compressed(v any) (string, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if err := json.NewEncoder(z).Encode(v); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(b.Bytes()), nil
}

func pack(l *result.Launch) packedLaunch {
	out := packedLaunch{Workload: short(l.Cell.Workload), Size: short(l.Cell.Size), Op: result.Op(short(string(l.Cell.Op))), Layout: l.Layout, Index: l.Index, Side: short(l.Side), Sentinel: l.Sentinel}
	for _, s := range l.Series {
		one := packedSeries{Contender: short(s.Contender), Mode: short(s.Mode), Role: short(s.Role)}
		for _, wall := range s.Wall {
			one.NS = append(one.NS, rounded(float64(wall)/float64(max(1, s.N)), sampleDigits))
		}
		out.Series = append(out.Series, one)
	}
	return out
}
