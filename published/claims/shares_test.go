package claims

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/result"
)

// chained moves all cases and launches of a lab to workload chain.
func (l *lab) chained() *lab {
	for i := range l.run.Plan.Cases {
		l.run.Plan.Cases[i].Workload = "chain"
	}
	for _, r := range l.records {
		r.Launch.Cell.Workload = "chain"
	}
	return l
}

// doubled returns eight sizes of chain, each with twice the items of the one before.
func doubled() (sizes []string, list string) {
	for i := range 8 {
		sizes = append(sizes, fmt.Sprintf("txs=%d", 1000<<i))
	}
	return sizes, "sizes = [\"" + strings.Join(sizes, "\", \"") + "\"]\nops = [\"encode\"]\nworkload = \"chain\"\nmetric = \"time\"\n"
}

// A verdict must be one that any split of the conversions gives, however many conversions have an
// unknown direction.
func TestManyShares(t *testing.T) {
	sizes, list := doubled()
	level := newLab()
	for i, size := range sizes {
		n := float64(int(1) << i)
		level.time(size, result.Encode, 0, 8, map[result.Subject]float64{of("protobuf"): 100, of("encoding/json"): 100, of("gogo/protobuf"): 100 * n})
		level.time(size, result.Convert, 0, 8, map[result.Subject]float64{of("protobuf"): 200})
	}
	level.chained()
	last := newLab()
	for i, size := range sizes {
		convert := 1.0
		if i == len(sizes)-1 {
			convert = 30
		}
		last.time(size, result.Encode, 0, 8, map[result.Subject]float64{of("protobuf"): 100})
		last.time(size, result.Convert, 0, 8, map[result.Subject]float64{of("protobuf"): convert})
	}
	last.chained()
	const converted = "of = { contender = \"protobuf\", with_convert = true }\n"
	for _, test := range []struct {
		name string
		l    *lab
		keys string
		want Verdict
	}{
		{"grows by the share of the last size", level, "predicate = \"grows\"\n" + converted + "at_most = 1.5\n", Undecided},
		{"grows less than any share makes it", level, "predicate = \"grows\"\n" + converted + "at_most = 3.2\n", Holds},
		{"grows more than any share makes it", level, "predicate = \"grows\"\n" + converted + "at_least = 3.2\n", Refuted},
		{"a trend of the last sizes", level, "predicate = \"trend\"\n" + converted + "to = \"encoding/json\"\nat_most = 1.4\n", Undecided},
		{"a trend that no share gives", level, "predicate = \"trend\"\n" + converted + "to = \"encoding/json\"\nat_most = 2.2\n", Holds},
		{"a trend down", level, "predicate = \"trend\"\nof = \"encoding/json\"\nto = { contender = \"protobuf\", with_convert = true }\nat_least = 0.7\n", Undecided},
		{"constant but for the last", last, "predicate = \"constant\"\n" + converted + "tolerance = 0.2\n", Undecided},
		{"constant with any share", last, "predicate = \"constant\"\n" + converted + "tolerance = 0.4\n", Holds},
	} {
		if r := test.l.rule(t, list+test.keys); r.Verdict != test.want {
			t.Errorf("%s: %s, want %s: %s", test.name, r.Verdict, test.want, r.Reason)
		}
	}
}

