package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/guess"
	"assay/internal/phrase"
	"assay/result"
)

// mostTied, mostFront and mostLeft limit how many contenders of each kind the answer names. The
// tables have all of them.
const mostTied, mostFront, mostLeft = 4, 5, 8

// lead returns what a reader has to know first: that there is no winner, or how much the choice
// is worth.
func (t *Try) lead() []string {
	a := t.Answer
	var lines []string
	if s := a.Shortage; s != nil {
		text := "No winner by time: " + s.Reason + "."
		if needs := s.Needs(); len(needs) > 0 {
			text += " Try " + strings.Join(needs, " with ") + "."
		}
		if s.Records {
			text += fmt.Sprintf(" Or name the records inside the sample, which is %s, with --records PATH.", phrase.Count(t.Data.Records, "large record"))
		}
		lines = append(lines, text)
	}
	if text := t.worth(); text != "" {
		lines = append(lines, text)
	}
	if text := t.disagreement(); text != "" {
		lines = append(lines, text)
	}
	if text := t.without(); text != "" {
		lines = append(lines, text)
	}
	return lines
}

// disagreement says that CPU time with the collector on decides, and why. It is empty if the time of the code
// decides.
func (t *Try) disagreement() string {
	d := t.Answer.Disagreement
	if d == nil || t.Answer.Shortage != nil {
		return ""
	}
	return fmt.Sprintf("Ranked by CPU time with the garbage collector on: %s takes less of it than %s (%s and %s a record), which is the fastest with the collector off.",
		d.CPU.Subject, d.Code.Subject, phrase.Nanoseconds(d.CPU.CPU.Value), phrase.Nanoseconds(d.Code.CPU.Value))
}

// without says why the contender in use has no number. It is empty if the answer has one.
func (t *Try) without() string {
	a := t.Answer
	if a.Candidate(a.Have) != nil || len(a.Candidates) == 0 {
		return ""
	}
	i := slices.IndexFunc(a.LeftOut, func(l answer.Left) bool { return l.Subject == a.Have })
	if i < 0 {
		return fmt.Sprintf("%s is in use but was not measured, so nothing is compared with it.", a.Have)
	}
	if a.LeftOut[i].Reason == answer.Unknown {
		return fmt.Sprintf("%s is in use, but %s, so nothing is compared with it.", a.Have, answer.Unknown)
	}
	return fmt.Sprintf("%s is in use but has no number, so nothing is compared with it: %s: %s.", a.Have, a.LeftOut[i].Status, strings.TrimSuffix(a.LeftOut[i].Reason, "."))
}

// worth says what the choice is worth, and from which rate on it matters.
func (t *Try) worth() string {
	a, w := t.Answer, t.Answer.Worth
	if w == nil {
		return ""
	}
	p := a.Asked.Prices
	at := fmt.Sprintf("At %s messages a second", grouped(p.Rate))
	from := ""
	if w.At.Value > 0 {
		from = fmt.Sprintf(" from about %s messages a second on", roundly(w.At.Value))
		if bounds := roughBounds(w.At); bounds != "" {
			from = fmt.Sprintf(" from about %s %s messages a second on", roundly(w.At.Value), bounds)
		}
	}
	saved := cents(w.Saving.Value) + moneyBounds(w.Saving.Interval)
	switch {
	case w.Best.Subject == a.Have:
		nothing := "nothing here"
		if t.cheaper() {
			nothing = "nothing here that can be recommended" // the following points say why not
		}
		text := fmt.Sprintf("%s %s costs less than %s%s.", at, nothing, a.Have, t.plainWorth())
		if w.Matters {
			text += fmt.Sprintf(" The fastest takes %s CPU cores less.", threeDigits(w.Cores.Value))
		}
		return text
	case !w.Matters:
		return fmt.Sprintf("%s the choice is worth %s a month, with %s%s%s: choose by what your team and tools know. It matters%s.",
			at, saved, w.Best.Subject, mostly(w.Saving), t.plainWorth(), from)
	}
	text := fmt.Sprintf("%s %s costs %s a month less than %s%s%s.", at, w.Best.Subject, saved, a.Have, mostly(w.Saving), t.plainWorth())
	if w.Cores.Value >= 0.05 {
		text += fmt.Sprintf(" The fastest takes %s CPU cores less.", threeDigits(w.Cores.Value))
	}
	return text
}

