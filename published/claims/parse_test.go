package claims

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/tomldoc"
	"assay/result"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(readFile(t, name)), got); diff != "" {
		t.Errorf("%s (-file +got):\n%s", name, diff)
	}
}

func good(t *testing.T) *Ledger {
	t.Helper()
	l, err := Parse("good.toml", readFile(t, "testdata/good.toml"))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestParse(t *testing.T) {
	l := good(t)
	if len(l.Sources) != 2 || len(l.Claims) != 8 {
		t.Fatalf("%d sources, %d claims", len(l.Sources), len(l.Claims))
	}
	var b strings.Builder
	for _, c := range l.Claims {
		b.WriteString(c.ID + ": " + c.Stated() + "\n")
		for _, one := range c.Conditions {
			b.WriteString("  " + one.String() + "\n")
			for _, term := range one.Terms {
				b.WriteString("   ")
				for _, x := range term.cases(c.Workload) {
					b.WriteString(" " + x.String())
				}
				b.WriteString("\n")
			}
		}
	}
	golden(t, "good.conditions", b.String())

	c := l.Claim("design-three-times")
	if c.Line != 11 || c.File != "good.toml" || c.At == nil || c.At.Size != "level=1" || c.At.Also != "" || c.Expect != Holds {
		t.Errorf("%+v", c)
	}
	if got := c.PublishedText(); got != "3 times" {
		t.Errorf("published %q", got)
	}
	if got := l.Claim("open").PublishedText(); got != "2.25 to 2.49 ns" {
		t.Errorf("published %q", got)
	}
	if part := l.Of("design"); len(part.Sources) != 1 || len(part.Claims) != 2 {
		t.Errorf("of one source: %+v", part)
	}
}

func TestNeeds(t *testing.T) {
	needs := good(t).Needs(false)
	convert := result.Case{Workload: "customer", Size: "level=1", Contender: "protobuf", Op: result.Convert}
	seen := map[result.Case]bool{}
	for _, n := range needs {
		if seen[n.Case] {
			t.Errorf("%s is there twice", n.Case)
		}
		seen[n.Case] = true
		if n.Case.Workload == "movie" && !cmp.Equal(n.Metrics, []string{"encoded-size"}) {
			t.Errorf("%s: metrics %v", n.Case, n.Metrics)
		}
	}
	if !seen[convert] {
		t.Errorf("%s is not there", convert)
	}
}

// TestNeedsFloor checks that a claim on the time over the floor's needs the floor's case that the
// metric names: of decode into the input's own bytes it is the walk over the value.
func TestNeedsFloor(t *testing.T) {
	for of, want := range map[string][]result.Op{
		"ops = [\"encode\"]\nof = \"vtprotobuf\"\n":                                                       nil, // a copy of its own bytes
		"ops = [\"decode\"]\nof = \"vtprotobuf\"\n":                                                       {result.Decode},
		"ops = [\"decode\"]\nof = { contender = \"vtprotobuf\", mode = \"strings=alias\" }\n":             {result.Scan},
		"ops = [\"decode\"]\nof = { contender = \"easyproto\", mode = \"target=reuse,strings=alias\" }\n": {result.Scan},
		"ops = [\"open\", \"scan\"]\nof = \"flatbuffers\"\n":                                              {result.Open, result.Scan},
	} {
		var got []result.Op
		for _, n := range ledgerOf(t, "sizes = [\"level=1\"]\nmetric = \"floor-ratio\"\npredicate = \"exact\"\nat_least = 1\n"+of).Needs(false) {
			if n.Case.Contender == analysis.Floor {
				got = append(got, n.Case.Op)
				if n.Case.Mode != "" || !cmp.Equal(n.Metrics, []string{analysis.Time}) {
					t.Errorf("%s: %+v", of, n)
				}
			}
		}
		if !cmp.Equal(got, want) {
			t.Errorf("%s: needs the floor's %v, want %v", of, got, want)
		}
	}
}

func TestBad(t *testing.T) {
	_, err := Parse("claims.toml", readFile(t, "testdata/bad/claims.toml"))
	if err == nil {
		t.Fatal("no error")
	}
	golden(t, "bad/claims.errors", err.Error()+"\n")
}

func TestEmpty(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "f:1:1: there are no claims here: each begins with [[claim]]",
		"[[claim]":                "f:1:8: expected",
		"claim = 3":               "f:1:9: claim must be a list",
		"[[claim]]\nsource=\"a\"": "there are no sources here",
	} {
		if _, err := Parse("f", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// FuzzParse checks that Parse accepts any bytes, that errors lie within the text, and that parsed
// claims can be planned and stated.
func FuzzParse(f *testing.F) {
	f.Add(readFile(f, "testdata/good.toml"))
	f.Add(readFile(f, "testdata/bad/claims.toml"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Parse("f", data)
		if err != nil {
			var e *tomldoc.Error
			if !errors.As(err, &e) || e.Line < 1 || e.Line > 1+bytes.Count(data, []byte("\n")) || e.Col < 1 {
				t.Fatalf("no place in the text: %v", err)
			}
			return
		}
		l.Needs(true)
		for _, c := range l.Claims {
			measured := c.Untested == "" && c.Predicate != "" // a settled claim needs no predicate
			if measured && (len(c.Conditions) == 0 || c.Stated() == "") {
				t.Fatalf("%s has no conditions or says nothing", c.ID)
			}
		}
	})
}

// Bounds have the figures that were written, and computed ones with five digits.
func TestBound(t *testing.T) {
	for _, test := range []struct {
		v          float64
		unit, want string
	}{
		{123456, "B", "123456 B"}, {20017, "1", "20017"}, {2573252, Times, "2573252"}, {1.00001, Times, "1.00001"},
		{1 / 1.1, Times, "0.90909"}, {56 * 1.1, Times, "61.6"}, {2e6, "ns", "2.00 ms"}, {110.00000000000001, "B", "110 B"},
	} {
		if got := bound(test.v, test.unit); got != test.want {
			t.Errorf("%v in %s is %q, want %q", test.v, test.unit, got, test.want)
		}
	}
}

// A claim's words must agree with its published figure.
func TestContradiction(t *testing.T) {
	claim := func(published, says string) string {
		text := string(readFile(t, "testdata/good.toml"))
		from := strings.Index(text, "[[claim]]")
		to := from + strings.Index(text[from+1:], "[[claim]]")
		one := regexp.MustCompile(`(?m)^published = .*`).ReplaceAllLiteralString(text[from:to], "published = "+published)
		return text[:from] + regexp.MustCompile(`(?m)^at_least = .*`).ReplaceAllLiteralString(one, "says = "+strconv.Quote(says))
	}
	for _, test := range []struct {
		published, says string
		good            bool
	}{
		{"3", "3 times", true}, {"3", "about 3 times", true}, {"2", "3 times", false}, {"2.9", "about 3 times", true}, {"9", "about 3 times", false},
		{"[2, 3]", "2 to 3", true}, {"[2, 9]", "2 to 3", false}, {"0.6", "more than 40% less", true}, {"0.7", "more than 40% less", false}, {"0.5", "more", false},
	} {
		_, err := Parse("f.toml", []byte(claim(test.published, test.says)))
		if said := err != nil && strings.Contains(err.Error(), "the claim's words are of its own figure"); said == test.good {
			t.Errorf("published %s, says %q: %v", test.published, test.says, err)
		}
	}
}

// TestStatedPerItem checks that a claim on figures of one item says so, because its figures look like
// those of a whole value.
func TestStatedPerItem(t *testing.T) {
	const keys = "workload = \"chain\"\nsizes = [\"txs=100\", \"txs=5000\"]\nops = [\"encode\"]\nof = \"encoding/gob\"\n"
	for more, want := range map[string]string{
		"predicate = \"exact\"\nsays = \"about 300\"\n":                           "about 300 ns (80.0 ns to 1.12 µs)",
		"predicate = \"exact\"\nat_least = 300\nbelow = 900\n":                    "at least 300 ns and less than 900 ns",
		"predicate = \"exact\"\nmetric = \"allocs\"\npublished = 3\n":             "exactly 3",
		"predicate = \"grows\"\nsays = \"more\"\n":                                "more (more than 1)",
		"predicate = \"constant\"\nsays = \"the same\"\n":                         "the same (within 10%)",
		"predicate = \"constant\"\nmetric = \"encoded-size\"\ntolerance = 0.01\n": "the same within 1.0%",
	} {
		for item, words := range map[string]string{"": want, "per_item = true\n": want + " per item"} {
			if got := ledgerOf(t, keys+more+item).Claims[0].Stated(); got != words {
				t.Errorf("%s%s: %q, want %q", more, item, got, words)
			}
		}
	}
}

// errorsOf returns what is wrong with a claim of movie with the given keys, whose first line is line 9.
func errorsOf(keys string) string {
	_, err := Parse("f", []byte("[[source]]\nid = \"s\"\ntitle = \"t\"\n[[claim]]\nid = \"c\"\nsource = \"s\"\nstatement = \"x\"\nworkload = \"movie\"\n"+keys))
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestOneMistake checks that a value that cannot be read is one mistake, and does not lead to others.
func TestOneMistake(t *testing.T) {
	const ratio = "ops = [\"encode\"]\npredicate = \"ratio\"\nof = \"protobuf\"\nto = \"encoding/json\"\n"
	for keys, want := range map[string]string{
		"at_least = \"x\"\nat_most = 2\n":      "f:13:12: at_least must be a number",
		"at_least = 3\nbelow = \"y\"\n":        "f:14:9: below must be a number",
		"at_least = 3\nat_most = 1e30\n":       "f:14:11: at_most must be from 0 to 1e+18",
		"above = -1\n":                         "f:13:9: above must be from 0 to 1e+18",
		"published = \"3\"\nsays = \"more\"\n": "f:13:13: published must be a number",
		"published = -1\nsays = \"more\"\n":    "f:13:13: published must be from 0 to 1e+18",
		"says = 3\n":                           "f:13:8: says must be a string",
		"says = \" \"\n":                       "f:13:8: says must be some text, not an empty string",
		"says = \"10 to 5\"\n":                 "f:13:8: says goes from 10 to 5: the less comes first",
		"at_least = 0\n":                       "",
		"published = 0\nbelow = 0.5\n":         "",
	} {
		if got := errorsOf(ratio + keys); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", keys, got, want)
		}
	}
}

// TestLists checks that every element of a list is read or refused.
func TestLists(t *testing.T) {
	const rest = "predicate = \"order\"\norder = [\"protobuf\", \"encoding/json\"]\n"
	for keys, want := range map[string]string{
		"ops = [\"encode\", 3]\n" + rest:                                                    "f:9:18: an element of ops must be a string",
		"ops = [\"encode\", \"encode\"]\n" + rest:                                           `f:9:18: the op "encode" is there twice`,
		"ops = [\"encode\"]\nsizes = [\"record=one\", 3]\n" + rest:                          "f:10:24: an element of sizes must be a string",
		"ops = [\"encode\"]\nsizes = [\"record=one\", \"record=one\"]\n" + rest:             `f:10:24: the size "record=one" is there twice`,
		"ops = [\"encode\"]\npredicate = \"order\"\norder = [\"protobuf\", 3]\n":            "f:11:22: order must be the name of a contender, or { contender = … }",
		"ops = [\"encode\"]\npredicate = \"order\"\norder = [\"protobuf\"]\n":               "f:11:9: order must be a list of at least two cases",
		"ops = [\"encode\"]\npredicate = \"order\"\norder = [\"protobuf\", \"protobuf\"]\n": "f:11:22: protobuf is there twice",
		"ops = [\"encode\"]\nexhibits = [\"xmlslice\", 3]\n" + rest:                         "f:10:25: an element of exhibits must be a string",
		"ops = [\"encode\"]\npublished = [1, \"2\"]\nunit = \"times\"\n" + rest:             "f:10:13: published must be a number, or a list of two, the less one first",
		"ops = [\"encode\"]\npublished = [1, 2, 3]\n" + rest:                                "f:10:13: published must be a number, or a list of two, the less one first",
	} {
		if got := errorsOf(keys); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", keys, got, want)
		}
	}
}

// TestCasesMissing checks that a claim must have the cases of its predicate, and no others.
func TestCasesMissing(t *testing.T) {
	for keys, want := range map[string]string{
		"predicate = \"ratio\"\nof = \"protobuf\"\nsays = \"more\"\n":          `f:4:1: the key "to" is missing`,
		"predicate = \"ratio\"\nto = \"protobuf\"\nsays = \"more\"\n":          `f:4:1: the key "of" is missing`,
		"predicate = \"order\"\n":                                              `f:4:1: the key "order" is missing`,
		"predicate = \"exact\"\nat_least = 1\n":                                `f:4:1: the key "of" is missing`,
		"predicate = \"exact\"\nat_least = 1\nof = \"protobuf\"\nto = \"a\"\n": "predicate exact has no to; it is about of",
	} {
		if got := errorsOf("ops = [\"encode\"]\n" + keys); !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", keys, got, want)
		}
	}
}

// TestConstantWords checks that a claim that a figure is constant says no more than that.
func TestConstantWords(t *testing.T) {
	const keys = "ops = [\"encode\"]\npredicate = \"constant\"\nof = \"protobuf\"\nmetric = \"encoded-size\"\nsays = "
	const want = "predicate constant says \"the same\" or \"about the same\""
	for _, says := range []string{"more", "2 times", "at most 3"} {
		if got := errorsOf(keys + strconv.Quote(says) + "\n"); !strings.Contains(got, want) {
			t.Errorf("%s: %s", says, got)
		}
	}
}

// TestOfWholes checks that a claim on a metric of whole values is of cases in their mode, and that a
// case in their mode has such a metric.
func TestOfWholes(t *testing.T) {
	const (
		exact = "predicate = \"exact\"\nat_least = 1\n"
		whole = "of = { contender = \"protobuf\", mode = \"session=whole\" }\n"
		names = "stream-time, stream-cpu, stream-peak, stream-alloc-bytes, stream-pause, stream-delay"
	)
	for keys, want := range map[string]string{
		whole + "ops = [\"decode\"]\nmetric = \"stream-pause\"\n":            "",
		"of = \"protobuf\"\nops = [\"decode\"]\nmetric = \"stream-pause\"\n": `f:11:6: stream-pause is of whole values: write { contender = "protobuf", mode = "session=whole" }`,
		whole + "ops = [\"decode\"]\n":                                       "f:11:39: whole values have no time: name a metric of theirs, one of " + names,
		whole + "ops = [\"decode\"]\nmetric = \"allocs\"\n":                  "f:11:39: whole values have no allocs: name a metric of theirs, one of " + names,
		whole + "ops = [\"decode\"]\nmetric = \"stream-gc-share\"\n":         "f:13:10: no claim can rest on stream-gc-share: of streams and whole values it can rest on " + names,
	} {
		if got := errorsOf(exact + keys); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", keys, got, want)
		}
	}
}

