package report

import (
	"encoding/csv"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/analysis"
	"assay/result"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (go test -update rewrites it): -want +got\n%s", path, diff)
	}
}

func write(t *testing.T, f Format, r *analysis.Results, opts Options) string {
	t.Helper()
	opts.Tables = true
	var out strings.Builder
	if err := f.Write(&out, r, opts); err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return out.String()
}

func TestFormats(t *testing.T) {
	for _, f := range Formats {
		t.Run(f.Name, func(t *testing.T) {
			golden(t, "rich."+f.Name, write(t, f, rich(), Options{}))
		})
		if got, ok := Named(Formats, f.Name); !ok || got.Name != f.Name || f.Text == "" {
			t.Errorf("Named(%q) = %v, %v", f.Name, got, ok)
		}
	}
	if _, ok := Named(Formats, "yaml"); ok {
		t.Error("there is a format yaml")
	}
}

func TestTextInColor(t *testing.T) {
	f := Formats[0]
	colored := write(t, f, rich(), Options{Color: true})
	golden(t, "rich.color.text", colored)
	stripped := regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(colored, "")
	if diff := cmp.Diff(write(t, f, rich(), Options{}), stripped); diff != "" {
		t.Errorf("colour changes more than colour: -plain +stripped\n%s", diff)
	}
}

// A narrow view of an unfinished run shows the planned cases that were not measured.
func TestUnfinished(t *testing.T) {
	run, records := richRun()
	run.Finished = time.Time{}
	view := analysis.View{Workload: analysis.Match{Include: regexp.MustCompile("chain")}}
	golden(t, "unfinished.text", write(t, Formats[0], analysis.Of(run, records, view), Options{}))
}

func TestNothing(t *testing.T) {
	run, records := richRun()
	empty := analysis.Of(run, records, analysis.View{Workload: analysis.Match{Include: regexp.MustCompile("none")}})
	for _, f := range Formats {
		if got := write(t, f, empty, Options{}); got == "" {
			t.Errorf("%s writes nothing at all", f.Name)
		}
	}
}

// contract is the JSON output as a reader in another program declares it.
type contract struct {
	Schema int `json:"schema"`
	// Overview is checked by TestOverviewJSON.
	Overview json.RawMessage `json:"overview"`
	Run      struct {
		ID, Tool, Go string
		Seed         uint64
		Budget       float64
		Layouts      int
		Finished     bool
		Host         result.Host
		Versions     []result.Module
		Precision    float64
		Verified     int
		Trips        int
		Warnings     []JSONWarning
		Grade        struct {
			Letter                                        string
			Reasons                                       []string
			Launches, Disturbed                           int
			Clean, Sentinel, Steal, Others, Load, Control *float64
			SentinelBest                                  *float64 `json:"sentinel_best"`
			ControlLo                                     *float64 `json:"control_lo"`
			ControlHi                                     *float64 `json:"control_hi"`
		}
	} `json:"run"`
	Rows []struct {
		Workload, Size, Contender, Mode, Op, Metric, Unit, Status, Reason string
		Value, Lo, Hi                                                     *float64
		N                                                                 int
		Ratio                                                             *float64 `json:"ratio"`
		RatioLo                                                           *float64 `json:"ratio_lo"`
		RatioHi                                                           *float64 `json:"ratio_hi"`
		Reference                                                         *string  `json:"reference"`
		Ordinary                                                          *float64 `json:"ordinary"`
		OrdinaryRatio                                                     *float64 `json:"ordinary_ratio"`
		CPUs                                                              int      `json:"cpus"`
		SpeedUp                                                           *float64 `json:"speed_up"`
		SpeedUpLo                                                         *float64 `json:"speed_up_lo"`
		SpeedUpHi                                                         *float64 `json:"speed_up_hi"`
		Footprint                                                         int64    `json:"footprint"`
		Slower                                                            *float64 `json:"slower"`
		SlowerLo                                                          *float64 `json:"slower_lo"`
		SlowerHi                                                          *float64 `json:"slower_hi"`
		Losses                                                            []string
		Warnings                                                          []JSONWarning
	} `json:"rows"`
	Warnings []JSONCellWarning `json:"warnings"`
}

func decode(t *testing.T, text string) contract {
	t.Helper()
	var c contract
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		t.Fatal(err)
	}
	if d.More() {
		t.Error("more than one JSON value")
	}
	return c
}

