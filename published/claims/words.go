package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/internal/analysis"
)

// PublishedText returns the published figure for display; empty without one.
func (c *Claim) PublishedText() string {
	var parts []string
	for _, v := range c.Published {
		parts = append(parts, strconv.FormatFloat(v, 'f', -1, 64))
	}
	return strings.TrimSpace(strings.Join(parts, " to ") + " " + c.Unit)
}

// Quantity returns what the claim's figure measures: a metric, or "published time", for which
// cpu-time rules.
func (c *Claim) Quantity() string {
	if c.WithGC {
		return "published time"
	}
	return c.Metric
}

// Stated returns what the claim says its figure is, in words: "at least 3 times".
func (c *Claim) Stated() string {
	unit := Times
	if c.Predicate == Exact {
		m, _ := analysis.MetricNamed(c.Metric)
		unit = m.Unit
	}
	per := c.per()
	switch c.Predicate {
	case "":
		return ""
	case Order:
		return c.ordered(c.Conditions[:1])
	case Constant:
		if c.Says == "" {
			return "the same within " + percent(c.Bounds.Tolerance) + per
		}
		return c.Says + " (within " + percent(c.limits()[1].at-1) + ")" + per
	}
	limits := c.limits()
	if c.Says != "" && (unit == Times || unit == "1") {
		return c.Says + c.band(unit) + per
	} else if c.Says != "" {
		return c.Says + " " + unit + c.band(unit) + per
	}
	if len(limits) == 2 && limits[0].at == limits[1].at {
		return "exactly " + bound(limits[0].at, unit) + per
	}
	var words []string
	for _, l := range limits {
		words = append(words, limitWords[[2]bool{l.upper, l.strict}]+bound(l.at, unit))
	}
	return strings.Join(words, " and ") + per
}

// band returns what the claim's words allow, unless they already say it: " (2.4 to 3.75)".
func (c *Claim) band(unit string) string {
	l := c.Band.limits
	switch {
	case len(l) == 2 && l[0].at != l[1].at && (!c.Band.spread || strings.HasPrefix(c.Says, "about") || strings.Contains(c.Says, "%") || unit == "ns"):
		return fmt.Sprintf(" (%s to %s)", bound(l[0].at, unit), bound(l[1].at, unit))
	case len(l) == 2 && l[0].at == l[1].at && (!strings.ContainsAny(c.Says, "0123456789") || strings.Contains(c.Says, "%")):
		return " (" + bound(l[0].at, unit) + ")"
	case !strings.ContainsAny(c.Says, "0123456789") || strings.Contains(c.Says, "%") || unit == "ns":
		return fmt.Sprintf(" (%s%s)", limitWords[[2]bool{l[0].upper, l[0].strict}], bound(l[0].at, unit))
	}
	return ""
}

// limitWords are the words before a limit, by whether it is upper and strict.
var limitWords = map[[2]bool]string{
	{false, false}: "at least ", {false, true}: "more than ", {true, false}: "at most ", {true, true}: "less than ",
}

// String returns the condition's op, size and way of use, as far as it has them.
func (c Condition) String() string {
	text := string(c.Op)
	if c.Size != "" {
		text += " " + c.Size
	}
	if c.Also != "" {
		text += ", " + c.Also
	}
	return text
}

// among returns the name of a term beside other terms: its subject, its op and size if another term
// with the same subject differs in them, and whether it includes conversion.
func (t Term) among(terms []Term) string {
	text := t.Subject.String()
	if slices.ContainsFunc(terms, func(o Term) bool { return o.Subject == t.Subject && o.Op != t.Op }) {
		text += " " + string(t.Op)
	}
	if slices.ContainsFunc(terms, func(o Term) bool { return o.Subject == t.Subject && o.Size != t.Size }) {
		text += " " + t.Size
	}
	if t.WithConvert {
		text += " with conversion"
	}
	return text
}

// Compared returns the cases that the condition compares: "encoding/gob ÷ protobuf".
func (c Condition) Compared(p Predicate) string {
	terms := c.Terms
	switch p {
	case Constant, Grows:
		terms = terms[:1] // the others differ in size only
	case Trend:
		terms = terms[:2]
	}
	var parts []string
	for _, t := range terms {
		text := t.Subject.String()
		if t.Op != c.Op {
			text += " " + string(t.Op)
		}
		if c.Size != "" && t.Size != c.Size {
			text += " " + t.Size
		}
		if t.WithConvert {
			text += " with conversion"
		}
		parts = append(parts, text)
	}
	if p == Ratio || p == Trend {
		return strings.Join(parts, " ÷ ")
	}
	return strings.Join(parts, ", ")
}

