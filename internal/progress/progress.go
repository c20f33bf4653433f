// Package progress shows the progress of a command that measures, on standard error. It listens
// to package measure, and has no clock of its own.
package progress

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/infer/gotype"
	"assay/internal/live"
	"assay/internal/measure"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/result"
)

// A Progress shows the progress of a command on standard error. On a terminal it is a view that
// is painted over, with the table so far. Elsewhere it is an occasional line. If the command is
// quiet, it is nothing. A Progress is called between samples, never during one. It has no timer,
// so it does nothing while a sample is timed.
type Progress struct {
	w    io.Writer  // nil if quiet
	view *live.View // nil if not on a terminal
	// known shows the current results in the view; nil if the command has no table to show.
	known   func(*live.View)
	last    time.Time            // when the last occasional line was printed
	pass    string               // the current phase
	spared  int                  // steps of the phase that an earlier run made
	failed  map[result.Case]bool // failed round trips of the phase, as cases without an op
	over    func()               // prints the summary of the phase; nil until all steps are done
	started time.Time            // when the phase or the build began
	tooled  bool                 // the build began with generators, and nothing is compiled yet
	now     func() time.Time
	stages  []stage
	// ListsLeftOut says that the result lists the contenders that could not be built. Then a
	// warning is not needed.
	ListsLeftOut bool
}

// A stage is the time of a part of the command.
type stage struct {
	name string
	took time.Duration
}

// Stage adds the time of a part of the command.
func (p *Progress) Stage(name string, took time.Duration) {
	i := slices.IndexFunc(p.stages, func(s stage) bool { return s.name == name })
	if i < 0 {
		p.stages = append(p.stages, stage{name: name})
		i = len(p.stages) - 1
	}
	p.stages[i].took += took
}

// Took formats the time of each part of the command: "read 0.1s, build 22s".
func (p *Progress) Took() string {
	var parts []string
	for _, s := range p.stages {
		parts = append(parts, s.name+" "+phrase.Seconds(s.took))
	}
	return strings.Join(parts, ", ")
}

// sparse is the shortest time between two status lines that do not go to a terminal.
const sparse = 10 * time.Second

// New returns a Progress that writes lines to w or, if view is not nil, shows them in the view.
// If w is nil, it is quiet.
func New(w io.Writer, view *live.View) *Progress {
	return &Progress{w: w, view: view, now: time.Now, last: time.Now()}
}

// Watch makes a terminal show the table so far. The Progress calls results for it between
// samples.
func (p *Progress) Watch(about live.About, results func() *analysis.Results) {
	p.known = func(v *live.View) { v.Show(about, results) }
}

