// Package gate decides whether a command passes. A gate collects the findings against passing,
// and does not pass what was not checked. The command line prints the gate and derives its exit
// code from it.
package gate

import (
	"fmt"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/host"
	"assay/internal/measure"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/internal/report"
	"assay/published/claims"
	"assay/published/exhibits"
	"assay/published/reproduce"
	"assay/result"
)

// A Verdict is the decision of a gate. The worst of its findings decides: No, then Failed, then
// Noisy.
type Verdict int

// The verdicts of a gate.
const (
	Passed Verdict = iota
	No             // a check has the negative answer
	Failed         // something was not measured, so there is no answer
	Noisy          // something is less precise than the user asked
)

// A Gate is a check of the result of a command. It passes if it has no findings.
type Gate struct {
	Name string // as in "--fail-on +5%"
	// Advice says what to do, if the findings do not say it.
	Advice string

	no, failed, noisy []string
}

// Add adds a finding. v is its kind: No, Failed or Noisy.
func (g *Gate) Add(v Verdict, format string, args ...any) {
	to := &g.failed
	switch v {
	case No:
		to = &g.no
	case Noisy:
		to = &g.noisy
	}
	*to = append(*to, fmt.Sprintf(format, args...))
}

// Unusable adds that records of these runs, given by ID, were left out because they are damaged
// or do not belong to the run. Such a record may have been the one with the negative answer.
func (g *Gate) Unusable(runs []string) {
	if len(runs) > 0 && g.Name == "" {
		g.Name = "not judged"
	}
	for _, id := range runs {
		g.Add(Failed, "records of run %s that cannot be used are left out", id)
	}
}

// unfinished adds that a run is not complete.
func (g *Gate) unfinished(run *result.Run, label string) {
	if run == nil || run.Complete() {
		return
	}
	g.Add(Failed, "%s%s, and what it did not come to is missing", label, run.Interrupted())
}

// missing adds that a case has no number because of a status. Unverified (the contender returned
// another value) is an answer; every other status is none.
func (g *Gate) missing(c result.Case, status result.Status, reason string) {
	v := Failed
	if status == result.Unverified {
		v = No
	}
	g.Add(v, "%s", unmeasured(c, status, reason))
}

// named returns the name of a case, or of a round trip, which has no op.
func named(c result.Case) string { return strings.TrimSuffix(c.String(), "/") }

// unmeasured describes that a case has no number, and why.
func unmeasured(c result.Case, status result.Status, reason string) string {
	text := named(c) + ": "
	if !strings.Contains(reason, string(status)) {
		text += string(status) + ": "
	}
	return text + phrase.FirstLine(reason)
}

// Verdict returns the decision of the gate.
func (g *Gate) Verdict() Verdict {
	switch {
	case len(g.no) > 0:
		return No
	case len(g.failed) > 0:
		return Failed
	case len(g.noisy) > 0:
		return Noisy
	}
	return Passed
}

// mostNamed is the number of findings that Line puts in one line.
const mostNamed = 3

// Line returns the gate's findings in one line. If there are more than three, line names the
// first three and before lists all of them. If the gate passes, both are empty.
func (g *Gate) Line() (line string, before []string) {
	all := slices.Concat(g.no, g.failed, g.noisy)
	if len(all) == 0 {
		return "", nil
	}
	text := strings.Join(all, "; ")
	if n := len(all) - mostNamed; n > 0 {
		text = fmt.Sprintf("%s; and %d more", strings.Join(all[:mostNamed], "; "), n)
		before = all
	}
	if g.Advice != "" {
		text += "; " + g.Advice
	}
	return g.Name + ": " + text, before
}

