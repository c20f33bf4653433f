package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/internal/analysis"
	"assay/result"
)

// A lab makes results: times of subjects in cells of workload customer.
type lab struct {
	run     *result.Run
	records []result.Record
}

func newLab() *lab {
	return &lab{run: &result.Run{ID: "r1", Finished: time.Unix(1, 0), Plan: result.Plan{Reference: "encoding/json"}}}
}

// time adds launches of a cell with the given times in ns per operation. It multiplies the times of
// every second subject by 1 + wobble and 1 - wobble in turn, from layout to layout, so that ratios
// are uncertain by as much.
func (l *lab) time(size string, op result.Op, wobble float64, layouts int, times map[result.Subject]float64) {
	cell := result.Cell{Workload: "customer", Size: size, Op: op}
	order := []result.Subject{}
	for _, name := range []string{"encoding/json", "protobuf", "gogo/protobuf", "flatbuffers", "encoding/gob"} {
		for _, mode := range []string{"", "output=reuse"} {
			if s := (result.Subject{Contender: name, Mode: mode}); times[s] > 0 {
				order = append(order, s)
				l.run.Plan.Cases = append(l.run.Plan.Cases, cell.Case(s))
			}
		}
	}
	for layout := range layouts {
		launch := &result.Launch{Cell: cell, Layout: uint64(layout + 1), Index: layout}
		for i, s := range order {
			ns := times[s]
			if i%2 == 1 {
				ns *= 1 + wobble*float64(1-2*(layout%2))
			}
			series := result.Series{Subject: s, N: 1000}
			for round := range 20 {
				series.Round = append(series.Round, round)
				series.Wall = append(series.Wall, int64(1000*ns))
				series.CPU = append(series.CPU, int64(1000*ns))
			}
			launch.Series = append(launch.Series, series)
		}
		l.records = append(l.records, result.Record{Launch: launch})
	}
}

// count adds a count of one message.
func (l *lab) count(size string, op result.Op, name string, allocs uint64, encoded int64) {
	c := result.Case{Workload: "customer", Size: size, Contender: name, Op: op}
	l.run.Plan.Cases = append(l.run.Plan.Cases, c)
	l.records = append(l.records, result.Record{Count: &result.Count{Case: c, Ops: 1, Bytes: 8 * allocs, Allocs: allocs, Messages: 1, Encoded: encoded}})
}

func (l *lab) outcome(size string, op result.Op, name string, status result.Status, reason string) {
	c := result.Case{Workload: "customer", Size: size, Contender: name, Op: op}
	l.run.Plan.Cases = append(l.run.Plan.Cases, c)
	l.records = append(l.records, result.Record{Outcome: &result.Outcome{Case: c, Status: status, Reason: reason}})
}

func of(name string) result.Subject { return result.Subject{Contender: name} }

