package main

import (
	"bytes"
	"fmt"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"assay/internal/analysis"
	"assay/internal/drive"
	"assay/result"
)

// steady compares assay's ratios of CPU time with the collector on with the ratios of go test
// -benchtime=100ms -count=10, on the machine as it is and under a load.
func steady(l *lab) (*finding, error) {
	const repeats, peers = 5, 4
	f := &finding{Head: []string{"machine", "what", "wall time, median", "run-to-run difference of a ratio, p95"}}
	type outcome struct {
		took time.Duration
		p95  float64
	}
	measure := func(machine, name string, repeats int, once func(int) (map[[2]result.Subject]analysis.Interval, error)) (outcome, error) {
		var times []float64
		var values []map[[2]result.Subject]analysis.Interval
		for i := range repeats {
			start := time.Now()
			got, err := once(i)
			if err != nil {
				return outcome{}, err
			}
			times = append(times, time.Since(start).Seconds())
			values = append(values, got)
			f.repeated(l, machine+", "+name, i, got)
		}
		o := outcome{time.Duration(quantile(times, 0.5) * float64(time.Second)), quantile(repeatDifferences(values), 0.95)}
		f.Rows = append(f.Rows, []string{machine, name, o.took.Round(100 * time.Millisecond).String(), fmt.Sprintf("%.1f%%", 100*o.p95)})
		return o, nil
	}
	peer := func(int) (map[[2]result.Subject]analysis.Interval, error) {
		run, err := l.goTest("100ms", 10)
		if err != nil {
			return nil, err
		}
		return l.peerRatios(run), nil
	}
	if _, err := l.goTest("1x", 1); err != nil { // builds the benchmarks
		return nil, err
	}
	var ours, theirs [2]outcome
	for i, machine := range []string{"as it is", "under a load"} {
		all := func() (err error) {
			if ours[i], err = measure(machine, "assay, cpu-time", repeats, l.steadyOnce); err != nil {
				return err
			}
			theirs[i], err = measure(machine, "go test -benchtime=100ms -count=10", peers, peer)
			return err
		}
		var err error
		if i == 0 {
			err = all()
		} else {
			err = underHog(all)
		}
		if err != nil {
			return nil, err
		}
	}
	f.Summary = fmt.Sprintf("as it is %.1f%% in %v against %.1f%% in %v; under a load %.1f%% against %.1f%%",
		100*ours[0].p95, ours[0].took.Round(time.Second), 100*theirs[0].p95, theirs[0].took.Round(time.Second), 100*ours[1].p95, 100*theirs[1].p95)
	f.Notes = append(f.Notes,
		"Both count the collector, but not the same of it: assay counts all CPU time of a process on one CPU, go test the wall time, which leaves out what the collector does on other CPUs.",
		"The layouts are the same in every repetition on both sides, so that the difference is the measuring's alone.")
	return f, nil
}

// steadyOnce makes the steady counts of all subjects and returns their ratios of CPU time.
func (l *lab) steadyOnce(int) (map[[2]result.Subject]analysis.Interval, error) {
	run := &result.Run{Schema: result.RunSchema, Plan: result.Plan{Reference: l.subjects[0].Contender}}
	for _, s := range l.subjects {
		run.Plan.Cases = append(run.Plan.Cases, l.place.Case(s))
	}
	// The analysis needs a time of a row before it reports anything else about the row.
	one, err := l.launch(1, 1, 2, l.plain())
	if err != nil {
		return nil, err
	}
	one.Cell = l.place
	records := []result.Record{{Launch: one}}
	_, err = drive.Steady(l.ctx, drive.SteadyConfig{
		Runner: l.drive(), Layouts: []uint64{1, 2, 3, 4}, LiveMB: []int{0}, Rounds: 12,
		Min: 10 * time.Millisecond, Max: 40 * time.Millisecond, MinCycles: 1, Budget: 10 * time.Second,
		Cells: []drive.SteadyCell{{Cell: l.place, Subjects: l.subjects}},
	}, func(r result.Record) error {
		records = append(records, r)
		return nil
	}, func(drive.Event) {})
	if err != nil {
		return nil, err
	}
	out := map[[2]result.Subject]analysis.Interval{}
	for _, t := range analysis.Of(run, records, analysis.View{}).Tables {
		for _, s := range l.subjects[1:] {
			if row, ok := t.Row(l.place.Case(s), analysis.CPUTime); ok && row.Ratio != nil {
				out[[2]result.Subject{l.subjects[0], s}] = *row.Ratio
			}
		}
	}
	if len(out) != len(l.subjects)-1 {
		return nil, fmt.Errorf("%d of %d rows have CPU times", len(out), len(l.subjects)-1)
	}
	return out, nil
}

// The benchmark of the loop is made overheadRuns times, and overheadMost is the most that its median may
// be, in ns.
const (
	overheadRuns = 25
	overheadMost = 0.5
)

// overhead runs the benchmark that compares plain loops with the engine's loops.
func overhead(l *lab) (*finding, error) {
	cmd := exec.CommandContext(l.ctx, "go", "test", "-run", "^$", "-bench", "Overhead", "-benchtime=1000x", fmt.Sprint("-count=", overheadRuns), "./bench")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	found := map[string][]float64{}
	var order []string
	for line := range strings.Lines(string(bytes.TrimSpace(out))) {
		fields := strings.Fields(line)
		for i := 1; i < len(fields); i++ {
			if fields[i] != "overhead-ns/op" {
				continue
			}
			v, err := strconv.ParseFloat(fields[i-1], 64)
			if err != nil {
				return nil, err
			}
			if found[fields[0]] == nil {
				order = append(order, fields[0])
			}
			found[fields[0]] = append(found[fields[0]], v)
		}
	}
	if len(order) == 0 {
		return nil, fmt.Errorf("the benchmark printed no overhead:\n%s", out)
	}
	f := &finding{Head: []string{"operation", "overhead in ns, median", fmt.Sprintf("each of %d runs", overheadRuns)}}
	worst, largest := 0.0, 0.0 // what the loop hides counts as much as what it adds
	for _, name := range order {
		over := analysis.Spread(found[name])
		worst, largest = max(worst, math.Abs(over.Value)), max(largest, math.Abs(over.Lo), math.Abs(over.Hi))
		var each []string
		for _, v := range found[name] {
			each = append(each, fmt.Sprintf("%.2f", v))
		}
		f.Rows = append(f.Rows, []string{name, fmt.Sprintf("%.2f", over.Value), strings.Join(each, ", ")})
	}
	f.Summary = fmt.Sprintf("at most %.2f ns more or less in the median of %d runs, %.2f in a single one", worst, overheadRuns, largest)
	return f, nil
}