// A share between none and all may be the one with which the claim holds.
func TestShareBetween(t *testing.T) {
	l := newLab()
	l.time("level=1", result.Encode, 0, 8, map[result.Subject]float64{of("protobuf"): 100, of("gogo/protobuf"): 200, of("encoding/json"): 400})
	l.time("level=1", result.Convert, 0, 8, map[result.Subject]float64{of("protobuf"): 1900})
	l.time("level=2", result.Encode, 0, 8, map[result.Subject]float64{of("protobuf"): 300})
	l.time("level=2", result.Convert, 0, 8, map[result.Subject]float64{of("protobuf"): 3})
	const metric = "ops = [\"encode\"]\nmetric = \"time\"\n"
	for keys, want := range map[string]Verdict{
		"sizes = [\"level=1\", \"level=2\"]\npredicate = \"constant\"\nof = { contender = \"protobuf\", with_convert = true }\ntolerance = 0.1\n":                          Undecided,
		"sizes = [\"level=1\"]\npredicate = \"order\"\norder = [\"gogo/protobuf\", { contender = \"protobuf\", with_convert = true }, \"encoding/json\"]\n":                Undecided,
		"sizes = [\"level=1\"]\npredicate = \"order\"\norder = [\"encoding/json\", { contender = \"protobuf\", with_convert = true }, \"gogo/protobuf\"]\n":                Refuted,
		"sizes = [\"level=1\"]\npredicate = \"order\"\nonly = \"first\"\norder = [{ contender = \"protobuf\", with_convert = true }, \"gogo/protobuf\"]\n":                 Undecided,
		"sizes = [\"level=1\"]\npredicate = \"order\"\nonly = \"last\"\norder = [\"encoding/json\", \"gogo/protobuf\", { contender = \"protobuf\", with_convert = true }]": Undecided,
	} {
		if r := l.rule(t, metric+keys); r.Verdict != want {
			t.Errorf("%s: %s, want %s: %s", keys, r.Verdict, want, r.Reason)
		}
	}
}

// The shares that are tried must include those of the smallest and the largest figure.
func TestEnds(t *testing.T) {
	between := func(lo, hi float64) amount {
		one := func(v float64) figure {
			return figure{Interval: analysis.Interval{Value: v, Lo: v, Hi: v}, exact: true}
		}
		return amount{figure: one(lo), convert: one(hi - lo), split: hi > lo}
	}
	for name, amounts := range map[string][]amount{
		"apart":    {between(1, 2), between(3, 5), between(6, 9)},
		"over":     {between(1, 9), between(2, 5), between(3, 3), between(2, 6)},
		"from 0":   {between(0, 4), between(0, 2), between(1, 7)},
		"downward": {between(7, 9), between(4, 5), between(1, 3)},
	} {
		for _, c := range []Claim{{Predicate: Constant}, {Predicate: Grows}, {Predicate: Order}, {Predicate: Order, Only: "first"}, {Predicate: Order, Only: "last"}} {
			j := judge{claim: &c, metric: analysis.Metric{Exact: true}}
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, shares := range j.ends(amounts) {
				v := j.figure(shared(amounts, shares)).Value
				lo, hi = min(lo, v), max(hi, v)
			}
			const steps = 12
			shares := make([]float64, len(amounts))
			var try func(i int)
			try = func(i int) {
				if i == len(amounts) {
					if v := j.figure(shared(amounts, shares)).Value; v < lo*(1-1e-9) || v > hi*(1+1e-9) {
						t.Errorf("%s, %s %s: %v at %v is not in %v to %v", name, c.Predicate, c.Only, v, shares, lo, hi)
					}
					return
				}
				for n := range steps + 1 {
					shares[i] = float64(n) / steps
					try(i + 1)
				}
			}
			try(0)
		}
	}
}

// The number of launches that would decide depends only on the intervals that launches narrow, and
// not on the range of the splits. No launches decide what the splits decide.
func TestLaunchesOfShares(t *testing.T) {
	// The splits go from 300/160 to 300/100, each ±6%.
	for atMost, told := range map[string]bool{"2.35": false, "3": true} {
		r := standard().rule(t, "sizes = [\"level=1\"]\nops = [\"decode\"]\nmetric = \"time\"\npredicate = \"ratio\"\nof = \"encoding/json\"\n"+
			"to = { contender = \"protobuf\", with_convert = true }\nat_most = "+atMost+"\n")
		f := r.Findings[0]
		if f.Verdict != Undecided || f.Launches > 0 != told || strings.Contains(f.Reason, "two directions") == told {
			t.Errorf("at most %s: %s, %d launches: %s", atMost, f.Verdict, f.Launches, f.Reason)
		}
		// With the width of the splits it would be thousands of launches.
		if f.Measured.Lo > 1.9 || f.Measured.Hi < 2.9 || f.Launches > 200 {
			t.Errorf("at most %s: %v, about %d launches", atMost, f.Measured, f.Launches)
		}
	}
}