// MeasuredText returns the measured figure for display: a range as its ends, an estimate with its
// interval. It is empty if nothing was measured, and for an order, because the reason has its
// figure.
func (r *Ruling) MeasuredText() string {
	switch {
	case r.Measured == nil || r.Claim.Predicate == Order:
		return ""
	case r.Range:
		return r.Spread(*r.Measured)
	}
	return r.Interval(*r.Measured)
}

// Aside says that the figure beside the published one is of another condition; empty if it is not.
func (r *Ruling) Aside() string {
	at := r.Claim.At
	if at == nil || r.Measured == nil {
		return ""
	}
	for _, f := range r.Findings {
		if sameCondition(*at, f.Condition) && f.Measured != nil {
			return ""
		}
	}
	return "the published figure is of " + at.String() + ", which was not measured; the measured one is of another condition"
}

// Headline returns the verdict as published for display: "holds where measured (4 of 6)".
func (r *Ruling) Headline() string {
	text := string(r.Verdict)
	if r.Verdict != r.Verdict.Plain() {
		all, measured := r.Counts()
		text += fmt.Sprintf(" (%d of %d)", measured, all)
	}
	return text
}

// Around returns the verdict elsewhere for display; empty without other conditions.
func (r *Ruling) Around() string {
	text := string(r.Elsewhere)
	if r.Elsewhere != r.Elsewhere.Plain() {
		all, measured := counts(r.Part(true))
		text += fmt.Sprintf(" (%d of %d)", measured, all)
	}
	return text
}

// Interval returns a figure of the ruling with its interval for display.
func (r *Ruling) Interval(i analysis.Interval) string {
	switch {
	case r.Unit == Times:
		return timesText(i, r.Exact) + r.per()
	case r.Exact && i.Lo == i.Hi:
		return Figure(i.Value, r.Unit)
	case !i.Bounded():
		return Figure(i.Value, r.Unit) + " ±?"
	}
	return fmt.Sprintf("%s (%s…%s)", Figure(i.Value, r.Unit), Figure(i.Lo, r.Unit), Figure(i.Hi, r.Unit))
}

// Spread returns the smallest and the largest of several figures for display.
func (r *Ruling) Spread(i analysis.Interval) string {
	return r.exactly(i.Lo) + " to " + r.exactly(i.Hi) + r.suffix()
}

// exactly returns a figure, with four digits if it is counted. A ratio comes without its unit.
func (r *Ruling) exactly(v float64) string {
	switch {
	case r.Unit != Times:
		return Figure(v, r.Unit)
	case r.Exact:
		return fourDigits(v)
	}
	return estimated(v)
}

// suffix returns the unit of a ratio, which exactly leaves out.
func (r *Ruling) suffix() string {
	if r.Unit == Times {
		return " " + Times + r.per()
	}
	return ""
}

// per returns the unit of a trend; empty for other predicates.
func (r *Ruling) per() string {
	if r.Claim.Predicate == Trend {
		return PerTenfold
	}
	return ""
}

// reason explains a verdict on the findings in one line.
func (r *Ruling) reason(v Verdict, findings []Finding) string {
	by := map[Verdict][]Finding{}
	for _, f := range findings {
		by[f.Verdict] = append(by[f.Verdict], f)
	}
	tested := len(findings) - len(by[Untested])
	var text string
	switch v {
	case Untested:
		return unmeasured(findings)
	case Holds, HoldsMeasured, Refuted, RefutedMeasured:
		text = r.certain(v.Plain(), by, tested)
	default:
		text = r.mixed(v, by, findings, tested)
	}
	if n := len(by[Untested]); n > 0 {
		text += fmt.Sprintf("; %d of %d conditions not measured: %s", n, len(findings), unmeasured(by[Untested]))
		if r.Claim.Same != "" && !findings[0].Elsewhere {
			text += "; they cannot differ: " + r.Claim.Same
		}
	}
	return text
}

