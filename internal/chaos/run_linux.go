package chaos

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A disturbed is a run with its planned disturbances.
type disturbed struct {
	*harness
	at      place
	budget  string
	outcome Outcome
	// shared are the disturbances that affect both runs of the pair.
	shared []Disturbance
	// before are the samples when they were last read.
	before []byte
	dir    string // the run's directory; empty if there is none yet
}

func (r *disturbed) violation(format string, args ...any) {
	r.outcome.Violations = append(r.outcome.Violations, fmt.Sprintf(format, args...))
}

func (r *disturbed) violations(all []string) {
	for _, v := range all {
		r.violation("%s", v)
	}
}

// run makes the run with all its disturbances, completes it, and checks it.
func (r *disturbed) run(ctx context.Context) error {
	for _, d := range r.outcome.Disturbances {
		if r.finished() {
			break
		}
		if err := r.disturb(ctx, d); err != nil {
			return fmt.Errorf("run %d, %s: %w", r.outcome.Number, d.Kind, err)
		}
	}
	for tries := 0; !r.finished() && tries < 3; tries++ {
		ok, err := r.goOn(ctx)
		if err != nil {
			return fmt.Errorf("run %d, to its end: %w", r.outcome.Number, err)
		}
		if !ok {
			break
		}
	}
	r.check()
	return nil
}

// begin starts a process that makes the run, or resumes it if it exists.
func (r *disturbed) begin() (*command, error) {
	if r.dir != "" {
		r.outcome.Resumed++
	}
	return r.start(r.outcome.Command, r.at, r.budget, r.args(r.outcome.Command, r.at, r.budget, r.dir)...)
}

// finished reports whether the run is complete.
func (r *disturbed) finished() bool {
	if r.dir == "" {
		return false
	}
	text, err := os.ReadFile(filepath.Join(r.dir, "run.json"))
	return err == nil && bytes.Contains(text, []byte(`"finished": "2`))
}

// disturb starts a process, disturbs it, and checks how it ends.
func (r *disturbed) disturb(ctx context.Context, d Disturbance) error {
	c, err := r.begin()
	if err != nil {
		return err
	}
	defer c.destroy()
	if _, err := c.until(ctx, d.Phase); err != nil {
		if ctx.Err() != nil {
			return err
		}
		r.violation("%s: %v: %s", d.Kind, err, tail(c.said()))
		return nil
	}
	pause := time.Duration(d.At * float64(r.plans[r.outcome.Command].usual[r.outcome.Cold][d.Phase]))
	select {
	case <-time.After(pause):
	case <-c.ended:
	case <-ctx.Done():
		return ctx.Err()
	}
	hit := Hit{Kind: d.Kind, Phase: c.phase()}
	r.seen(c)
	began := time.Now()
	if hit.Exit, err = c.apply(ctx, d); err != nil {
		if ctx.Err() != nil {
			return err
		}
		r.violation("%s while %s: %v: %s", d.Kind, hit.Phase, err, tail(c.said()))
		hit.Exit = "none"
	}
	hit.Took = time.Since(began)
	r.outcome.Hits = append(r.outcome.Hits, hit)
	r.ended(c, d, hit)
	return nil
}

// seen reads the present samples and checks that no earlier line is lost.
func (r *disturbed) seen(c *command) {
	if r.dir == "" {
		r.dir = c.dir()
	}
	if r.dir == "" {
		return
	}
	now, _ := os.ReadFile(filepath.Join(r.dir, "samples.jsonl")) // there may be none yet
	r.violations(lost(r.before, now))
	r.before = now
}

// ended checks the exit and the leftovers of a disturbed process.
func (r *disturbed) ended(c *command, d Disturbance, hit Hit) {
	stderr := c.said()
	where := fmt.Sprintf("%s while %s", d.Kind, hit.Phase)
	r.violations(prefixed(where, c.remains()))
	r.seen(c)
	all := append([]Disturbance{d}, r.shared...)
	if !slices.ContainsFunc(all, func(d Disturbance) bool { return d.mayEnd(hit.Exit) }) && hit.Exit != "none" {
		r.violation("%s: exit %s: %s", where, hit.Exit, tail(stderr))
	}
	if hit.Exit == "0" && !r.finished() {
		r.violation("%s: exit 0, and the run is not complete: %s", where, tail(stderr))
	}
	if len(r.shared) == 0 {
		r.violations(prefixed(where, d.reason(hit.Exit, stderr)))
	}
	r.violations(prefixed(where, crashed(stderr, d.Kind.tells())))
	if d.Kind != Killed && !d.Kind.starved() { // the next command removes what these leave
		r.violations(prefixed(where, left(r.at.tmp)))
	}
	if r.dir != "" {
		r.violations(prefixed(where, locked(r.dir)))
	}
}

