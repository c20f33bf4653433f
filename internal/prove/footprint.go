package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// footprintArgs are the arguments of assay for the run whose rows the experiment footprint
// stores.
var footprintArgs = []string{"run", "--footprint", "3MiB,32MiB", "--also", "none"}

// footprintBudget is the default budget of that run.
const footprintBudget = "10m"

// footprint measures how much longer the default contenders take if their memory is no longer in
// the caches.
func footprint(ctx context.Context, d disturbing) (*finding, error) {
	dir, assay, remove, err := workshop(ctx)
	if err != nil {
		return nil, err
	}
	defer remove()
	budget := footprintBudget
	if d.budget > 0 {
		budget = d.budget.String()
	}
	args := append(slices.Clone(footprintArgs), "--budget", budget, "--format", "json", "--results", filepath.Join(dir, "results"), "-q")
	cmd := exec.CommandContext(ctx, assay, args...)
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		return nil, fmt.Errorf("%v: %w", args, err)
	}
	return footprintFinding(out, budget)
}

// footprintFinding makes the finding from the JSON that assay run printed.
func footprintFinding(out []byte, budget string) (*finding, error) {
	var run struct {
		Rows []struct {
			Workload, Contender, Mode, Op string
			Footprint                     int64
			Slower                        *float64
		}
	}
	if err := json.Unmarshal(out, &run); err != nil {
		return nil, err
	}
	type key struct{ contender, op string }
	logs := map[key][]float64{}
	var order []string
	for _, r := range run.Rows {
		if r.Footprint <= 3<<20 || r.Slower == nil {
			continue
		}
		if !slices.Contains(order, r.Contender) {
			order = append(order, r.Contender)
		}
		logs[key{r.Contender, r.Op}] = append(logs[key{r.Contender, r.Op}], math.Log(*r.Slower))
	}
	if len(order) == 0 {
		return nil, fmt.Errorf("the run has no row at a footprint above 3 MiB")
	}
	f := &finding{Head: []string{"contender", "encode", "decode", "workloads"}}
	mean := func(values []float64) float64 {
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		return math.Exp(sum / float64(len(values)))
	}
	most, mostName := 0.0, ""
	for _, contender := range order {
		row := []string{contender}
		n := 0
		for _, op := range []string{"encode", "decode"} {
			values := logs[key{contender, op}]
			if len(values) == 0 {
				row = append(row, "")
				continue
			}
			n = max(n, len(values))
			v := mean(values)
			if v > most {
				most, mostName = v, contender+", "+op
			}
			row = append(row, fmt.Sprintf("%.3f×", v))
		}
		f.Rows = append(f.Rows, append(row, fmt.Sprint(n)))
	}
	f.Summary = fmt.Sprintf("%d contenders, both ops; at 32 MiB the most sensitive (%s) takes %.2f times as long as at 3 MiB", len(order), mostName, most)
	f.Notes = footprintNotes(f.Rows, budget)
	return f, nil
}

// footprintNotes returns the notes of footprint. The last cell of a row is the number of workloads.
func footprintNotes(rows [][]string, budget string) []string {
	least, most := math.MaxInt, 0
	for _, r := range rows {
		n, _ := strconv.Atoi(r[len(r)-1])
		least, most = min(least, n), max(most, n)
	}
	workloads := fmt.Sprint(most)
	if least < most {
		workloads = fmt.Sprintf("%d to %d", least, most)
	}
	return []string{
		fmt.Sprintf("Each cell is the geometric mean, over the typical sizes of %s of the five workloads, of the time with a garbage collection every 32 MiB over that with one every 3 MiB. Made by `assay run --footprint 3MiB,32MiB --also none --budget %s`.", workloads, budget),
		"A case that allocates less than 32 MiB in 0.3 s is measured in as much memory as it allocates in that time.",
	}
}