// ledgerOf returns a ledger of one claim with the given keys besides the usual ones.
func ledgerOf(t *testing.T, keys string) *Ledger {
	t.Helper()
	text := "[[source]]\nid = \"s\"\ntitle = \"t\"\n[[claim]]\nid = \"c\"\nsource = \"s\"\nstatement = \"x\"\n" + keys
	if !strings.Contains(keys, "workload") {
		text = strings.Replace(text, "id = \"c\"\n", "id = \"c\"\nworkload = \"customer\"\n", 1)
	}
	if strings.Contains(keys, "benchmarks") { // which only a published source has
		text = strings.ReplaceAll(text, "\"s\"", "\"customer\"")
	}
	ledger, err := Parse("f", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return ledger
}

// rule rules on the claim of ledgerOf.
func (l *lab) rule(t *testing.T, keys string) Ruling {
	t.Helper()
	return Rule(ledgerOf(t, keys), analysis.Of(l.run, l.records, analysis.View{}))[0]
}

func standard() *lab {
	l := newLab()
	l.time("level=1", result.Encode, 0, 8, map[result.Subject]float64{
		of("encoding/json"): 300, of("protobuf"): 100, of("gogo/protobuf"): 101, of("flatbuffers"): 40,
		{Contender: "flatbuffers", Mode: "output=reuse"}: 20,
	})
	l.time("level=2", result.Encode, 0, 8, map[result.Subject]float64{
		of("encoding/json"): 3000, of("protobuf"): 2000, of("gogo/protobuf"): 500, of("flatbuffers"): 2500,
	})
	// ±7% from layout to layout.
	l.time("level=1", result.Decode, 0.07, 8, map[result.Subject]float64{of("encoding/json"): 300, of("protobuf"): 100, of("gogo/protobuf"): 99})
	l.time("level=1", result.Open, 0, 8, map[result.Subject]float64{of("flatbuffers"): 2.0})
	l.time("level=2", result.Open, 0, 8, map[result.Subject]float64{of("flatbuffers"): 2.1})
	l.time("level=3", result.Open, 0, 8, map[result.Subject]float64{of("flatbuffers"): 2.0})
	l.time("level=1", result.Scan, 0, 8, map[result.Subject]float64{of("flatbuffers"): 200})
	l.time("level=2", result.Scan, 0, 8, map[result.Subject]float64{of("flatbuffers"): 9000})
	l.time("level=1", result.Convert, 0, 8, map[result.Subject]float64{of("protobuf"): 60, of("gogo/protobuf"): 60})
	l.time("level=2", result.Convert, 0, 8, map[result.Subject]float64{of("protobuf"): 8000})
	l.count("level=1", result.Encode, "encoding/json", 10, 108)
	l.count("level=1", result.Encode, "protobuf", 1, 65)
	l.count("level=1", result.Encode, "gogo/protobuf", 0, 65)
	l.count("level=3", result.Encode, "protobuf", 1, 65)
	l.records[len(l.records)-1].Count.MostAllocs = 2
	l.count("level=1", result.Decode, "protobuf", 20, 65)
	l.count("level=1", result.Decode, "encoding/json", 65, 108)
	l.count("level=1", result.Convert, "protobuf", 40, 0)
	l.outcome("level=2", result.Decode, "protobuf", result.Unverified, "items: 2 became 1")
	l.outcome("level=2", result.Decode, "encoding/json", result.Timeout, "one op takes about 9 s, which does not fit")
	return l
}

func TestRule(t *testing.T) {
	const (
		encode1 = "sizes = [\"level=1\"]\nops = [\"encode\"]\n"
		encode2 = "sizes = [\"level=1\", \"level=2\"]\nops = [\"encode\"]\n"
		decode1 = "sizes = [\"level=1\"]\nops = [\"decode\"]\n"
		both    = "sizes = [\"level=1\"]\nops = [\"encode\", \"decode\"]\n"
		ratio   = "predicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\n"
		sizes   = "metric = \"encoded-size\"\n"
		allocs  = "metric = \"allocs\"\n"
	)
	l := standard()
	tests := []struct {
		name, keys string
		want       Verdict
		value      float64 // of Measured; NaN: none
		reason     string  // contained in the reason
	}{
		{"a ratio holds", encode1 + ratio + "at_least = 2.5\n", Holds, 3, "3.00 times: at least 2.5"},
		{"a ratio is refuted", encode1 + ratio + "at_least = 4\n", Refuted, 3, "3.00 times: not at least 4"},
		{"a bound within 2% is reached", encode1 + ratio + "at_least = 3.03\n", Holds, 3, ""},
		{"but not a strict one", encode1 + ratio + "above = 2.98\n", Refuted, 3, ""},
		{"both bounds", encode1 + ratio + "at_least = 2\nat_most = 2.5\n", Refuted, 3, "not at least 2 and at most 2.5"},
		{"a published figure", encode1 + ratio + "published = 2.8\ntolerance = 0.1\n", Holds, 3, ""},
		{"a published range", encode1 + ratio + "published = [2, 2.9]\n", Refuted, 3, ""},
		{"a ratio depends on size", encode2 + ratio + "at_least = 2.5\n", Depends, 2.25, "holds for level=1 · refuted for level=2"},
		{"a ratio is uncertain", decode1 + ratio + "at_least = 3\n", Undecided, 3, "launches would tell"},
		{"some of it is uncertain", both + ratio + "at_least = 3\n", Undecided, 3, "holds for encode · undecided for decode: about"},
		{"a tie is not faster", encode1 + "predicate = \"ratio\"\nof = \"gogo/protobuf\"\nto = \"protobuf\"\nabove = 1\n", Refuted, 1.01, "a tie, not more than 1"},
		{"nor is it slower", encode1 + "predicate = \"ratio\"\nof = \"gogo/protobuf\"\nto = \"protobuf\"\nat_most = 1\n", Holds, 1.01, ""},
		{"of two kinds of use", encode1 + "predicate = \"ratio\"\nof = \"flatbuffers\"\nto = \"protobuf\"\nat_least = 0.3\n[[claim.also]]\nname = \"kept\"\nof = { contender = \"flatbuffers\", mode = \"output=reuse\" }\n",
			Holds, 0.4, ""},
		{"of two ops", encode1 + "predicate = \"ratio\"\nof = \"protobuf\"\nto = { contender = \"flatbuffers\", op = \"open\" }\nat_least = 39\n", Holds, 50, ""},
		{"a round trip with conversion", "sizes = [\"level=1\"]\nops = [\"round-trip\"]\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = { contender = \"protobuf\", with_convert = true }\nabove = 2\n", Holds, 600.0 / 260, ""},

		{"an order holds", encode2 + "predicate = \"order\"\norder = [\"protobuf\", \"encoding/json\"]\n", Holds, 2.25, "at all 2 conditions"},
		{"an order is refuted", encode1 + "predicate = \"order\"\norder = [\"protobuf\", \"flatbuffers\", \"encoding/json\"]\n", Refuted, 0.4, "flatbuffers < protobuf < encoding/json, flatbuffers ÷ protobuf 0.400 (0.395…0.405) times: not protobuf < flatbuffers < encoding/json"},
		{"an order with a tie", encode1 + "predicate = \"order\"\norder = [\"flatbuffers\", \"protobuf\", \"gogo/protobuf\", \"encoding/json\"]\n", Refuted, 1.01, "protobuf = gogo/protobuf"},
		{"only the last", encode1 + "predicate = \"order\"\norder = [\"protobuf\", \"flatbuffers\", \"encoding/json\"]\nonly = \"last\"\n", Holds, 3, "flatbuffers < protobuf < encoding/json, as stated"},
		{"only the first", encode1 + "predicate = \"order\"\norder = [\"protobuf\", \"flatbuffers\", \"encoding/json\"]\nonly = \"first\"\n", Refuted, 0.4, ""},
		{"an order of sizes", encode1 + sizes + "predicate = \"order\"\norder = [\"protobuf\", \"encoding/json\"]\n", Holds, 108.0 / 65, ""},
		{"an order of equal sizes", encode1 + sizes + "predicate = \"order\"\norder = [\"gogo/protobuf\", \"protobuf\", \"encoding/json\"]\n", Refuted, 1, "gogo/protobuf = protobuf < encoding/json"},

		{"an exact size", encode1 + sizes + "predicate = \"exact\"\nof = \"encoding/json\"\npublished = 108\n", Holds, 108, "108 B: exactly 108 B"},
		{"another size", encode1 + sizes + "predicate = \"exact\"\nof = \"encoding/json\"\npublished = 106\n", Refuted, 108, "108 B: not exactly 106 B"},
		{"a size within a tolerance", encode1 + sizes + "predicate = \"exact\"\nof = \"encoding/json\"\npublished = 106\ntolerance = 0.02\n", Holds, 108, ""},
		{"sizes have no ties", encode1 + sizes + ratio + "at_most = 1.66\n", Refuted, 108.0 / 65, "1.662 times"},
		{"allocations with conversion", decode1 + allocs + ratio + "published = 3\ntolerance = 0.1\n[[claim.also]]\nname = \"converted\"\nops = [\"round-trip\"]\nto = { contender = \"protobuf\", with_convert = true }\n", Holds, 3.25, ""},
		{"a ratio to nothing", encode1 + allocs + "predicate = \"ratio\"\nof = \"protobuf\"\nto = \"gogo/protobuf\"\nat_least = 2\n", Untested, math.NaN(), "one of the figures is 0"},
		{"allocations that vary", "ops = [\"encode\"]\nsizes = [\"level=3\"]\n" + allocs + "predicate = \"exact\"\nof = \"protobuf\"\npublished = 1\n", Untested, math.NaN(), "protobuf encode at level=3 has no exact count: its allocations are 1 to 2"},
		{"no allocations", encode1 + allocs + "predicate = \"exact\"\nof = \"gogo/protobuf\"\npublished = 0\n", Holds, 0, ""},
		{"a time", "sizes = [\"level=1\"]\nops = [\"open\"]\npredicate = \"exact\"\nof = \"flatbuffers\"\npublished = 2.3\ntolerance = 0.5\n", Holds, 2, "2.00 ns: at least 1.15 ns and at most 3.45 ns"},
		{"a time that the loop may have made", "sizes = [\"level=1\"]\nops = [\"open\"]\npredicate = \"exact\"\nof = \"flatbuffers\"\npublished = 2.3\ntolerance = 0.2\n", Undecided, 2, "2.00 ns (1.50 ns…2.50 ns) may or may not be"},

		{"constant", "sizes = [\"level=1\", \"level=2\", \"level=3\"]\nops = [\"open\"]\npredicate = \"constant\"\nof = \"flatbuffers\"\ntolerance = 0.1\n", Holds, 2, "the same within 10%"},
		{"not constant", "sizes = [\"level=1\", \"level=2\"]\nops = [\"scan\"]\npredicate = \"constant\"\nof = \"flatbuffers\"\ntolerance = 0.1\n", Refuted, 4600, "to 9.00 µs at level=2: not the same within 10%"},
		{"constant or not", "sizes = [\"level=1\", \"level=2\"]\nops = [\"open\"]\npredicate = \"constant\"\nof = \"flatbuffers\"\ntolerance = 0.1\n[[claim.also]]\nname = \"reading all\"\nops = [\"scan\"]\n", Holds, 2.05, ""},

		{"grows", "sizes = [\"level=1\", \"level=2\"]\nops = [\"scan\"]\npredicate = \"grows\"\nof = \"flatbuffers\"\nat_least = 40\n", Holds, 45, "45.0 times, from 200 ns to 9.00 µs: at least 40"},
		{"grows more slowly than items", "sizes = [\"level=1\", \"level=2\"]\nops = [\"open\"]\npredicate = \"grows\"\nper_item = true\nof = \"flatbuffers\"\nabove = 1\n", Refuted, 2.1 / 2 / 11, ""},

		{"the reason of the claim", "untested = \"not a measurement\"\n", Untested, math.NaN(), "not a measurement"},
		{"a failed round trip", "sizes = [\"level=2\"]\nops = [\"decode\"]\npredicate = \"ratio\"\nof = \"protobuf\"\nto = \"encoding/json\"\nabove = 1\n", Untested, math.NaN(), "protobuf decode at level=2: unverified: items: 2 became 1"},
		{"too slow", "sizes = [\"level=2\"]\nops = [\"decode\"]\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"flatbuffers\"\nabove = 1\n", Untested, math.NaN(), "one op takes about 9 s"},
		{"too slow, beside one that failed", "sizes = [\"level=2\"]\nops = [\"decode\"]\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\nabove = 1\n", Untested, math.NaN(), "protobuf decode at level=2: unverified: items: 2 became 1"},
		{"not in the run", "sizes = [\"level=3\"]\nops = [\"decode\"]\n" + ratio + "above = 1\n", Untested, math.NaN(), "encoding/json decode at level=3 is not in run r1"},
		{"not counted in the run", "sizes = [\"level=2\"]\nops = [\"encode\"]\n" + sizes + ratio + "above = 1\n", Untested, math.NaN(), "has no encoded-size in run r1"},
		{"partly tested", "sizes = [\"level=1\", \"level=3\"]\nops = [\"encode\"]\n" + ratio + "above = 1\n", HoldsMeasured, 3, "1 of 2 conditions not measured: encoding/json encode at level=3 is not in run r1"},
		{"most of it tested", "sizes = [\"level=1\", \"level=2\", \"level=3\"]\nops = [\"encode\"]\n" + ratio + "above = 1\n", HoldsMeasured, 2.25,
			"more than 1 at all 2 conditions that were measured; the closest is 1.50 times at encode level=2; 1 of 3 conditions not measured: encoding/json encode at level=3"},
		{"all of it tested", encode2 + ratio + "above = 1\n", Holds, 2.25, "more than 1 at all 2 conditions; the closest is"},
		{"the figure of its condition", encode2 + ratio + "at_least = 1.2\npublished = 1.4\nat = { size = \"level=2\" }\n", Holds, 1.5, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := l.rule(t, test.keys)
			value := math.NaN()
			if r.Measured != nil {
				value = r.Measured.Value
			}
			if r.Verdict != test.want || !strings.Contains(r.Reason, test.reason) {
				t.Errorf("%s: %s\nwant %s: %s", r.Verdict, r.Reason, test.want, test.reason)
			}
			if math.IsNaN(value) != math.IsNaN(test.value) || math.Abs(value-test.value) > 0.01*test.value {
				t.Errorf("measured %v, want %v", r.Measured, test.value)
			}
			if shown := !math.IsNaN(test.value) && r.Claim.Predicate != Order; (r.MeasuredText() != "") != shown {
				t.Errorf("shown %q", r.MeasuredText())
			}
			if r.Reason == "" || strings.Contains(r.Reason, "\n") {
				t.Errorf("reason %q is not one line", r.Reason)
			}
			if testing.Verbose() {
				fmt.Printf("%-34s %-9s %s\n", test.name, r.Verdict, r.Reason)
			}
		})
	}
}

