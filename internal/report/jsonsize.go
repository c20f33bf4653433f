package report

import (
	"fmt"
	"math"
	"strings"

	"assay/internal/analysis"
	"assay/internal/infer"
	"assay/internal/jsonsize"
	"assay/result"
)

// leastShown is the least share of a user's JSON that a change is shown for.
// What is left out is always shown.
const leastShown = 0.0005

// leastAdvised is the least share of a user's JSON for which it is said how a
// change can be avoided.
const leastAdvised = 0.01

// jsonLines says how far the JSON that is measured is the user's; nothing where
// there is none.
func jsonLines(j *analysis.JSONSize) []string {
	if j == nil {
		return nil
	}
	each := func(n int64) string { return bytes(float64(n) / float64(j.Records)) }
	here := "encoding/json here"
	if j.Unescaped {
		here += " (SetEscapeHTML(false))"
	}
	line := fmt.Sprintf("your JSON, compact: %s a record; %s: %s", each(j.Compact), here, each(j.Written))
	switch diff := j.Written - j.Compact; {
	case diff == 0 && len(j.Changes) == 0:
		return []string{line + ", byte for byte as long"}
	case diff == 0:
		line += ", as long"
	default:
		line += ", " + signedShare(j.Share(diff))
	}
	if j.Off() {
		line = "warning: " + line
	}
	lines := []string{line}
	for _, c := range j.Changes {
		cause := jsonsize.Cause(c.Cause)
		if math.Abs(j.Changed(c)) >= leastShown || cause.Omits() {
			line := signedShare(j.Changed(c)) + ": " + jsonChange(cause, c)
			if cause == jsonsize.Numbers && math.Abs(j.Changed(c)) >= leastAdvised && len(c.Where) > 0 {
				line += fmt.Sprintf("; %s keeps its digits, as json.RawMessage does", infer.Overrule{Path: c.Where[0], Type: "number"})
			}
			lines = append(lines, line)
		}
	}
	if j.Compared < j.Compact && len(lines) > 1 {
		lines = append(lines, fmt.Sprintf("the causes are from %s of the JSON: the first records and some of the others", share(float64(j.Compared)/float64(j.Compact))))
	}
	if math.Abs(j.Share(j.Unexplained)) >= leastShown {
		lines = append(lines, signedShare(j.Share(j.Unexplained))+": unknown cause, which is a bug in assay")
	}
	return lines
}

// jsonChange says what a cause does, how often and where.
func jsonChange(cause jsonsize.Cause, c result.JSONChange) string {
	text := jsonsize.CauseText[cause]
	if text == "" {
		text = c.Cause // of a run that another version stored
	}
	text += fmt.Sprintf(", %d in %s", c.Count, strings.Join(c.Where, ", "))
	if more := c.Places - len(c.Where); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// signedShare returns a share with its sign: "+1.2%", "−28%".
func signedShare(v float64) string {
	sign := "+"
	if v < 0 {
		sign = "−"
	}
	if v = math.Abs(v); v > 0 && v < leastShown {
		return sign + "<0.1%"
	}
	return sign + share(v)
}