// certain explains why a claim holds or is refuted.
func (r *Ruling) certain(v Verdict, by map[Verdict][]Finding, tested int) string {
	if v == Refuted && r.Claim.Every && tested > 1 && len(by[Refuted]) > 0 && !by[Refuted][0].Elsewhere {
		text := fmt.Sprintf("not in every row: %s", r.at(*r.surest(by[Refuted])))
		if n := len(by[Refuted]) - 1; n > 0 {
			text += fmt.Sprintf(", and %d more of %d", n, tested)
		}
		return text
	}
	list := by[v]
	if r.Claim.Band != nil && r.Claim.Band.reach > 0 && v == Refuted && len(list) == 0 {
		return fmt.Sprintf("no figure comes near %s: the largest is %s", r.Claim.Says, r.exactly(largest(by[Holds]))+r.suffix())
	}
	if tested == 1 {
		return r.say(list[0])
	}
	conditions := fmt.Sprintf("%d conditions", tested)
	if len(by[Untested]) > 0 {
		conditions += " that were measured"
	}
	stated := r.statedOf(list)
	text := stated + " at all " + conditions
	switch {
	case r.Claim.Most && !list[0].Elsewhere:
		return fmt.Sprintf("%s at %d of %s", stated, len(by[Holds]), conditions)
	case v == Refuted:
		text = "not " + stated + " at any of " + conditions
	}
	if w := r.worst(list); w != nil {
		text += "; the closest is " + r.at(*w)
	}
	return text
}

// mixed explains a verdict of depends or undecided.
func (r *Ruling) mixed(v Verdict, by map[Verdict][]Finding, findings []Finding, tested int) string {
	if v == Undecided && len(by[Undecided]) == 0 {
		text := fmt.Sprintf("no figure is above, and whether the largest, %s, comes near is not known: %s", r.exactly(largest(by[Holds]))+r.suffix(), r.Claim.Stated())
		if reach := r.reaches(findings); reach != nil && reach.open != "" {
			text += "; " + reach.open
		}
		return text
	}
	if tested == 1 {
		return r.say(by[Undecided][0])
	}
	var parts []string
	for _, x := range []struct {
		v    Verdict
		word string
	}{{Holds, "holds for "}, {Refuted, "refuted for "}, {Undecided, "undecided for "}} {
		if found := by[x.v]; len(found) > 0 {
			parts = append(parts, x.word+which(found, findings))
		}
	}
	text := strings.Join(parts, " · ")
	if len(by[Undecided]) == tested {
		text = fmt.Sprintf("none of %d conditions is decided", tested)
	}
	if f := by[Undecided]; len(f) > 0 && v == Undecided {
		text += ": " + r.open(f)
	}
	return text
}

func largest(findings []Finding) float64 {
	most := 0.0
	for _, f := range findings {
		most = max(most, f.Measured.Value)
	}
	return most
}

// surest returns the refuted finding with the smallest adjusted level, as restsOn does, and of
// several with the same level the one whose figure is farthest beyond a limit. A count is sure.
func (r *Ruling) surest(findings []Finding) *Finding {
	least := slices.MinFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.certainty(), b.certainty()), cmp.Compare(r.beyond(b), r.beyond(a)))
	})
	return &least
}

// certainty returns the adjusted level of an estimate, and 0 for a count.
func (f Finding) certainty() float64 {
	if f.Timed {
		return f.Q
	}
	return 0
}

// beyond returns how far a figure is beyond a limit that it does not meet, as a logarithm.
func (r *Ruling) beyond(f Finding) float64 {
	most := -1.0
	for _, l := range r.Claim.limits() {
		if l.at > 0 && f.Measured.Value > 0 && (f.Measured.Value < l.at) != l.upper {
			most = max(most, math.Abs(math.Log(f.Measured.Value/l.at)))
		}
	}
	return most
}

// open says what it takes to decide the findings.
func (r *Ruling) open(findings []Finding) string {
	launches, told := 0, 0
	var reasons []string
	of := map[string][]Finding{}
	for _, f := range findings {
		if launches = max(launches, f.Launches); f.Launches > 0 {
			told++
			continue
		}
		why := cmp.Or(f.open, fmt.Sprintf("more than %d launches would be needed, so close is the figure to the edge", most))
		if of[why] == nil {
			reasons = append(reasons, why)
		}
		of[why] = append(of[why], f)
	}
	if len(reasons) > 1 {
		for i, why := range reasons {
			reasons[i] = which(of[why], findings) + ": " + why
		}
	}
	why := strings.Join(reasons, "; ")
	text := fmt.Sprintf("about %d launches would tell", launches)
	switch {
	case told == 0:
		return why
	case told < len(findings):
		return fmt.Sprintf("%s %d of %d (%s); of the others %s", text, told, len(findings), moreLaunches, why)
	}
	return fmt.Sprintf("%s (%s)", text, moreLaunches)
}

// moreLaunches says how to get more launches: a layout has two at most, and one count of CPU time.
const moreLaunches = "raise --budget and --layouts"

