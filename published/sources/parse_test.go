package sources

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"assay/internal/analysis"
	"assay/internal/tomldoc"
	"assay/result"
)

const valid = `id = "tick"
title = "T"
where = "S"
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

func TestParse(t *testing.T) {
	got, err := Parse("published/sources/tick/source.toml", []byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	c := result.Case{Workload: "tick", Size: "payload=published", Contender: "protobuf", Mode: "output=reuse", Op: "encode"}
	scan := c
	scan.Mode, scan.Op = "", "scan"
	want := Source{
		ID: "tick", Title: "T", Where: "S", With: "not stated", Method: "M", Text: "It is wrapped.",
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
	if blank := (Table{Rows: got.Tables[0].Rows[1:]}); !blank.Blank() {
		t.Error("a table without a published row is blank")
	}
	short := strings.Replace(valid, "time = 91.49", "time = 0.5", 1)
	if got, err := Parse("published/sources/tick/source.toml", []byte(short)); err != nil || got.Tables[0].Rows[0].Figures["time"] != 0.5 {
		t.Errorf("half a nanosecond: %+v, %v", got, err)
	}
}

// Every mistake must be reported with its place.
func TestMistakes(t *testing.T) {
	tests := []struct {
		text     string
		old, new string
		want     string
	}{
		{valid, `id = "tick"`, `id = "tock"`, `1:6: the id is "tock", but the directory is "tick"`},
		{valid, "where", "were", `unknown key "were"; did you mean "where"?`},
		{valid, "library = \"L\"\nbench", "libary = \"L\"\nbench", `16:1: unknown key "libary"; did you mean "library"?`},
		{valid, `op = "scan"`, `op = "scam"`, `26:67: there is no op "scam"; did you mean "scan"?`},
		{valid, `chart = "time"`, `chart = "tim"`, `13:9: there is no metric "tim"; did you mean "time"?`},
		{valid, "allocs = 0", "allocs = 1.5", `21:10: allocs must be an integer`},
		{valid, "allocs = 0", "allocs = -1", `21:10: allocs must be from 0 to`},
		{valid, "time = 91.49", "time = 0", `20:8: time must be more than 0 ns`},
		{valid, "iterations = 10", "iterations = 0", `19:14: iterations must be from 1 to`},
		{valid, `blank = true`, "blank = true\ntime = 1", `27:9: a blank row has no figures`},
		{valid, `blank = true`, "", `23:1: the row has no figure: give one of time,`},
		{valid, `label = "B"`, `label = "A"`, `24:9: there is a row "A" of "L" already`},
		{valid, `encode/payload=published/protobuf`, `decode/payload=published/protobuf`, `17:13: benchmark must be encode/payload=published/<library>`},
		{valid, `encode/payload=published/protobuf`, `encode/payload=published/`, `17:13: benchmark must be`},
		{valid, "title = \"Time\"\n", "", `10:1: the key "title" is missing`},
		{valid, "label = \"B\"\n", "", `23:1: the key "label" is missing`},
		{valid, `title = "Time"`, `title = " "`, `12:9: title must be some text`},
		{valid, `case = { size = "payload=published", contender = "protobuf", op`, `case = { contender = "protobuf", op`, `the key "size" is missing`},
		{valid + "[[table]]\nid = \"speed\"\ntitle = \"T\"\nrow = []\n", "", "", `there is a table "speed" already`},
	}
	for _, test := range tests {
		text := strings.Replace(test.text, test.old, test.new, 1)
		if test.old != "" && text == test.text {
			t.Fatalf("%q is not in the text", test.old)
		}
		_, err := Parse("published/sources/tick/source.toml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), "source.toml:") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q → %q: got %v, want %s", test.old, test.new, err, test.want)
		}
	}
}

// Load must join what is wrong in any file.
func TestLoad(t *testing.T) {
	tree := fstest.MapFS{"published/sources/tick/source.toml": {Data: []byte(valid)}}
	list, err := Load(tree)
	if err != nil || len(list) != 1 {
		t.Fatal(len(list), err)
	}
	tree["published/sources/a/source.toml"] = &fstest.MapFile{Data: []byte("id = ")}
	tree["published/sources/b/source.toml"] = &fstest.MapFile{Data: []byte("tilte = 1")}
	_, err = Load(tree)
	for _, want := range []string{"published/sources/a/source.toml:1:", `published/sources/b/source.toml:1:1: unknown key "tilte"; did you mean "title"?`} {
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

// FuzzParse checks that Parse accepts any bytes, and that errors have a place.
func FuzzParse(f *testing.F) {
	f.Add([]byte(valid))
	f.Add([]byte("[[table]]\n[[table.row]]\ncase = 1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var e *tomldoc.Error
		if _, err := Parse("published/sources/tick/source.toml", data); err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Col < 1) {
			t.Fatalf("no place: %v", err)
		}
	})
}