// cheaper reports whether a listed candidate costs less than the contender in use.
func (t *Try) cheaper() bool {
	return slices.ContainsFunc(t.Answer.Costs, func(c answer.Cost) bool {
		b := t.Answer.Due(c)
		return b != nil && b.Saves != nil && b.Saves.Value > 0
	})
}

// plainWorth says how records are sent and kept. If they are compressed, it also says what the
// choice is worth for uncompressed records.
func (t *Try) plainWorth() string {
	w, p := t.Answer.Worth, t.Answer.Asked.Prices
	switch {
	case w.Plain == nil:
		return ""
	case w.Plain.Value <= 0 && w.Best.Subject == t.Answer.Have:
		return fmt.Sprintf(" (%s, or uncompressed)", p.Sending())
	case w.Plain.Value <= 0:
		return fmt.Sprintf(" (%s; nothing uncompressed)", p.Sending())
	}
	text := fmt.Sprintf(" (%s; %s uncompressed", p.Sending(), cents(w.Plain.Value))
	if w.Plain.Value >= 10*max(2, w.Saving.Value) {
		text += ", so compress, whatever the format"
	}
	return text + ")"
}

// mostly names the part of a saving that makes up more than half of it; empty if there is none.
func mostly(s answer.Saving) string {
	for _, part := range []struct {
		v    float64
		name string
	}{{s.Storage, "storage"}, {s.Network, "network"}, {s.Core, "CPU"}} {
		if share := part.v / s.Value; s.Value > 0 && share > 0.5 {
			return fmt.Sprintf(", %.0f%% of it %s", 100*min(1, share), part.name)
		}
	}
	return ""
}

// asFar says on how many records losslessness was tested, if not on all.
func (t *Try) asFar() string {
	if t.Results.Values == 0 || !slices.Contains(t.Answer.Asked.Must, answer.Lossless) {
		return ""
	}
	return fmt.Sprintf(" (seen on %d of %d records)", t.Results.Values, t.Data.Records)
}

// points returns the recommendations and the Pareto front.
func (t *Try) points(fit fit) []Point {
	a := t.Answer
	var points []Point
	if len(a.Asked.Must) > 0 {
		points = append(points, Point{Text: "of what is " + phrase.List(a.Asked.Must, "and") + t.asFar() + ":"})
	}
	before := newMentioned()
	for _, p := range a.Picks {
		if a.Shortage != nil && p.Metric == analysis.Time {
			continue // lead says it
		}
		if p.Key == "smallest-compressed" && a.Asked.Codec == answer.NoCodec {
			continue // it repeats the question before
		}
		points = append(points, t.point(p, before, fit))
	}
	if len(a.Front) > 0 {
		points = append(points, t.front(fit))
	}
	return points
}

// mentioned has the subjects that the answer already described.
type mentioned struct {
	cost  map[result.Subject]bool // whose price the answer gave
	time  map[result.Subject]bool // whose speed the answer gave
	named map[result.Subject]bool
}

func newMentioned() mentioned {
	return mentioned{cost: map[result.Subject]bool{}, time: map[result.Subject]bool{}, named: map[result.Subject]bool{}}
}

