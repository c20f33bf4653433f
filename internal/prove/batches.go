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
			for layout := uint64(1); layout <= launches; layout++ {
				per, err := at.lengths(layout, s, footprint)
				if err != nil {
					return nil, err
				}
				same = append(same, math.Log(per[0]/per[1]))
				small = append(small, math.Log(per[2]/per[1]))
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
		"The median over 8 layouts of the quotient of times in one process, one after the other.",
		"The last column has the same short batches with a collection every 3 MiB, which keeps the memory that an allocating codec uses in the caches: it is what the footprint does, not the length.")
	return f, nil
}

// lengths returns the time of an operation in short batches, in long ones, and in short
// ones at a footprint of 3 MiB, all of one process.
func (l *site) lengths(layout uint64, s result.Subject, footprint int64) (per [3]float64, err error) {
	p, err := drive.Start(l.lab.ctx, l.lab.drive().Binary(layout), drive.Limits{})
	if err != nil {
		return per, err
	}
	defer p.Close()
	if _, err := asked(p, bench.Command{Cmd: "load", Load: &bench.Load{Workload: l.place.Workload, Size: l.place.Size, Seed: 1}}); err != nil {
		return per, err
	}
	for i, c := range []struct {
		times, warmup, rounds int
		garbage               int64
	}{
		{1, 100, 100, footprint},
		{longBatch, 2, 6, 1}, // a collection before each
		{1, 20, 100, 3 << 20},
	} {
		l.lab.seed++
		a, err := asked(p, bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{
			Cases:  []bench.CaseSpec{{Subject: s, Op: l.place.Op, N: l.n[s] * c.times}},
			Warmup: c.warmup, Rounds: c.rounds, Seed: l.lab.seed, Garbage: c.garbage,
		}})
		if err != nil {
			return per, err
		}
		per[i] = perOp(&result.Launch{Series: a.Measured.Series}, s)
	}
	return per, nil
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