// A claim that cannot be tested as published may have conditions elsewhere.
func TestUntestedElsewhere(t *testing.T) {
	const keys = "untested = \"the published data differ\"\nsizes = [\"level=1\"]\nops = [\"encode\"]\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\nsays = \"about 3 times\"\npublished = 3\nat = { size = \"level=1\" }\n"
	r := standard().rule(t, keys)
	if r.Verdict != Untested || r.Reason != "the published data differ" || r.Elsewhere != Holds || r.Measured != nil || !math.IsNaN(r.Q) {
		t.Errorf("%s (%s), elsewhere %s, measured %v, q %v", r.Verdict, r.Reason, r.Elsewhere, r.Measured, r.Q)
	}
	if all, measured := r.Counts(); all != 0 || measured != 0 {
		t.Errorf("%d conditions as published, %d measured; want none", all, measured)
	}
	if needs := ledgerOf(t, keys).Needs(true); len(needs) != 2 || !slices.Equal(needs[0].Metrics, []string{analysis.Time, analysis.CPUTime}) {
		t.Errorf("needs %+v; want the published metric of both cases besides code-only time", needs)
	}
}

// The loops around two ops are alike, which does not help if the ops are as short.
func TestLoops(t *testing.T) {
	l := newLab()
	l.time("level=1", result.Open, 0, 8, map[result.Subject]float64{of("flatbuffers"): 0.5, of("encoding/json"): 100})
	l.time("level=2", result.Open, 0, 8, map[result.Subject]float64{of("flatbuffers"): 0.6})
	l.time("level=1", result.Decode, 0, 8, map[result.Subject]float64{of("protobuf"): 100, of("encoding/json"): 300})
	l.time("level=3", result.Encode, 0, 8, map[result.Subject]float64{of("protobuf"): 2})
	l.time("level=3", result.Decode, 0, 8, map[result.Subject]float64{of("protobuf"): 2})
	l.time("level=3", result.Convert, 0, 8, map[result.Subject]float64{of("protobuf"): 4})
	const trip = "sizes = [\"level=3\"]\nops = [\"round-trip\"]\nmetric = \"time\"\npredicate = \"exact\"\nof = "
	for keys, want := range map[string]string{
		"sizes = [\"level=1\", \"level=2\"]\nops = [\"open\"]\npredicate = \"constant\"\nof = \"flatbuffers\"\nsays = \"about the same\"\n":                          "undecided",
		"sizes = [\"level=1\"]\nops = [\"open\"]\npredicate = \"exact\"\nof = \"flatbuffers\"\nsays = \"2 ns\"\n":                                                    "undecided",
		"sizes = [\"level=1\"]\nops = [\"decode\"]\npredicate = \"ratio\"\nof = \"protobuf\"\nto = { contender = \"flatbuffers\", op = \"open\" }\nat_least = 150\n": "undecided",
		"sizes = [\"level=1\"]\nops = [\"decode\"]\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\nat_least = 2.9\n":                              "holds",
		trip + "\"protobuf\"\nat_least = 3.3\n":                                      "undecided", // 4 ns with two loops
		trip + "\"protobuf\"\nat_least = 2.9\n":                                      "holds",
		trip + "{ contender = \"protobuf\", with_convert = true }\nat_least = 6.8\n": "undecided", // 8 ns with three
		trip + "{ contender = \"protobuf\", with_convert = true }\nat_least = 6.2\n": "holds",
	} {
		r := l.rule(t, keys)
		if string(r.Verdict) != want || want == "undecided" && !strings.Contains(r.Reason, "the loop around an operation may add or hide 0.5 ns") {
			t.Errorf("%s%s: %s; want %s", keys, r.Verdict, r.Reason, want)
		}
	}
}