// point returns a recommendation, what it gives up, and which better candidate its conditions
// exclude. It does not repeat what the answer already said about a contender.
func (t *Try) point(p answer.Pick, before mentioned, fit fit) Point {
	a := t.Answer
	out := Point{Title: p.Title}
	if len(p.Best) == 0 {
		out.Text = "none: " + p.Reason
		return out
	}
	best := p.Best[0]
	out.Text = t.value(p, best)
	if p.Metric == analysis.Time {
		if before.time[best.Subject] {
			out.Text = best.Subject.String() + ", as above"
		}
		before.time[best.Subject] = true
	}
	if p.Meagre {
		out.Text = fmt.Sprintf("nothing is meaningfully smaller than %s; %s", a.Have, out.Text)
	}
	if text := t.tied(p); text != "" && (fit < barest || p.Metric == analysis.Time) {
		out.Below = append(out.Below, text)
	}
	if best.Subject != a.Have && !before.cost[best.Subject] && !p.Meagre {
		out.Below = append(out.Below, givesUp(best.GivesUp, a))
	}
	before.cost[best.Subject] = before.cost[best.Subject] || !p.Meagre
	if l := a.Smaller(best); l != nil && p.Metric == analysis.EncodedSize {
		out.Below = append(out.Below, fmt.Sprintf("smaller, but not timed: %s, %s a record", l.Subject, BytesText(l.Size)))
	}
	if text := passed(p, before.named); text != "" && fit < tight {
		out.Below = append(out.Below, text)
	}
	for _, c := range p.Best {
		before.named[c.Subject] = true
	}
	return out
}

// tied names the candidates that are not told apart from the first one, with their relation to
// it, and says why that one is first.
func (t *Try) tied(p answer.Pick) string {
	if len(p.Best) < 2 {
		return ""
	}
	first, others := p.Best[0], p.Best[1:]
	var names []string
	for i, c := range others {
		if i == mostTied {
			names = append(names, fmt.Sprintf("%d more", len(others)-mostTied))
			break
		}
		if p.Metric == analysis.Time {
			_, bounds := speed(t.Answer.Between(c, first))
			if bounds != "" {
				bounds = strings.TrimSuffix(bounds, ")") + "×)"
			}
			names = append(names, strings.TrimSpace(c.Subject.String()+" "+bounds))
			continue
		}
		names = append(names, c.Subject.String()+" "+BytesText(p.Size(c)))
	}
	text := "tied with "
	switch {
	case p.Metric != analysis.Time:
		text = "within 1% of it: "
	case p.Unresolved:
		text = "not shown to differ by more than " + tie + " from "
	}
	text += strings.Join(names, ", ")
	if p.Because != "" {
		text += fmt.Sprintf("; %s is first because %s", first.Subject, p.Because)
	}
	return text
}

// givesUp says what a candidate gives up compared with the contender in use.
func givesUp(p answer.Price, a *answer.Answer) string {
	if p.Nothing() {
		return "gives up nothing that " + a.Have.String() + " has"
	}
	var parts []string
	if len(p.Lacks) > 0 {
		parts = append(parts, "gives up "+strings.Join(texts(p.Lacks), ", "))
	}
	for _, b := range p.Brings {
		parts = append(parts, b.In().Short)
	}
	if len(p.Losses) > 0 {
		parts = append(parts, "loses "+strings.Join(texts(p.Losses), ", ")+lossBytes(p.LossBytes))
	}
	if p.Format != "" {
		parts = append(parts, "writes "+p.Format)
	}
	if len(p.Modes) > 0 {
		parts = append(parts, "is "+strings.Join(p.Modes, ", "))
	}
	return strings.Join(parts, "; ")
}

// lossBytes says how losses change the size of the user's JSON.
func lossBytes(b float64) string {
	switch {
	case math.Abs(b) < 0.05:
		return ""
	case b < 0:
		return fmt.Sprintf(" (%s a record less than your JSON)", BytesText(-b))
	}
	return fmt.Sprintf(" (%s a record more than your JSON)", BytesText(b))
}

func texts[T ~string](list []T) []string {
	var out []string
	for _, x := range list {
		out = append(out, string(x))
	}
	return out
}

