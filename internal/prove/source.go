package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"assay/internal/analysis"
	"assay/result"
)

// plantedPlaces are the workloads of the experiment. At their typical sizes a batch has enough
// operations that each batch contains its share of doubled calls.
const plantedPlaces = "customer|movie|tick"

// sourced is the result of the comparisons of one slow-down.
type sourced struct {
	plant
	repeats int
	// found counts, among the rows with the planted slow-down, the rows that are called slower;
	// wrong counts those that are called faster.
	found, wrong share
	errors       []float64 // relative errors of the measured ratios
}

// source runs assay compare --source on an unchanged copy of the library and another copy, which is
// slowed down or not, each time in other layouts on each side. The rows of modes that do not call
// the planted code share a process with those that do. Their errors are larger than those of equal
// copies, so that they are counted apart.
func source(ctx context.Context, _ disturbing) (*finding, error) {
	dir, assay, remove, err := workshop(ctx)
	if err != nil {
		return nil, err
	}
	defer remove()
	from, err := library(ctx)
	if err != nil {
		return nil, err
	}
	f := &finding{Head: []string{"planted", "found with the right sign", "called faster", "error of the ratio, p95"}}
	var same, beside, beyond share
	copies := 0
	slower := []*sourced{{plant: plants[2], repeats: 4}, {plant: plants[1], repeats: 1}}
	for _, s := range append(slower, &sourced{plant: plants[0], repeats: 7}) {
		for r := range s.repeats {
			first, copied := plants[0], s.plant
			first.name, copied.name = fmt.Sprintf("%s-%s-%d", first.name, s.name, r), fmt.Sprintf("%s-%d", s.name, r)
			for _, p := range []plant{first, copied} {
				p.padding = copies
				copies++
				if err := p.write(from, filepath.Join(dir, p.name)); err != nil {
					return nil, err
				}
			}
			rows, err := compared(ctx, assay, dir, first.name, copied.name, r)
			if err != nil {
				return nil, err
			}
			for _, row := range rows {
				switch {
				case s.every == never:
					same.count(row.different())
				case row.Mode == "":
					s.count(f, row, r)
					continue
				default:
					beside.count(row.different())
				}
				beyond.count(row.BeyondMargin)
				row.keep(f, r, 1)
			}
		}
	}
	for _, s := range slower {
		f.Rows = append(f.Rows, []string{fmt.Sprintf("%.0f%%", 100*(s.slowdown()-1)), s.found.String(), s.wrong.String(), fmt.Sprintf("%.2f%%", 100*quantile(s.errors, 0.95))})
	}
	f.Rows = append(f.Rows,
		[]string{equalCopy, same.String() + " called different", "", ""},
		[]string{"nothing, in modes beside one that is slowed down", beside.String() + " called different", "", ""})
	f.Summary = fmt.Sprintf("3%% found in %s, 1%% in %s; of the rows of equal copies %s called different, of modes beside a slowed-down one %s, of all these %s by more than the margin",
		slower[0].found, slower[1].found, same, beside, beyond)
	f.Notes = append(f.Notes,
		fmt.Sprintf("Each comparison is `assay compare --source` of two directories with its defaults but `-w '%s'`, of the library %s. In a copy, one call in 33, or in 100, of Marshal and of Unmarshal is made twice.", plantedPlaces, plantedModule),
		"The contender has modes that call neither. They share a process with the slowed-down mode. Each of the copies on both sides has another number of functions besides: the seeds of layouts are the same in every run, and would put as many functions in the same order.")
	return f, nil
}

// equalCopy names the row of libraries that are equal.
const equalCopy = "nothing, in an equal copy"

// count adds a row that has the planted slow-down.
func (s *sourced) count(f *finding, row changed, repeat int) {
	s.found.count(row.ChangeLo > 0)
	s.wrong.count(row.ChangeHi < 0)
	s.errors = append(s.errors, math.Abs((1+row.Change)/s.slowdown()-1))
	row.keep(f, repeat, s.slowdown())
}

// A changed is a row of a comparison in the JSON of assay compare.
type changed struct {
	Workload, Contender, Mode, Metric, Verdict string
	Op                                         result.Op
	Change                                     float64
	ChangeLo                                   float64 `json:"change_lo"`
	ChangeHi                                   float64 `json:"change_hi"`
	BeyondMargin                               bool    `json:"beyond_margin"`
}

// different reports whether the row is called better or worse.
func (c changed) different() bool { return c.ChangeLo > 0 || c.ChangeHi < 0 }

// keep appends the row to the tests of the finding.
func (c changed) keep(f *finding, repeat int, truth float64) {
	at := &site{place: result.Cell{Workload: c.Workload, Op: c.Op}}
	f.test(at, result.Subject{Contender: c.Contender, Mode: c.Mode}, repeat,
		analysis.Interval{Value: 1 + c.Change, Lo: 1 + c.ChangeLo, Hi: 1 + c.ChangeHi}, truth)
}

// compared runs assay compare on two copies of the library in dir, and returns the rows of the
// metric time.
func compared(ctx context.Context, assay, dir, first, name string, repeat int) ([]changed, error) {
	cmd := exec.CommandContext(ctx, assay, "compare", "--source", first, name,
		"-w", plantedPlaces, "--seed", fmt.Sprint(repeat+1), "--format", "json", "-q", "--results", filepath.Join(dir, "runs"))
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	var c struct{ Rows []changed }
	if err := json.Unmarshal(out, &c); err != nil {
		return nil, err
	}
	var rows []changed
	for _, row := range c.Rows {
		if row.Metric == analysis.Time && row.Verdict != "" {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return nil, errors.New("the comparison has no row of time")
	}
	return rows, nil
}