// Two claims on the same cases, metric and limits are one test of the family.
func TestOneTest(t *testing.T) {
	const keys = "sizes = [\"level=1\"]\nops = [\"encode\"]\nmetric = \"time\"\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\nsays = \"3 times\"\n"
	l, other := ledgerOf(t, keys), ledgerOf(t, keys)
	other.Claims[0].ID = "again"
	if err := l.Add(other); err != nil {
		t.Fatal(err)
	}
	lab := standard()
	rulings := Rule(l, analysis.Of(lab.run, lab.records, analysis.View{}))
	if d := Discoveries(rulings); d != (Discovery{Timed: 1, Decided: 1}) || rulings[0].Q != rulings[1].Q || rulings[0].Q != rulings[0].Findings[0].P {
		t.Errorf("%+v, q %v and %v; want one test", d, rulings[0].Q, rulings[1].Q)
	}
}

// Sizes are the same only if every pair of them is known to be, and differ if one pair does: the choice of
// that pair is allowed for.
func TestConstant(t *testing.T) {
	const keys = "sizes = [\"level=1\", \"level=2\", \"level=3\"]\nops = [\"encode\"]\nmetric = \"time\"\npredicate = \"constant\"\nof = \"protobuf\"\nsays = \"the same\"\n"
	for _, test := range []struct {
		name    string
		wobbles [3]float64 // of each size, from layout to layout
		times   [3]float64
		want    Verdict
	}{
		{"all the same", [3]float64{}, [3]float64{1000, 1040, 1060}, Holds},
		{"the one between is unknown", [3]float64{0, 0.3, 0}, [3]float64{1000, 1040, 1060}, Undecided},
		{"one differs", [3]float64{}, [3]float64{1000, 1040, 1300}, Refuted},
	} {
		l := newLab()
		for i, size := range []string{"level=1", "level=2", "level=3"} {
			l.time(size, result.Encode, test.wobbles[i], 8, map[result.Subject]float64{of("encoding/json"): 5000, of("protobuf"): test.times[i]})
		}
		if r := l.rule(t, keys); r.Verdict != test.want {
			t.Errorf("%s: %s: %s; want %s", test.name, r.Verdict, r.Reason, test.want)
		}
	}
	counted := strings.Replace(keys, "\"time\"", "\"allocs\"", 1)
	for last, want := range map[uint64]Verdict{0: Holds, 5: Refuted} {
		l := newLab()
		l.count("level=1", result.Encode, "protobuf", 0, 65)
		l.count("level=2", result.Encode, "protobuf", 0, 65)
		l.count("level=3", result.Encode, "protobuf", last, 65)
		if r := l.rule(t, counted); r.Verdict != want {
			t.Errorf("allocations of 0, 0 and %d: %s: %s; want %s", last, r.Verdict, r.Reason, want)
		}
	}
}

