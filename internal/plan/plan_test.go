package plan

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/contender"
	"assay/result"
	"assay/schema"
	"assay/workload"
)

func fixture() Options {
	all := []result.Op{result.Encode, result.Decode, result.Scan, result.Convert}
	return Options{
		Workloads: []*workload.Workload{
			{Name: "small", Sizes: []workload.Size{
				{Key: "n=1", Bytes: 100, Default: true, Quick: true},
				{Key: "n=1000", Bytes: 100_000, Typical: true, Default: true},
				{Key: "n=1000000000", Bytes: 100 << 30},
			}, Custom: func(key string) (workload.Size, error) {
				if n, ok := strings.CutPrefix(key, "n="); ok && n != "" && strings.Trim(n, "0123456789") == "" {
					return workload.Size{Key: key, Bytes: 1}, nil
				}
				return workload.Size{}, errors.New("no such size")
			}},
			{Name: "other", Sizes: []workload.Size{{Key: "k=v", Bytes: 10, Default: true, Quick: true}}},
		},
		Contenders: []*contender.Contender{
			{Name: "json", Ops: all, Modes: []contender.Mode{{Key: "output=reuse", Ops: []result.Op{result.Encode}}}},
			{Name: "flat", Ops: []result.Op{result.Encode, result.Open}},
		},
		Holds: func(c *contender.Contender, w *workload.Workload) error {
			if c.Name == "flat" && w.Name == "other" {
				return &contender.Unsupported{Field: "M.f", Reason: "no maps"}
			}
			return nil
		},
	}
}

func texts(cases []result.Case) []string {
	var out []string
	for _, c := range cases {
		out = append(out, c.String())
	}
	return out
}

func TestSelect(t *testing.T) {
	tests := []struct {
		name string
		set  func(*Options)
		want []string // of the live cases
		out  map[result.Status]int
	}{{
		name: "quick",
		set:  func(o *Options) { o.Quick = true },
		want: []string{
			"small/n=1/json/encode", "small/n=1/json (output=reuse)/encode", "small/n=1/flat/encode",
			"small/n=1/json/decode", "small/n=1/flat/open", "small/n=1/json/scan",
			"other/k=v/json/encode", "other/k=v/json (output=reuse)/encode", "other/k=v/json/decode", "other/k=v/json/scan",
		},
		out: map[result.Status]int{result.Unsupported: 2},
	}, {
		name: "a mode that cannot hold the schema",
		set: func(o *Options) {
			o.Quick = true
			o.Keep = func(c result.Case) bool { return c.Contender == "json" && c.Op == result.Encode }
			for _, w := range o.Workloads {
				w.Schema = &schema.Schema{Name: w.Name}
			}
			o.Contenders[0].Modes[0].Refuses = func(s *schema.Schema) *contender.Unsupported {
				if s.Name == "other" {
					return &contender.Unsupported{Field: "M.f", Reason: "not in this mode"}
				}
				return nil
			}
		},
		want: []string{"small/n=1/json/encode", "small/n=1/json (output=reuse)/encode", "other/k=v/json/encode"},
		out:  map[result.Status]int{result.Unsupported: 1},
	}, {
		name: "the typical size of each workload that has one",
		set: func(o *Options) {
			o.Typical = true
			o.Keep = func(c result.Case) bool { return c.Contender == "json" && c.Op == result.Decode }
		},
		want: []string{"small/n=1000/json/decode", "other/k=v/json/decode"},
	}, {
		name: "a size that is asked for goes before the typical one",
		set: func(o *Options) {
			o.Typical, o.Size = true, "n=1"
			o.Keep = func(c result.Case) bool { return c.Contender == "json" && c.Op == result.Decode }
		},
		want: []string{"small/n=1/json/decode"},
	}, {
		name: "an op that is measured on request only",
		set:  func(o *Options) { o.Quick, o.Ops = true, []result.Op{result.Convert} },
		want: []string{"small/n=1/json/convert", "other/k=v/json/convert"},
	}, {
		name: "an op of modes that no contender declares",
		set: func(o *Options) {
			o.Quick, o.Ops = true, []result.Op{result.Compress}
			o.More = func(c *contender.Contender, op result.Op) []string {
				if c.Name == "flat" && op == result.Compress {
					return []string{"codec=x", "codec=y"}
				}
				return nil
			}
			o.Keep = func(c result.Case) bool { return c.Workload == "small" }
		},
		want: []string{"small/n=1/flat (codec=x)/compress", "small/n=1/flat (codec=y)/compress"},
	}, {
		name: "a size by pattern",
		set: func(o *Options) {
			o.Size = "^n=1000$"
			o.Keep = func(c result.Case) bool { return c.Contender == "flat" }
		},
		want: []string{"small/n=1000/flat/encode", "small/n=1000/flat/open"},
	}, {
		name: "a size in full is that size alone",
		set:  func(o *Options) { o.Size = "n=1"; o.Keep = func(c result.Case) bool { return c.Contender == "flat" } },
		want: []string{"small/n=1/flat/encode", "small/n=1/flat/open"},
	}, {
		name: "a size that is not declared, though a part of one that is",
		set:  func(o *Options) { o.Size = "n=10"; o.Keep = func(c result.Case) bool { return c.Contender == "flat" } },
		want: []string{"small/n=10/flat/encode", "small/n=10/flat/open"},
	}, {
		name: "a size that does not fit",
		set:  func(o *Options) { o.Size = "n=1000000000" },
		want: nil,
		out:  map[result.Status]int{result.Unsupported: 6},
	}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := fixture()
			tt.set(&o)
			sel, err := Select(o)
			if err != nil {
				t.Fatal(err)
			}
			if got := texts(sel.Live()); !slices.Equal(got, tt.want) {
				t.Errorf("live cases:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
			out := map[result.Status]int{}
			for _, x := range sel.Outcomes {
				out[x.Status]++
				if x.Reason == "" {
					t.Errorf("%v has no reason", x.Case)
				}
			}
			if out[result.Unsupported] != tt.out[result.Unsupported] {
				t.Errorf("outcomes: %v, want %v", out, tt.out)
			}
		})
	}
}

