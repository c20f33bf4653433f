package main

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	"assay/internal/chaos"
)

// disturbing holds the options of the experiments that need no lab. n is the number of disturbed
// runs of chaos, or of passes of alarms. seed chooses the disturbances of chaos. budget replaces
// the budget of the commands of wait and footprint; 0 keeps their own.
type disturbing struct {
	n      int
	seed   uint64
	budget time.Duration
}

// The plan of the disturbed runs. With eight layouts, Student's t distribution has seven degrees
// of freedom.
const (
	chaosLayouts     = 8
	chaosRounds      = 20
	chaosUndisturbed = 4
	chaosRuns        = 30 // the least that meets the bar
)

// disturb disturbs runs of assay and reports what happened to them.
func disturb(ctx context.Context, d disturbing) (*finding, error) {
	dir, assay, remove, err := workshop(ctx)
	if err != nil {
		return nil, err
	}
	defer remove()
	report, err := chaos.Run(ctx, chaos.Options{
		Assay: assay, Dir: dir, N: d.n, Seed: d.seed, Commands: []string{"try", "run"},
		Undisturbed: chaosUndisturbed, Layouts: chaosLayouts, Rounds: chaosRounds, Log: log.Printf,
	})
	if err != nil {
		return nil, err
	}
	f := disturbedFinding(report, d)
	for i, note := range f.Notes { // a command's output may name its directories
		f.Notes[i] = strings.ReplaceAll(note, dir, "DIR")
	}
	return f, nil
}

// disturbedFinding converts a report to a finding.
func disturbedFinding(r *chaos.Report, d disturbing) *finding {
	phases := append(append([]chaos.Phase{}, chaos.Phases...), chaos.Over)
	f := &finding{Head: []string{"disturbance"}}
	for _, p := range phases {
		f.Head = append(f.Head, string(p))
	}
	f.Head = append(f.Head, "all", "the command ended with")
	counts := r.Disturbed()
	total, late := 0, 0
	for _, k := range chaos.Kinds {
		row, all := []string{string(k)}, 0
		for _, p := range phases {
			n := counts[k][p]
			all += n
			row = append(row, number(n))
		}
		total, late = total+all, late+counts[k][chaos.Over]
		f.Rows = append(f.Rows, append(row, number(all), strings.Join(r.Exits(k), ", ")))
	}
	resumed, refused, disjoint, lines, lacked := 0, 0, 0, 0, 0
	for _, o := range r.Runs {
		resumed, lines = resumed+o.Resumed, lines+o.Lines
		if o.Refused != "" {
			refused++
		}
		if o.Lacked {
			lacked++
		}
	}
	var widths, differences []float64
	for _, ratio := range r.Ratios {
		if ratio.Disjoint {
			disjoint++
		}
		widths = append(widths, ratio.Got.HalfWidth())
		differences = append(differences, max(ratio.Difference.Value, 1/ratio.Difference.Value)-1)
	}
	violations := r.Violations()
	f.Summary = fmt.Sprintf("%d disturbances of %d runs, %d violations", total-late, len(r.Runs), len(violations))
	f.Notes = append(f.Notes,
		fmt.Sprintf("Seed %d. Runs are made two at a time, which share the results directory and the cache. %d processes went on with a run; %d times another one wanted to go on with it at the same time, and one of the two was refused.", d.seed, resumed, refused),
		fmt.Sprintf("Checked of each: the %d lines of samples that were there stay where they were; a run has every record that an undisturbed run of its plan has, once; the last process ends with 0; no process, no file in TMPDIR, nothing half made in the results or in the cache is left; the lock is free; no panic.", lines),
		fmt.Sprintf("%d ratios to %s are compared with those of %d undisturbed runs of the same plan: a ratio is called apart when 1 is outside of the interval of the quotient, whose confidence is such that all of them hold at once with 99%% (Bonferroni). Half-width of a ratio: median ±%.1f%%; difference: median %.1f%%, largest %.1f%%. Of the intervals of 95%% as they are printed, %d have nothing in common with the undisturbed one.",
			len(r.Ratios), candidates[0], chaosUndisturbed, 100*quantile(widths, 0.5), 100*quantile(differences, 0.5), 100*quantile(differences, 1), disjoint),
		fmt.Sprintf("%d runs whose programs were kept from getting memory left a case out and said so; their records are not compared.", lacked),
		fmt.Sprintf("%d disturbances came when the command had ended already: %s.", late, chaos.Over),
	)
	f.Notes = append(f.Notes, r.Notes...)
	for _, v := range violations {
		f.Notes = append(f.Notes, "Violation: "+v)
	}
	return f
}

// number formats a count; 0 becomes the empty string.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}