// A sum of single samples has no interval.
func TestSumOfSamples(t *testing.T) {
	one := figure{Interval: analysis.Interval{Value: 100, Lo: 0, Hi: math.Inf(1)}}
	if got := sum(one, one); got.Value != 200 || got.Lo != 0 || !math.IsInf(got.Hi, 1) {
		t.Errorf("%+v; want 200 without bounds", got.Interval)
	}
}

// The ratio of two rates is that of paired times turned over, times that of the sizes.
func TestRates(t *testing.T) {
	l := newLab()
	l.time("level=1", result.Encode, 0.02, 8, map[result.Subject]float64{of("encoding/json"): 300, of("protobuf"): 100})
	l.count("level=1", result.Encode, "encoding/json", 1, 120)
	l.count("level=1", result.Encode, "protobuf", 1, 60)
	const keys = "sizes = [\"level=1\"]\nops = [\"encode\"]\npredicate = \"ratio\"\nsays = \"more\"\n"
	rates := l.rule(t, keys+"metric = \"throughput\"\nof = \"protobuf\"\nto = \"encoding/json\"\n").Findings[0].Measured
	times := l.rule(t, keys+"metric = \"time\"\nof = \"encoding/json\"\nto = \"protobuf\"\n").Findings[0].Measured
	if rates == nil || times == nil || math.Abs(rates.Value/times.Value-0.5) > 1e-9 || math.Abs(rates.Lo/times.Lo-0.5) > 0.02 {
		t.Errorf("rates %v, times %v; want half of it, as protobuf's messages have half of the size", rates, times)
	}
}

