package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/live/screen"
	"assay/internal/outfile"
	"assay/internal/samples"
	"assay/published/claims"
	"assay/result"
)

// A visit is a command as a user types it, and its time limits.
type visit struct {
	name string
	args []string
	most time.Duration // 0: no bar
	// first is the limit for the first number; 0: no bar.
	first time.Duration
}

// sample is the name of the JSON sample that assay try gets.
const sample = "webhooks"

// sampleRecords is the number of records of the sample. It makes the sample as large as the usual
// test file for JSON, 600 kB.
const sampleRecords = 750

// visits are the visits in order: the first one fills the caches for the later ones. FILE stands
// for the sample.
var visits = []visit{
	{"run, cold", []string{"run"}, 330 * time.Second, 100 * time.Second},
	{"run, warm", []string{"run"}, 200 * time.Second, 15 * time.Second},
	{"run --quick, warm", []string{"run", "--quick"}, 45 * time.Second, 0},
	{"try FILE --quick, a new schema", []string{"try", "FILE", "--quick"}, 50 * time.Second, 0},
	{"try FILE --quick, a known schema", []string{"try", "FILE", "--quick"}, 30 * time.Second, 10 * time.Second},
	{"claims --quick", []string{"claims", "--quick"}, 0, 0},
	{"reproduce --quick, cold", []string{"reproduce", "--quick"}, 0, 0},
}

// longest is the time after which a visit is given up.
const longest = 8 * time.Minute

// mostLines is the largest number of lines that a run may print.
const mostLines = 60

// A waited is what a user saw of a visit.
type waited struct {
	first, whole time.Duration // until the first number, and the last line
	lines        int           // on standard output
	planned      string        // the phases in the first plan
	phases       []string      // as standard error names them
	cases        int
	widest       float64 // half-width of the widest ratio; NaN: not known
}

// wait makes the visits one after another, with their own caches, in about 20 minutes. A visit
// that fails or does not end affects only its own row. If a budget replaces the commands' own,
// wait uses the user's caches, and its finding only shows that the experiment works.
func wait(ctx context.Context, d disturbing) (*finding, error) {
	dir, program, remove, err := workshop(ctx)
	if err != nil {
		return nil, err
	}
	defer remove()
	file, err := writeSample(dir)
	if err != nil {
		return nil, err
	}
	ledger, err := claims.Embedded(assay.Source)
	if err != nil {
		return nil, err
	}
	f := &finding{Met: true, Head: []string{"command", "first number", "asked", "last line", "asked", "lines", "cases", "widest ratio", "phases planned", "phases", "verdict"}}
	var missed []string
	for _, v := range visits {
		v.args = slices.Clone(v.args)
		if i := slices.Index(v.args, "FILE"); i >= 0 {
			v.args[i] = file
		}
		env := []string{"GOCACHE=" + filepath.Join(dir, "go-build")}
		if d.budget > 0 {
			v.args, env = append(v.args, "--budget", d.budget.String()), nil
		} else {
			v.args = append(v.args, "--cache", filepath.Join(dir, "cache"))
		}
		w, err := v.within(ctx, longest, program, dir, env)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			f.Notes = append(f.Notes, fmt.Sprintf("%s failed: %v.", v.name, err))
		}
		if err != nil || len(v.misses(w)) > 0 {
			missed = append(missed, v.name)
		}
		f.Rows = append(f.Rows, v.row(w, err))
	}
	f.Met = len(missed) == 0
	f.Summary = "every command is as quick as asked"
	if !f.Met {
		f.Summary = "later than asked or longer: " + strings.Join(missed, ", ")
	}
	f.Notes = append(f.Notes, "Cold is without a build cache and without runners; the module cache is warm.",
		fmt.Sprintf("assay claims prints the names of %d claims by source and verdict; a source alone has a line a claim.", len(ledger.Claims)),
		"The first number is the first table that a terminal of 100 columns shows, or the first line of a result where none is shown before.")
	if d.budget > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("Every command had a budget of %v: this shows nothing but that the experiment works.", d.budget))
	}
	return f, nil
}

// writeSample writes the JSON sample to a directory and returns the file's path.
func writeSample(dir string) (string, error) {
	all := samples.All()
	i := slices.IndexFunc(all, func(s samples.Sample) bool { return s.Name == sample })
	if i < 0 {
		return "", fmt.Errorf("there is no sample %s", sample)
	}
	err := outfile.WriteDir(dir, []outfile.File{{Name: all[i].File(), Data: all[i].JSON(sampleRecords)}})
	return filepath.Join(dir, all[i].File()), err
}

// within makes the visit and gives it up after most, so that the other visits are still made.
func (v visit) within(ctx context.Context, most time.Duration, program, dir string, env []string) (waited, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, most, fmt.Errorf("given up after %v", most))
	defer cancel()
	w, err := v.make(ctx, program, dir, env)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return w, err
}

