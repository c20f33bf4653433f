package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"assay/internal/analysis"
	"assay/internal/infer"
	"assay/internal/jsonsize"
	"assay/internal/phrase"
	"assay/result"
)

// leastShown is the smallest change, as a share of a user's JSON, that is shown. Changes that
// omit something are always shown.
const leastShown = 0.0005

// leastAdvised is the smallest change, as a share of a user's JSON, for which the output says how
// to avoid it.
const leastAdvised = 0.01

// mostPaths is how many paths of a change a line names.
const mostPaths = 3

// jsonLines says how closely the measured JSON matches the user's JSON. It returns nil if there
// is no JSON.
func jsonLines(j *analysis.JSONSize) []string {
	if j == nil {
		return nil
	}
	each := func(n int64) string { return BytesText(float64(n) / float64(j.Records)) }
	here := "encoding/json here"
	if j.Unescaped {
		here += " (SetEscapeHTML(false))"
	}
	line := fmt.Sprintf("your JSON, compact: %s a record", each(j.Compact))
	same, what := asGoWrites(j)
	if what != "" {
		line += fmt.Sprintf(" (%s with its %s as Go writes them)", each(same), what)
	}
	line += fmt.Sprintf("; %s: %s", here, each(j.Written))
	switch diff := j.Written - j.Compact; {
	case diff == 0 && len(j.Changes) == 0:
		return []string{line + ", byte for byte as long"}
	case diff == 0:
		line += ", as long"
	default:
		line += ", " + signedShare(j.Share(diff))
	}
	switch left := j.Written - same; {
	case what != "" && left == 0:
		line += fmt.Sprintf("; %s aside as long", what)
	case what != "":
		line += fmt.Sprintf("; %s aside %s", what, signedShare(float64(left)/float64(same)))
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
				line += "; " + keepDigits(c)
			}
			lines = append(lines, line)
		}
	}
	if j.Compared < j.Compact && len(lines) > 1 {
		lines = append(lines, fmt.Sprintf("the causes are from %s of the JSON: the first records and some of the others", ShareText(float64(j.Compared)/float64(j.Compact))))
	}
	if math.Abs(j.Share(j.Unexplained)) >= leastShown {
		lines = append(lines, signedShare(j.Share(j.Unexplained))+": unknown cause, which is a bug in assay")
	}
	return lines
}

// respelled lists the causes that keep a value but change its text, with a word for the values.
var respelled = []struct {
	cause jsonsize.Cause
	what  string
}{{jsonsize.Numbers, "numbers"}, {jsonsize.Times, "times"}, {jsonsize.Escapes, "escapes"}}

// asGoWrites returns the size in bytes that the user's JSON would have if Go had written the same
// values. what names the values that cause a visible difference; it is empty if there are none.
func asGoWrites(j *analysis.JSONSize) (size int64, what string) {
	var all []string
	compared := int64(0)
	for _, r := range respelled {
		for _, c := range j.Changes {
			if jsonsize.Cause(c.Cause) != r.cause {
				continue
			}
			compared += c.Bytes
			if math.Abs(j.Changed(c)) >= leastShown {
				all = append(all, r.what)
			}
		}
	}
	return j.Compact + int64(math.Round(float64(compared)*float64(j.Compact)/float64(max(1, j.Compared)))), phrase.List(all, "and")
}

// keepDigits names the flags that keep numbers as the sample writes them.
func keepDigits(c result.JSONChange) string {
	var flags []string
	for _, path := range c.Where {
		as := "number"
		if slices.Contains(c.Unions, path) {
			as = "json"
		}
		flags = append(flags, infer.Overrule{Path: path, Type: as}.String())
	}
	keep := "keep"
	if len(flags) == 1 {
		keep = "keeps"
	}
	return fmt.Sprintf("%s %s the digits, as json.RawMessage does", strings.Join(flags, " "), keep)
}

// jsonChange says what a cause changes, how often and where.
func jsonChange(cause jsonsize.Cause, c result.JSONChange) string {
	text := jsonsize.CauseText[cause]
	if text == "" {
		text = c.Cause // a run that another version of assay stored
	}
	var where []string
	for _, path := range c.Where[:min(len(c.Where), mostPaths)] {
		where = append(where, quotedPath(path))
	}
	if len(where) == 0 {
		return text + fmt.Sprintf(", %d in %s", c.Count, phrase.Count(c.Places, "place"))
	}
	text += fmt.Sprintf(", %d in %s", c.Count, strings.Join(where, ", "))
	if more := c.Places - len(where); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// quotedPath quotes a path that a reader would misread in a sentence. A path with unusual keys
// already has them in quotes.
func quotedPath(path string) string {
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.[]*$@:/", r)
	}
	if !strings.Contains(path, `"`) && strings.ContainsFunc(path, odd) {
		return strconv.Quote(path)
	}
	return path
}

// signedShare formats a share with its sign: "+1.2%", "−28%".
func signedShare(v float64) string {
	sign := "+"
	if v < 0 {
		sign = "−"
	}
	if v = math.Abs(v); v > 0 && v < leastShown {
		return sign + "<0.1%"
	}
	return sign + ShareText(v)
}
