package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// restate sets what a stored finding says of its own rows, as the code says it now: the verdict of bars,
// for settle also the summary, and for footprint the note on the workloads. A finding of an earlier
// engine keeps the verdict of its bar then.
func (f *finding) restate() error {
	if !f.Earlier {
		if err := f.judge(); err != nil {
			return err
		}
	}
	switch f.Name {
	case "settle":
		return f.settled()
	case "footprint":
		budget := footprintBudgetNote.FindStringSubmatch(strings.Join(f.Notes, "\n"))
		if budget == nil {
			return fmt.Errorf("footprint: no note has the budget")
		}
		f.Notes = footprintNotes(f.Rows, budget[1])
	}
	return nil
}

// footprintBudgetNote matches the budget in a note of footprint.
var footprintBudgetNote = regexp.MustCompile("--budget ([^`]+)`")

// settleGoal is the half-width of the intervals that settle asks for.
const settleGoal = 0.01

// settled sets the verdict and the summary of settle from its rows: of assay over layouts, of assay
// in one layout, and of go test.
func (f *finding) settled() error {
	if len(f.Rows) != 3 {
		return fmt.Errorf("settle: %d rows, want 3", len(f.Rows))
	}
	var took [3]time.Duration
	var width, p95 [3]float64
	for i, r := range f.Rows {
		var err error
		if took[i], err = time.ParseDuration(r[1]); err != nil {
			return fmt.Errorf("settle: %w", err)
		}
		for _, x := range []struct {
			cell string
			to   *float64
		}{{r[2], &width[i]}, {r[3], &p95[i]}} {
			if x.cell == "" {
				continue // go test has no interval
			}
			if *x.to, err = strconv.ParseFloat(strings.Trim(x.cell, "±%"), 64); err != nil {
				return fmt.Errorf("settle: %w", err)
			}
		}
	}
	f.Met = width[0] <= 100*settleGoal && took[0]*10 <= took[2] && p95[0] <= p95[2]
	f.Summary = fmt.Sprintf("over layouts the widest interval is ±%.2f%%, %.0f times as fast as go test -count=10, with %.1f%% against %.1f%% of run-to-run difference; in one layout, which is all that go test sees, ±%.2f%%, %.0f times, with %.1f%%",
		width[0], took[2].Seconds()/took[0].Seconds(), p95[0], p95[2], width[1], took[2].Seconds()/took[1].Seconds(), p95[1])
	return nil
}
