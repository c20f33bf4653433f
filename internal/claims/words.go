package claims

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/internal/analysis"
)

// Figure returns a figure with its unit for reading: three digits, or all before
// the point, and "0.6019 times" where three would hide what is at stake.
func Figure(v float64, unit string) string {
	switch unit {
	case "ns":
		return scaled(v, "ns", "µs", "ms", "s")
	case "B":
		if v == math.Trunc(v) && v < 1e15 {
			return strconv.FormatFloat(v, 'f', 0, 64) + " B"
		}
		return scaled(v, "B", "kB", "MB", "GB")
	case "B/s":
		return scaled(v, "B/s", "kB/s", "MB/s", "GB/s")
	case "1", "":
		return Number(v)
	}
	return Number(v) + " " + unit
}

// Number returns a number for reading: a whole one as it is, another with three
// digits.
func Number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return digits(v, 3)
}

// digits returns v in plain decimals with that many significant digits, or with
// all before the point.
func digits(v float64, n int) string {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', n-1, 64), 64)
	exponent := int(math.Floor(math.Log10(math.Abs(rounded)) + 1e-9))
	return strconv.FormatFloat(v, 'f', max(0, n-1-exponent), 64)
}

// scaled returns v in the largest of the units in which it is 1 or more, each a
// thousand of the one before.
func scaled(v float64, units ...string) string {
	i := 0
	for i < len(units)-1 && v >= 999.5 {
		v, i = v/1000, i+1
	}
	return digits(v, 3) + " " + units[i]
}

// PublishedText is the published figure for reading; empty without one.
func (c *Claim) PublishedText() string {
	var parts []string
	for _, v := range c.Published {
		parts = append(parts, strconv.FormatFloat(v, 'f', -1, 64))
	}
	return strings.TrimSpace(strings.Join(parts, " to ") + " " + c.Unit)
}

// Stated is what the claim says its figure is, in words: "at least 3 times".
func (c *Claim) Stated() string {
	unit := Times
	if c.Predicate == Exact {
		m, _ := analysis.MetricNamed(c.Metric)
		unit = m.Unit
	}
	switch c.Predicate {
	case "":
		return ""
	case Order:
		var names []string
		for _, t := range c.Conditions[0].Terms {
			names = append(names, t.Subject.String())
		}
		switch c.Only {
		case "first":
			return names[0] + " first, before " + strings.Join(names[1:], ", ")
		case "last":
			return names[len(names)-1] + " last, after " + strings.Join(names[:len(names)-1], ", ")
		}
		return strings.Join(names, " < ")
	case Constant:
		return "the same within " + percent(c.Bounds.Tolerance)
	}
	limits := c.limits()
	if len(limits) == 2 && limits[0].at == limits[1].at {
		return "exactly " + bound(limits[0].at, unit)
	}
	var words []string
	for _, l := range limits {
		words = append(words, map[[2]bool]string{
			{false, false}: "at least ", {false, true}: "more than ", {true, false}: "at most ", {true, true}: "less than ",
		}[[2]bool{l.upper, l.strict}]+bound(l.at, unit))
	}
	return strings.Join(words, " and ")
}

// bound returns a bound as it was written, or nearly so where it was computed. A
// ratio needs no unit.
func bound(v float64, unit string) string {
	if unit == Times {
		return strconv.FormatFloat(rounded(v), 'f', -1, 64)
	}
	if unit == "ns" || unit == "B/s" || v != math.Trunc(v) {
		return Figure(v, unit)
	}
	return Figure(rounded(v), unit)
}

// rounded returns v with five digits.
func rounded(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 5, 64), 64)
	return v
}

func percent(share float64) string { return digits(100*share, 2) + "%" }

// String names the condition: its op, size and way of use, as far as there are.
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