func TestSelectNothing(t *testing.T) {
	o := fixture()
	o.Keep = func(result.Case) bool { return false }
	if _, err := Select(o); err == nil || !strings.Contains(err.Error(), "nothing is selected") {
		t.Errorf("error is %v", err)
	}
	o = fixture()
	o.Size = "("
	if _, err := Select(o); err == nil || !strings.Contains(err.Error(), "--size") {
		t.Errorf("error is %v", err)
	}
}

func TestTooLargeSaysWhatHelps(t *testing.T) {
	o := fixture()
	w := o.Workloads[0]
	if got := o.tooLarge(w, workload.Size{Key: "k", Bytes: 200 << 20}, 9); !strings.HasSuffix(got, "select at most 3 contenders with -c") {
		t.Errorf("%q does not say how many fit", got)
	}
	if got := o.tooLarge(w, workload.Size{Key: "k", Bytes: 20 << 30}, 1); !strings.HasSuffix(got, "80.0 GiB for 1 contender in one process, more than the 2.0 GiB allowed; no single contender fits (one takes about 80.0 GiB): select a smaller size") {
		t.Errorf("%q names more than a command without streams has", got)
	}
	if got := o.tooLarge(w, workload.Size{Key: "k", Bytes: 400 << 20}, 2); !strings.HasSuffix(got, "select at most 1 contender with -c") {
		t.Errorf("%q does not say that one fits", got)
	}
	o.Alone = true
	if got := o.tooLarge(w, workload.Size{Key: "k", Bytes: 400 << 20}, 2); !strings.HasSuffix(got, "select at most 1 contender with -c, or allow more with --memory") {
		t.Errorf("%q does not name --memory", got)
	}
	if got := o.tooLarge(w, workload.Size{Key: "k", Bytes: 20 << 30}, 1); !strings.Contains(got, "--memory (one contender takes about 80.0 GiB)") || strings.Contains(got, "-m stream") {
		t.Errorf("%q does not say that none fits", got)
	}
}

// calibrate makes calibrations with batches of about 200 µs, like a runner.
func calibrate(ns map[result.Case]float64) map[result.Case]result.Calibration {
	out := map[result.Case]result.Calibration{}
	for c, t := range ns {
		out[c] = result.Calibration{Case: c, NS: t, N: max(1, int(200_000/t))}
	}
	return out
}

