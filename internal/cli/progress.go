package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"assay/internal/build"
	"assay/internal/drive"
	"assay/internal/plan"
	"assay/result"
)

// A progress shows on standard error how far a command is: one line that is
// painted over on a terminal, sparse lines elsewhere, nothing when quiet. It is
// told of things between samples, never during one, and does nothing by itself:
// no clock of its own ticks while something is timed.
type progress struct {
	w       io.Writer // nil: quiet
	width   int       // 0: not a terminal
	painted bool      // the current line is to be painted over
	last    time.Time // of the last sparse line
	pass    string
	started time.Time // of the pass
	now     func() time.Time
}

// sparse is the least time between two progress lines that are no terminal's.
const sparse = 10 * time.Second

func (a *app) newProgress() *progress {
	p := &progress{now: time.Now, last: time.Now()}
	if a.quiet {
		return p
	}
	p.w = a.stderr
	p.width, _ = terminal(a.stderr)
	return p
}

// line says something that stays.
func (p *progress) line(format string, args ...any) {
	if p.w == nil {
		return
	}
	p.clear()
	fmt.Fprintf(p.w, format+"\n", args...)
}

// status says something that the next line replaces: painted over on a
// terminal, printed now and then elsewhere.
func (p *progress) status(format string, args ...any) {
	if p.w == nil {
		return
	}
	text := fmt.Sprintf(format, args...)
	if p.width == 0 {
		if now := p.now(); now.Sub(p.last) >= sparse {
			p.last = now
			fmt.Fprintln(p.w, text)
		}
		return
	}
	if cells := []rune(text); len(cells) >= p.width {
		text = string(cells[:p.width-1])
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", text)
	p.painted = true
}

// clear removes what status painted.
func (p *progress) clear() {
	if p.painted {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.painted = false
	}
}

// build shows what the building of runners is doing.
func (p *progress) build(e build.Event) {
	switch e.Step {
	case build.Copying:
		p.status("runner    writing its source")
	case build.Compiling:
		// What does not build is left out, and the rest is compiled again.
		if p.started.IsZero() {
			p.started = p.now()
			p.line("runner    compiling the contenders; the first time takes a minute or two, later it is cached")
		}
	case build.Searching:
		p.status("runner    looking for what does not build: %s (%d of %d)", e.Contender, e.I, e.N)
	case build.Relinking:
		p.status("runner    linking layout %d of %d", e.I, e.N)
	}
}

// built says that the runner is ready, in how many layouts besides the ordinary
// one.
func (p *progress) built(r *build.Runner, group string, layouts int) {
	how := "cached"
	if !p.started.IsZero() {
		how = "built in " + seconds(p.now().Sub(p.started))
	}
	what := count(len(r.Spec.Contenders), "contender")
	if group != "" {
		what += " (group " + group + ")"
	}
	p.line("runner    %s, %s, %s", what, count(layouts, "random layout"), how)
}

// seconds returns a time that something took, for people to read.
func seconds(d time.Duration) string {
	if d < time.Second {
		return max(d.Round(time.Millisecond), time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

// count returns a number of things in words.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// schedule says what the launches will be.
func (p *progress) schedule(s plan.Schedule) {
	cases := 0
	for _, c := range s.Cells {
		cases += len(c.Cases)
	}
	p.line("measuring %s in %s, about %v", count(cases, "case"), count(len(s.Cells), "cell"), max(s.Time.Round(time.Second), time.Second))
}

// quietly shows what a step is doing that is one of many, by its excluded cases
// only.
func (p *progress) quietly(e drive.Event) {
	if _, ok := e.(drive.CaseExcluded); ok {
		p.event(e)
	}
}

// passNames are what the passes of one step a case are called.
var passNames = map[string]string{
	"verify": "verifying", "calibrate": "sizing   ", "audit": "auditing ", "count": "counting ", "steady": "CPU time ",
	"cold": "1st calls", "retain": "kept heap", "peak": "peak RSS ", "scaling": "scaling  ", "compress": "compress ",
}

// event shows what a pass is doing.
func (p *progress) event(e drive.Event) {
	switch e := e.(type) {
	case drive.PassStarted:
		p.pass, p.started, p.last = e.Pass, p.now(), p.now()
	case drive.StepDone:
		what := passNames[p.pass]
		// Verification is of all ops at once: its cases have none.
		p.status("%s %d of %d · %s", what, e.Done, e.Total, strings.TrimRight(e.Case.String(), "/"))
		if e.Done == e.Total && p.pass == "verify" {
			p.line("verified  %s in %s", count(e.Total, "round trip"), seconds(p.now().Sub(p.started)))
		}
	case drive.BenchDone:
		name := e.Bench.Set + " " + e.Bench.Name
		p.status("running   %s %d of %d · %s", bar(e.Done, e.Total), e.Done, e.Total, name)
		if e.Bench.Status != "" {
			p.line("left out  %s: %s: %s", name, e.Bench.Status, firstLine(e.Bench.Reason))
		}
	case drive.LaunchDone:
		widest := ""
		if e.Widest > 0 {
			widest = fmt.Sprintf("widest ±%.1f%% · ", 100*e.Widest)
		}
		p.status("measuring %s %d of %d · %v left · %s%s %s %s", bar(e.Done, e.Total), e.Done, e.Total, e.Left.Round(time.Second), widest, e.Cell.Workload, e.Cell.Size, e.Cell.Op)
	case drive.LaunchDisturbed:
		p.status("again     %s %s %s: %s", e.Cell.Workload, e.Cell.Size, e.Cell.Op, e.Reason)
	case drive.Waiting:
		p.status("waiting   %v, so that what disturbs the machine comes and goes", seconds(e.For))
	case drive.Stood:
		p.line("stopped   for %s, which the budget does not count", seconds(e.For))
	case drive.CaseExcluded:
		p.excluded(e.Outcome)
	case drive.Repeated:
		p.line("again     %s: %s", strings.Trim(e.Cell.Workload+" "+e.Cell.Size+" "+string(e.Cell.Op), " "), e.Failure.Reason)
	}
}

// excluded says that a case has no number.
func (p *progress) excluded(o result.Outcome) {
	p.line("left out  %s: %s: %s", o.Case, o.Status, firstLine(o.Reason))
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// bar draws a bar of twenty cells.
func bar(done, total int) string {
	const width = 20
	full := 0
	if total > 0 {
		full = done * width / total
	}
	return strings.Repeat("█", full) + strings.Repeat("░", width-full)
}