// Compared is the gate of --fail-on.
func Compared(j analysis.Judgement, c *analysis.Comparison, failOn string) *Gate {
	g := &Gate{Name: "--fail-on " + failOn}
	for _, w := range j.Worse {
		if !report.NoShare(w) {
			g.Add(No, "%s: %s is worse by more than %s: %s", changed(c, w), w.Metric, failOn, report.Changed(w))
		}
	}
	for _, row := range c.Rows {
		if report.NoShare(row) && row.ValueB.Hi > row.ValueA.Lo {
			g.Add(Failed, "%s: %s went %s, which no percentage describes", changed(c, row), row.Metric, report.Sides(row))
		}
	}
	large := tooLarge(c)
	switch text := report.StreamsUncompared(c); {
	case text != "":
		g.Add(Failed, "%s", text)
	case j.Judged == 0 && len(j.Open)+len(large) == 0:
		g.Add(Failed, "%s and %s share nothing to compare", c.A.Label, c.B.Label)
	}
	g.open(j)
	g.failed = append(g.failed, large...)
	if c.Kind == analysis.OfRuns {
		g.unfinished(c.A.Run, c.A.Label+": ")
		g.unfinished(c.B.Run, c.B.Label+": ")
	} else {
		g.unfinished(c.A.Run, "")
	}
	return g
}

// changed names what a row found changed: the case or, of two contenders, that of the second one.
func changed(c *analysis.Comparison, row analysis.Change) string {
	if c.Kind == analysis.OfContenders {
		return named(row.B) + " against " + c.A.Label
	}
	return named(row.A)
}

// tooLarge returns a finding for each size that takes too much memory on both sides. A format that
// cannot hold a schema never has a number. Such a size has one with more memory or fewer contenders.
func tooLarge(c *analysis.Comparison) []string {
	var found []string
	for _, row := range c.Rows {
		text := row.A.Workload + "/" + row.A.Size + ": " + phrase.FirstLine(row.Reason)
		if report.TooLarge(row) && !slices.Contains(found, text) {
			found = append(found, text)
		}
	}
	return found
}

// Ranked is the gate of a ranking: at least one cell was ranked.
func Ranked(s *analysis.Standing) *Gate {
	g := &Gate{Name: "nothing to rank"}
	switch {
	case len(s.Cells) > 0:
	case slices.ContainsFunc(s.Results.Tables, func(t analysis.Table) bool { return t.Streamed() }):
		g.Add(Failed, "streams and whole values have no ranks: assay show prints their times")
	default:
		g.Add(Failed, "no case of the run in view has a time")
	}
	return g
}

// Comparable is the gate of a comparison without a limit: something was compared. Without a
// limit, a side that returns another value is a Failed finding, not a No.
func Comparable(j analysis.Judgement, c *analysis.Comparison) *Gate {
	g := &Gate{Name: "nothing was compared"}
	if j.Judged > 0 {
		return g
	}
	if text := report.StreamsUncompared(c); text != "" {
		g.Add(Failed, "%s", text)
		return g
	}
	g.open(j)
	g.no, g.failed = nil, slices.Concat(g.no, g.failed)
	if len(g.failed) == 0 {
		g.Add(Failed, "%s and %s share no case in view", c.A.Label, c.B.Label)
	}
	if c.Kind == analysis.OfRuns {
		g.Advice = "measure both with the same -w, -c, -m and -o"
	}
	return g
}

// open adds the cases that a comparison could not judge.
func (g *Gate) open(j analysis.Judgement) {
	for _, o := range j.Open {
		switch {
		case o.Metric == analysis.Time && (o.Status == result.Timeout || o.Status == result.OK):
			// No contender has failed: the two sides have no number in common.
			g.Add(Failed, "%s: %s", named(o.Case), phrase.FirstLine(o.Reason))
		case o.Metric == analysis.Time:
			g.missing(o.Case, o.Status, o.Reason)
		default:
			g.Add(Failed, "%s: %s: %s", o.Case, o.Metric, phrase.FirstLine(o.Reason))
		}
	}
}

// Planned is the gate of a plan: the plan has cases.
func Planned(cases int) *Gate {
	g := &Gate{Name: "nothing would be measured"}
	if cases == 0 {
		g.Add(Failed, "every case that was selected is left out")
	}
	return g
}

// Measurable is the gate of a selection before anything is built for it: it has a case that can be
// measured. Otherwise each reason for which cases are left out is a finding.
func Measurable(s plan.Selection) *Gate {
	g := &Gate{Name: "nothing can be measured"}
	if len(s.Live()) > 0 {
		return g
	}
	for _, line := range report.RuledOut(s.Outcomes) {
		g.Add(Failed, "%s", line)
	}
	if len(g.failed) == 0 {
		g.Add(Failed, "no case was selected")
	}
	return g
}