func prefixed(where string, all []string) []string {
	var out []string
	for _, v := range all {
		out = append(out, where+": "+v)
	}
	return out
}

// goOn starts an undisturbed process that makes or completes the run, and a second one beside it
// if that is planned. It returns whether another try may succeed.
func (r *disturbed) goOn(ctx context.Context) (bool, error) {
	relieved(ctx, r.at)
	c, err := r.begin()
	if err != nil {
		return false, err
	}
	defer c.destroy()
	second, err := r.second(ctx, c)
	if err != nil {
		return false, err
	}
	exit, err := c.wait(ctx, patience)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		r.violation("to its end: %v: %s", err, tail(c.said()))
		return false, nil
	}
	r.violations(prefixed("to its end", c.remains()))
	won := false
	if second != nil {
		if won, err = r.refused(ctx, second, exit); err != nil {
			return false, err
		}
	}
	starved := slices.ContainsFunc(r.shared, func(d Disturbance) bool { return d.mayEnd(exit) })
	if exit != "0" && !won && !starved {
		r.violation("to its end: exit %s: %s", exit, tail(c.said()))
	}
	r.violations(prefixed("to its end", crashed(c.said(), r.outcome.starves())))
	r.seen(c)
	return starved, nil
}

// second starts a second process that tries to resume the run, if one is planned and the run
// exists.
func (r *disturbed) second(ctx context.Context, c *command) (*command, error) {
	if r.outcome.Second == "" {
		return nil, nil
	}
	if r.outcome.Second == "meanwhile" {
		if _, err := c.until(ctx, Calibrating); err != nil {
			return nil, ctx.Err()
		}
		r.seen(c)
	}
	if r.dir == "" {
		return nil, nil
	}
	at := r.at
	at.tmp += "-second"
	if err := os.MkdirAll(at.tmp, 0o700); err != nil {
		return nil, err
	}
	return r.start(r.outcome.Command, at, r.budget, r.args(r.outcome.Command, at, r.budget, r.dir)...)
}

// refused checks that one of two processes that write the same run was refused, and reports
// whether it was the first. other is the exit of the first process.
func (r *disturbed) refused(ctx context.Context, c *command, other string) (first bool, err error) {
	defer c.destroy()
	exit, err := c.wait(ctx, patience)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		r.violation("a second process: %v: %s", err, tail(c.said()))
		return false, nil
	}
	r.violations(prefixed("a second process", c.remains()))
	r.violations(prefixed("a second process", left(c.place.tmp)))
	said := string(c.said())
	switch {
	case exit == "3" && strings.Contains(said, "writes the run: let it end"):
		r.outcome.Refused = "refused"
	case exit == "2" && strings.Contains(said, "is complete"):
		r.outcome.Refused = "too late"
	case exit == "0" && other == "3" && r.outcome.Second == "at once":
		r.outcome.Refused = "refused"
		return true, nil
	default:
		r.violation("a second process that goes on with the run: exit %s, the first one %s: %s", exit, other, tail(c.said()))
	}
	return false, nil
}

// check checks the run after its last process.
func (r *disturbed) check() {
	r.violations(left(r.at.tmp))
	if r.dir == "" {
		r.violation("there is no run")
		return
	}
	run, records, wrong := whatIs(r.dir)
	r.violations(wrong)
	if run == nil {
		return
	}
	r.outcome.Lines = bytes.Count(r.before, []byte("\n"))
	plan := r.plans[r.outcome.Command]
	if r.outcome.starves() && lacked(records) {
		r.outcome.Lacked = true // the run reports it, and is not comparable
		return
	}
	r.violations(complete(plan.keys, keys(records)))
	undisturbed := ratiosOf(plan.run, pooled(plan.records))
	got := ratiosOf(run, records)
	for c, u := range undisturbed {
		g, ok := got[c]
		if !ok {
			r.violation("there is no ratio of %s", c)
			continue
		}
		r.mu.Lock()
		r.report.Ratios = append(r.report.Ratios, Ratio{Run: r.outcome.Number, Case: c, Got: g, Undisturbed: u})
		r.mu.Unlock()
	}
}
