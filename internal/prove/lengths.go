package main

import (
	"fmt"
	"math"
	"time"

	"github.com/aclements/go-moremath/stats"

	"assay/internal/analysis"
	"assay/internal/plan"
	"assay/result"
)

// larger are places whose operations take 20 to 400 µs, so that few operations take 200 µs.
var larger = []result.Cell{
	{Workload: "customer", Size: "level=2", Op: result.Encode},
	{Workload: "customer", Size: "level=2", Op: result.Decode},
}

const (
	// fewOps is the least number of operations of a short batch. One more operation runs untimed
	// before a batch of that size.
	fewOps = 4
	// lengthRuns is the number of runs of each length. The two lengths alternate.
	lengthRuns = 10
)

// lengths tests whether batches of a few operations suffice if each operation takes long: whether
// they give the same ratios as batches of 50 operations, and how the run-to-run errors compare
// for the same time. The values of these workloads are alike, so that a few of them are a fair
// sample.
func lengths(l *lab) (*finding, error) {
	short := plan.Batch
	short.MinOps = fewOps
	few, err := l.sized(larger, short)
	if err != nil {
		return nil, err
	}
	many, err := l.sized(larger, plan.Batch)
	if err != nil {
		return nil, err
	}
	f := &finding{Head: []string{"place", "row", "operations", "run-to-run difference of a ratio", "few over many"}}
	var spreads [2][]float64
	worst, beyond := 0.0, share{}
	for i := range few {
		logs, err := byTurns([2]*site{few[i], many[i]})
		if err != nil {
			return nil, err
		}
		for _, s := range few[i].subjects[1:] {
			var moved [2]float64
			var off []float64
			for k := range logs {
				moved[k] = stats.StdDev(logs[k][s])
				spreads[k] = append(spreads[k], moved[k])
			}
			for run := range logs[0][s] {
				off = append(off, logs[0][s][run]-logs[1][s][run])
			}
			mean, lo, hi := stats.MeanCI(off, 0.95)
			ratio := analysis.Interval{Value: math.Exp(mean), Lo: math.Exp(lo), Hi: math.Exp(hi)}
			worst = max(worst, math.Abs(ratio.Value-1))
			beyond.count(ratio.Lo > 1+lengthsAlike || ratio.Hi < 1-lengthsAlike)
			f.test(few[i], s, 0, ratio, 1)
			f.Rows = append(f.Rows, []string{few[i].String(), s.String(), fmt.Sprintf("%d, %d", few[i].n[s], many[i].n[s]),
				fmt.Sprintf("%.1f%%, %.1f%%", 100*moved[0], 100*moved[1]), fmt.Sprintf("%.3f (%.3f…%.3f)", ratio.Value, ratio.Lo, ratio.Hi)})
		}
	}
	f.Summary = fmt.Sprintf("%s of the rows are shown to differ by more than %.1f%%, and the largest difference is %.1f%%; from run to run, ratios of few operations differ by %.1f%% and those of 50 by %.1f%% in the median",
		beyond, 100*lengthsAlike, 100*worst, 100*quantile(spreads[0], 0.5), 100*quantile(spreads[1], 0.5))
	f.Notes = append(f.Notes,
		fmt.Sprintf("%d runs of each length by turns, launch by launch, of %d layouts each. The rounds of long batches are as many fewer as they are longer, so that the batches of a launch take as long; each launch also starts a process and prepares its values.", lengthRuns, launches),
		"The run-to-run difference is the standard deviation of the logarithm of a run's ratio to encoding/json.",
		"The interval of the last column is that of the mean over the runs, by Student's t.")
	return f, nil
}

// byTurns makes runs of the two lengths, alternating launch by launch. For each length and
// subject it returns the logarithm of the ratio to the reference in each run.
func byTurns(at [2]*site) (logs [2]map[result.Subject][]float64, err error) {
	counts := [2]int{rounds, at[1].roundsIn(at[0].timed(warmup + rounds))}
	logs = [2]map[result.Subject][]float64{{}, {}}
	for range lengthRuns {
		var made [2][]*result.Launch
		for layout := uint64(1); layout <= launches; layout++ {
			for k, l := range at {
				one, err := l.launch(layout, counts[k]*warmup/rounds, counts[k], l.plain())
				if err != nil {
					return logs, err
				}
				made[k] = append(made[k], one)
			}
		}
		for k, l := range at {
			found, err := l.ratios(made[k], l.referencePairs())
			if err != nil {
				return logs, err
			}
			for pair, ratio := range found {
				logs[k][pair[1]] = append(logs[k][pair[1]], math.Log(ratio.Value))
			}
		}
	}
	return logs, nil
}

// timed returns the expected time of the batches of so many rounds.
func (l *site) timed(rounds int) (d time.Duration) {
	for _, s := range l.subjects {
		d += time.Duration(float64(rounds) * float64(l.n[s]) * l.ns[s] * (1 + warm))
	}
	return d
}

// roundsIn returns the number of rounds, at least two, whose batches fit in d together with those
// of a proportional warm-up.
func (l *site) roundsIn(d time.Duration) int {
	return max(2, int(float64(d)/float64(l.timed(1))*rounds/(warmup+rounds)))
}