// TestShorterThanLoops checks that a claim about an op that takes less than its loop may hide is decided
// by the bound of its interval that is there.
func TestShorterThanLoops(t *testing.T) {
	l := newLab()
	l.time("level=1", result.Open, 0, 8, map[result.Subject]float64{of("flatbuffers"): 0.4})
	l.time("level=1", result.Decode, 0, 8, map[result.Subject]float64{of("protobuf"): 100})
	const decode = "{ contender = \"protobuf\", op = \"decode\" }"
	for keys, want := range map[string]Verdict{
		"predicate = \"exact\"\nof = \"flatbuffers\"\nat_most = 10\n":                         Holds,
		"predicate = \"exact\"\nof = \"flatbuffers\"\nat_least = 10\n":                        Refuted,
		"predicate = \"exact\"\nof = \"flatbuffers\"\nat_most = 0.5\n":                        Undecided,
		"predicate = \"exact\"\nof = \"flatbuffers\"\nat_least = 0.3\n":                       Undecided,
		"predicate = \"ratio\"\nof = \"flatbuffers\"\nto = " + decode + "\nat_most = 0.5\n":   Holds,
		"predicate = \"ratio\"\nof = " + decode + "\nto = \"flatbuffers\"\nsays = \"more\"\n": Holds,
		"predicate = \"order\"\norder = [\"flatbuffers\", " + decode + "]\n":                  Holds,
		"predicate = \"order\"\norder = [" + decode + ", \"flatbuffers\"]\n":                  Refuted,
	} {
		if r := l.rule(t, "sizes = [\"level=1\"]\nops = [\"open\"]\n"+keys); r.Verdict != want {
			t.Errorf("%s: %s: %s; want %s", keys, r.Verdict, r.Reason, want)
		}
	}
}

// TestTwoWorkloads checks that conditions of two workloads are two tests, though their sizes have one
// name.
func TestTwoWorkloads(t *testing.T) {
	of := func(workload string, p float64) Ruling {
		return Ruling{Claim: &Claim{Workload: workload}, Findings: []Finding{{Condition: ofSize(1), Verdict: Holds, Timed: true, P: p, Measured: &analysis.Interval{}}}}
	}
	rulings := []Ruling{of("customer", 0.001), of("movie", 0.2)}
	adjust(rulings)
	if a, b := rulings[0].Findings[0], rulings[1].Findings[0]; a.Verdict != Holds || b.Verdict != Undecided || a.Q != 0.002 || b.Q != 0.2 {
		t.Errorf("%s at q %v and %s at q %v; want two tests", a.Verdict, a.Q, b.Verdict, b.Q)
	}
}

// A claim about every condition names the exception that its level is of: the surest.
func TestSurestException(t *testing.T) {
	l := newLab()
	l.time("level=1", result.Encode, 0.5, 8, map[result.Subject]float64{of("encoding/json"): 1000, of("protobuf"): 100})
	l.time("level=2", result.Encode, 0.001, 8, map[result.Subject]float64{of("encoding/json"): 400, of("protobuf"): 100})
	r := l.rule(t, "every = true\nsizes = [\"level=1\", \"level=2\"]\nops = [\"encode\"]\nmetric = \"time\"\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\nsays = \"2 times\"\n")
	if r.Verdict != Refuted || !strings.Contains(r.Reason, "not in every row: 4.00 times at encode level=2") || r.Q != r.Findings[1].Q {
		t.Errorf("%s: %s, q %v; %+v", r.Verdict, r.Reason, r.Q, r.Findings)
	}
}

// Counts of 0 have a place in an order, though a ratio to them does not exist.
func TestOrderOfNothing(t *testing.T) {
	l := newLab()
	for name, allocs := range map[string]uint64{"encoding/json": 10, "protobuf": 1, "gogo/protobuf": 0, "flatbuffers": 0} {
		l.count("level=1", result.Encode, name, allocs, 65)
	}
	for _, test := range []struct {
		order, only, sequence, step string
		want                        Verdict
	}{
		{`"gogo/protobuf", "protobuf"`, "", "gogo/protobuf < protobuf", "from 0", Holds},
		{`"gogo/protobuf", "protobuf", "encoding/json"`, "", "gogo/protobuf < protobuf < encoding/json", "10 times", Holds},
		{`"protobuf", "gogo/protobuf"`, "", "gogo/protobuf < protobuf", "0 times", Refuted},
		{`"gogo/protobuf", "flatbuffers"`, "", "gogo/protobuf = flatbuffers", "1 times", Refuted},
		{`"gogo/protobuf", "flatbuffers", "protobuf"`, "", "gogo/protobuf = flatbuffers < protobuf", "1 times", Refuted},
		{`"gogo/protobuf", "protobuf", "encoding/json"`, "first", "gogo/protobuf < protobuf < encoding/json", "from 0", Holds},
	} {
		keys := "sizes = [\"level=1\"]\nops = [\"encode\"]\nmetric = \"allocs\"\npredicate = \"order\"\norder = [" + test.order + "]\n"
		if test.only != "" {
			keys += "only = \"" + test.only + "\"\n"
		}
		r := l.rule(t, keys)
		f := r.Findings[0]
		if r.Verdict != test.want || f.detail != test.sequence || f.Measured == nil || r.Interval(*f.Measured) != test.step {
			t.Errorf("%s %s: %s, %q, %v; want %s, %q, %s: %s", test.order, test.only, r.Verdict, f.detail, f.Measured, test.want, test.sequence, test.step, r.Reason)
		}
	}
	const ratio = "sizes = [\"level=1\"]\nops = [\"encode\"]\nmetric = \"allocs\"\npredicate = \"ratio\"\nof = \"flatbuffers\"\nto = \"gogo/protobuf\"\nat_most = 2\n"
	if r := l.rule(t, ratio); r.Verdict != Untested {
		t.Errorf("a ratio of 0 to 0: %s: %s", r.Verdict, r.Reason)
	}
}