// unmeasured returns the first reason why findings are untested, and how many others there are.
func unmeasured(findings []Finding) string {
	var reasons []string
	for _, f := range findings {
		if !slices.Contains(reasons, f.Reason) {
			reasons = append(reasons, f.Reason)
		}
	}
	if len(reasons) > 1 {
		return fmt.Sprintf("%s (and %d more)", reasons[0], len(reasons)-1)
	}
	return strings.Join(reasons, "")
}

// say describes one condition.
func (r *Ruling) say(f Finding) string {
	c, stated := r.Claim, r.statedOf([]Finding{f})
	text := r.figure(f)
	if f.Verdict == Undecided {
		text = r.Interval(*f.Measured)
	}
	switch c.Predicate {
	case Order:
		text = r.order(f)
		if f.Verdict == Holds {
			return text + ", as stated"
		}
	case Constant:
		text = f.detail
	case Grows, Trend:
		text += ", " + f.detail
	}
	switch near := r.tie(f); {
	case f.Verdict == Holds && near:
		return text + ": a tie with " + stated
	case f.Verdict == Holds:
		return text + ": " + stated
	case f.Verdict == Refuted && near:
		return text + ": a tie, not " + stated
	case f.Verdict == Refuted:
		return text + ": not " + stated
	}
	return text + " may or may not be " + stated + ": " + r.open([]Finding{f})
}

// tie reports whether a figure has its verdict because it is within a tie of a limit.
func (r *Ruling) tie(f Finding) bool {
	if p := r.Claim.Predicate; p != Ratio && p != Grows || r.Exact {
		return false
	}
	v := f.Measured.Value
	return slices.ContainsFunc(r.Claim.limits(), func(l limit) bool {
		within := l.at < v && !l.upper || v < l.at && l.upper
		return within == l.strict && (figure{Interval: *f.Measured}).to(l.at) == tied
	})
}

// at returns the figure of a condition and its name.
func (r *Ruling) at(f Finding) string {
	text := r.figure(f)
	switch r.Claim.Predicate {
	case Order:
		text = r.order(f)
	case Constant:
		text = f.detail
	}
	return text + " at " + f.Condition.String()
}

// order returns the measured order of the cases, and the figure of the deciding step if the order
// is not as the claim says.
func (r *Ruling) order(f Finding) string {
	if f.Verdict == Holds {
		return f.detail
	}
	return fmt.Sprintf("%s, %s %s", f.detail, f.Step, r.Interval(*f.Measured))
}

// figure returns the measured figure of a finding for display.
func (r *Ruling) figure(f Finding) string {
	return r.exactly(f.Measured.Value) + r.suffix()
}

// worst returns the finding whose figure is nearest to a limit; nil if figures have another unit
// than the limits.
func (r *Ruling) worst(findings []Finding) *Finding {
	if r.Claim.Predicate == Constant {
		return nil
	}
	var nearest *Finding
	least := math.Inf(1)
	for i, f := range findings {
		for _, l := range r.Claim.limits() {
			if d := math.Abs(math.Log(f.Measured.Value / l.at)); d < least {
				least, nearest = d, &findings[i]
			}
		}
	}
	return nearest
}

// which names the findings among all: only by their ops, sizes or ways of use if these make the
// difference, otherwise one by one.
func which(some, all []Finding) string {
	for _, axis := range []func(Finding) string{
		func(f Finding) string { return string(f.Op) },
		func(f Finding) string { return f.Size },
		func(f Finding) string {
			if f.Also == "" {
				return "use as stated"
			}
			return f.Also
		},
		func(f Finding) string {
			if f.Also == "" {
				return string(f.Op) + " as stated"
			}
			return string(f.Op) + ", " + f.Also
		},
	} {
		var in, out []string
		for _, f := range all {
			list := &out
			if contains(some, f) {
				list = &in
			} else if f.Verdict == Untested {
				continue
			}
			if name := axis(f); !slices.Contains(*list, name) {
				*list = append(*list, name)
			}
		}
		if !slices.ContainsFunc(in, func(name string) bool { return slices.Contains(out, name) }) {
			if text := strings.Join(in, ""); strings.Contains(text, ",") {
				return strings.Join(in, "; ")
			}
			return strings.Join(in, ", ")
		}
	}
	const listed = 3
	var names []string
	for i, f := range some {
		if i == listed {
			names = append(names, fmt.Sprintf("%d more", len(some)-listed))
			break
		}
		names = append(names, f.Condition.String())
	}
	return strings.Join(names, "; ")
}

func contains(list []Finding, f Finding) bool {
	return slices.ContainsFunc(list, func(x Finding) bool { return sameCondition(x.Condition, f.Condition) })
}