// Line prints a permanent line.
func (p *Progress) Line(format string, args ...any) {
	switch {
	case p.w == nil:
	case p.view != nil:
		p.view.Say(fmt.Sprintf(format, args...))
	default:
		fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// warn prints a warning.
func (p *Progress) warn(text string) { p.Line("assay: warning: %s", text) }

// Status shows a line that the next one replaces. A terminal paints over it; elsewhere only some
// of these lines are printed.
func (p *Progress) Status(format string, args ...any) {
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

// results shows the current results if there is a view.
func (p *Progress) results() {
	if p.view != nil && p.known != nil {
		p.known(p.view)
	}
}

// Clear removes the painted picture.
func (p *Progress) Clear() { p.view.Clear() }

// build shows a step of building runners.
func (p *Progress) build(e measure.Building) {
	switch e.Step {
	case measure.Copying:
		p.Status("runner    writing its source")
	case measure.Tooling:
		// This line is permanent, because the next one may come only after a minute.
		p.tooled = p.begin()
		p.Line("runner    building %s of code, which is done once", phrase.Count(e.N, "generator"))
	case measure.Compiling:
		// After a contender that does not build is left out, the others are compiled again.
		if p.begin() || p.tooled {
			p.tooled = false
			p.Line("runner    compiling the contenders; the first time takes a few minutes, later it is cached")
		}
	case measure.Compiled:
		of := ""
		if e.N > 0 {
			of = fmt.Sprintf(" of at most %d", e.N)
		}
		p.Status("runner    %s%s compiled", phrase.Count(e.I, "package"), of)
	case measure.Searching:
		p.Status("runner    looking for what does not build: %s (%d of %d)", e.Contender, e.I, e.N)
	case measure.Damaged:
		p.Line("runner    layout %d in the cache was damaged; built again", e.Layout)
	case measure.Evicted:
		if e.N > 0 {
			p.Line("cache     removed what was not used for longest: %s of %s", plan.Bytes(e.Bytes), phrase.Count(e.N, "thing"))
		}
		if e.Err != nil {
			p.Line("cache     could not be kept within its size: %v", e.Err)
		}
	case measure.Relinking:
		p.Status("runner    linking layout %d of %d", e.I, e.N)
	}
}

// begin starts the clock of the build. It reports false if the clock already runs.
func (p *Progress) begin() bool {
	if !p.started.IsZero() {
		return false
	}
	p.started = p.now()
	return true
}

// built says that a runner is ready, and which contenders it lacks.
func (p *Progress) built(e measure.Built) {
	how := "cached"
	if !p.started.IsZero() {
		how = "built in " + phrase.Seconds(p.now().Sub(p.started))
	}
	what, layouts := phrase.Count(e.Contenders, "contender"), phrase.Count(e.Layouts, "random layout")
	if e.Group != "" {
		what += " (group " + e.Group + ")"
	}
	if e.Program != "" {
		p.Line("program   %s, %s", phrase.Count(e.Layouts, "layout"), how)
	} else {
		if e.Unlinked > 0 {
			how += fmt.Sprintf(", %d of them linked later while nothing is timed", e.Unlinked)
		}
		p.Line("runner    %s, %s, %s", what, layouts, how)
		if !p.started.IsZero() {
			p.Stage("build", p.now().Sub(p.started))
		}
	}
	side := e.Side
	if side != "" {
		side += ": "
	}
	for _, c := range e.Changed {
		p.Line("          %s%s", side, c)
	}
	if !p.ListsLeftOut {
		p.leftOut(e, side)
	}
	p.started, p.tooled = time.Time{}, false // the next runner has a clock of its own
}

// schedule says what the launches will be, and how many of the requested layouts fit.
func (p *Progress) schedule(e measure.Scheduled) {
	text := fmt.Sprintf("measuring %s in %s, about %v", phrase.Count(e.Cases, "case"), phrase.Count(e.Cells, "cell"), max(e.Time.Round(time.Second), time.Second))
	if e.Fewest < e.Layouts {
		text += fmt.Sprintf("; the slowest cell is launched in %d of %d layouts", e.Fewest, e.Layouts)
	}
	p.Line("%s", text)
}

// phases has the names of each phase: as a stage, while it runs, when it is over, and of a single
// step.
var phases = map[string]struct{ name, doing, done, thing string }{
	measure.Generating:   {name: "generate"},
	measure.Verifying:    {"verify", "verifying", "verified ", "round trip"},
	measure.Calibrating:  {"size", "sizing   ", "sized    ", "batch"},
	measure.Auditing:     {"audit", "auditing ", "audited  ", "case"},
	measure.Renewing:     {"new values", "new values", "new values", "case"},
	measure.Counting:     {"count", "counting ", "counted  ", "case"},
	measure.Launching:    {name: "measure"},
	measure.CountingCPU:  {"CPU time", "CPU time ", "CPU time ", "count"},
	measure.FirstCalls:   {"first calls", "1st calls", "1st calls", "case"},
	measure.KeptHeap:     {"kept heap", "kept heap", "kept heap", "case"},
	measure.PeakRSS:      {"peak RSS", "peak RSS ", "peak RSS ", "case"},
	measure.Scaling:      {"scaling", "scaling  ", "scaling  ", "case"},
	measure.Footprints:   {"footprint", "footprint", "footprint", "case"},
	measure.Compressing:  {"compress", "compress ", "packed   ", "case"},
	measure.Streaming:    {"stream", "streaming", "streamed ", "case"},
	measure.Wholes:       {"whole", "whole    ", "whole    ", "case"},
	measure.PublishedRun: {name: "published"},
}

// Event shows an event.
func (p *Progress) Event(e measure.Event) {
	switch e := e.(type) {
	case measure.Building:
		p.build(e)
	case measure.Built:
		p.built(e)
	case measure.Generated:
		p.Line("generated code of %s in %s", phrase.Count(e.Contenders, "contender"), phrase.Seconds(e.Took))
	case measure.TypeBuilt:
		p.Line("own type  runner of %s in %s, called %s", e.Type, phrase.Seconds(e.Took), gotype.ExternalName)
	case measure.Planned:
		p.Line("plan      %s", measure.PhasesText(e.Phases))
	case measure.Replanned:
		p.Line("plan      %s", measure.RestText(e.Phases, e.Left))
	case measure.PhaseBegan:
		p.phase(e)
	case measure.PhaseEnded:
		p.Stage(phases[e.Phase].name, e.Took)
		if p.over != nil {
			p.over()
			p.over = nil
		}
	case measure.Scheduled:
		p.schedule(e)
	case measure.BlocksVerified:
		if e.Done < e.Values {
			p.Line("verified  %d of %d records in %s; a larger --budget verifies more", e.Done, e.Values, phrase.Seconds(e.Took))
			return
		}
		p.Line("verified  all %d records in %s", e.Values, phrase.Seconds(e.Took))
	case measure.StepDone, measure.BenchDone, measure.LaunchDone:
		p.done(e)
	case measure.Recalled:
		p.recalled(phases[e.Phase].done, phases[e.Phase].thing, e.Steps)
	case measure.Streamed:
		p.streamed(e)
	case measure.Again:
		p.again(e)
	case measure.Waiting:
		p.Status("waiting   %v, so that what disturbs the machine comes and goes", phrase.Seconds(e.For))
	case measure.Stood:
		p.Line("stopped   for %s, which the budget does not count", phrase.Seconds(e.For))
	case measure.CaseLeftOut:
		if p.pass == measure.Verifying {
			trip := e.Outcome.Case
			trip.Op = ""
			p.failed[trip] = true
		}
		p.Line("left out  %s: %s: %s", e.Outcome.Case, e.Outcome.Status, phrase.FirstLine(e.Outcome.Reason))
	case measure.NotBuilt:
		p.Line("left out  %s: %s: %s", e.Cost.Case.Contender, e.Cost.Status, phrase.FirstLine(e.Cost.Reason))
	case measure.Doing:
		p.Status("%s", e.Text)
	case measure.Said:
		p.Line("%s", e.Text)
	case measure.Warned:
		phrase.Several(e.Lines, p.warn)
	}
}

// phase notes that a phase has begun.
func (p *Progress) phase(e measure.PhaseBegan) {
	if e.Phase == measure.Generating {
		p.Status("generate  code of %s", phrase.Count(e.Total, "contender"))
		return
	}
	p.pass, p.started, p.last, p.spared, p.over = e.Phase, p.now(), p.now(), 0, nil
	p.failed = map[result.Case]bool{}
}

// done shows how far a phase is. It notes the summary when the phase is over.
func (p *Progress) done(e measure.Event) {
	switch e := e.(type) {
	case measure.StepDone:
		phase := phases[p.pass]
		// Verification covers all ops at once, so its cases have none.
		p.Status("%s %d of %d · %s", phase.doing, e.Done, e.Total, strings.TrimRight(e.Case.String(), "/"))
		if p.pass == measure.CountingCPU {
			p.results()
		}
		if e.Known {
			p.spared++
		}
		// A pass with time left finds more to do, so Done == Total does not yet mean that it is
		// over.
		p.over = nil
		if took := p.now().Sub(p.started); e.Done == e.Total {
			p.over = func() { p.summary(phase.done, phase.thing, e.Total-p.spared, took) }
		}
	case measure.BenchDone:
		name := e.Bench.Set + " " + e.Bench.Name
		p.Status("running   %s %d of %d · %s", bar(e.Done, e.Total), e.Done, e.Total, name)
		if e.Bench.Status != "" {
			p.Line("left out  %s: %s: %s", name, e.Bench.Status, phrase.FirstLine(e.Bench.Reason))
		}
	case measure.LaunchDone:
		widest := ""
		switch {
		case e.Widest >= 1:
			widest = "widest not known yet · "
		case e.Widest > 0:
			widest = fmt.Sprintf("widest ±%.1f%% · ", 100*e.Widest)
		}
		p.Status("measuring %s %d of %d · %v left · %s%s %s %s", bar(e.Done, e.Total), e.Done, e.Total, e.Left.Round(time.Second), widest, e.Cell.Workload, e.Cell.Size, e.Cell.Op)
		p.results()
	}
}

// summary says how many steps a pass had, and how many steps an earlier run made. Failed round
// trips count as made but not as verified.
func (p *Progress) summary(done, thing string, steps int, took time.Duration) {
	if steps > 0 {
		of := ""
		if n := len(p.failed); n > 0 {
			of = fmt.Sprintf("%d of ", max(0, steps-n))
		}
		p.Line("%s %s%s in %s", done, of, phrase.Count(steps, thing), phrase.Seconds(took))
	}
	p.recalled(done, thing, p.spared)
}

// recalled says how many steps are known from an earlier run.
func (p *Progress) recalled(done, thing string, steps int) {
	if steps > 0 {
		p.Line("%s %s known from an earlier run of the same program and values", done, phrase.Count(steps, thing))
	}
}

// streamed shows how far a stream is, or how long a whole value has taken so far.
func (p *Progress) streamed(e measure.Streamed) {
	rate, left, memory := "", "", ""
	if e.Memory > 0 {
		memory = fmt.Sprintf(" · %s of memory", plan.Bytes(e.Memory))
	}
	if contender.Whole(e.Case.Mode) {
		p.Status("whole     %d of %d · %s %s %s · %v%s", e.Done+1, e.Total, e.Case.Size, e.Case.Contender, e.Case.Op, e.Elapsed.Round(time.Second), memory)
		return
	}
	if s := e.Elapsed.Seconds(); s > 0 {
		rate = fmt.Sprintf(" · %s/s", plan.Bytes(int64(float64(e.Bytes)/s)))
	}
	if e.Left > 0 {
		left = fmt.Sprintf(" · %v left", e.Left.Round(time.Second))
	}
	p.Status("streaming %d of %d · %s %s · %d of %d messages, %s%s%s%s",
		e.Done+1, e.Total, e.Case.Contender, e.Case.Op, e.Messages, e.All, plan.Bytes(e.Bytes), rate, left, memory)
}

// again says what is measured again, and why. If a command failed, the line is permanent.
func (p *Progress) again(e measure.Again) {
	if e.Failed {
		p.Line("again     %s: %s", strings.Trim(e.Cell.Workload+" "+e.Cell.Size+" "+string(e.Cell.Op), " "), e.Reason)
		return
	}
	p.Status("again     %s %s %s: %s", e.Cell.Workload, e.Cell.Size, e.Cell.Op, e.Reason)
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
