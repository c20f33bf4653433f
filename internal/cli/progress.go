package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"assay/internal/build"
	"assay/internal/drive"
	"assay/internal/live"
	"assay/internal/plan"
	"assay/result"
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
	pass    string
	started time.Time // of the pass
	now     func() time.Time
	stages  []stage
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

// ended notes what the pass took that is over.
func (p *progress) ended() {
	if p.pass != "" {
		p.stage(passes[p.pass].name, p.now().Sub(p.started))
	}
	p.pass = ""
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
	case build.Damaged:
		p.line("runner    layout %d in the cache was damaged; built again", e.Layout)
	case build.Evicted:
		if e.N > 0 {
			p.line("cache     removed what was not used for longest: %s of %s", plan.Bytes(e.Bytes), count(e.N, "thing"))
		}
		if e.Err != nil {
			p.line("cache     could not be kept within its size: %v", e.Err)
		}
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
	if !p.started.IsZero() {
		p.stage("build", p.now().Sub(p.started))
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
func (p *progress) schedule(s plan.Schedule, layouts int) {
	cases, fewest := 0, layouts
	for _, c := range s.Cells {
		cases += len(c.Cases)
		fewest = min(fewest, c.Launches)
	}
	if cases == 0 {
		return
	}
	text := fmt.Sprintf("measuring %s in %s, about %v", count(cases, "case"), count(len(s.Cells), "cell"), max(s.Time.Round(time.Second), time.Second))
	if fewest < layouts {
		text += fmt.Sprintf("; the slowest cell is launched in %d of %d layouts", fewest, layouts)
	}
	p.line("%s", text)
}

// quietly shows what a step is doing that is one of many, by its excluded cases
// only.
func (p *progress) quietly(e drive.Event) {
	if _, ok := e.(drive.CaseExcluded); ok {
		p.event(e)
	}
}

// passes are how the passes are called: among the stages, while they go on, when
// they are over, and what they do one by one.
var passes = map[string]struct{ name, doing, done, thing string }{
	"verify":    {"verify", "verifying", "verified ", "round trip"},
	"calibrate": {"size", "sizing   ", "sized    ", "batch"},
	"audit":     {"audit", "auditing ", "audited  ", "case"},
	"count":     {"count", "counting ", "counted  ", "case"},
	"launches":  {name: "measure"},
	"steady":    {"CPU time", "CPU time ", "CPU time ", "count"},
	"cold":      {"first calls", "1st calls", "1st calls", "case"},
	"retain":    {"kept heap", "kept heap", "kept heap", "case"},
	"peak":      {"peak RSS", "peak RSS ", "peak RSS ", "case"},
	"scaling":   {"scaling", "scaling  ", "scaling  ", "case"},
	"compress":  {"compress", "compress ", "packed   ", "case"},
	"published": {name: "published"},
}

// event shows what a pass is doing, and says when it is over.
func (p *progress) event(e drive.Event) {
	switch e := e.(type) {
	case drive.PassStarted:
		p.ended()
		p.pass, p.started, p.last = e.Pass, p.now(), p.now()
	case drive.StepDone:
		pass := passes[p.pass]
		// Verification is of all ops at once: its cases have none.
		p.status("%s %d of %d · %s", pass.doing, e.Done, e.Total, strings.TrimRight(e.Case.String(), "/"))
		if p.pass == "steady" {
			p.results()
		}
		if e.Done == e.Total {
			p.line("%s %s in %s", pass.done, count(e.Total, pass.thing), seconds(p.now().Sub(p.started)))
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
		p.results()
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