// encoder returns an encode case in the cell of the given size.
func encoder(size, contender string) result.Case {
	return result.Cell{Workload: "w", Size: size, Op: result.Encode}.Case(result.Subject{Contender: contender})
}

// bySize returns the cells of a schedule by their size.
func bySize(s Schedule) map[string]Cell {
	out := map[string]Cell{}
	for _, c := range s.Cells {
		out[c.Size] = c
	}
	return out
}

func TestSchedule(t *testing.T) {
	fast, fast2 := encoder("fast", "a"), encoder("fast", "b")
	slowOne, endless := encoder("mixed", "slow"), encoder("endless", "a")
	quick := []result.Case{encoder("mixed", "a"), encoder("mixed", "b"), encoder("mixed", "c")}
	ns := map[result.Case]float64{fast: 100, fast2: 100, slowOne: 20e6, endless: 60e9}
	for _, c := range quick {
		ns[c] = 1000
	}
	s := Of(Request{
		Cases: append([]result.Case{fast, fast2, slowOne, endless}, quick...), Calibrations: calibrate(ns),
		Budget: 20 * time.Second, Asked: 30 * time.Second, Layouts: 9, Least: 5,
	})

	byKey := bySize(s)
	if c := byKey["fast"]; c.Rounds != fullRounds || c.Warmup != fullWarmup || c.Launches != 9 {
		t.Errorf("the fast cell has %d+%d rounds of %d launches, want %d+%d of 9", c.Warmup, c.Rounds, c.Launches, fullWarmup, fullRounds)
	}
	if c := bySize(Of(Request{Cases: []result.Case{fast}, Calibrations: calibrate(ns), Budget: 20 * time.Second, Layouts: 9, Most: 2 * fullRounds}))["fast"]; c.Rounds != 2*fullRounds || c.Warmup != fullWarmup {
		t.Errorf("the fast cell has %d+%d rounds where there may be more, want %d+%d", c.Warmup, c.Rounds, fullWarmup, 2*fullRounds)
	}
	for _, spec := range byKey["mixed"].Cases {
		if slow := spec.Contender == "slow"; slow != (spec.Every > 1) {
			t.Errorf("%v takes part in every %d rounds", spec.Subject, spec.Every)
		}
		if n := byKey["mixed"].Rounds / spec.Every; n < leastSamples {
			t.Errorf("%v has %d samples a launch, want at least %d", spec.Subject, n, leastSamples)
		}
	}
	if _, ok := byKey["endless"]; ok {
		t.Error("a cell whose only case takes a minute an operation is scheduled in 20 s")
	}
	if len(s.Outcomes) != 1 || s.Outcomes[0].Case != endless || s.Outcomes[0].Status != result.Timeout {
		t.Fatalf("outcomes are %v, want a timeout of %v", s.Outcomes, endless)
	}
	// Five launches of five rounds of a minute take 25 minutes. Launches get 20 s of the 30 s
	// that were asked for, so the budget must be 37 minutes.
	if got := s.Outcomes[0].Reason; !strings.Contains(got, "--budget 45m,") {
		t.Errorf("the reason is %q, which does not say that 45 minutes would do", got)
	}
	if s.Time > 25*time.Second {
		t.Errorf("the launches take %v, the budget is 20 s", s.Time)
	}
}

