package plan

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/contender"
	"assay/result"
	"assay/workload"
)

func fixture() Options {
	all := []result.Op{result.Encode, result.Decode, result.Scan, result.Convert}
	return Options{
		Workloads: []*workload.Workload{
			{Name: "small", Sizes: []workload.Size{
				{Key: "n=1", Bytes: 100, Default: true, Quick: true},
				{Key: "n=1000", Bytes: 100_000, Default: true},
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
	if got := o.tooLarge(w, workload.Size{Key: "k", Bytes: 200 << 20}, 9); !strings.Contains(got, "at most 3 contenders") {
		t.Errorf("%q does not say how many fit", got)
	}
	if got := o.tooLarge(w, workload.Size{Key: "k", Bytes: 20 << 30}, 1); !strings.Contains(got, "streamed") {
		t.Errorf("%q does not say that none fits", got)
	}
}

// calibrate makes calibrations of batches of at least 200 µs, as a runner does.
func calibrate(ns map[result.Case]float64) map[result.Case]result.Calibration {
	out := map[result.Case]result.Calibration{}
	for c, t := range ns {
		out[c] = result.Calibration{Case: c, NS: t, N: max(1, int(200_000/t))}
	}
	return out
}

func TestSchedule(t *testing.T) {
	cell := func(size string) result.Cell { return result.Cell{Workload: "w", Size: size, Op: result.Encode} }
	fast := cell("fast").Case(result.Subject{Contender: "a"})
	fast2 := cell("fast").Case(result.Subject{Contender: "b"})
	slowOne := cell("mixed").Case(result.Subject{Contender: "slow"})
	quick := []result.Case{
		cell("mixed").Case(result.Subject{Contender: "a"}), cell("mixed").Case(result.Subject{Contender: "b"}), cell("mixed").Case(result.Subject{Contender: "c"}),
	}
	endless := cell("endless").Case(result.Subject{Contender: "a"})
	cases := append([]result.Case{fast, fast2, slowOne, endless}, quick...)
	ns := map[result.Case]float64{fast: 100, fast2: 100, slowOne: 20e6, endless: 60e9}
	for _, c := range quick {
		ns[c] = 1000
	}
	const layouts = 8
	s := Of(cases, calibrate(ns), nil, 20*time.Second, layouts, 0)

	byKey := map[string]Cell{}
	for _, c := range s.Cells {
		byKey[c.Size] = c
	}
	if c := byKey["fast"]; c.Rounds != fullRounds || c.Warmup != fullWarmup {
		t.Errorf("the fast cell has %d+%d rounds, want %d+%d", c.Warmup, c.Rounds, fullWarmup, fullRounds)
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
		t.Errorf("outcomes are %v, want a timeout of %v", s.Outcomes, endless)
	}
	if s.Time > 25*time.Second {
		t.Errorf("the launches take %v, the budget is 20 s", s.Time)
	}
}

func TestScheduleRounds(t *testing.T) {
	c := result.Case{Workload: "w", Size: "s", Contender: "a", Op: result.Encode}
	s := Of([]result.Case{c}, calibrate(map[result.Case]float64{c: 1e6}), nil, time.Millisecond, 8, 100)
	if len(s.Cells) != 1 || s.Cells[0].Rounds != 100 {
		t.Errorf("schedule is %+v, want 100 rounds whatever the budget", s)
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1536: "1.5 KiB", 3 << 20: "3.0 MiB", 5 << 30: "5.0 GiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}
