package cli

import (
	"fmt"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/measure"
	"assay/internal/report"
	"assay/published/claims"
	"assay/published/exhibits"
	"assay/published/reproduce"
	"assay/result"
)

// A gate is a check that a command makes of what it printed. It collects what
// speaks against passing, and is passed when nothing does.
type gate struct {
	name string // as in "--fail-on +5%"
	// advice is what to do, where that is not what the findings say.
	advice string
	// no are the answers that are no, failed what has no answer, and noisy what is
	// not known as well as it was asked.
	no, failed, noisy []string
}

// add adds a finding. code says of which of the three kinds it is.
func (g *gate) add(code int, format string, args ...any) {
	to := &g.failed
	switch code {
	case exitNo:
		to = &g.no
	case exitNoisy:
		to = &g.noisy
	}
	*to = append(*to, fmt.Sprintf(format, args...))
}

// missing adds that a case has no number for a status: another value than was given
// is an answer, all else is none.
func (g *gate) missing(c result.Case, status result.Status, reason string) {
	code := exitFailed
	if status == result.Unverified {
		code = exitNo
	}
	g.add(code, "%s", unmeasured(c, status, reason))
}

// unmeasured says that a case has no number, and why.
func unmeasured(c result.Case, status result.Status, reason string) string {
	text := strings.TrimSuffix(c.String(), "/") + ": " // round trips have no op
	if !strings.Contains(reason, string(status)) {
		text += string(status) + ": "
	}
	return text + firstLine(reason)
}

// findings are all of a gate: what is no, what has no answer, and what is noisy.
func (g *gate) findings() []string { return slices.Concat(g.no, g.failed, g.noisy) }

// code is the exit code of a gate.
func (g *gate) code() int {
	switch {
	case len(g.no) > 0:
		return exitNo
	case len(g.failed) > 0:
		return exitFailed
	case len(g.noisy) > 0:
		return exitNoisy
	}
	return exitOK
}

// How many findings the last line of a gate names, and how many lines of one kind
// are printed to standard error at most.
const (
	mostNamed = 3
	mostLines = 20
)

// pass returns nil when a gate is passed, and otherwise an error of one line, which
// is then the last on standard error. Where there is more to say than fits into it,
// the findings are listed before.
func (a *app) pass(g *gate) error {
	all := g.findings()
	if len(all) == 0 {
		return nil
	}
	text := strings.Join(all, "; ")
	if n := len(all) - mostNamed; n > 0 {
		text = fmt.Sprintf("%s; and %d more", strings.Join(all[:mostNamed], "; "), n)
		several(all, func(line string) { fmt.Fprintf(a.stderr, "assay: %s\n", line) })
	}
	if g.advice != "" {
		text += "; " + g.advice
	}
	return &exitError{g.code(), fmt.Errorf("%s: %s", g.name, text)}
}

// several says lines of one kind, of many the first and how many more there are.
func several(lines []string, say func(line string)) {
	for i, line := range lines {
		if i == mostLines {
			say(fmt.Sprintf("and %d more like these", len(lines)-mostLines))
			return
		}
		say(line)
	}
}

// judgeComparison is the gate of --fail-on.
func judgeComparison(j analysis.Judgement, c *analysis.Comparison, failOn string) *gate {
	g := &gate{name: "--fail-on " + failOn}
	for _, w := range j.Worse {
		g.add(exitNo, "%s: %s is worse by more than %s: %s", w.A, w.Metric, failOn, report.Changed(w))
	}
	g.open(j)
	if j.Judged == 0 && len(j.Open) == 0 {
		g.add(exitFailed, "%s and %s share nothing to compare", c.A.Label, c.B.Label)
	}
	return g
}

// judgeCompared is the gate of a comparison without a limit: something was compared.
// That a side returns another value is no answer to what was asked then.
func judgeCompared(j analysis.Judgement, c *analysis.Comparison) *gate {
	g := &gate{name: "nothing was compared"}
	if j.Judged > 0 {
		return g
	}
	g.open(j)
	g.no, g.failed = nil, slices.Concat(g.no, g.failed)
	if len(g.failed) == 0 {
		g.add(exitFailed, "%s and %s share no case in view", c.A.Label, c.B.Label)
	}
	return g
}