// Measured is the gate of a run: something was measured and, if the user asked for a precision,
// every number is that precise. If strict is also set, every case that can have a number has one.
func Measured(r *analysis.Results, strict bool) *Gate {
	measured := 0
	var without []analysis.Row
	var wide []string
	hopeless := true // no budget reaches the precision of any row that is too wide
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
				hopeless = hopeless && row.Hopeless
			}
		}
	}
	switch {
	case measured == 0:
		g := &Gate{Name: "nothing was measured"}
		for _, row := range without {
			g.Add(Failed, "%s", unmeasured(row.Case, row.Status, row.Reason))
		}
		if len(without) == 0 {
			g.Add(Failed, "the run has no case in view")
		}
		return g
	case r.Run.Plan.Precision == 0:
		return &Gate{}
	}
	g := &Gate{Name: "--precision", noisy: wide}
	for _, row := range without {
		if strict && row.Status != result.Unsupported {
			g.missing(row.Case, row.Status, row.Reason)
		}
	}
	if len(g.no)+len(g.failed) == 0 {
		g.Name, g.Advice = "less precise than asked", "raise --budget, or quieten the machine (assay doctor)"
		if hopeless {
			g.Advice = "no budget reaches it: quieten the machine (assay doctor)"
		}
	}
	return g
}

// Must is the gate of assay try --must: at least one measured contender meets all requirements.
func Must(a *answer.Answer) *Gate {
	g := &Gate{Name: "--must " + strings.Join(a.Asked.Must, ",")}
	if len(a.Asked.Must) == 0 {
		return g
	}
	for _, c := range a.Candidates {
		if len(c.Unmet) == 0 {
			return &Gate{Name: g.Name}
		}
		g.Add(No, "%s: %s", c.Subject, strings.Join(c.Unmet, ", "))
	}
	if len(a.Candidates) == 0 {
		g.Add(Failed, "no round trip was measured")
	}
	return g
}

// Built is the gate of assay runner build: no selected contender is missing from its runner.
func Built(made []measure.BuiltRunner) *Gate {
	g := &Gate{Name: "not every contender is built"}
	for _, r := range made {
		for _, l := range r.LeftOut {
			g.Add(Failed, "%s: %s", l.Contender, phrase.FirstLine(l.Reason))
		}
	}
	return g
}

// Verified is the gate of assay verify. named are the contenders that the user named. If nothing
// of one of them can be verified, the gate fails, whatever the others do.
func Verified(rows []report.VerifiedRow, named []string) *Gate {
	g := &Gate{Name: "verify"}
	good := 0
	for _, name := range named {
		of := slices.DeleteFunc(slices.Clone(rows), func(row report.VerifiedRow) bool { return row.Contender != name })
		switch {
		case len(of) == 0:
			g.Add(Failed, "nothing of %s was verified: the selected modes and ops leave it out", name)
		case !slices.ContainsFunc(of, func(row report.VerifiedRow) bool { return row.Status != result.Unsupported }):
			g.Add(Failed, "nothing of %s was verified: %s", name, phrase.FirstLine(of[0].Reason))
		}
	}
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
			reason = phrase.FirstLine(rows[0].Reason)
		}
		g.Add(Failed, "nothing was verified: %s", reason)
	}
	return g
}

// Probed is the gate of assay verify --probes.
func Probed(m *report.Matrix) *Gate {
	g := &Gate{Name: "verify --probes"}
	asked := 0
	for _, row := range m.Rows {
		asked++
		for _, wrong := range row.Wrong {
			g.Add(No, "%s: %s", result.Subject{Contender: row.Contender, Mode: row.Mode}, phrase.FirstLine(wrong))
		}
	}
	for _, o := range m.Missing {
		if o.Status != result.Unsupported {
			g.missing(o.Case, o.Status, o.Reason)
		}
	}
	if asked == 0 && len(g.failed)+len(g.no) == 0 {
		g.Add(Failed, "nothing was asked: no contender can hold the probes")
	}
	return g
}