// TestMeansOfWholes checks that claims can rest on just the metrics of which whole values have a mean
// with an interval.
func TestMeansOfWholes(t *testing.T) {
	c := result.Case{Workload: "customer", Size: "level=1", Contender: "protobuf", Mode: contender.WholeMode, Op: result.Encode}
	var records []result.Record
	for range 3 {
		records = append(records, result.Record{Stream: &result.Stream{
			Case: c, Messages: 1, Items: 1, Bytes: 1, Wall: 1, CPU: 1, Peak: 1, AllocBytes: 1, Allocs: 1, Cycles: 1, PauseMax: 1, Pause99: 1, Late: 1, Minor: 1, Major: 1, Sum: "0",
		}})
	}
	results := wholeResults([]result.Case{c}, records)
	for _, metric := range analysis.StreamMetrics() {
		if _, _, ok := results.WholeMean(c, metric); ok != slices.Contains(ofWholes, metric) {
			t.Errorf("%s has a mean over processes: %v", metric, ok)
		}
	}
}

// TestUnmetered checks that a claim on a figure that no run can have is refused.
func TestUnmetered(t *testing.T) {
	const on = "only encode and decode are measured with the collector on"
	for _, test := range []struct{ op, of, metric, want string }{
		{"convert", "protobuf", "encoded-size", "op convert has no encoded-size: it writes no bytes"},
		{"convert", "protobuf", "floor-ratio", "op convert has no floor-ratio: it has no floor"},
		{"open", "flatbuffers", "cpu-time", "op open has no cpu-time: " + on},
		{"scan", "flatbuffers", "cpu-time-live64", "op scan has no cpu-time-live64: " + on},
		{"convert", "protobuf", "gc-share", "op convert has no gc-share: " + on},
		{"scan", "flatbuffers", "live-heap", "op scan has no live-heap; it is a metric of decode"},
		{"convert", "protobuf", "cpu-time", ""}, // of whole values
		{"round-trip", "protobuf", "cpu-time-live64", ""},
		{"open", "flatbuffers", "floor-ratio", ""},
		{"open", "flatbuffers", "encoded-size", ""},
	} {
		got := errorsOf("predicate = \"exact\"\nat_least = 1\nof = \"" + test.of + "\"\nmetric = \"" + test.metric + "\"\nops = [\"" + test.op + "\"]\n")
		if strings.TrimPrefix(got, "f:13:8: ") != test.want {
			t.Errorf("%s of %s: %q, want %q", test.metric, test.op, got, test.want)
		}
	}
}

// TestBoundsTogether checks that a claim may have a lower and an upper bound, unless no figure is
// within both.
func TestBoundsTogether(t *testing.T) {
	for bounds, possible := range map[string]bool{
		"at_least = 2\nat_most = 2\n": true, "at_least = 2\nbelow = 3\n": true, "above = 2\nat_most = 3\n": true, "above = 2\nbelow = 3\n": true,
		"at_least = 3\nat_most = 2\n": false, "at_least = 2\nbelow = 2\n": false, "above = 2\nat_most = 2\n": false, "above = 3\nbelow = 2\n": false,
	} {
		got := errorsOf("ops = [\"encode\"]\npredicate = \"ratio\"\nof = \"protobuf\"\nto = \"encoding/json\"\n" + bounds)
		if (got == "") != possible || got != "" && !strings.HasSuffix(got, ": nothing can be both") {
			t.Errorf("%s: %s", bounds, got)
		}
	}
}