func TestJSONContract(t *testing.T) {
	format, _ := Named(Formats, "json")
	text := write(t, format, rich(), Options{})
	c := decode(t, text)
	if c.Schema != 1 || c.Run.ID != "20260901-120000" || c.Run.Layouts != 8 || c.Run.Budget != 300 || len(c.Run.Versions) != 2 {
		t.Errorf("run is %+v", c.Run)
	}
	statuses := make(map[string]bool)
	units := make(map[string]string)
	for _, m := range analysis.Metrics {
		units[m.Name] = m.Unit
	}
	for _, r := range c.Rows {
		statuses[r.Status] = true
		has := r.Status == string(result.OK) || r.Status == string(result.Noisy)
		if (r.Value != nil) != has || (r.Lo != nil) != has || (r.Hi != nil) != has {
			t.Errorf("%s %s: status %s with value %v", r.Contender, r.Metric, r.Status, r.Value)
		}
		if has && (*r.Lo > *r.Value || *r.Value > *r.Hi || r.N <= 0) {
			t.Errorf("%s %s: %v is not in %v…%v, n %d", r.Contender, r.Metric, *r.Value, *r.Lo, *r.Hi, r.N)
		}
		if has == (r.Reason != "") && r.Status != string(result.Noisy) {
			t.Errorf("%s %s: status %s, reason %q", r.Contender, r.Metric, r.Status, r.Reason)
		}
		if units[r.Metric] != r.Unit {
			t.Errorf("%s: unit %q, want %q", r.Metric, r.Unit, units[r.Metric])
		}
		if all := r.Ratio != nil && r.RatioLo != nil && r.RatioHi != nil && r.Reference != nil; all != (has && r.CPUs == 0 && r.Footprint == 0 && strings.Contains(r.Metric, "time") && r.Metric != analysis.ColdTime) {
			t.Errorf("%s %s: a ratio: %v", r.Contender, r.Metric, all)
		}
	}
	for _, s := range []result.Status{result.OK, result.Unverified, result.Unsupported, result.OOM, result.Panic, result.Timeout, result.BuildFailed, result.Noisy} {
		if !statuses[string(s)] {
			t.Errorf("no row has status %s", s)
		}
	}
}

// Everything that a footnote of the text says about a row, a cell or the run is also in the JSON.
func TestJSONFootnotes(t *testing.T) {
	r := rich()
	r.Tables[0].Warnings = append(r.Tables[0].Warnings, analysis.Warning{Kind: analysis.Control, Text: "differs from itself"})
	format, _ := Named(Formats, "json")
	c := decode(t, write(t, format, r, Options{}))
	var said []string
	for _, row := range c.Rows {
		said = append(said, row.Losses...)
		for _, w := range row.Warnings {
			if _, ok := analysis.WarningText[w.Kind]; !ok {
				t.Errorf("kind %q", w.Kind)
			}
			said = append(said, w.Text)
		}
	}
	footnotes := 0
	for _, table := range r.Tables {
		for _, row := range table.Rows {
			for _, text := range remarks(row, nil) {
				if text = strings.TrimPrefix(text, "loses: "); strings.HasPrefix(text, "noisy: ") {
					continue // status and reason say it
				}
				if footnotes++; !slices.Contains(said, text) {
					t.Errorf("JSON does not say %q", text)
				}
			}
		}
	}
	if footnotes < 2 {
		t.Errorf("the rows have %d footnotes", footnotes)
	}
	cell := result.Cell{Workload: "movie", Size: "values=64", Op: result.Encode}
	if want := (JSONCellWarning{cell, JSONWarning{analysis.Control, "differs from itself"}}); !slices.Contains(c.Warnings, want) {
		t.Errorf("cells have %v", c.Warnings)
	}
	if want := (JSONWarning{analysis.RunNote, "the load average rose to 3.1 at 12:03"}); !slices.Contains(c.Run.Warnings, want) {
		t.Errorf("the run has %v", c.Run.Warnings)
	}
}

// A single sample has no interval: JSON must have null for the bounds, not NaN or infinity.
func TestOneSample(t *testing.T) {
	f := &fixture{run: &result.Run{Finished: time.Unix(1, 0)}}
	cell := result.Cell{Workload: "movie", Size: "values=64", Op: result.Encode}
	f.run.Plan.Layouts = []uint64{1}
	f.records = append(f.records, result.Record{Launch: &result.Launch{Cell: cell, Layout: 1, Series: []result.Series{
		{Subject: result.Subject{Contender: "a"}, N: 1, Round: []int{0}, Wall: []int64{1e9}},
		{Subject: result.Subject{Contender: "b"}, N: 1, Round: []int{0}, Wall: []int64{2e9}},
	}}})
	r := analysis.Of(f.run, f.records, analysis.View{})
	for _, format := range Formats {
		text := write(t, format, r, Options{})
		if regexp.MustCompile(`NaN|Inf`).MatchString(text) {
			t.Errorf("%s:\n%s", format.Name, text)
		}
		if format.Name == "json" {
			row := decode(t, text).Rows[1]
			if row.Value == nil || row.Lo != nil || row.Hi != nil || row.Ratio == nil || row.RatioHi != nil || row.Status != "noisy" {
				t.Errorf("row %+v", row)
			}
		}
	}
}

