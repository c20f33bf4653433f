package seeds

import (
	"errors"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"assay/internal/analysis"
	"assay/internal/tomldoc"
	"assay/result"
)

const seed = `id = "tick"
title = "T"
source = "S"
with = "not stated"
method = "M"
text = """
It is
wrapped."""

[[table]]
id = "speed"
title = "Time"
chart = "time"
[[table.row]]
label = "A"
library = "L"
benchmark = "encode/payload=published/protobuf"
case = { size = "payload=published", contender = "protobuf", mode = "output=reuse", op = "encode" }
iterations = 10
time = 91.49
allocs = 0
note = "n"
[[table.row]]
label = "B"
library = "L"
case = { size = "payload=published", contender = "protobuf", op = "scan" }
blank = true
`

const exhibit = `name = "x"
title = "T"
seed = "tick"
claims = ["c"]
published = "P"
corrected = "C"
text = "It is."
[[expect]]
metric = "time"
ratio = { at_least = 3 }
[[expect]]
metric = "elements"
published = { equals = 1 }
corrected = { at_least = -1.5, at_most = 2 }
`

func TestParseSeed(t *testing.T) {
	got, err := ParseSeed("published/seeds/tick/seed.toml", []byte(seed))
	if err != nil {
		t.Fatal(err)
	}
	c := result.Case{Workload: "tick", Size: "payload=published", Contender: "protobuf", Mode: "output=reuse", Op: "encode"}
	scan := c
	scan.Mode, scan.Op = "", "scan"
	want := Seed{
		ID: "tick", Title: "T", Source: "S", With: "not stated", Method: "M", Text: "It is wrapped.",
		Tables: []Table{{ID: "speed", Title: "Time", Chart: "time", Rows: []Row{
			{Label: "A", Library: "L", Benchmark: "encode/payload=published/protobuf", Case: c, Iterations: 10,
				Figures: map[string]float64{"time": 91.49, "allocs": 0}, Note: "n"},
			{Label: "B", Library: "L", Case: scan, Blank: true},
		}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("-want +got\n" + diff)
	}
	if got.Tables[0].Blank() {
		t.Error("a table with a published row is not blank")
	}
}

func TestParseExhibit(t *testing.T) {
	got, err := ParseExhibit("published/exhibits/x/exhibit.toml", []byte(exhibit))
	if err != nil {
		t.Fatal(err)
	}
	want := Exhibit{
		Name: "x", Title: "T", Seed: "tick", Claims: []string{"c"}, Published: "P", Corrected: "C", Text: "It is.",
		Expect: []Expect{
			{Metric: "time", Ratio: &Bound{3, math.Inf(1)}},
			{Metric: "elements", Published: &Bound{1, 1}, Corrected: &Bound{-1.5, 2}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("-want +got\n" + diff)
	}
}

// Every mistake is said with its place.
func TestMistakes(t *testing.T) {
	seedErr := func(data string) error {
		_, err := ParseSeed("published/seeds/tick/seed.toml", []byte(data))
		return err
	}
	exhibitErr := func(data string) error {
		_, err := ParseExhibit("published/exhibits/x/exhibit.toml", []byte(data))
		return err
	}
	tests := []struct {
		parse    func(string) error
		text     string
		old, new string
		want     string
	}{
		{seedErr, seed, `id = "tick"`, `id = "tock"`, `1:6: the id is "tock", but the directory is "tick"`},
		{seedErr, seed, "source", "sauce", `unknown key "sauce"; did you mean "source"?`},
		{seedErr, seed, "library = \"L\"\nbench", "libary = \"L\"\nbench", `16:1: unknown key "libary"; did you mean "library"?`},
		{seedErr, seed, `op = "scan"`, `op = "scam"`, `26:67: there is no op "scam"; did you mean "scan"?`},
		{seedErr, seed, `chart = "time"`, `chart = "tim"`, `13:9: there is no metric "tim"; did you mean "time"?`},
		{seedErr, seed, "allocs = 0", "allocs = 1.5", `21:10: allocs must be an integer`},
		{seedErr, seed, "allocs = 0", "allocs = -1", `21:10: allocs must be from 0 to`},
		{seedErr, seed, "time = 91.49", "time = 0", `20:8: time must be more than 0 ns`},
		{seedErr, seed, "iterations = 10", "iterations = 0", `19:14: iterations must be from 1 to`},
		{seedErr, seed, `blank = true`, "blank = true\ntime = 1", `27:9: a blank row has no figures`},
		{seedErr, seed, `blank = true`, "", `23:1: the row has no figure: give one of time,`},
		{seedErr, seed, `label = "B"`, `label = "A"`, `24:9: there is a row "A" of "L" already`},
		{seedErr, seed, `encode/payload=published/protobuf`, `decode/payload=published/protobuf`, `17:13: benchmark must be encode/payload=published/<library>`},
		{seedErr, seed, `encode/payload=published/protobuf`, `encode/payload=published/`, `17:13: benchmark must be`},
		{seedErr, seed, `title = "Time"`, `title = " "`, `12:9: title must be some text`},
		{seedErr, seed, `case = { size = "payload=published", contender = "protobuf", op`, `case = { contender = "protobuf", op`, `the key "size" is missing`},
		{seedErr, seed + "[[table]]\nid = \"speed\"\ntitle = \"T\"\nrow = []\n", "", "", `there is a table "speed" already`},
		{exhibitErr, exhibit, `name = "x"`, `name = "y"`, `1:8: the name is "y", but the directory is "x"`},
		{exhibitErr, exhibit, `at_least = 3`, `atleast = 3`, `10:11: unknown key "atleast"; did you mean "at_least"?`},
		{exhibitErr, exhibit, `{ at_least = 3 }`, `{ }`, `10:9: ratio has no bound`},
		{exhibitErr, exhibit, `at_most = 2`, `at_most = -2`, `14:26: no number is at least -1.5 and at most -2`},
		{exhibitErr, exhibit, `equals = 1`, `equals = 1, at_most = 2`, `13:24: equals stands alone`},
		{exhibitErr, exhibit, `equals = 1`, `equals = nan`, `13:24: equals must be`},
		{exhibitErr, exhibit, "ratio = { at_least = 3 }\n", "", `8:1: the expectation says nothing`},
		{exhibitErr, exhibit[:strings.Index(exhibit, "[[")] + "expect = []\n", "", "", `8:10: expect must be a list with at least one`},
	}
	for _, test := range tests {
		text := strings.Replace(test.text, test.old, test.new, 1)
		if test.old != "" && text == test.text {
			t.Fatalf("%q is not in the text", test.old)
		}
		err := test.parse(text)
		if err == nil || !strings.Contains(err.Error(), ".toml:") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q → %q: got %v, want %s", test.old, test.new, err, test.want)
		}
	}
}

// Load joins what is wrong in any file.
func TestLoad(t *testing.T) {
	tree := fstest.MapFS{
		"published/seeds/tick/seed.toml":    {Data: []byte(seed)},
		"published/exhibits/x/exhibit.toml": {Data: []byte(exhibit)},
	}
	s, e, err := Load(tree)
	if err != nil || len(s) != 1 || len(e) != 1 {
		t.Fatal(len(s), len(e), err)
	}
	tree["published/seeds/a/seed.toml"] = &fstest.MapFile{Data: []byte("id = ")}
	tree["published/exhibits/b/exhibit.toml"] = &fstest.MapFile{Data: []byte("nmae = 1")}
	_, _, err = Load(tree)
	for _, want := range []string{"published/seeds/a/seed.toml:1:", `published/exhibits/b/exhibit.toml:1:1: unknown key "nmae"; did you mean "name"?`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestMetricNames(t *testing.T) {
	known := []string{analysis.Time, analysis.AllocBytes, analysis.Allocs, analysis.EncodedSize}
	if diff := cmp.Diff(known, Metrics); diff != "" {
		t.Error(diff)
	}
}

func TestBound(t *testing.T) {
	for _, test := range []struct {
		b    Bound
		in   []float64
		out  []float64
		text string
	}{
		{Bound{3, math.Inf(1)}, []float64{3, 1e9}, []float64{2.9, math.NaN()}, "at least 3"},
		{Bound{math.Inf(-1), 0.5}, []float64{-1, 0.5}, []float64{0.6}, "at most 0.5"},
		{Bound{1, 1}, []float64{1}, []float64{0.99, 1.01}, "1"},
		{Bound{1, 2}, []float64{1, 2}, []float64{0, 3}, "from 1 to 2"},
	} {
		for _, v := range test.in {
			if !test.b.Allows(v) {
				t.Errorf("%v does not allow %v", test.b, v)
			}
		}
		for _, v := range test.out {
			if test.b.Allows(v) {
				t.Errorf("%v allows %v", test.b, v)
			}
		}
		if got := test.b.String(); got != test.text {
			t.Errorf("String() = %q, want %q", got, test.text)
		}
	}
}

// FuzzParse checks that any bytes are taken, and that errors have a place.
func FuzzParse(f *testing.F) {
	f.Add([]byte(seed))
	f.Add([]byte(exhibit))
	f.Add([]byte("[[table]]\n[[table.row]]\ncase = 1\n[[expect]]\nratio = {equals = inf}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := ParseSeed("published/seeds/tick/seed.toml", data)
		_, err2 := ParseExhibit("published/exhibits/x/exhibit.toml", data)
		for _, err := range []error{err, err2} {
			var e *tomldoc.Error
			if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Col < 1) {
				t.Fatalf("no place: %v", err)
			}
		}
	})
}