// Compared names what the condition is about: "encoding/gob ÷ protobuf".
func (c Condition) Compared(p Predicate) string {
	terms := c.Terms
	if p == Constant || p == Grows {
		terms = terms[:1] // the others differ in size only
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
	if p == Ratio {
		return strings.Join(parts, " ÷ ")
	}
	return strings.Join(parts, ", ")
}

// MeasuredText is the measured figure for reading: of a range its ends, of an
// estimate its interval. It is empty where nothing was measured, and for an order,
// which the reason has.
func (r *Ruling) MeasuredText() string {
	switch {
	case r.Measured == nil || r.Claim.Predicate == Order:
		return ""
	case r.Range:
		return r.exactly(r.Measured.Lo) + " to " + r.exactly(r.Measured.Hi) + suffix(r.Unit)
	}
	return r.Interval(*r.Measured)
}

// Interval is a figure of the ruling with its interval for reading.
func (r *Ruling) Interval(i analysis.Interval) string {
	if r.Exact && i.Lo == i.Hi {
		return r.exactly(i.Value) + suffix(r.Unit)
	}
	if !i.Bounded() {
		return Figure(i.Value, r.Unit) + " ±?"
	}
	if r.Unit == Times {
		return fmt.Sprintf("%s (%s…%s) times", digits(i.Value, 3), digits(i.Lo, 3), digits(i.Hi, 3))
	}
	return fmt.Sprintf("%s (%s…%s)", Figure(i.Value, r.Unit), Figure(i.Lo, r.Unit), Figure(i.Hi, r.Unit))
}

// exactly is a figure without the unit of a ratio, with four digits where it is
// counted.
func (r *Ruling) exactly(v float64) string {
	switch {
	case r.Unit != Times:
		return Figure(v, r.Unit)
	case r.Exact:
		return fourDigits(v)
	}
	return digits(v, 3)
}

// suffix is the unit of a ratio, which Figure does not write.
func suffix(unit string) string {
	if unit == Times {
		return " " + Times
	}
	return ""
}

// reason says why the verdict is what it is, in one line.
func (r *Ruling) reason() string {
	by := map[Verdict][]Finding{}
	for _, f := range r.Findings {
		by[f.Verdict] = append(by[f.Verdict], f)
	}
	tested := len(r.Findings) - len(by[Untested])
	var text string
	switch {
	case tested == 0:
		return unmeasured(r.Findings)
	case tested == 1:
		text = r.say(slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return f.Verdict == Untested })[0])
	case r.Verdict == Holds:
		text = fmt.Sprintf("%s at all %d conditions", r.Claim.Stated(), tested)
		if w := r.worst(by[Holds]); w != nil {
			text += "; the closest is " + r.at(*w)
		}
	case r.Verdict == Refuted && len(by[Undecided]) == 0:
		text = fmt.Sprintf("not %s at any of %d conditions", r.Claim.Stated(), tested)
		if w := r.worst(by[Refuted]); w != nil {
			text += "; the closest is " + r.at(*w)
		}
	default:
		var parts []string
		for _, x := range []struct {
			v    Verdict
			word string
		}{{Holds, "holds for "}, {Refuted, "refuted for "}, {Undecided, "undecided for "}} {
			if found := by[x.v]; len(found) > 0 {
				parts = append(parts, x.word+which(found, r.Findings))
			}
		}
		text = strings.Join(parts, " · ")
		if f := by[Undecided]; len(f) > 0 && r.Verdict == Undecided {
			text += ": " + r.open(f)
		}
	}
	if n := len(by[Untested]); n > 0 {
		text += fmt.Sprintf("; %d of %d conditions not measured: %s", n, len(r.Findings), unmeasured(by[Untested]))
	}
	return text
}

// open says what it would take to decide the findings.
func (r *Ruling) open(findings []Finding) string {
	launches, reason := 0, ""
	for _, f := range findings {
		if launches = max(launches, f.Launches); f.Launches == 0 {
			reason = f.Reason
		}
	}
	switch {
	case launches > 0:
		return fmt.Sprintf("about %d launches would tell (raise --budget)", launches)
	case reason != "":
		return reason
	}
	return "the interval is too wide for any number of launches that could be named"
}

// unmeasured is the first reason why findings are untested, and how many others
// there are.
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

// say tells of one condition.
func (r *Ruling) say(f Finding) string {
	c := r.Claim
	text := r.figure(f)
	switch c.Predicate {
	case Order:
		text = f.Reason
		if f.Verdict == Holds {
			return text + ", as stated"
		}
	case Constant:
		text = f.Reason
	case Grows:
		text += ", " + f.Reason
	}
	switch near := r.tie(f); {
	case f.Verdict == Holds && near:
		return text + ": a tie with " + c.Stated()
	case f.Verdict == Holds:
		return text + ": " + c.Stated()
	case f.Verdict == Refuted && near:
		return text + ": a tie, not " + c.Stated()
	case f.Verdict == Refuted:
		return text + ": not " + c.Stated()
	}
	return text + " may or may not be " + c.Stated() + ": " + r.open([]Finding{f})
}

// tie says whether a figure has its verdict for being within a tie of a limit.
func (r *Ruling) tie(f Finding) bool {
	if p := r.Claim.Predicate; p != Ratio && p != Grows || r.Exact {
		return false
	}
	v := f.Measured.Value
	return slices.ContainsFunc(r.Claim.limits(), func(l limit) bool {
		within := l.at < v && !l.upper || v < l.at && l.upper
		return within == l.strict && figure{Interval: *f.Measured}.to(l.at) == tied
	})
}

// at names a condition with its figure.
func (r *Ruling) at(f Finding) string {
	if r.Claim.Predicate == Order {
		return f.Reason + " at " + f.Condition.String()
	}
	return r.figure(f) + " at " + f.Condition.String()
}

// figure is the measured figure of a finding.
func (r *Ruling) figure(f Finding) string {
	return r.exactly(f.Measured.Value) + suffix(r.Unit)
}

// fourDigits writes an exact ratio, which is often close to its bound.
func fourDigits(v float64) string {
	if v == math.Trunc(v) {
		return Number(v)
	}
	return digits(v, 4)
}

// worst is the finding whose figure is nearest to a limit; nil where figures are
// not held against limits of their own unit.
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

// which names the findings among all: by their ops, sizes or ways of use alone
// where those make the difference, otherwise one by one.
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