// passed names the best candidate that is not eligible, and why. It is empty if the candidate was
// named before.
func passed(p answer.Pick, named map[result.Subject]bool) string {
	i := 0
	if p.Narrow {
		// The other questions cover candidates that are not safe or that miss a requirement, except
		// default modes that need no generate step, of which only this question asks.
		i = slices.IndexFunc(p.Passed, func(c *answer.Candidate) bool {
			return c.Safe() && len(c.Unmet) == 0 || p.Key == answer.NoCodegen && c.Mode == "" && !c.Codegen() && !named[c.Subject]
		})
	}
	if i < 0 || i >= len(p.Passed) || named[p.Passed[i].Subject] {
		return ""
	}
	c := p.Passed[i]
	named[c.Subject] = true
	why := slices.Concat(c.Unmet, c.Unsafe)
	word := "faster"
	if p.Metric != analysis.Time {
		word = "smaller"
	}
	text := fmt.Sprintf("%s: %s, %s", word, c.Subject, short(p, c))
	switch {
	case len(why) > 0:
		slices.Sort(why)
		text += ", but " + strings.Join(slices.Compact(why), ", ")
	default:
		text += ", which writes " + c.About.Format
		if c.Codegen() {
			text += " and " + contender.Codegen.In().Short
		}
	}
	return text
}

// value describes a candidate: its number, and how it compares to the contender in use.
func (t *Try) value(p answer.Pick, c *answer.Candidate) string {
	a := t.Answer
	if c.Subject == a.Have {
		what := "which is in use"
		if t.Results != nil && t.Results.Run.Plan.Data == nil {
			what = "the reference"
		}
		return fmt.Sprintf("%s, %s, %s", c.Subject, what, short(p, c))
	}
	if p.Metric == analysis.Time {
		return strings.Join(append([]string{c.Subject.String()}, compared(c, a)...), ", ")
	}
	text := fmt.Sprintf("%s, %s", c.Subject, short(p, c))
	if have := a.Candidate(a.Have); have != nil && p.Size(have) > 0 {
		text += fmt.Sprintf(", %s of %s", ShareText(p.Size(c)/p.Size(have)), a.Have)
	}
	return text
}

// compared returns how fast a candidate is relative to the contender in use, and the candidate's
// time.
func compared(c *answer.Candidate, a *answer.Answer) []string {
	var parts []string
	if c.ToHave != nil && c.Subject != a.Have {
		factor, bounds := speed(*c.ToHave)
		parts = append(parts, strings.TrimSpace(factor+" "+bounds)+" as fast as "+a.Have.String())
	}
	return append(parts, tripTime(c)+" a record")
}

// short formats a candidate's number.
func short(p answer.Pick, c *answer.Candidate) string {
	if p.Metric == analysis.Time {
		return tripTime(c) + " a record"
	}
	return BytesText(p.Size(c)) + " a record"
}

// tripTime formats the time by which a candidate is ranked.
func tripTime(c *answer.Candidate) string { return phrase.Nanoseconds(c.Spent.Value) }

// briefCost returns the costs of the contender in use, of the cheapest candidate, and of the
// first recommendation for each question.
func (t *Try) briefCost(fit fit) *grid {
	a := t.Answer
	var first []result.Subject
	add := func(s result.Subject) {
		if !slices.Contains(first, s) {
			first = append(first, s)
		}
	}
	add(a.Have)
	if a.Worth != nil {
		add(a.Worth.Best.Subject)
	}
	for _, p := range a.Picks {
		if len(p.Best) > 0 && (fit < tightest || len(first) < 2) {
			add(p.Best[0].Subject)
		}
	}
	g := t.costOf("cost at "+costRate(a.Asked.Prices), func(c answer.Cost) bool { return slices.Contains(first, c.Subject) }, true)
	g.tight = true
	return g
}

