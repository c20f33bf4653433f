package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"assay/internal/infer/gotype"
	"assay/internal/live"
	"assay/internal/measure"
	"assay/internal/plan"
)

// A progress shows on standard error how far a command is: on a terminal a view that
// is painted over, with the table as far as it is known, sparse lines elsewhere, nothing
// when quiet. It is told of things between samples, never during one, and does nothing
// by itself: no clock of its own ticks while something is timed.
type progress struct {
	w    io.Writer  // nil: quiet
	view *live.View // nil: not a terminal
	// known shows the view what is known by now; nil: the command has no table to show.
	known   func(*live.View)
	last    time.Time // of the last sparse line
	pass    string    // the phase that is going on
	started time.Time // of the pass
	now     func() time.Time
	stages  []stage
	// listsLeftOut says that the result lists the contenders that could not be built, so
	// that nobody has to be warned of them.
	listsLeftOut bool
}

// A stage is what a part of the command took, with what came after it until the
// next one.
type stage struct {
	name string
	took time.Duration
}

// stage notes what a part of the command took.
func (p *progress) stage(name string, took time.Duration) {
	i := slices.IndexFunc(p.stages, func(s stage) bool { return s.name == name })
	if i < 0 {
		p.stages = append(p.stages, stage{name: name})
		i = len(p.stages) - 1
	}
	p.stages[i].took += took
}

// took says what each part of the command took: "read 0.1s, build 22s".
func (p *progress) took() string {
	var parts []string
	for _, s := range p.stages {
		parts = append(parts, s.name+" "+seconds(s.took))
	}
	return strings.Join(parts, ", ")
}

// sparse is the least time between two progress lines that are no terminal's.
const sparse = 10 * time.Second

func (a *app) newProgress() *progress {
	p := &progress{now: time.Now, last: time.Now()}
	if a.quiet {
		return p
	}
	p.w = a.stderr
	if _, ok := terminal(a.stderr); ok {
		color, err := a.colored()
		p.view = live.New(a.stderr, func() (int, int) { return terminalSize(a.stderr) }, color && err == nil)
		a.view = p.view
	}
	return p
}