// Claims is the gate of assay claims. by are the results of the runs that decided the claims; nil
// if no claim needs a run. reproductions are the given runs of assay reproduce. For claims without an
// expectation, the gate only requires that at least one claim could be tested.
func Claims(rulings []claims.Ruling, by *analysis.Results, reproductions ...claims.Reproduction) *Gate {
	g := &Gate{}
	testable, tested, measured := 0, 0, false
	quick := by != nil && by.Run.Plan.Quick
	for _, r := range rulings {
		if r.Claim.Untested == "" && r.Claim.Settled == nil {
			testable++
		}
		if r.Verdict != claims.Untested && r.Claim.Settled == nil {
			tested++
		}
		measured = measured || len(r.Findings) > 0 // of what is settled or untested too, elsewhere
		g.expected(r, quick)
	}
	if measured && by != nil {
		g.unfinished(by.Run, "")
		for whole := by.Besides; whole != nil; whole = whole.Besides {
			if whole.Run.ID != by.Run.ID {
				g.unfinished(whole.Run, "the whole values: ")
			}
		}
	}
	for _, r := range reproductions {
		used := func(f claims.Finding) bool { return f.OwnMethod == r.Run.ID }
		if slices.ContainsFunc(rulings, func(of claims.Ruling) bool { return slices.ContainsFunc(of.Findings, used) }) {
			g.unfinished(r.Run, "the reproduction: ")
		}
	}
	switch {
	case len(rulings) == 0:
		g.Name = "no claim was tested"
		g.Add(Failed, "there is no claim to test")
	case testable > 0 && tested == 0 && len(g.failed)+len(g.no) == 0:
		g.Name = "no claim was tested"
		g.Add(Failed, "%s", firstUntested(rulings))
	case len(g.no) > 0:
		g.Name = "not as expected"
	case len(g.failed) > 0:
		g.Name = "not tested"
	case len(g.noisy) > 0:
		g.Name, g.Advice = "too noisy to say", "raise --budget and --layouts, or quieten the machine (assay doctor)"
	}
	return g
}

// expected adds that a claim's verdict is not the one that its file expects, if it expects one.
func (g *Gate) expected(r claims.Ruling, quick bool) {
	want, why := r.Claim.Expect, untested(r, quick)
	text := fmt.Sprintf("%s:%d: %s: expected %s, found %s", r.Claim.File, r.Claim.Line, r.Claim.ID, want, r.Verdict)
	switch {
	case want == "":
	case r.Verdict == claims.Untested:
		g.Add(Failed, "%s: %s", text, phrase.FirstLine(r.Reason))
	case why != "" && (r.Verdict == claims.Undecided || r.Verdict.Plain() == want || open(r)):
		all, measured := r.Counts()
		g.Add(Failed, "%s (%d of %d): %s", text, measured, all, phrase.FirstLine(why))
	case r.Verdict == claims.Undecided:
		g.Add(Noisy, "%s", text)
	case r.Verdict.Plain() != want:
		g.Add(No, "%s", text)
	}
}

// open reports whether the conditions of a claim that are not measured could change its verdict to
// the expected one: one other condition makes it depend, an exception refutes a claim about every
// condition, and a claim about most may go either way.
func open(r claims.Ruling) bool {
	c := r.Claim
	if r.Verdict == claims.Depends {
		return c.Most
	}
	return r.Verdict != r.Verdict.Plain() && (c.Expect == claims.Depends || c.Every || c.Most)
}

// firstUntested returns why the first testable claim was not tested.
func firstUntested(rulings []claims.Ruling) string {
	for _, r := range rulings {
		if r.Claim.Untested == "" && r.Claim.Settled == nil {
			return phrase.FirstLine(r.Reason)
		}
	}
	return ""
}

// untested returns why a condition of a claim that has a verdict was not tested, or the empty
// string if there is no such condition. It ignores sizes that no format or machine can hold and,
// with --quick, the sizes that a quick run leaves out. If the claim says why its remaining sizes
// cannot differ, it also ignores those, unless a contender has failed.
func untested(r claims.Ruling, quick bool) string {
	for _, f := range r.Part(false) {
		switch {
		case f.Missing == "", f.Missing == result.Unsupported, quick && leftOut(f), r.Claim.Same != "" && !failed(f):
		default:
			return f.Condition.String() + ": " + f.Reason
		}
	}
	return ""
}

