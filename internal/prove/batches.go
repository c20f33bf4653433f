package main

import (
	"errors"
	"fmt"
	"math"

	"assay/bench"
	"assay/internal/drive"
	"assay/result"
)

// longBatch is how many times as long a long batch is: 10 ms against 200 µs.
const longBatch = 50

// The quotient of two lengths is taken over so many layouts, and in so many turns of each.
const (
	lengthLayouts = 16
	lengthTurns   = 5
)

// batches compares batches of 200 µs with batches of 10 ms, both at the footprint of
// the long ones: what a long batch allocates before the garbage collector can run.
func batches(l *lab) (*finding, error) {
	f := &finding{Met: true, Head: []string{"place", "row", "footprint", "200 µs batches over 10 ms batches", "at 3 MiB over the same"}}
	worst, worstName := 0.0, ""
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
			ratio := math.Exp(quantile(same, 0.5))
			if off := math.Abs(ratio - 1); off > worst {
				worst, worstName = off, fmt.Sprintf("%s, %s", at, s)
			}
			f.Rows = append(f.Rows, []string{at.String(), s.String(), fmt.Sprintf("%.1f MiB", float64(footprint)/(1<<20)),
				fmt.Sprintf("%.3f", ratio), fmt.Sprintf("%.3f", math.Exp(quantile(small, 0.5)))})
		}
	}
	f.Met = worst <= 0.015
	f.Summary = fmt.Sprintf("the largest difference at equal footprint is %.1f%% (%s)", 100*worst, worstName)
	f.Notes = append(f.Notes,
		fmt.Sprintf("The median over %d layouts of the quotient of times in one process: each layout's is the median over %d turns of long batches, between short ones before and after them.", lengthLayouts, lengthTurns),
		"The last column has the same short batches with a collection every 3 MiB, which keeps the memory that an allocating codec uses in the caches: it is what the footprint does, not the length.")
	return f, nil
}

// lengths returns the logarithms of the time of an operation in short batches over that in
// long ones, at the same footprint and at one of 3 MiB. All are of one process, in turn: in
// each turn the long batches are between short ones of either kind, so that a machine which
// slows down favours neither.
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
	// As many short batches as are a long one allocate as much as one.
	var equal, less []float64
	for range lengthTurns {
		less0, equal0 := per(1, 0, longBatch, 3<<20), per(1, 0, longBatch, footprint)
		long := per(longBatch, 0, 3, 1) // a collection before each
		equal1, less1 := per(1, 0, longBatch, footprint), per(1, 0, longBatch, 3<<20)
		equal, less = append(equal, (equal0+equal1)/2-long), append(less, (less0+less1)/2-long)
	}
	return quantile(equal, 0.5), quantile(less, 0.5), err
}

// asked sends a command and takes an answer with an error for one.
func asked(p *drive.Process, c bench.Command) (bench.Answer, error) {
	a, err := p.Do(c)
	if err == nil && a.Error != "" {
		err = errors.New(a.Error)
	}
	return a, err
}

// allocated returns how many bytes an operation of each row allocates.
func (l *site) allocated() (map[result.Subject]float64, error) {
	out := map[result.Subject]float64{}
	err := l.lab.count(l.cases(), func(c result.Count) {
		out[c.Case.Subject()] = float64(c.Bytes) / float64(c.Ops)
	})
	return out, err
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