func TestCSVAgreesWithJSON(t *testing.T) {
	csvFormat, _ := Named(Formats, "csv")
	lines, err := csv.NewReader(strings.NewReader(write(t, csvFormat, rich(), Options{}))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows := JSONRows(rich())
	if len(lines) != len(rows)+1 {
		t.Fatalf("%d lines, %d rows", len(lines), len(rows))
	}
	column := func(line int, name string) string { return lines[line][slices.Index(lines[0], name)] }
	for i, row := range rows {
		if got := lines[i+1]; got[2] != row.Contender || got[7] != row.Value.String() || got[12] != row.Reason {
			t.Errorf("line %d is %q, row %+v", i+2, got, row)
		}
		if f := row.JSONFootprint; f != nil && (column(i+1, "slower_lo") != f.SlowerLo.String() || column(i+1, "slower_hi") != f.SlowerHi.String()) {
			t.Errorf("line %d is %q, want slower from %s to %s", i+2, lines[i+1], f.SlowerLo, f.SlowerHi)
		}
	}
}

// csvText disarms a text that a spreadsheet would run or that controls a terminal. A number stays
// a number.
func TestCSVText(t *testing.T) {
	for text, want := range map[string]string{
		"protobuf": "protobuf", "": "", "a=1": "a=1", "ä": "ä",
		"=1+2": "'=1+2", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\n=1": "'\n=1", "\r=1": `\u000d=1`,
		"a\x1b[2J\u202e": `a\u001b[2J\u202e`,
	} {
		if got := csvText(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	var out strings.Builder
	if err := writeCSV(&out, [][]any{{"-a", number(-1.5), null, -2, result.Op("=x")}}); err != nil {
		t.Fatal(err)
	}
	if want := "'-a,-1.5,,-2,'=x\n"; out.String() != want {
		t.Errorf("%q, want %q", &out, want)
	}
}

func TestNumbers(t *testing.T) {
	join := func(text, unit string) string { return text + " " + unit }
	tests := []struct{ got, want string }{
		{BytesText(0), "0 B"},
		{BytesText(999), "999 B"},
		{BytesText(-65), "−65 B"},
		{BytesText(-123_456), "−123 kB"},
		{BytesText(65.5), "65.5 B"},
		{BytesText(1000), "1.00 kB"},
		{BytesText(11_250_000), "11.2 MB"},
		{CountText(60_012), "60012"},
		{figure(21_753_846_016).String(), "21753846016"},
		{figure(null).String(), ""},
		{CountText(0.125), "0.12"},
		{CountText(0.004), "0.00"},
		{CountText(39.004), "39"},
		{CountText(38.996), "39"},
		{CountText(39.02), "39.02"},
		{CountText(0), "0"},
		{join(change(analysis.Interval{Value: 0.916, Lo: 0.901, Hi: 0.931})), "−8.4% (−9.9…−6.9)"},
		{join(change(analysis.Interval{Value: 1.0004, Lo: 0.9, Hi: 1.1})), "0.0% (−10.0…+10.0)"},
		{join(change(analysis.Interval{Value: 1.5, Lo: 1.5, Hi: 1.5})), "+50.0% "},
		{join(change(analysis.Interval{Value: 3.05, Lo: 3.01, Hi: 3.091})), "×3.05 (3.01…3.09)"},
		{join(change(analysis.Interval{Value: math.Inf(1), Lo: math.Inf(1), Hi: math.Inf(1)})), "from 0 "},
		{join(change(analysis.Interval{Value: 0, Lo: 0, Hi: 0})), "to 0 "},
		{join(change(analysis.Interval{Value: 3.05, Lo: 0.01, Hi: 24159011.33})), "×3.05 (<0.30…>30.50)"},
		{join(change(analysis.Interval{Value: 1.5, Lo: 0.01, Hi: 24159011.33})), "+50.0% (<−85.0…>+1400.0)"},
		{money(-0.004) + " " + money(0.004) + " " + money(-1.5) + " " + money(2), "$0.00 $0.00 −$1.50 $2.00"},
		{grown(analysis.Interval{Value: 4096}) + " " + grown(analysis.Interval{Value: -512}), "+4.10 kB −512 B"},
		{ShareText(0.971), "97%"},
		{ShareText(0.0031), "0.3%"},
		{ShareText(0), "0%"},
		{plusMinus(analysis.Interval{Value: 100, Lo: 99, Hi: 100.5}), "±1.0%"},
		{plusMinus(analysis.Interval{Value: 100, Lo: 100, Hi: 100}), "±<0.1%"},
		{plusMinus(analysis.Interval{Value: 100, Lo: 60, Hi: 120}), "±40%"},
		{plusMinus(analysis.Interval{Value: 100, Lo: 60, Hi: 1099}), "±999%"},
		{plusMinus(analysis.Interval{Value: 100, Lo: 60, Hi: 24159011}), "±>999%"},
		{join(times(analysis.Interval{Value: 14.66, Lo: 14.5, Hi: 14.811})), "14.7× (14.5…14.8)"},
		{join(times(analysis.Interval{Value: 0.0352, Lo: 0.03, Hi: 0.04})), "0.0352× (0.0300…0.0400)"},
		{join(times(analysis.Interval{Value: 5.28, Lo: 0, Hi: 24159011.33})), "5.28× (<0.53…>52.80)"},
		{number(1.0 / 3).String(), "0.3333333333"},
		{number(12345678901).String(), "12345678900"},
		{null.String(), ""},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

// rival returns the rich run measured again: protobuf is 9% slower, mus is missing, and other
// versions are linked.
func rival() (*result.Run, []result.Record) {
	run, records := richRun()
	run.ID = "20260902-120000"
	run.Host.SentinelBest = 600_000
	run.Build.Modules = []result.Module{{Path: "github.com/example/msgp", Version: "v1.3.1"}, {Path: "google.golang.org/protobuf", Version: "v1.36.12"}}
	run.Plan.Cases = slices.DeleteFunc(run.Plan.Cases, func(c result.Case) bool { return c.Contender == "mus" })
	var kept []result.Record
	for _, r := range records {
		switch {
		case r.Launch != nil:
			r.Launch.Series = slices.DeleteFunc(r.Launch.Series, func(s result.Series) bool { return s.Contender == "mus" })
			for _, s := range r.Launch.Series {
				if s.Contender == "protobuf" {
					for i := range s.CPU {
						s.CPU[i], s.Wall[i] = s.CPU[i]*109/100, s.Wall[i]*109/100
					}
				}
			}
		case r.Count != nil && r.Count.Case.Contender == "mus":
			continue
		case r.Count != nil && r.Count.Case.Contender == "msgp" && r.Count.Case.Mode == "":
			r.Count.Allocs *= 2
		}
		kept = append(kept, r)
	}
	return run, kept
}

func TestRankFormats(t *testing.T) {
	for _, f := range RankFormats {
		var out, none strings.Builder
		if err := f.Write(&out, analysis.Rank(rich()), Options{}); err != nil {
			t.Fatal(err)
		}
		golden(t, "rank."+f.Name, out.String())
		run, records := richRun()
		empty := analysis.Of(run, records, analysis.View{Workload: analysis.Match{Include: regexp.MustCompile("none")}})
		if err := f.Write(&none, analysis.Rank(empty), Options{}); err != nil || (none.Len() > 0) != (f.Name == "json") {
			t.Errorf("%s of nothing: %q, %v", f.Name, none.String(), err)
		}
	}
}

func TestCompareFormats(t *testing.T) {
	runA, recordsA := richRun()
	runB, recordsB := rival()
	monday := &analysis.Side{Label: "monday", Run: runA, Records: recordsA}
	today := &analysis.Side{Label: "today", Run: runB, Records: recordsB}
	of := func(name string) *analysis.Side {
		return &analysis.Side{Label: name, Contender: name, Run: runA, Records: recordsA}
	}
	for name, sides := range map[string][2]*analysis.Side{
		"runs": {monday, today}, "contenders": {of("protobuf"), of("msgp")}, "nothing": {of("msgp"), of("mus")},
	} {
		view := analysis.View{}
		if name == "nothing" {
			view.Op.Include = regexp.MustCompile("decode")
		}
		c, err := analysis.Compare(sides[0], sides[1], view)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range CompareFormats {
			var out strings.Builder
			if err := f.Write(&out, c, Options{}); err != nil {
				t.Fatal(err)
			}
			if regexp.MustCompile(`NaN|Inf`).MatchString(out.String()) {
				t.Errorf("%s %s:\n%s", name, f.Name, out.String())
			}
			golden(t, "compare-"+name+"."+f.Name, out.String())
		}
	}
}