// A case that takes most of a launch with many other cases is in every other launch, so that
// the others get more launches in the same time. This does not apply to a case that the others
// are compared with.
func TestSlowCasesAreRare(t *testing.T) {
	slow := encoder("many", "slow")
	request := Request{Budget: 4 * time.Second, Layouts: 17, Least: 5, Calibrations: map[result.Case]result.Calibration{}}
	for _, name := range []string{"slow", "a", "b", "c", "d", "e", "f", "g"} {
		c, ns := encoder("many", name), 1e6
		if c == slow {
			ns = 100e6
		}
		request.Cases = append(request.Cases, c)
		request.Calibrations[c] = calibrate(map[result.Case]float64{c: ns})[c]
	}
	with := Of(request).Cells[0]
	if len(with.Rare) != 1 || with.Rare[0] != slow.Subject() || !with.Absent(slow.Subject(), 2) || with.Absent(slow.Subject(), 1) || with.Absent(slow.Subject(), 0) {
		t.Errorf("rare is %v, want %v, and not in launch 2", with.Rare, slow.Subject())
	}
	request.Always = func(c result.Case) bool { return c == slow }
	without := Of(request).Cells[0]
	if len(without.Rare) != 0 || with.Launches <= without.Launches || with.Launch >= without.Launch {
		t.Errorf("%d launches of %v where it is rare, %d of %v where it is not", with.Launches, with.Launch, without.Launches, without.Launch)
	}
	request.Always = nil
	few := request
	few.Layouts, few.Budget = 5, 1650*time.Millisecond // five launches fit, and there are no eight layouts
	if s := Of(few); len(s.Outcomes) != 0 || s.Cells[0].Launches != 5 {
		t.Errorf("of five layouts there are %d launches, and left out is %v", s.Cells[0].Launches, s.Outcomes)
	}
	request.Cases = request.Cases[:3]
	if few := Of(request).Cells[0]; len(few.Rare) != 0 {
		t.Errorf("of three cases %v is rare", few.Rare)
	}
}

// Enough is the fewest launches of which a rare subject takes part in so many.
func TestEnough(t *testing.T) {
	rare := encoder("many", "slow").Subject()
	for _, c := range []Cell{{}, {Rare: []result.Subject{rare}}} {
		for n := 1; n < 9; n++ {
			taken, last := 0, -1
			for k := range c.Enough(n) {
				if !c.Absent(rare, k) {
					taken, last = taken+1, k
				}
			}
			if taken != n || last != c.Enough(n)-1 {
				t.Errorf("rare %v: it takes part in %d of %d launches, in launch %d at last; want %d", c.Rare, taken, c.Enough(n), last, n)
			}
		}
	}
}

// A cell whose rounds take seconds leaves enough time for many rounds of a cell whose rounds
// take microseconds, even if the shortest launches of the slow cell take the whole budget.
func TestSmallCellsAreNotStarved(t *testing.T) {
	slow, fast := encoder("slow", "a"), encoder("fast", "a")
	s := bySize(Of(Request{
		Cases: []result.Case{slow, fast}, Calibrations: calibrate(map[result.Case]float64{slow: 770e6, fast: 1000}),
		Budget: 20 * time.Second, Layouts: 17, Least: 5, Keep: func(result.Case) bool { return true },
	}))
	if got := s["slow"].Launches; got != 5 {
		t.Errorf("the slow cell has %d launches, want 5", got)
	}
	if c := s["fast"]; c.Launches != 17 || c.Rounds != fullRounds {
		t.Errorf("the fast cell has %d launches of %d rounds, want 17 of %d", c.Launches, c.Rounds, fullRounds)
	}
}

