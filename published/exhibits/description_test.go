package exhibits

import (
	"errors"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"assay/internal/tomldoc"
)

const valid = `name = "x"
title = "T"
source = "tick"
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

func TestParse(t *testing.T) {
	same := strings.Replace(valid, "at_least = -1.5, at_most = 2", "at_least = 2, at_most = 2", 1)
	if _, err := Parse("published/exhibits/x/exhibit.toml", []byte(same)); err != nil {
		t.Error(err)
	}
	got, err := Parse("published/exhibits/x/exhibit.toml", []byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	want := Description{
		Name: "x", Title: "T", Source: "tick", Claims: []string{"c"}, Published: "P", Corrected: "C", Text: "It is.",
		Expect: []Expect{
			{Metric: "time", Ratio: &Bound{3, math.Inf(1)}},
			{Metric: "elements", Published: &Bound{1, 1}, Corrected: &Bound{-1.5, 2}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("-want +got\n" + diff)
	}
}

// Every mistake must be reported with its place.
func TestMistakes(t *testing.T) {
	tests := []struct {
		text     string
		old, new string
		want     string
	}{
		{valid, `name = "x"`, `name = "y"`, `1:8: the name is "y", but the directory is "x"`},
		{valid, `at_least = 3`, `atleast = 3`, `10:11: unknown key "atleast"; did you mean "at_least"?`},
		{valid, "claims = [\"c\"]\n", "", `1:1: the key "claims" is missing`},
		{valid, "metric = \"time\"\n", "", `8:1: the key "metric" is missing`},
		{valid, `corrected = { at`, `corected = { at`, `14:1: unknown key "corected"; did you mean "corrected"?`},
		{valid, `{ at_least = 3 }`, `{ }`, `10:9: ratio has no bound`},
		{valid, `at_most = 2`, `at_most = -2`, `14:26: no number is at least -1.5 and at most -2`},
		{valid, `equals = 1`, `equals = 1, at_most = 2`, `13:24: equals stands alone`},
		{valid, `equals = 1`, `equals = nan`, `13:24: equals must be`},
		{valid, "ratio = { at_least = 3 }\n", "", `8:1: the expectation says nothing`},
		{valid[:strings.Index(valid, "[[")] + "expect = []\n", "", "", `8:10: expect must be a list with at least one`},
	}
	for _, test := range tests {
		text := strings.Replace(test.text, test.old, test.new, 1)
		if test.old != "" && text == test.text {
			t.Fatalf("%q is not in the text", test.old)
		}
		_, err := Parse("published/exhibits/x/exhibit.toml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), "exhibit.toml:") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q → %q: got %v, want %s", test.old, test.new, err, test.want)
		}
	}
}

// Load must join what is wrong in any file.
func TestLoad(t *testing.T) {
	tree := fstest.MapFS{"published/exhibits/x/exhibit.toml": {Data: []byte(valid)}}
	list, err := Load(tree)
	if err != nil || len(list) != 1 {
		t.Fatal(len(list), err)
	}
	tree["published/exhibits/a/exhibit.toml"] = &fstest.MapFile{Data: []byte("name = ")}
	tree["published/exhibits/b/exhibit.toml"] = &fstest.MapFile{Data: []byte("nmae = 1")}
	_, err = Load(tree)
	for _, want := range []string{"published/exhibits/a/exhibit.toml:1:", `published/exhibits/b/exhibit.toml:1:1: unknown key "nmae"; did you mean "name"?`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
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

// FuzzParse checks that Parse accepts any bytes, and that errors have a place.
func FuzzParse(f *testing.F) {
	f.Add([]byte(valid))
	f.Add([]byte("[[expect]]\nratio = {equals = inf}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var e *tomldoc.Error
		if _, err := Parse("published/exhibits/x/exhibit.toml", data); err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Col < 1) {
			t.Fatalf("no place: %v", err)
		}
	})
}