// An order writes "<" between two cases only if the rule for orders says so, and names the step
// that decides.
func TestOrderStep(t *testing.T) {
	l := newLab()
	l.time("level=1", result.Encode, 0.03, 8, map[result.Subject]float64{of("protobuf"): 100, of("gogo/protobuf"): 104})
	r := l.rule(t, "sizes = [\"level=1\"]\nops = [\"encode\"]\nmetric = \"time\"\npredicate = \"order\"\norder = [\"protobuf\", \"gogo/protobuf\"]\n")
	f := r.Findings[0]
	if f.Measured.Lo <= 1 || f.Measured.Lo >= 1.02 {
		t.Fatalf("the interval is %v; want one from 1 to less than a tie", f.Measured)
	}
	if r.Verdict != Undecided || f.Reason != "protobuf ≈ gogo/protobuf" || f.Step != "gogo/protobuf ÷ protobuf" {
		t.Errorf("%s: %+v", r.Verdict, f)
	}
	if !strings.Contains(r.Reason, "protobuf ≈ gogo/protobuf, gogo/protobuf ÷ protobuf 1.04 (1.0") || !strings.Contains(r.Reason, "launches would tell") {
		t.Errorf("%s", r.Reason)
	}
}

// TestOrderEvidence checks that the step that an order names is the strongest evidence against it: one
// that certainly refutes it, though another one that may not has a smaller ratio.
func TestOrderEvidence(t *testing.T) {
	l := newLab()
	l.time("level=1", result.Encode, 0.3, 8, map[result.Subject]float64{of("encoding/json"): 100, of("protobuf"): 90, of("gogo/protobuf"): 100})
	for order, step := range map[string]string{
		`"encoding/json", "gogo/protobuf", "protobuf"`: "gogo/protobuf ÷ encoding/json",
		`"protobuf", "encoding/json", "gogo/protobuf"`: "gogo/protobuf ÷ encoding/json",
	} {
		r := l.rule(t, "sizes = [\"level=1\"]\nops = [\"encode\"]\nmetric = \"time\"\npredicate = \"order\"\norder = ["+order+"]\n")
		if f := r.Findings[0]; r.Verdict != Refuted || f.Step != step {
			t.Errorf("%s: %s by %s: %s; want refuted by %s", order, r.Verdict, f.Step, r.Reason, step)
		}
	}
}

// The cases of an order must have names that distinguish them.
func TestOrderNames(t *testing.T) {
	const order = "sizes = [\"level=1\"]\npredicate = \"order\"\nmetric = \"time\"\n"
	for keys, want := range map[string]string{
		"ops = [\"open\"]\norder = [\"flatbuffers\", { contender = \"flatbuffers\", op = \"scan\" }]\n":                       "flatbuffers open < flatbuffers scan",
		"ops = [\"round-trip\"]\norder = [{ contender = \"protobuf\", with_convert = true }, \"encoding/json\"]\n":            "protobuf with conversion < encoding/json",
		"ops = [\"scan\"]\norder = [\"flatbuffers\", { contender = \"flatbuffers\", size = \"level=2\" }]\nonly = \"last\"\n": "flatbuffers level=1 < flatbuffers level=2",
	} {
		if r := standard().rule(t, order+keys); r.Findings[0].Reason != want {
			t.Errorf("%q, want %q", r.Findings[0].Reason, want)
		}
	}
}

// The figure of several sizes is not an interval: it is written from the smallest to the largest,
// with the ratio that rules.
func TestConstantSpread(t *testing.T) {
	r := standard().rule(t, "sizes = [\"level=1\", \"level=2\"]\nops = [\"open\"]\npredicate = \"constant\"\nof = \"flatbuffers\"\nsays = \"the same\"\n")
	if got := r.MeasuredText(); got != "2.00 ns to 2.10 ns" || !r.Range {
		t.Errorf("measured %q, range %v", got, r.Range)
	}
	if f := r.Findings[0]; !strings.HasPrefix(f.Reason, "1.05 (1.0") || !strings.HasSuffix(f.Reason, " times, from 2.00 ns at level=1 to 2.10 ns at level=2") {
		t.Errorf("%q", f.Reason)
	}
}

// If the measured figure is of another condition than the published one, Aside says so.
func TestAside(t *testing.T) {
	const keys = "sizes = [\"level=1\", \"level=3\"]\nops = [\"encode\"]\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\nsays = \"3 times\"\npublished = 3\n"
	for at, want := range map[string]string{
		"":                            "",
		"at = { size = \"level=1\" }": "",
		"at = { size = \"level=3\" }": "the published figure is of encode level=3, which was not measured; the measured one is of another condition",
	} {
		if r := standard().rule(t, keys+at+"\n"); r.Measured == nil || r.Aside() != want {
			t.Errorf("%s: %q, want %q", at, r.Aside(), want)
		}
	}
}