// If time is short, rounds are reduced first, then layouts, then cases are dropped. Kept cases
// stay, with at least two launches.
func TestWhatGivesWay(t *testing.T) {
	have, other, slow := encoder("all", "have"), encoder("all", "other"), encoder("all", "slow")
	quick := encoder("quick", "have")
	ns := func(have, other, slow float64) map[result.Case]float64 {
		return map[result.Case]float64{encoder("all", "have"): have, encoder("all", "other"): other, encoder("all", "slow"): slow, quick: 1000}
	}
	for _, test := range []struct {
		name     string
		ns       map[result.Case]float64
		budget   time.Duration
		launches int // of cell all
		rounds   func(int) bool
		dropped  []result.Case
		over     bool
	}{
		{"time enough", ns(1e6, 1e6, 1e6), time.Minute, 9, func(n int) bool { return n == fullRounds }, nil, false},
		{"rounds", ns(10e6, 10e6, 10e6), 10 * time.Second, 9, func(n int) bool { return n < fullRounds && n > leastRounds }, nil, false},
		{"layouts", ns(70e6, 70e6, 70e6), 8 * time.Second, 7, func(n int) bool { return n == leastRounds }, nil, false},
		{"the slowest", ns(50e6, 50e6, 2e9), 8 * time.Second, 9, func(n int) bool { return n >= leastRounds }, []result.Case{slow}, false},
		{"all but what is kept, though that is the slowest", ns(420e6, 350e6, 50e6), 8 * time.Second, 4, func(n int) bool { return n == leastRounds }, []result.Case{other, slow}, false},
		{"the budget, where what is kept does not fit", ns(5e9, 5e9, 5e9), 8 * time.Second, fewest, func(n int) bool { return n == leastRounds }, []result.Case{other, slow}, true},
		{"not what costs little beside that", ns(5e9, 5e9, 50e6), 8 * time.Second, fewest, func(n int) bool { return n == leastRounds }, []result.Case{other}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := Of(Request{
				Cases: []result.Case{quick, slow, have, other}, Calibrations: calibrate(test.ns), Budget: test.budget, Layouts: 9, Least: 5,
				Keep: func(c result.Case) bool { return c.Contender == "have" },
			})
			c := bySize(s)["all"]
			if c.Launches != test.launches || !test.rounds(c.Rounds) {
				t.Errorf("%d launches of %d rounds, want %d", c.Launches, c.Rounds, test.launches)
			}
			if fast := bySize(s)["quick"]; test.dropped == nil && fast.Launches != 9 {
				t.Errorf("the quick cell has %d launches, want all 9", fast.Launches)
			}
			var dropped []result.Case
			for _, o := range s.Outcomes {
				dropped = append(dropped, o.Case)
			}
			slices.SortFunc(dropped, func(a, b result.Case) int { return strings.Compare(a.Contender, b.Contender) })
			if !slices.Equal(dropped, test.dropped) {
				t.Errorf("dropped are %v, want %v", dropped, test.dropped)
			}
			if limit := test.budget * 5 / 4; (s.Time > limit) != test.over {
				t.Errorf("the launches take %v of %v", s.Time, test.budget)
			}
		})
	}
}

// If a value of the reference takes longer than the budget, no contender with small values is
// dropped, because dropping it would save nothing.
func TestSlowReferenceDropsNothingCheap(t *testing.T) {
	cases := []result.Case{encoder("huge", "reference"), encoder("huge", "other")}
	ns := map[result.Case]float64{cases[0]: 3e9, cases[1]: 6e9}
	for _, size := range []string{"tiny", "small", "medium"} {
		for _, who := range []string{"reference", "other", "another"} {
			cases = append(cases, encoder(size, who))
			ns[encoder(size, who)] = 1000
		}
	}
	s := Of(Request{
		Cases: cases, Calibrations: calibrate(ns), Budget: time.Minute / 2, Layouts: 16, Least: 4,
		Keep: func(c result.Case) bool { return c.Contender == "reference" },
	})
	if len(s.Outcomes) != 1 || s.Outcomes[0].Case != cases[1] {
		t.Errorf("left out are %v, want huge values of the other alone", s.Outcomes)
	}
	if got := bySize(s)["huge"].Launches; got != fewest {
		t.Errorf("the reference's huge values have %d launches, want %d", got, fewest)
	}
}

// A size is dropped as a whole, after all other cases that may be dropped, and the kept cases
// of that size stay.
func TestSizesGiveWayTogether(t *testing.T) {
	var cases []result.Case
	ns := map[result.Case]float64{}
	for _, size := range []string{"first", "second", "third"} {
		for _, who := range []string{"reference", "other", "mode", "quick"} {
			c := encoder(size, who)
			cases = append(cases, c)
			ns[c] = map[string]float64{"first": 1.4e6, "second": 14e6, "third": 140e6}[size]
			if who == "quick" {
				ns[c] = 1000
			}
		}
	}
	request := func(budget time.Duration) Request {
		return Request{
			Cases: cases, Calibrations: calibrate(ns), Budget: budget, Layouts: 9, Least: 5,
			Keep: func(c result.Case) bool {
				return c.Size == "first" && c.Contender != "mode" || c.Contender == "reference"
			},
			Together: func(c result.Case) bool { return c.Contender == "other" || c.Contender == "quick" },
		}
	}
	for _, test := range []struct {
		budget time.Duration
		want   []result.Case
	}{
		{30 * time.Second, nil},
		{8 * time.Second, []result.Case{encoder("third", "mode")}},
		{4500 * time.Millisecond, []result.Case{encoder("third", "mode"), encoder("second", "mode"), encoder("first", "mode"), encoder("third", "other"), encoder("third", "quick")}},
		{time.Millisecond, []result.Case{encoder("third", "mode"), encoder("second", "mode"), encoder("first", "mode"), encoder("third", "other"), encoder("third", "quick"), encoder("second", "other"), encoder("second", "quick")}},
	} {
		var dropped []result.Case
		for _, o := range Of(request(test.budget)).Outcomes {
			dropped = append(dropped, o.Case)
		}
		if !slices.Equal(dropped, test.want) {
			t.Errorf("within %v dropped are %v, want %v", test.budget, dropped, test.want)
		}
	}
}