// failed reports whether a condition has no number because a contender has failed. A hang is a
// failure too.
func failed(f claims.Finding) bool {
	switch f.Missing {
	case claims.Absent, result.Unsupported:
		return false
	case result.Timeout:
		return result.Hung(f.Missing, f.Reason)
	}
	return true
}

// leftOut reports whether a quick run for claims has left out the size that a condition needs.
// Cases that hang or never had a turn have the same status, but other reasons.
func leftOut(f claims.Finding) bool {
	return result.LeftByQuick(f.Missing, f.Reason)
}

// Exhibits is the gate of assay exhibits.
func Exhibits(r *exhibits.Results) *Gate {
	g := &Gate{Name: "the run does not show what the text says"}
	for _, e := range r.Exhibits {
		for i, half := range e.Half {
			if half.Status != result.OK {
				g.Add(Failed, "%s: the %s half: %s: %s", e.Name, exhibits.Halves[i], half.Status, phrase.FirstLine(half.Reason))
			}
		}
		for _, c := range e.Checks {
			switch {
			case c.Holds:
			case c.Got == nil:
				g.Add(Failed, "%s: %s of %s has no number", e.Name, c.Metric, c.Of)
			default:
				g.Add(No, "%s: %s of %s", e.Name, c.Metric, c.Of)
			}
		}
		if len(e.Checks) == 0 {
			g.Add(Failed, "%s: its text states nothing to check", e.Name)
		}
	}
	if len(g.no)+len(g.failed) == 0 {
		g.Name = "not all was shown"
	}
	g.unfinished(r.Run, "")
	return g
}

// Reproduced is the gate of assay reproduce. It ignores cases that are too large or too slow for
// the machine: the tables show them.
func Reproduced(r *reproduce.Reproduction) *Gate {
	g := &Gate{Name: "reproduce"}
	measured := map[reproduce.Method]bool{}
	seen, unlaunched, lost := map[string]bool{}, false, false
	for _, s := range r.Sources {
		for _, t := range s.Tables {
			for i := range t.Rows {
				for _, method := range []reproduce.Method{reproduce.Here, reproduce.Corrected} {
					v := t.Rows[i].Number(analysis.Time, method)
					measured[method] = measured[method] || v.Number != nil
					key := fmt.Sprint(t.Rows[i].Case, method)
					if (v.Status.Failed() || result.Hung(v.Status, v.Reason)) && !seen[key] {
						g.missing(t.Rows[i].Case, v.Status, v.Reason)
						seen[key] = true
					}
					unlaunched = unlaunched || method == reproduce.Corrected && result.Unlaunched(v.Status, v.Reason)
					lost = lost || method == reproduce.Here && v.Lost
				}
			}
		}
	}
	switch {
	case len(g.no)+len(g.failed) > 0:
	case !measured[reproduce.Here] && !measured[reproduce.Corrected]:
		g.Add(Failed, "nothing was measured")
	case !measured[reproduce.Corrected] && unlaunched:
		g.Add(Failed, "assay's engine measured nothing")
	case !measured[reproduce.Here] && lost && r.Results.Run.Complete():
		g.Add(Failed, "the run has no benchmark of the sources")
	}
	g.unfinished(r.Results.Run, "")
	if r.Wholes != nil {
		g.unfinished(r.Wholes.Run, "the whole values: ")
	}
	return g
}

// Fit is the gate of assay doctor.
func Fit(d *report.Diagnosis) *Gate {
	g := &Gate{Name: "not fit to measure"}
	for _, c := range d.Checks {
		if c.Level == host.Bad {
			g.Add(No, "%s: %s", c.Name, c.Text)
		}
	}
	switch {
	case g.Verdict() != Passed:
	case d.Control == nil:
		g.Add(Failed, "%s", report.NoControl)
	case d.Fit == "no":
		g.Add(No, "%s", d.Not)
	}
	return g
}
