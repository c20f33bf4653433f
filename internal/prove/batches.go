package main

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"assay/bench"
	"assay/internal/analysis"
	"assay/internal/drive"
	"assay/result"
)

// longBatch is the ratio of a long batch to a short one: 10 ms to 200 µs.
const longBatch = 50

// The ratio of the two batch lengths is measured in lengthLayouts layouts, lengthTurns times in
// each.
const (
	lengthLayouts = layoutsMade
	lengthTurns   = 10
)

// The bounds of a median over lengthLayouts layouts are the values with lengthBeyond others
// beyond them. By the sign test, they miss the true median in 2.0% of the cases.
const lengthBeyond = 9

// batches compares batches of 200 µs with batches of 10 ms. Both work at the footprint of the
// long batches: the bytes that a long batch allocates before the garbage collector can run.
func batches(l *lab) (*finding, error) {
	f := &finding{Head: []string{"place", "row", "footprint", "200 µs batches over 10 ms batches", "at 3 MiB over the same"}}
	worst, worstName := 0.0, ""
	var shown share
	for _, at := range l.sites[:2] {
		allocated, err := at.allocated()
		if err != nil {
			return nil, err
		}
		for _, s := range at.subjects {
			footprint := max(3<<20, int64(allocated[s]*float64(at.n[s]*longBatch)))
			var same, small []float64
			for layout := uint64(1); layout <= lengthLayouts; layout++ {
				equal, less, err := at.lengths(layout, s, footprint)
				if err != nil {
					return nil, err
				}
				same = append(same, equal)
				small = append(small, less)
			}
			ratio := overLayouts(same)
			if off := math.Abs(ratio.Value - 1); off > worst {
				worst, worstName = off, fmt.Sprintf("%s, %s, from %.3f to %.3f", at, s, ratio.Lo, ratio.Hi)
			}
			shown.count(ratio.Lo > 1+lengthsAlike || ratio.Hi < 1-lengthsAlike)
			f.test(at, s, 0, ratio, 1)
			f.Rows = append(f.Rows, []string{at.String(), s.String(), fmt.Sprintf("%.1f MiB", float64(footprint)/(1<<20)),
				fmt.Sprintf("%.3f (%.3f…%.3f)", ratio.Value, ratio.Lo, ratio.Hi), fmt.Sprintf("%.3f", overLayouts(small).Value)})
		}
	}
	f.Summary = fmt.Sprintf("the largest difference at equal footprint is %.1f%% (%s); %s of the rows are shown to differ by more than %.1f%%", 100*worst, worstName, shown, 100*lengthsAlike)
	f.Notes = append(f.Notes,
		fmt.Sprintf("The median over %d layouts of the quotient of times in one process, with an interval from the %dth to the %drd layout, which contains the true median in 98.0%% of the cases. The value of a layout is the median over %d turns of long batches, between short ones before and after them.", lengthLayouts, lengthBeyond+1, lengthLayouts-lengthBeyond, lengthTurns),
		"The last column has the same short batches with a collection every 3 MiB, which keeps the memory that an allocating codec uses in the caches: it is what the footprint does, not the length.")
	return f, nil
}

// lengthsAlike is the largest accepted difference between the two lengths, as a share.
const lengthsAlike = 0.015

// overLayouts takes one logarithm per layout and returns their median as a ratio.
func overLayouts(logs []float64) analysis.Interval {
	sorted := slices.Sorted(slices.Values(logs))
	return analysis.Interval{Value: math.Exp(quantile(logs, 0.5)), Lo: math.Exp(sorted[lengthBeyond]), Hi: math.Exp(sorted[lengthLayouts-1-lengthBeyond])}
}

// lengths returns the logarithm of the time of an operation in short batches over its time in
// long batches: same with the short batches at the same footprint, small with the short batches
// at 3 MiB. One process measures all of them. In each turn, short batches of both kinds come
// before and after the long batches, so that a machine which slows down favours neither length.
func (l *site) lengths(layout uint64, s result.Subject, footprint int64) (same, small float64, err error) {
	p, err := drive.Start(l.lab.ctx, l.lab.drive().Binary(layout), drive.Limits{})
	if err != nil {
		return 0, 0, err
	}
	defer p.Close()
	if _, err := asked(p, bench.Command{Cmd: "load", Load: &bench.Load{Workload: l.place.Workload, Size: l.place.Size, Seed: 1}}); err != nil {
		return 0, 0, err
	}
	per := func(times, warmup, rounds int, garbage int64) float64 {
		if err != nil {
			return 0
		}
		l.lab.seed++
		var a bench.Answer
		if a, err = asked(p, bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{
			Cases:  []bench.CaseSpec{{Subject: s, Op: l.place.Op, N: l.n[s] * times}},
			Warmup: warmup, Rounds: rounds, Seed: l.lab.seed, Garbage: garbage,
		}}); err != nil {
			return 0
		}
		return math.Log(perOp(&result.Launch{Series: a.Measured.Series}, s))
	}
	per(1, 100, 1, footprint)
	// longBatch short batches do as many operations, and allocate as much, as one long batch.
	var equal, less []float64
	for range lengthTurns {
		less0, equal0 := per(1, 0, longBatch, 3<<20), per(1, 0, longBatch, footprint)
		long := per(longBatch, 0, 3, 1) // a collection before each
		equal1, less1 := per(1, 0, longBatch, footprint), per(1, 0, longBatch, 3<<20)
		equal, less = append(equal, (equal0+equal1)/2-long), append(less, (less0+less1)/2-long)
	}
	return quantile(equal, 0.5), quantile(less, 0.5), err
}

// asked sends a command and returns the answer. An error in the answer becomes an error.
func asked(p *drive.Process, c bench.Command) (bench.Answer, error) {
	a, err := p.Do(c)
	if err == nil && a.Error != "" {
		err = errors.New(a.Error)
	}
	return a, err
}

// allocated returns the bytes that an operation of each row allocates.
func (l *site) allocated() (map[result.Subject]float64, error) {
	out := map[result.Subject]float64{}
	err := l.lab.count(l.cases(), func(c result.Count) {
		out[c.Case.Subject()] = float64(c.Bytes) / float64(c.Ops)
	})
	return out, err
}

// perOp returns the median thread CPU time of an operation of the subject in ns, or the median
// wall time if the launch has no CPU times. It returns NaN if the launch has no series of the
// subject.
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
