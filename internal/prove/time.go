package main

import (
	"fmt"
	"math"
	"time"

	"assay/internal/analysis"
	"assay/result"
)

// settle measures how long it takes until every ratio to the reference is known to ±1%, and how
// much the ratios differ from run to run. It measures the same for go test.
func settle(l *lab) (*finding, error) {
	const goal, repeats, peers = settleGoal, 6, 2
	f := &finding{Head: []string{"what", "wall time, median", "widest interval, median", "run-to-run difference of a ratio, p95", "largest"}}
	engine := func(name string, single bool) error {
		var times, widths []float64
		var values []map[[2]result.Subject]analysis.Interval
		for r := range uint64(repeats) {
			start := time.Now()
			got, err := l.settleOnce(goal, r, single)
			if err != nil {
				return err
			}
			times = append(times, time.Since(start).Seconds())
			widths = append(widths, widest(got))
			values = append(values, got)
			f.repeated(l, name, int(r), got)
		}
		differences := repeatDifferences(values)
		took := time.Duration(quantile(times, 0.5) * float64(time.Second))
		f.Rows = append(f.Rows, []string{name, took.Round(100 * time.Millisecond).String(), fmt.Sprintf("±%.2f%%", 100*quantile(widths, 0.5)), fmt.Sprintf("%.2f%%", 100*quantile(differences, 0.95)), fmt.Sprintf("%.2f%%", 100*quantile(differences, 1))})
		return nil
	}
	if err := engine("assay, random layouts", false); err != nil {
		return nil, err
	}
	if err := engine("assay, one layout only, as tools measure that know of none", true); err != nil {
		return nil, err
	}
	var peerTimes []float64
	var peerValues []map[[2]result.Subject]analysis.Interval
	const theirs = "go test -count=10"
	for r := range peers {
		run, err := l.goTest("1s", 10)
		if err != nil {
			return nil, err
		}
		peerTimes = append(peerTimes, run.took.Seconds())
		peerValues = append(peerValues, l.peerRatios(run))
		f.repeated(l, theirs, r, peerValues[r])
	}
	differences := repeatDifferences(peerValues)
	peer := time.Duration(quantile(peerTimes, 0.5) * float64(time.Second))
	f.Rows = append(f.Rows, []string{theirs, peer.Round(time.Second).String(), "", fmt.Sprintf("%.2f%%", 100*quantile(differences, 0.95)), fmt.Sprintf("%.2f%%", 100*quantile(differences, 1))})
	f.Notes = append(f.Notes,
		fmt.Sprintf("assay goes on until every interval is ±%.0f%% or narrower, but no longer than %d launches. An interval over layouts that move a ratio by 2 to 3%% each needs some forty of them to be that narrow; the lab has %d, and launches them again.", 100*goal, mostLaunches, layoutsMade),
		fmt.Sprintf("Ratios are to %s. assay: %d repetitions; go test: %d runs of one binary, whose run-to-run difference therefore has no layouts in it.", l.subjects[0], repeats, peers),
		"Linking the layouts is not in the time: they are made once for a version of the tool and kept.")
	return f, f.settled()
}

// mostLaunches is the largest number of launches that settle makes if ratios stay too wide.
const mostLaunches = 2 * layoutsMade

// widest returns the half-width of the widest interval.
func widest(ratios map[[2]result.Subject]analysis.Interval) float64 {
	out := 0.0
	for _, i := range ratios {
		out = max(out, i.HalfWidth())
	}
	return out
}

// settleOnce makes launches until the half-width of every ratio is at most goal, or mostLaunches
// are made.
func (l *lab) settleOnce(goal float64, shift uint64, single bool) (map[[2]result.Subject]analysis.Interval, error) {
	var made []*result.Launch
	for k := range uint64(mostLaunches) {
		layout := 1 + (k+5*shift)%layoutsMade
		if single {
			layout = 1
		}
		one, err := l.launch(layout, warmup, rounds, l.plain())
		if err != nil {
			return nil, err
		}
		made = append(made, one)
		if len(made) < launches {
			continue
		}
		got, err := l.ratios(made, l.referencePairs())
		if err != nil {
			return nil, err
		}
		if widest(got) <= goal || k == mostLaunches-1 {
			return got, nil
		}
	}
	return nil, fmt.Errorf("no launches")
}

// peerRatios returns the ratios of the rows' medians to the reference's median.
func (l *site) peerRatios(p *peerRun) map[[2]result.Subject]analysis.Interval {
	median := func(i int) float64 {
		for name, times := range p.times {
			var n int
			if _, err := fmt.Sscanf(name, "%d", &n); err == nil && n == i {
				return quantile(times, 0.5)
			}
		}
		return math.NaN()
	}
	out := map[[2]result.Subject]analysis.Interval{}
	for i, s := range l.subjects[1:] {
		v := median(i+1) / median(0)
		out[[2]result.Subject{l.subjects[0], s}] = analysis.Interval{Value: v, Lo: v, Hi: v}
	}
	return out
}

// repeatDifferences returns, for each ratio and each two repetitions, the absolute difference of
// the logarithms.
func repeatDifferences(values []map[[2]result.Subject]analysis.Interval) []float64 {
	var out []float64
	for i := range values {
		for j := range i {
			for p, v := range values[i] {
				out = append(out, math.Abs(math.Log(v.Value/values[j][p].Value)))
			}
		}
	}
	return out
}
