package claims

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"assay/internal/analysis"
)

// A count rounds to one figure only.
func TestBandOfHalf(t *testing.T) {
	for words, want := range map[string]Verdict{"2 times": Refuted, "3 times": Holds, "2.5 times": Holds} {
		b, err := parseBand(words, measure{counted: true})
		if err != nil {
			t.Fatal(err)
		}
		got, f := Holds, figure{Interval: analysis.Interval{Value: 2.5, Lo: 2.5, Hi: 2.5}, exact: true}
		for _, l := range b.limits {
			if f.meets(l) != Holds {
				got = f.meets(l)
			}
		}
		if got != want {
			t.Errorf("2.5 is %s: %s, want %s", words, got, want)
		}
	}
}

// TestBand checks the bands of METHODOLOGY's table of words.
func TestBand(t *testing.T) {
	timed, counted, absolute := measure{}, measure{counted: true}, measure{absolute: true}
	inf := math.Inf(1)
	tests := []struct {
		words  string
		m      measure
		lo, hi float64
	}{
		{"3 times", timed, 3 / 1.1, 3.3},
		{"3", timed, 3 / 1.1, 3.3},
		{"2.07", counted, 2.065, 2.075},
		{"108", counted, 107.5, 108.5},
		{"0", counted, -0.5, 0.5},
		{"1", counted, 0.8, 1.25}, // what rounds to it is too far
		{"2 times", counted, 1.6, 2.5},
		{"3 times", counted, 2.5, 3.5},
		{"0.4", counted, 0.35, 0.45},
		{"exactly 108", counted, 108, 108},
		{"exactly 0", counted, 0, 0},
		{"about 3 times", timed, 2.4, 3.75},
		{"about 3", counted, 2.4, 3.75},
		{"almost 2", timed, 2 / 1.2, 2},
		{"4 to 6 times", timed, 4, 6},
		{"about 4 to 6", timed, 3.2, 7.5},
		{"up to 2", timed, -inf, 2},
		{"at least 3", timed, 3, inf},
		{"at most 3", timed, -inf, 3},
		{"more than 11", timed, 11, inf},
		{"less than 0.5", counted, -inf, 0.5},
		{"more", timed, 1, inf},
		{"less", timed, -inf, 1},
		{"much more", timed, 2, inf},
		{"much less", timed, -inf, 0.5},
		{"the same", timed, 1 / 1.1, 1.1},
		{"about the same", timed, 0.8, 1.25},
		{"40% more", timed, 1 + 0.4/1.1, 1.44},
		{"about 40% more", timed, 1.32, 1.5},
		{"almost 40% more", counted, 1 + 0.4/1.2, 1.4},
		{"more than 40% less", counted, -inf, 0.6},
		{"about 40% less", timed, 0.5, 0.68},
		{"80% less", timed, 0.12, 1 - 0.8/1.1},
		{"about 90% less", timed, 0, 0.28},
		{"92% less", timed, 0, 1 - 0.92/1.1},
		{"95% less", timed, 0, 1 - 0.95/1.1},
		{"100% less", counted, 0, 0.005},
		{"about 80 to 90% less", timed, 0, 0.36},
		{"10% to 20% less", timed, 0, 0}, // the percent sign is only at the end
		{"10 to 20% less", timed, 0.8, 0.9},
		{"2 to 3", absolute, 2.0 / 3, 9},
		{"at most 10", absolute, -inf, 30},
		{"more than 10", absolute, 10.0 / 3, inf},
		{"approximately 3 times", timed, 2.4, 3.75},
		{"~3", timed, 2.4, 3.75},
		{"nearly 2", timed, 2 / 1.2, 2},
		{"twice", timed, 2 / 1.1, 2.2},
		{"nearly twice", timed, 2 / 1.2, 2},
		{"more than half", timed, 0.5, inf},
		{"about a third", counted, 1 / 3.75, 1.25 / 3},
		{"a third", counted, 1.0/3 - 0.005, 1.0/3 + 0.005},
		{"slower", timed, 1, inf},
		{"smaller", counted, -inf, 1},
		{"much smaller", counted, -inf, 0.5},
		{"2 to 3 ns", measure{absolute: true, units: []string{"ns"}}, 2.0 / 3, 9},
		{"exactly 108 bytes", measure{counted: true, units: []string{"B", "bytes"}}, 108, 108},
		{"larger", measure{rate: true}, 1, inf},
		{"faster", measure{rate: true}, 0, 0}, // refused, because for rates it would mean more
		{"2 to 3 ns", timed, 0, 0},            // a ratio has no unit
		{"twice times", timed, 0, 0},
	}
	for _, test := range tests {
		b, err := parseBand(test.words, test.m)
		if err != nil {
			if test.lo != 0 || test.hi != 0 {
				t.Errorf("%q: %v", test.words, err)
			}
			continue
		}
		lo, hi := -inf, inf
		for _, l := range b.limits {
			if l.upper {
				hi = l.at
			} else {
				lo = l.at
			}
		}
		if !near(lo, test.lo) || !near(hi, test.hi) {
			t.Errorf("%q: from %v to %v, want %v to %v", test.words, lo, hi, test.lo, test.hi)
		}
	}
}