// Figures have only the digits that are known.
func TestFigures(t *testing.T) {
	for v, want := range map[float64]string{3692059: "3690000", 26169.4: "26200", 450.4: "450", 2.25: "2.25", 0.0629: "0.0629", 999.6: "1000"} {
		if got := estimated(v); got != want {
			t.Errorf("an estimate of %v is %s, want %s", v, got, want)
		}
	}
	for v, want := range map[float64]string{1: "1", 1.00004: "1.00004", 0.99996: "0.99996", 0.9996: "0.9996", 0.60187: "0.6019", 5.4361: "5.436", 12345.6: "12346"} {
		if got := fourDigits(v); got != want {
			t.Errorf("a counted ratio of %v is %s, want %s", v, got, want)
		}
	}
}

// TestMeets judges figures with their intervals by the four kinds of limit.
func TestMeets(t *testing.T) {
	between := func(v, lo, hi float64) figure {
		return figure{Interval: analysis.Interval{Value: v, Lo: lo, Hi: hi}, launches: 9}
	}
	tests := []struct {
		f                               figure
		atLeast, above, atMost, beneath Verdict // of 1
	}{
		{between(1.10, 1.05, 1.15), Holds, Holds, Refuted, Refuted},
		{between(0.90, 0.85, 0.95), Refuted, Refuted, Holds, Holds},
		{between(1.00, 0.99, 1.01), Holds, Refuted, Holds, Refuted},
		{between(1.01, 1.005, 1.015), Holds, Refuted, Holds, Refuted},     // certain, and a tie
		{between(1.05, 0.99, 1.11), Holds, Undecided, Undecided, Refuted}, // a tie or more
		{between(0.95, 0.90, 1.01), Undecided, Refuted, Holds, Undecided}, // a tie or less
		{between(1.00, 0.90, 1.10), Undecided, Undecided, Undecided, Undecided},
		{figure{Interval: analysis.Interval{Value: 1, Lo: 1, Hi: 1}, exact: true}, Holds, Refuted, Holds, Refuted},
		{figure{Interval: analysis.Interval{Value: 1.001, Lo: 1.001, Hi: 1.001}, exact: true}, Holds, Holds, Refuted, Refuted},
		{between(1.00, 0, math.Inf(1)), Undecided, Undecided, Undecided, Undecided}, // one sample
		{between(math.NaN(), math.NaN(), math.NaN()), Undecided, Undecided, Undecided, Undecided},
		{figure{Interval: analysis.Interval{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}, exact: true}, Undecided, Undecided, Undecided, Undecided},
	}
	for _, test := range tests {
		for _, x := range []struct {
			l    limit
			want Verdict
		}{{limit{1, false, false}, test.atLeast}, {limit{1, false, true}, test.above}, {limit{1, true, false}, test.atMost}, {limit{1, true, true}, test.beneath}} {
			if got := test.f.meets(x.l); got != x.want {
				t.Errorf("%v meets %+v: %s, want %s", test.f, x.l, got, x.want)
			}
			need := test.f.launchesFor([]limit{x.l})
			if decided := x.want != Undecided; decided && need != 0 || !decided && test.f.Hi < math.Inf(1) && need <= test.f.launches {
				t.Errorf("%v needs %d launches for %+v", test.f, need, x.l)
			}
		}
	}
}

// TestLaunchesFor checks that a half-width shrinks with the root of the number of launches: that of the
// side on which the edge is.
func TestLaunchesFor(t *testing.T) {
	edge := limit{at: 3}.edge()
	of := func(v, lo, hi float64) figure { // as factors of the edge
		return figure{Interval: analysis.Interval{Value: edge * v, Lo: edge * v / lo, Hi: edge * v * hi}, launches: 9}
	}
	twice, thrice := 1.1*1.1, 1.1*1.1*1.1
	for _, test := range []struct {
		f    figure
		want int
	}{
		{of(1.1, twice, 1.01), 36}, {of(1.1, thrice, 5), 81}, {of(1/1.1, 1.01, twice), 36}, {of(1/1.1, 5, thrice), 81},
		{of(1.1, 50, 1.01), 0}, // too many
		{of(1.1, 1.05, 5), 0},  // decided
		{of(1.1, 1.1001, 1), 10},
	} {
		got := test.f.launchesFor([]limit{{at: 3}})
		if d := got - test.want; d < 0 || d > 1 { // rounded up
			t.Errorf("%+v: %d launches, want %d", test.f.Interval, got, test.want)
		}
	}
}

// TestCompared checks that the cases of a condition are named by what they have of their own.
func TestCompared(t *testing.T) {
	const of = "sizes = [\"level=1\", \"level=2\", \"level=3\"]\nops = [\"decode\"]\n"
	for keys, want := range map[string]string{
		"predicate = \"ratio\"\nof = \"protobuf\"\nto = { contender = \"flatbuffers\", op = \"open\" }\nsays = \"more\"\n":        "protobuf ÷ flatbuffers open",
		"predicate = \"ratio\"\nof = { contender = \"protobuf\", size = \"level=2\" }\nto = \"encoding/json\"\nsays = \"more\"\n": "protobuf level=2 ÷ encoding/json",
		"predicate = \"order\"\norder = [\"protobuf\", { contender = \"protobuf\", op = \"round-trip\", with_convert = true }]\n": "protobuf, protobuf round-trip with conversion",
		"predicate = \"grows\"\nof = \"protobuf\"\nsays = \"more\"\n":                                                             "protobuf",
	} {
		c := ledgerOf(t, of+keys).Claims[0]
		if got := c.Conditions[0].Compared(c.Predicate); got != want {
			t.Errorf("%s: %q, want %q", keys, got, want)
		}
	}
}