// open adds what a comparison could not judge.
func (g *gate) open(j analysis.Judgement) {
	for _, o := range j.Open {
		if o.Metric == analysis.Time {
			g.missing(o.Case, o.Status, o.Reason)
		} else {
			g.add(exitFailed, "%s: %s: %s", o.Case, o.Metric, firstLine(o.Reason))
		}
	}
}

// judgeRun is the gate of a run: something was measured; and with a precision that
// was asked for, every number is as precise. Where strict, every case that can have a
// number then has one.
func judgeRun(r *analysis.Results, strict bool) *gate {
	measured := 0
	var without []analysis.Row
	var wide []string
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			if row.Number == nil {
				without = append(without, row)
				continue
			}
			measured++
			alone := row.Metric == analysis.Time && row.Case.Contender != analysis.Floor && (row.Ratio == nil || !row.Ratio.Bounded())
			if row.TooWide || alone {
				wide = append(wide, row.Case.String())
			}
		}
	}
	switch {
	case measured == 0:
		g := &gate{name: "nothing was measured"}
		for _, row := range without {
			g.add(exitFailed, "%s", unmeasured(row.Case, row.Status, row.Reason))
		}
		if len(without) == 0 {
			g.add(exitFailed, "the run has no case in view")
		}
		return g
	case r.Run.Plan.Precision == 0:
		return &gate{}
	}
	g := &gate{name: "--precision", noisy: wide}
	for _, row := range without {
		if strict && row.Status != result.Unsupported {
			g.missing(row.Case, row.Status, row.Reason)
		}
	}
	if len(g.no)+len(g.failed) == 0 {
		g.name, g.advice = "less precise than asked", "raise --budget, or quieten the machine (assay doctor)"
	}
	return g
}

// judgeMust is the gate of assay try --must: a contender that was measured is all of
// that.
func judgeMust(a *answer.Answer) *gate {
	g := &gate{name: "--must " + strings.Join(a.Asked.Must, ",")}
	if len(a.Asked.Must) == 0 {
		return g
	}
	for _, c := range a.Candidates {
		if len(c.Unmet) == 0 {
			return &gate{name: g.name}
		}
		g.add(exitNo, "%s: %s", c.Subject, strings.Join(c.Unmet, ", "))
	}
	if len(a.Candidates) == 0 {
		g.add(exitFailed, "no round trip was measured")
	}
	return g
}

// judgeBuilt is the gate of assay runner build: no contender that was selected is
// missing from its runner.
func judgeBuilt(made []measure.BuiltRunner) *gate {
	g := &gate{name: "not every contender is built"}
	for _, r := range made {
		for _, l := range r.LeftOut {
			g.add(exitFailed, "%s: %s", l.Contender, firstLine(l.Reason))
		}
	}
	return g
}

// judgeVerified is the gate of assay verify.
func judgeVerified(rows []verifyRow) *gate {
	g := &gate{name: "verify"}
	good := 0
	for _, row := range rows {
		switch row.Status {
		case result.OK:
			good++
		case result.Unsupported:
		default:
			g.missing(result.Case{Workload: row.Workload, Size: row.Size, Contender: row.Contender, Mode: row.Mode}, row.Status, row.Reason)
		}
	}
	if good == 0 && len(g.no)+len(g.failed) == 0 {
		reason := "no contender was asked"
		if len(rows) > 0 {
			reason = firstLine(rows[0].Reason)
		}
		g.add(exitFailed, "nothing was verified: %s", reason)
	}
	return g
}

// judgeProbes is the gate of assay verify --probes.
func judgeProbes(m *report.Matrix) *gate {
	g := &gate{name: "verify --probes"}
	asked := 0
	for _, row := range m.Rows {
		asked++
		for _, wrong := range row.Wrong {
			g.add(exitNo, "%s: %s", result.Subject{Contender: row.Contender, Mode: row.Mode}, firstLine(wrong))
		}
	}
	for _, o := range m.Missing {
		if o.Status != result.Unsupported {
			g.missing(o.Case, o.Status, o.Reason)
		}
	}
	if asked == 0 && len(g.failed) == 0 {
		g.add(exitFailed, "nothing was asked: no contender can hold the probes")
	}
	return g
}