// line says something that stays.
func (p *progress) line(format string, args ...any) {
	switch {
	case p.w == nil:
	case p.view != nil:
		p.view.Say(fmt.Sprintf(format, args...))
	default:
		fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// warn says a warning.
func (p *progress) warn(text string) { p.line("assay: warning: %s", text) }

// status says something that the next line replaces: painted over on a
// terminal, printed now and then elsewhere.
func (p *progress) status(format string, args ...any) {
	switch {
	case p.w == nil:
	case p.view != nil:
		p.view.Status(fmt.Sprintf(format, args...))
	default:
		if now := p.now(); now.Sub(p.last) >= sparse {
			p.last = now
			fmt.Fprintf(p.w, format+"\n", args...)
		}
	}
}

// results shows what is known by now, if anybody sees it.
func (p *progress) results() {
	if p.view != nil && p.known != nil {
		p.known(p.view)
	}
}

// clear removes what is painted.
func (p *progress) clear() { p.view.Clear() }

// build shows what the building of runners is doing.
func (p *progress) build(e measure.Building) {
	switch e.Step {
	case measure.Copying:
		p.status("runner    writing its source")
	case measure.Tooling:
		p.status("runner    building %s of code", count(e.N, "generator"))
	case measure.Compiling:
		// What does not build is left out, and the rest is compiled again.
		if p.started.IsZero() {
			p.started = p.now()
			p.line("runner    compiling the contenders; the first time takes a minute or two, later it is cached")
		}
	case measure.Searching:
		p.status("runner    looking for what does not build: %s (%d of %d)", e.Contender, e.I, e.N)
	case measure.Damaged:
		p.line("runner    layout %d in the cache was damaged; built again", e.Layout)
	case measure.Evicted:
		if e.N > 0 {
			p.line("cache     removed what was not used for longest: %s of %s", plan.Bytes(e.Bytes), count(e.N, "thing"))
		}
		if e.Err != nil {
			p.line("cache     could not be kept within its size: %v", e.Err)
		}
	case measure.Relinking:
		p.status("runner    linking layout %d of %d", e.I, e.N)
	}
}

// built says that a runner is ready, and what it lacks.
func (p *progress) built(e measure.Built) {
	how := "cached"
	if !p.started.IsZero() {
		how = "built in " + seconds(p.now().Sub(p.started))
	}
	what, layouts := count(e.Contenders, "contender"), count(e.Layouts, "random layout")
	if e.Group != "" {
		what += " (group " + e.Group + ")"
	}
	if e.Program != "" {
		p.line("program   %s, %s", count(e.Layouts, "layout"), how)
	} else {
		p.line("runner    %s, %s, %s", what, layouts, how)
		if !p.started.IsZero() {
			p.stage("build", p.now().Sub(p.started))
		}
	}
	side := e.Side
	if side != "" {
		side += ": "
	}
	for _, c := range e.Changed {
		p.line("          %s%s", side, c)
	}
	if !p.listsLeftOut {
		p.leftOut(e, side)
	}
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
	switch {
	case n == 1:
	case strings.HasSuffix(thing, "ch"):
		thing += "es"
	default:
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// schedule says what the launches will be, and how many of the layouts that were
// asked for do not fit.
func (p *progress) schedule(e measure.Scheduled) {
	text := fmt.Sprintf("measuring %s in %s, about %v", count(e.Cases, "case"), count(e.Cells, "cell"), max(e.Time.Round(time.Second), time.Second))
	if e.Fewest < e.Layouts {
		text += fmt.Sprintf("; the slowest cell is launched in %d of %d layouts", e.Fewest, e.Layouts)
	}
	p.line("%s", text)
}

// phases are how the phases are called: among the stages, while they go on, when
// they are over, and what they do one by one.
var phases = map[string]struct{ name, doing, done, thing string }{
	measure.Generating:   {name: "generate"},
	measure.Verifying:    {"verify", "verifying", "verified ", "round trip"},
	measure.Calibrating:  {"size", "sizing   ", "sized    ", "batch"},
	measure.Auditing:     {"audit", "auditing ", "audited  ", "case"},
	measure.Counting:     {"count", "counting ", "counted  ", "case"},
	measure.Launching:    {name: "measure"},
	measure.CountingCPU:  {"CPU time", "CPU time ", "CPU time ", "count"},
	measure.FirstCalls:   {"first calls", "1st calls", "1st calls", "case"},
	measure.KeptHeap:     {"kept heap", "kept heap", "kept heap", "case"},
	measure.PeakRSS:      {"peak RSS", "peak RSS ", "peak RSS ", "case"},
	measure.Scaling:      {"scaling", "scaling  ", "scaling  ", "case"},
	measure.Compressing:  {"compress", "compress ", "packed   ", "case"},
	measure.PublishedRun: {name: "published"},
}

// event shows what is going on.
func (p *progress) event(e measure.Event) {
	switch e := e.(type) {
	case measure.Building:
		p.build(e)
	case measure.Built:
		p.built(e)
	case measure.Generated:
		p.line("generated code of %s in %s", count(e.Contenders, "contender"), seconds(e.Took))
	case measure.TypeBuilt:
		p.line("own type  runner of %s in %s, called %s", e.Type, seconds(e.Took), gotype.ExternalName)
	case measure.Planned:
		p.line("plan      %s", measure.PhasesText(e.Phases))
	case measure.Replanned:
		p.line("plan      %s", measure.RestText(e.Phases, e.Left))
	case measure.PhaseBegan:
		p.phase(e)
	case measure.PhaseEnded:
		p.stage(phases[e.Phase].name, e.Took)
	case measure.Scheduled:
		p.schedule(e)
	case measure.BlocksVerified:
		p.line("verified  all %d records in %s", e.Values, seconds(e.Took))
	case measure.StepDone, measure.BenchDone, measure.LaunchDone:
		p.done(e)
	case measure.Again:
		p.again(e)
	case measure.Waiting:
		p.status("waiting   %v, so that what disturbs the machine comes and goes", seconds(e.For))
	case measure.Stood:
		p.line("stopped   for %s, which the budget does not count", seconds(e.For))
	case measure.CaseLeftOut:
		p.line("left out  %s: %s: %s", e.Outcome.Case, e.Outcome.Status, firstLine(e.Outcome.Reason))
	case measure.NotBuilt:
		p.line("left out  %s: %s: %s", e.Cost.Case.Contender, e.Cost.Status, firstLine(e.Cost.Reason))
	case measure.Doing:
		p.status("%s", e.Text)
	case measure.Said:
		p.line("%s", e.Text)
	case measure.Warned:
		several(e.Lines, p.warn)
	}
}

// phase shows that a phase has begun.
func (p *progress) phase(e measure.PhaseBegan) {
	if e.Phase == measure.Generating {
		p.status("generate  code of %s", count(e.Total, "contender"))
		return
	}
	p.pass, p.started, p.last = e.Phase, p.now(), p.now()
}

// done shows how far a phase is, and says when it is over.
func (p *progress) done(e measure.Event) {
	switch e := e.(type) {
	case measure.StepDone:
		phase := phases[p.pass]
		// Verification is of all ops at once: its cases have none.
		p.status("%s %d of %d · %s", phase.doing, e.Done, e.Total, strings.TrimRight(e.Case.String(), "/"))
		if p.pass == measure.CountingCPU {
			p.results()
		}
		if e.Done == e.Total {
			p.line("%s %s in %s", phase.done, count(e.Total, phase.thing), seconds(p.now().Sub(p.started)))
		}
	case measure.BenchDone:
		name := e.Bench.Set + " " + e.Bench.Name
		p.status("running   %s %d of %d · %s", bar(e.Done, e.Total), e.Done, e.Total, name)
		if e.Bench.Status != "" {
			p.line("left out  %s: %s: %s", name, e.Bench.Status, firstLine(e.Bench.Reason))
		}
	case measure.LaunchDone:
		widest := ""
		if e.Widest > 0 {
			widest = fmt.Sprintf("widest ±%.1f%% · ", 100*e.Widest)
		}
		p.status("measuring %s %d of %d · %v left · %s%s %s %s", bar(e.Done, e.Total), e.Done, e.Total, e.Left.Round(time.Second), widest, e.Cell.Workload, e.Cell.Size, e.Cell.Op)
		p.results()
	}
}

// again says what is made again, and why: in a line that stays where a command failed.
func (p *progress) again(e measure.Again) {
	if e.Failed {
		p.line("again     %s: %s", strings.Trim(e.Cell.Workload+" "+e.Cell.Size+" "+string(e.Cell.Op), " "), e.Reason)
		return
	}
	p.status("again     %s %s %s: %s", e.Cell.Workload, e.Cell.Size, e.Cell.Op, e.Reason)
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
