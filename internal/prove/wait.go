package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A visit is a command as somebody types it, and how long it may take.
type visit struct {
	name string
	args []string
	most time.Duration // 0: no bar
}

// visits are in the order in which they are made: the first one fills the caches of
// those that follow.
var visits = []visit{
	{"run, cold", []string{"run"}, 330 * time.Second},
	{"run, warm", []string{"run"}, 200 * time.Second},
	{"run --quick, warm", []string{"run", "--quick"}, 45 * time.Second},
	{"claims --quick", []string{"claims", "--quick"}, 0},
	{"reproduce --quick", []string{"reproduce", "--quick"}, 0},
}

// mostLines is how many lines a run may print.
const mostLines = 60

// A waited is what somebody saw of a visit.
type waited struct {
	first, whole time.Duration // until the first line of the result, and the last
	lines        int           // on standard output
	phases       []string      // as standard error names them
	cases        int
	widest       float64 // half-width of the widest ratio; NaN: not known
}

// wait makes the visits one after another, with caches of their own.
func wait(ctx context.Context, _ disturbing) (*finding, error) {
	dir, remove, err := scratch()
	if err != nil {
		return nil, err
	}
	defer remove()
	program := filepath.Join(dir, "assay")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/assay").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	f := &finding{Met: true, Head: []string{"command", "first line of the result", "last line", "asked", "lines", "cases", "widest ratio", "phases"}}
	var missed []string
	for _, v := range visits {
		w, err := v.make(ctx, program, dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.name, err)
		}
		asked, widest := "", "unknown"
		if v.most > 0 {
			asked = v.most.String()
			if w.whole > v.most || w.lines > mostLines {
				missed = append(missed, v.name)
			}
		}
		if !math.IsNaN(w.widest) {
			widest = fmt.Sprintf("±%.1f%%", 100*w.widest)
		}
		f.Rows = append(f.Rows, []string{
			v.name, w.first.Round(time.Second).String(), w.whole.Round(time.Second).String(), asked,
			strconv.Itoa(w.lines), strconv.Itoa(w.cases), widest, strings.Join(w.phases, "; "),
		})
	}
	f.Met = len(missed) == 0
	f.Summary = "every command is as quick as asked"
	if !f.Met {
		f.Summary = "later than asked or longer: " + strings.Join(missed, ", ")
	}
	f.Notes = append(f.Notes, "Cold is without a build cache and without runners; the module cache is warm.")
	return f, nil
}

// make runs the command and watches it.
func (v visit) make(ctx context.Context, program, dir string) (waited, error) {
	w := waited{widest: math.NaN()}
	results, err := os.MkdirTemp(dir, "runs-*")
	if err != nil {
		return w, err
	}
	cmd := exec.CommandContext(ctx, program, append(v.args, "--results", results, "--cache", filepath.Join(dir, "cache"))...)
	cmd.Env = append(os.Environ(), "GOCACHE="+filepath.Join(dir, "go-build"), "NO_COLOR=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return w, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return w, err
	}
	w.first, w.lines = read(out, start)
	err = cmd.Wait()
	w.whole = time.Since(start)
	if exit := cmd.ProcessState.ExitCode(); err != nil && exit != 1 && exit != 3 { // an answer that is no is an answer
		return w, fmt.Errorf("%w: %s", err, &said)
	}
	w.phases = phases(said.String())
	return w, w.measured(ctx, program, results)
}

// read counts the lines of a result, and says when the first one came.
func read(r io.Reader, start time.Time) (first time.Duration, lines int) {
	for s := bufio.NewScanner(r); s.Scan(); lines++ {
		if lines == 0 {
			first = time.Since(start)
		}
	}
	return first, lines
}

// phases are the lines of standard error that say how long something took.
func phases(said string) []string {
	var out []string
	for line := range strings.Lines(said) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		_, took, ok := strings.Cut(rest, " in ")
		if _, err := time.ParseDuration(took); ok && err == nil {
			out = append(out, word+" "+took)
		}
	}
	return out
}

// measured reads from the stored run how many cases have a time, and the widest ratio.
func (w *waited) measured(ctx context.Context, program, results string) error {
	out, err := exec.CommandContext(ctx, program, "show", "--format", "json", "--results", results, "-q").Output()
	if err != nil {
		return err
	}
	var run struct {
		Rows []struct {
			Metric string
			Value  *float64
		}
		Overview *struct{ Widest *float64 }
	}
	if err := json.Unmarshal(out, &run); err != nil {
		return err
	}
	for _, r := range run.Rows {
		if r.Metric == "time" && r.Value != nil {
			w.cases++
		}
	}
	if run.Overview != nil && run.Overview.Widest != nil {
		w.widest = *run.Overview.Widest
	}
	return nil
}
