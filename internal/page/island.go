package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"math"

	"assay/internal/answer"
	"assay/internal/report"
	"assay/result"
)

// An island is what the script of a page reads, and what another page reads of this one
// when it is dropped on it.
type island struct {
	Schema   int             `json:"schema"`
	Run      string          `json:"run"`
	Title    string          `json:"title"`
	Subjects []islandSubject `json:"subjects"`
	Views    []islandView    `json:"views"`
	Costs    []islandCosts   `json:"costs"`
	Prices   *answer.Prices  `json:"prices"`
	Beside   []island        `json:"beside,omitempty"`
}

type islandSubject struct {
	Contender string `json:"contender"`
	Mode      string `json:"mode"`
}

type islandView struct {
	ID string `json:"id"`
	// Key is the same for the same workload, size and op on every page.
	Key  string      `json:"key"`
	Rows []islandRow `json:"rows"`
	// Base has for each row that may be a baseline how many times as fast each of the
	// first rows is, as text: "14.7× (14.5…14.9)".
	Base [][]string `json:"base,omitempty"`
}

// An islandRow has the numbers of a row; null where there are none.
type islandRow struct {
	Subject int       `json:"s"`
	Time    *quantity `json:"time"`
	CPU     *quantity `json:"cpu"`
	Size    *quantity `json:"size"`
	Allocs  *quantity `json:"allocs"`
}

// A quantity is value, bounds and text.
type quantity struct{ v value }

func (q quantity) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{brief(q.v.V), brief(q.v.Lo), brief(q.v.Hi), clean(q.v.Text)})
}

// brief rounds to five digits, which is more than any picture shows.
func brief(v float64) float64 {
	if v == 0 || !finite(v) {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-4)
	if unit == 0 || !finite(unit) {
		return v
	}
	return math.Round(v/unit) * unit
}

// An islandCosts is what the calculator needs of one dataset.
type islandCosts struct {
	Data string          `json:"data"`
	Have int             `json:"have"`
	CPU  bool            `json:"cpu"` // times are CPU times, the collector included
	Rows []islandCostRow `json:"rows"`
}

type islandCostRow struct {
	Subject int       `json:"s"`
	Time    quantity  `json:"time"` // ns a record
	Size    float64   `json:"size"` // bytes a record
	Packed  []float64 `json:"packed"`
}

func quantityOf(v *value) *quantity {
	if v == nil {
		return nil
	}
	return &quantity{*v}
}

// island collects it.
func (p *builder) island() island {
	out := island{Schema: report.JSONSchema, Title: short(p.header().Title), Subjects: []islandSubject{}, Views: []islandView{}, Costs: []islandCosts{}}
	if p.Results == nil {
		return out
	}
	out.Run = short(p.Results.Run.ID)
	for _, v := range p.views {
		one := islandView{ID: v.ID, Key: p.keyOf(v), Rows: []islandRow{}}
		for _, r := range v.Rows {
			one.Rows = append(one.Rows, islandRow{r.Subject, quantityOf(r.Speed), quantityOf(r.CPU), quantityOf(r.Size), quantityOf(r.Allocs)})
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
	for _, s := range p.subjects { // last: the views add to them
		out.Subjects = append(out.Subjects, islandSubject{short(s.Contender), short(s.Mode)})
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

// keyOf names a view by what it is of.
func (p *builder) keyOf(v view) string {
	for _, d := range p.datas {
		if d.ID == v.Data {
			if d.ID == "all" {
				return "all|" + v.Op
			}
			return short(d.cell.Workload) + "|" + short(d.cell.Size) + "|" + v.Op
		}
	}
	return ""
}

// costsOf is what costs are computed from: CPU time of all, or code-only time of all.
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

// mostSamples is how many bytes of samples a page carries, compressed. A run with more
// has every second launch, or every third, and so on.
const mostSamples = 1 << 20

// A packedLaunch is a launch as a page carries it.
type packedLaunch struct {
	Workload string         `json:"workload"`
	Size     string         `json:"size"`
	Op       result.Op      `json:"op"`
	Layout   uint64         `json:"layout"`
	Index    int            `json:"index"`
	Sentinel []int64        `json:"sentinel,omitempty"`
	Series   []packedSeries `json:"series"`
}

// A packedSeries has the ns of one operation, round by round.
type packedSeries struct {
	Contender string    `json:"contender"`
	Mode      string    `json:"mode,omitempty"`
	Role      string    `json:"role,omitempty"`
	NS        []float64 `json:"ns"`
}

// packed returns the samples as gzip in base64url; empty for none.
func packed(records []result.Record) (string, error) {
	var launches []packedLaunch
	for _, r := range records {
		if r.Launch != nil {
			launches = append(launches, pack(r.Launch))
		}
	}
	for step := 1; len(launches) > 0; step++ {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		e := json.NewEncoder(z)
		for i := 0; i < len(launches); i += step {
			if err := e.Encode(launches[i]); err != nil {
				return "", err
			}
		}
		if err := z.Close(); err != nil {
			return "", err
		}
		if b.Len() <= mostSamples || step >= len(launches) {
			return base64.RawURLEncoding.EncodeToString(b.Bytes()), nil
		}
		step = max(step, b.Len()/mostSamples)
	}
	return "", nil
}

func pack(l *result.Launch) packedLaunch {
	out := packedLaunch{Workload: short(l.Cell.Workload), Size: short(l.Cell.Size), Op: result.Op(short(string(l.Cell.Op))), Layout: l.Layout, Index: l.Index, Sentinel: l.Sentinel}
	for _, s := range l.Series {
		one := packedSeries{Contender: short(s.Contender), Mode: short(s.Mode), Role: short(s.Role)}
		for _, wall := range s.Wall {
			one.NS = append(one.NS, brief(float64(wall)/float64(max(1, s.N))))
		}
		out.Series = append(out.Series, one)
	}
	return out
}