// With Subjects, modes are dropped first and then the slowest subjects, each with both ops,
// even if one of them is fast. Kept cases stay.
func TestSubjectsGiveWay(t *testing.T) {
	ns := map[result.Case]float64{}
	var cases []result.Case
	add := func(contender, mode string, encode, decode float64) {
		for op, t := range map[result.Op]float64{result.Encode: encode, result.Decode: decode} {
			c := result.Case{Workload: "own", Size: "records=1", Contender: contender, Mode: mode, Op: op}
			cases, ns[c] = append(cases, c), t
		}
	}
	add("have", "", 100e6, 100e6)
	add("slow", "", 1e6, 450e6) // slow to decode
	add("fast", "", 1e6, 2e6)
	add("fast", "output=reuse", 1e6, 1e6)
	for _, test := range []struct {
		budget time.Duration
		want   []string
	}{
		{time.Minute, nil},
		{6 * time.Second, []string{"fast (output=reuse)", "slow"}},
		{time.Second, []string{"fast (output=reuse)", "slow"}}, // dropping fast would save little
	} {
		dropped := map[string]int{}
		for _, o := range Of(Request{
			Cases: cases, Calibrations: calibrate(ns), Budget: test.budget, Layouts: 9, Least: 5, Subjects: true,
			Keep: func(c result.Case) bool { return c.Contender == "have" },
		}).Outcomes {
			dropped[o.Case.Subject().String()]++
		}
		if got := slices.Sorted(maps.Keys(dropped)); !slices.Equal(got, test.want) {
			t.Errorf("within %v dropped are %q, want %q", test.budget, got, test.want)
		}
		for who, n := range dropped {
			if n != 2 {
				t.Errorf("of %s %d ops are dropped, want both", who, n)
			}
		}
	}
}

func TestPrime(t *testing.T) {
	o := fixture()
	at := func(size string) result.Case {
		return result.Case{Workload: "small", Size: size, Contender: "json", Op: result.Encode}
	}
	both := []result.Case{at("n=1"), at("n=1000")}
	for _, test := range []struct {
		cases []result.Case
		of    string
		want  bool
	}{{both, "n=1", false}, {both, "n=1000", true}, {both[:1], "n=1", true}, {[]result.Case{at("n=7"), at("n=1")}, "n=1", false}} {
		if got := Prime(o.Workloads, test.cases, at(test.of)); got != test.want {
			t.Errorf("%s is the first size of %v: %v, want %v", test.of, test.cases, got, test.want)
		}
	}
}

func TestScheduleRounds(t *testing.T) {
	c := encoder("s", "a")
	s := Of(Request{Cases: []result.Case{c}, Calibrations: calibrate(map[result.Case]float64{c: 1e6}), Budget: time.Millisecond, Layouts: 8, Rounds: 100})
	if len(s.Cells) != 1 || s.Cells[0].Rounds != 100 || s.Cells[0].Launches != 8 {
		t.Errorf("schedule is %+v, want 100 rounds of 8 launches whatever the budget", s)
	}
}

func TestBudgetsToAskFor(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Millisecond: "30s", 31 * time.Second: "1m", 199 * time.Second: "4m", 46 * time.Minute: "1h", 61 * time.Minute: "2h",
	} {
		if got := Brief(Ample(d)); got != want {
			t.Errorf("to do what takes %v, ask for %s, want %s", d, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1536: "1.5 KiB", 3 << 20: "3.0 MiB", 5 << 30: "5.0 GiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}