// brieflyLeftOut names what was not measured for lack of time and what is unknown, and counts
// everything else that was left out.
func (t *Try) brieflyLeftOut(fit fit) []Point {
	var late tally
	contenders, modes := map[string]bool{}, map[string]int{} // counts the modes of each contender
	for _, l := range t.Answer.LeftOut {
		switch {
		case l.Reason == answer.Unknown:
			late.add(l.Subject, "left out", l.Reason)
		case l.Status == result.Timeout:
			late.add(l.Subject, "not measured", strings.TrimPrefix(tooSlow(l.Reason), "not measured: "))
		case l.Mode == "":
			contenders[l.Contender] = true
		default:
			modes[l.Contender]++
		}
	}
	var points []Point
	for _, o := range late.outcomes() {
		names := o.subjects
		switch {
		case o.modes > 0 && len(names) > 1 && (fit >= tightest || len(names) > mostLeft):
			names = []string{fmt.Sprintf("%s of %s", phrase.Count(o.modes, "mode"), phrase.Count(len(names), "contender"))}
		case fit >= tightest && len(names) > mostLeft:
			names = []string{phrase.Count(len(names), "contender")}
		case len(names) > mostLeft:
			names = append(slices.Clone(names[:mostLeft]), fmt.Sprintf("%d more", len(o.subjects)-mostLeft))
		}
		points = append(points, Point{Title: o.word, Text: strings.Join(names, ", ") + ": " + o.reason})
	}
	alone := 0 // modes whose contender itself is not left out
	for name, n := range modes {
		if !contenders[name] {
			alone += n
		}
	}
	var others []string
	if n := len(contenders); n > 0 {
		others = append(others, phrase.Count(n, "contender"))
	}
	if alone > 0 {
		others = append(others, phrase.Count(alone, "mode"))
	}
	if len(others) > 0 {
		points = append(points, Point{Title: "left out", Text: phrase.List(others, "and") + " that cannot hold these records, or failed with them"})
	}
	return points
}

// mostGuesses is how many guesses the answer lists.
const mostGuesses = 3

// topGuesses returns the guesses with the largest effect on the result.
func (t *Try) topGuesses(fit fit) []Point {
	all := guess.ByEffect(t.Data.Guesses)
	if len(all) == 0 {
		return nil
	}
	most := mostGuesses
	if fit >= fewer {
		most = 1
	}
	p := Point{Title: "guesses about the schema", Text: strconv.Itoa(len(all))}
	if fit == barest {
		p.Text += ", listed with the tables"
		return []Point{p}
	}
	if len(all) > most {
		p.Text += ", largest effect on the result first"
	}
	for _, g := range all[:min(len(all), most)] {
		p.Below = append(p.Below, g.Path+": "+g.Decision+g.Otherwise())
	}
	return []Point{p}
}

// words says where a reader finds more.
func (t *Try) words() []Point {
	text := t.Again + " prints the tables, the guesses and what was left out; assay explain WORD explains a word"
	switch {
	case t.Answer.Disagreement != nil:
		text += "; times are CPU time with the garbage collector on"
	case t.Answer.CPU || len(t.Answer.Costs) == 0:
		text += "; times are with the garbage collector off"
	default:
		text += "; times and cores are with the garbage collector off (--also cpu)"
	}
	return []Point{{Title: "more", Text: text}}
}

// grouped formats a number with all digits, in groups of three.
func grouped(v float64) string {
	if v != math.Trunc(v) || math.Abs(v) >= 1e15 {
		return threeDigits(v)
	}
	digits := phrase.Grouped(int64(math.Abs(v)))
	if v < 0 {
		return "−" + digits
	}
	return digits
}

// roundly rounds a number to two significant digits and writes it in full.
func roundly(v float64) string {
	if v <= 0 || math.IsInf(v, 0) {
		return grouped(v)
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	v = math.Round(v/unit) * unit
	if v < 10 {
		return threeDigits(v)
	}
	return grouped(math.Round(v))
}

// roughBounds formats the bounds of a rate. It is empty if both bounds round to the same number.
func roughBounds(i analysis.Interval) string {
	lo, hi := roundly(i.Lo), roundly(i.Hi)
	switch {
	case math.IsInf(i.Hi, 0):
		return "(" + lo + " or more)"
	case lo == hi:
		return ""
	}
	return "(" + lo + "…" + hi + ")"
}

// cents formats an amount of money: with cents below a hundred dollars, in whole dollars from
// there on.
func cents(v float64) string {
	if math.Abs(v) < 99.995 {
		return money(v)
	}
	text := grouped(math.Round(math.Abs(v)))
	if v < 0 {
		return "−$" + text
	}
	return "$" + text
}

// moneyBounds formats the bounds of an amount, after a space. It is empty if both bounds look the
// same or if there are none.
func moneyBounds(i analysis.Interval) string {
	lo, hi := cents(i.Lo), cents(i.Hi)
	if lo == hi || !i.Bounded() {
		return ""
	}
	return " (" + lo + "…" + hi + ")"
}
