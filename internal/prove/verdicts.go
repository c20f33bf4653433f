package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"assay/internal/analysis"
	"assay/internal/drive"
	"assay/result"
)

// The launches of a verdict: what a quick run makes.
const (
	launches = 8
	warmup   = 10
	rounds   = 40
)

// tieMargin is the difference under which two things are tied.
const tieMargin = 0.01

// verdict runs n launches of the batches, each of another layout.
func (l *lab) verdict(n int, batches []batch, first uint64) ([]*result.Launch, error) {
	var out []*result.Launch
	for i := range uint64(n) {
		one, err := l.launch(1+(first+i)%layoutsMade, warmup, rounds, batches)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// aa compares each subject with itself, again and again, under a hog.
func aa(l *lab) (*finding, error) {
	const repeats = 38
	var tests, flagged, beyond int
	var worst float64
	perSubject := map[result.Subject]int{}
	err := underHog(func() error {
		for r := range repeats {
			made, err := l.verdict(launches, l.pairs(1000), uint64(r))
			if err != nil {
				return err
			}
			got, err := ratios(made, selfPairs())
			if err != nil {
				return err
			}
			for p, i := range got {
				tests++
				worst = max(worst, math.Abs(i.Value-1))
				if different(i) {
					flagged++
					perSubject[p[0]]++
					if i.Lo > 1+tieMargin || i.Hi < 1-tieMargin {
						beyond++
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f := &finding{
		Met:  tests >= 300 && float64(flagged) <= 0.05*float64(tests) && float64(beyond) <= 0.01*float64(tests),
		Head: []string{"what", "called different", "by more than the tie margin of 1%"},
	}
	f.Summary = fmt.Sprintf("%s called different, %s by more than the tie margin", percent(flagged, tests), percent(beyond, tests))
	f.Rows = append(f.Rows, []string{"assay, all rows", percent(flagged, tests), percent(beyond, tests)})
	for _, s := range subjects {
		f.Rows = append(f.Rows, []string{"assay, " + s.String(), percent(perSubject[s], repeats), ""})
	}
	f.Notes = append(f.Notes,
		fmt.Sprintf("Each test is %d launches of %d rounds, as in a quick run; the largest error of a ratio was %.2f%%.", launches, rounds, 100*worst),
		"The hog is as many threads as there are CPUs, each on and off at random, 1.5 s each in the mean.")
	return f, l.peerAA(f)
}

// peerAA runs go test -count=10 twice on the same rows under the same hog and
// lets benchstat's statistics judge.
func (l *lab) peerAA(f *finding) error {
	const repeats = 4
	var tests, flagged, beyond int
	err := underHog(func() error {
		for range repeats {
			before, err := l.goTest("100ms", 10)
			if err != nil {
				return err
			}
			after, err := l.goTest("100ms", 10)
			if err != nil {
				return err
			}
			for name := range before.times {
				tests++
				if differ, change := benchstat(before.times[name], after.times[name]); differ {
					flagged++
					if math.Abs(change) > tieMargin {
						beyond++
					}
				}
			}
		}
		return nil
	})
	f.Rows = append(f.Rows, []string{"go test -benchtime=100ms -count=10, then benchstat", percent(flagged, tests), percent(beyond, tests)})
	return err
}

// powerLaunches are the launches of a verdict on an injected slow-down: those of
// a plain run.
const powerLaunches = 16

// power injects slow-downs of known size and counts how often they are found.
func power(l *lab) (*finding, error) {
	const repeats = 12
	f := &finding{Met: true, Head: []string{"injected", "found with the right sign", "called faster", "error of the ratio, p95"}}
	for _, permille := range []int{1010, 1030, 1050} {
		var tests, found, wrong int
		var errors []float64
		err := underHog(func() error {
			for r := range repeats {
				made, err := l.verdict(powerLaunches, l.pairs(permille), uint64(r))
				if err != nil {
					return err
				}
				got, err := ratios(made, selfPairs())
				if err != nil {
					return err
				}
				for _, i := range got {
					tests++
					errors = append(errors, math.Abs(i.Value*1000/float64(permille)-1))
					switch {
					case i.Lo > 1:
						found++
					case i.Hi < 1:
						wrong++
					}
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		need := 0.95
		if permille == 1010 {
			need = 0.90
		}
		f.Met = f.Met && float64(found) >= need*float64(tests)
		injected := fmt.Sprintf("%.0f%%", float64(permille-1000)/10)
		f.Rows = append(f.Rows, []string{injected, percent(found, tests), percent(wrong, tests), fmt.Sprintf("%.2f%%", 100*quantile(errors, 0.95))})
		if f.Summary != "" {
			f.Summary += ", "
		}
		f.Summary += injected + " found in " + percent(found, tests)
	}
	perPair := float64(powerLaunches*(warmup+rounds)) * 2 * 220e-6
	f.Notes = append(f.Notes, fmt.Sprintf("A pair costs about %.1f s: %d launches of %d rounds of two batches, and its share of starting processes.", perPair, powerLaunches, warmup+rounds),
		"Every interval allows for what the run shows of the machine's changes (METHODOLOGY.md, environment term).")
	return f, nil
}

// layouts asks whether the same source is called different when each side is
// linked otherwise: four layouts a side, and one.
func layouts(l *lab) (*finding, error) {
	const perLayout = 2
	made := map[uint64][]*result.Launch{}
	for range perLayout {
		for layout := uint64(1); layout <= 16; layout++ {
			one, err := l.launch(layout, warmup, rounds, l.plain())
			if err != nil {
				return nil, err
			}
			made[layout] = append(made[layout], one)
		}
	}
	f := &finding{Head: []string{"layouts a side", "called different", "difference, p95"}}
	random := rand.New(rand.NewPCG(1, 1))
	for _, side := range []int{4, 8, 1} {
		var tests, flagged int
		var sizes []float64
		for range 60 {
			order := random.Perm(16)
			var halves [2][]*result.Launch
			for h := range halves {
				for _, k := range order[h*side : (h+1)*side] {
					halves[h] = append(halves[h], made[uint64(1+k)]...)
				}
			}
			a, b, err := bothRatios(halves)
			if err != nil {
				return nil, err
			}
			for p := range a {
				tests++
				change := a[p].Value/b[p].Value - 1
				sizes = append(sizes, math.Abs(change))
				if apart(a[p], b[p]) {
					flagged++
				}
			}
		}
		f.Rows = append(f.Rows, []string{fmt.Sprint(side), percent(flagged, tests), fmt.Sprintf("%.1f%%", 100*quantile(sizes, 0.95))})
		if side == 4 {
			f.Met = tests >= 300 && float64(flagged) <= 0.07*float64(tests)
			f.Summary = percent(flagged, tests) + " of the splits with 4 layouts a side are called different"
		}
		if side == 1 {
			f.Summary += ", " + percent(flagged, tests) + " with one binary a side"
		}
	}
	f.Notes = append(f.Notes,
		fmt.Sprintf("16 layouts, %d launches each, split at random; each row's ratio to %s is compared between the halves.", perLayout, subjects[0]),
		"With one binary a side the interval is what that binary's own rounds say, which is what every tool says that measures one binary.")
	return f, nil
}

// bothRatios returns the ratios to the reference of two sets of launches.
func bothRatios(halves [2][]*result.Launch) (a, b map[[2]result.Subject]analysis.Interval, err error) {
	if a, err = ratios(halves[0], referencePairs()); err == nil {
		b, err = ratios(halves[1], referencePairs())
	}
	return a, b, err
}

// apart says that two independent ratios differ: the interval of their quotient
// excludes 1.
func apart(a, b analysis.Interval) bool {
	diff := math.Log(a.Value / b.Value)
	half := math.Hypot(math.Log(a.Hi/a.Lo)/2, math.Log(b.Hi/b.Lo)/2)
	return math.Abs(diff) > half
}

// counts makes the exact counts ten times.
func counts(l *lab) (*finding, error) {
	const runs = 10
	f := &finding{Met: true, Head: []string{"row", "op", "B/op", "allocs/op", "the same in all runs"}}
	var cases []result.Case
	for _, op := range []result.Op{result.Encode, result.Decode} {
		cell := place
		cell.Op = op
		for _, s := range subjects {
			if op == result.Decode && s.Mode == "output=reuse" {
				continue
			}
			cases = append(cases, cell.Case(s))
		}
	}
	seen := map[result.Case][]result.Count{}
	for range runs {
		outcomes, err := drive.Count(l.ctx, drive.CountConfig{
			Runner: l.drive(), Cases: cases, Ops: func(result.Case) int { return 1024 },
		}, func(r result.Record) error {
			if r.Count != nil {
				seen[r.Count.Case] = append(seen[r.Count.Case], *r.Count)
			}
			return nil
		}, func(drive.Event) {})
		if err != nil {
			return nil, err
		}
		if len(outcomes) > 0 {
			return nil, fmt.Errorf("%v: %s", outcomes[0].Case, outcomes[0].Reason)
		}
	}
	same := 0
	for _, c := range cases {
		all := seen[c]
		equal := len(all) == runs
		for _, one := range all {
			equal = equal && one == all[0]
		}
		if equal {
			same++
		}
		per := func(total uint64) string { return fmt.Sprintf("%.2f", float64(total)/float64(all[0].Ops)) }
		f.Rows = append(f.Rows, []string{c.Subject().String(), string(c.Op), per(all[0].Bytes), per(all[0].Allocs), fmt.Sprint(equal)})
	}
	f.Met = same == len(cases)
	f.Summary = fmt.Sprintf("%d of %d rows are the same in %d runs", same, len(cases), runs)
	return f, nil
}

// batches compares batches of 200 µs with batches of 10 ms.
func batches(l *lab) (*finding, error) {
	const long = 50
	var short, lengthy []batch
	for _, s := range subjects {
		short = append(short, batch{subject: s, do: l.n[s], count: l.n[s], as: s.Mode})
		lengthy = append(lengthy, batch{subject: s, do: l.n[s] * long, count: l.n[s] * long, as: s.Mode})
	}
	f := &finding{Met: true, Head: []string{"row", "200 µs batches over 10 ms batches"}}
	var worst float64
	var all []*result.Launch
	for i := range uint64(launches) {
		for _, b := range []struct {
			batches []batch
			rounds  int
		}{{short, rounds}, {lengthy, 4}} {
			one, err := l.launch(1+i, max(1, b.rounds/4), b.rounds, b.batches)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
	}
	for _, s := range subjects {
		var logs []float64
		for i := 0; i < len(all); i += 2 {
			logs = append(logs, math.Log(perOp(all[i], s)/perOp(all[i+1], s)))
		}
		ratio := math.Exp(quantile(logs, 0.5))
		worst = max(worst, math.Abs(ratio-1))
		f.Rows = append(f.Rows, []string{s.String(), fmt.Sprintf("%.3f", ratio)})
	}
	f.Met = worst <= 0.015
	f.Summary = fmt.Sprintf("the largest difference is %.1f%%", 100*worst)
	f.Notes = append(f.Notes,
		"The median over 8 layouts of the quotient of two launches, one after the other. Absolute times are compared here, so the clock frequency adds to the difference.",
		"Batches of 10 ms with the collector off work on memory that was never touched before; an allocating codec is slower in them for that reason.")
	return f, nil
}

// perOp returns the median thread CPU time of an operation of the subject.
func perOp(l *result.Launch, s result.Subject) float64 {
	for _, series := range l.Series {
		if series.Subject != s {
			continue
		}
		times := series.CPU
		if len(times) == 0 {
			times = series.Wall
		}
		var per []float64
		for _, t := range times {
			per = append(per, float64(t)/float64(series.N))
		}
		return quantile(per, 0.5)
	}
	return math.NaN()
}