// TestBandEnds checks which words a count meets that is exactly their limit.
func TestBandEnds(t *testing.T) {
	for words, want := range map[string]map[float64]Verdict{
		"more": {1: Refuted}, "less": {1: Refuted}, "much more": {2: Holds}, "much less": {0.5: Holds},
		"at least 3": {3: Holds}, "at most 3": {3: Holds}, "more than 3": {3: Refuted}, "less than 3": {3: Refuted}, "up to 3": {3: Holds},
		"3 to 4": {3: Holds, 4: Holds}, "almost 3": {3: Holds, 2.5: Holds}, "about 4": {3.2: Holds, 5: Holds}, "more than 50% less": {0.5: Refuted},
		"at least 50% more": {1.5: Holds}, "the same": {1.1: Holds}, "about the same": {1.25: Holds, 0.8: Holds},
	} {
		b, err := parseBand(words, measure{counted: true})
		if err != nil {
			t.Fatal(err)
		}
		for v, verdict := range want {
			f := figure{Interval: analysis.Interval{Value: v, Lo: v, Hi: v}, exact: true}
			if got := f.within(b.limits); got != verdict {
				t.Errorf("%v is %s: %s, want %s", v, words, got, verdict)
			}
		}
	}
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*math.Abs(b) }

// Every word of METHODOLOGY's table must be valid in a claims file.
func TestPageWords(t *testing.T) {
	table := regexp.MustCompile(`(?s)\| words \| a figure that is \|\n\|[^\n]*\n(.*?)\n\n`).FindStringSubmatch(string(readFile(t, "../../METHODOLOGY.md")))
	if table == nil {
		t.Fatal("METHODOLOGY has no table of words")
	}
	found := 0
	for row := range strings.Lines(table[1]) {
		for _, words := range strings.FieldsFunc(strings.Split(row, "|")[1], func(r rune) bool { return r == ',' || r == ';' }) {
			words = strings.NewReplacer("N", "3", "M", "4").Replace(strings.TrimSpace(words))
			if strings.HasPrefix(words, "and any ") {
				continue // not words of a claim
			}
			found++
			m := measure{counted: strings.HasPrefix(words, "exactly")}
			if strings.HasSuffix(words, " ns") {
				m = measure{absolute: true, units: unitWords["ns"]}
			}
			if _, err := parseBand(words, m); err != nil {
				t.Errorf("METHODOLOGY has %q: %v", words, err)
			}
		}
	}
	if found < 25 {
		t.Errorf("found only %d words", found)
	}
}

func TestBandErrors(t *testing.T) {
	for words, want := range map[string]string{
		"roughly 3":                         "METHODOLOGY has no such words",
		"":                                  "METHODOLOGY has no such words",
		"3 to 2":                            "the less comes first",
		"almost 2 to 3":                     `says has "almost" before a range; only "about" goes there`,
		"exactly 3":                         "no estimate is",
		"0 times":                           "the figure 0",
		"up to 40% less":                    "name the ratio",
		"more than 140% less":               "more than 100% less",
		"101% less":                         "more than 100% less",
		"about 90 to 110% less":             "more than 100% less",
		"1" + strings.Repeat("0", 400):      "too large",
		"2 to 3" + strings.Repeat("0", 400): "too large",
	} {
		if _, err := parseBand(words, measure{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: error %v, want %q", words, err, want)
		}
	}
	if _, err := parseBand("about 3 s", measure{absolute: true, units: []string{"ns"}}); err == nil || !strings.Contains(err.Error(), "write the figure in ns") {
		t.Errorf("another unit: %v", err)
	}
	for words, want := range map[string]string{"roughly 3": "METHODOLOGY has no such words", "much faster": `write "more" or "less"`} {
		if _, err := parseBand(words, measure{rate: true}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q of a rate: error %v, want %q", words, err, want)
		}
	}
}

// FuzzBand checks that parseBand refuses any words or returns limits in order.
func FuzzBand(f *testing.F) {
	for _, words := range []string{"about 3 times", "2 to 3", "more than 40% less", "up to 2", "much less"} {
		f.Add(words, false, false)
	}
	f.Fuzz(func(t *testing.T, words string, counted, absolute bool) {
		b, err := parseBand(words, measure{counted: counted, absolute: absolute})
		if err != nil {
			return
		}
		if n := len(b.limits); n < 1 || n > 2 || n == 2 && (b.limits[0].upper || !b.limits[1].upper || b.limits[0].at > b.limits[1].at) {
			t.Errorf("%q: %+v", words, b.limits)
		}
	})
}