// judgeClaims is the gate of assay claims. Of a claim without an expectation only
// that something could be tested at all is asked.
func judgeClaims(rulings []claims.Ruling, quick bool) *gate {
	g := &gate{}
	testable, tested := 0, 0
	for _, r := range rulings {
		place := fmt.Sprintf("%s:%d: %s", r.Claim.File, r.Claim.Line, r.Claim.ID)
		if r.Claim.Untested == "" && r.Claim.Settled == nil {
			testable++
		}
		if r.Verdict != claims.Untested && r.Claim.Settled == nil {
			tested++
		}
		switch want := r.Claim.Expect; {
		case want == "":
		case r.Verdict == claims.Undecided:
			g.add(exitNoisy, "%s: expected %s, found %s", place, want, r.Verdict)
		case r.Verdict == claims.Untested:
			g.add(exitFailed, "%s: expected %s, found %s: %s", place, want, r.Verdict, firstLine(r.Reason))
		case r.Verdict.Plain() != want:
			g.add(exitNo, "%s: expected %s, found %s", place, want, r.Verdict)
		case r.Verdict != want:
			if why := untested(r, quick); why != "" {
				g.add(exitFailed, "%s: expected %s, found %s: %s", place, want, r.Headline(), firstLine(why))
			}
		}
	}
	switch {
	case testable > 0 && tested == 0 && len(g.failed) == 0:
		g.name = "no claim was tested"
		g.add(exitFailed, "%s", firstUntested(rulings))
	case len(g.no) > 0:
		g.name = "not as expected"
	case len(g.failed) > 0:
		g.name = "not tested"
	case len(g.noisy) > 0:
		g.name, g.advice = "too noisy to say", "raise --budget, or quieten the machine (assay doctor)"
	}
	return g
}

// firstUntested is why the first claim that could be tested was not.
func firstUntested(rulings []claims.Ruling) string {
	for _, r := range rulings {
		if r.Claim.Untested == "" && r.Claim.Settled == nil {
			return firstLine(r.Reason)
		}
	}
	return ""
}

// untested returns why a condition of a claim that has a verdict was not tested;
// empty where all were, but for sizes that no format or machine can hold, and with
// --quick for those that are too slow for it.
func untested(r claims.Ruling, quick bool) string {
	for _, f := range r.Part(false) {
		switch {
		case f.Missing == "", f.Missing == result.Unsupported, quick && f.Missing == result.Timeout:
		default:
			return f.Condition.String() + ": " + f.Reason
		}
	}
	return ""
}

// judgeExhibits is the gate of assay exhibits.
func judgeExhibits(r *exhibits.Results) *gate {
	g := &gate{name: "the run does not show what the text says"}
	for _, e := range r.Exhibits {
		for i, half := range e.Half {
			if half.Status != result.OK {
				g.add(exitFailed, "%s: the %s half: %s: %s", e.Name, exhibits.Halves[i], half.Status, firstLine(half.Reason))
			}
		}
		for _, c := range e.Checks {
			switch {
			case c.Holds:
			case c.Got == nil:
				g.add(exitFailed, "%s: %s of %s has no number", e.Name, c.Metric, c.Of)
			default:
				g.add(exitNo, "%s: %s of %s", e.Name, c.Metric, c.Of)
			}
		}
		if len(e.Checks) == 0 {
			g.add(exitFailed, "%s: its text states nothing to check", e.Name)
		}
	}
	return g
}

// judgeReproduction is the gate of assay reproduce. What is too large or too slow
// for the machine is part of the tables.
func judgeReproduction(r *reproduce.Reproduction) *gate {
	g := &gate{name: "reproduce"}
	measured := false
	seen := map[string]bool{}
	for _, s := range r.Sources {
		for _, t := range s.Tables {
			for i := range t.Rows {
				for _, method := range []reproduce.Method{reproduce.Here, reproduce.Corrected} {
					v := t.Rows[i].Number(analysis.Time, method)
					measured = measured || v.Number != nil
					key := fmt.Sprint(t.Rows[i].Case, method)
					switch v.Status {
					case result.Unverified, result.Panic, result.BuildFailed:
						if !seen[key] {
							g.missing(t.Rows[i].Case, v.Status, v.Reason)
						}
						seen[key] = true
					}
				}
			}
		}
	}
	if !measured && len(g.no)+len(g.failed) == 0 {
		g.add(exitFailed, "nothing was measured")
	}
	return g
}