// misses returns the limits that a visit missed, each with by how much: its time until the first
// number and the last line, and mostLines.
func (v visit) misses(w waited) (late []string) {
	over := func(name string, took, most time.Duration) {
		if most > 0 && took > most {
			late = append(late, fmt.Sprintf("%s %v late", name, (took-most).Round(time.Second)))
		}
	}
	over("first number", w.first, v.first)
	over("last line", w.whole, v.most)
	if v.most > 0 && w.lines > mostLines {
		late = append(late, fmt.Sprintf("%d lines too long", w.lines-mostLines))
	}
	return late
}

// verdict describes whether a visit was as quick as asked, and by how much it missed.
func (v visit) verdict(w waited, err error) string {
	late := v.misses(w)
	switch {
	case err != nil:
		return "failed"
	case len(late) > 0:
		return "missed: " + strings.Join(late, ", ")
	case v.most == 0 && v.first == 0:
		return "nothing asked"
	}
	return "met"
}

// row returns the visit's row of the table.
func (v visit) row(w waited, err error) []string {
	asked := func(d time.Duration) string {
		if d == 0 {
			return ""
		}
		return d.String()
	}
	widest := "unknown"
	if !math.IsNaN(w.widest) {
		widest = fmt.Sprintf("±%.1f%%", 100*w.widest)
	}
	return []string{
		v.name, w.first.Round(time.Second).String(), asked(v.first), w.whole.Round(time.Second).String(), asked(v.most),
		strconv.Itoa(w.lines), strconv.Itoa(w.cases), widest, w.planned, strings.Join(w.phases, "; "),
		v.verdict(w, err),
	}
}

// make runs the command on a terminal and records what it prints, and when.
func (v visit) make(ctx context.Context, program, dir string, env []string) (waited, error) {
	w := waited{widest: math.NaN()}
	results, err := os.MkdirTemp(dir, "runs-*")
	if err != nil {
		return w, err
	}
	start := time.Now()
	out := &counted{start: start}
	cmd := exec.Command(program, append(v.args, "--results", results)...)
	cmd.Env = append(append(os.Environ(), "NO_COLOR=1", "TERM=xterm"), env...)
	cmd.Stdout = out
	var shown time.Duration
	said, err := screen.Record(ctx, cmd, 100, 60, func(s *screen.Screen) {
		if shown == 0 && strings.Contains(s.Text(), "\n~ provisional: ") {
			shown = time.Since(start)
		}
	})
	w.whole = time.Since(start)
	if cmd.ProcessState == nil {
		return w, err
	}
	text := said.Plain()
	if exit := cmd.ProcessState.ExitCode(); err != nil && exit != 1 && exit != 3 { // 1: the answer is no; 3: no answer
		return w, fmt.Errorf("%w: %s", err, text)
	}
	w.first, w.lines = out.first, out.lines
	if shown > 0 {
		w.first = shown
	}
	w.planned, w.phases = planned(text), phases(text)
	if err := w.measured(ctx, program, results); err != nil {
		return w, err
	}
	dirs, err := filepath.Glob(filepath.Join(results, "*", "run.json"))
	if err != nil || len(dirs) != 1 {
		return w, err
	}
	_, records, _, err := result.Read(filepath.Dir(dirs[0]))
	w.phases = slices.DeleteFunc(w.phases, func(p string) bool { return strings.HasPrefix(p, "CPU ") })
	w.phases = append(w.phases, passes(records)...)
	return w, err
}

// planned returns the first plan that a command prints: "verify 20s, size 13s: 33s in all".
func planned(said string) string {
	for line := range strings.Lines(said) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "plan "); ok {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// passes returns the durations of the phases that end with their budget, from the times of the
// records. A phase lasts from the last record before the phase to the last record of the phase.
func passes(records []result.Record) []string {
	var before, launched, counted time.Time
	for _, r := range records {
		switch {
		case r.Launch != nil:
			launched = r.Time
		case r.Steady != nil:
			counted = r.Time
		case launched.IsZero():
			before = r.Time
		}
	}
	var out []string
	if !launched.IsZero() && !before.IsZero() {
		out = append(out, "measured "+launched.Sub(before).Round(time.Second).String())
	}
	if counted.After(launched) && !launched.IsZero() {
		out = append(out, "CPU time "+counted.Sub(launched).Round(time.Second).String())
	}
	return out
}

// counted counts the lines written to it and records when the first write came.
type counted struct {
	start time.Time
	first time.Duration
	lines int
}

func (c *counted) Write(p []byte) (int, error) {
	if c.first == 0 {
		c.first = time.Since(c.start)
	}
	c.lines += bytes.Count(p, []byte("\n"))
	return len(p), nil
}

// phases returns the phases whose duration standard error names, each as its first word and its
// duration.
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

// measured reads from the stored run the number of cases that have a time, and the widest ratio.
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
