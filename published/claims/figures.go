package claims

import (
	"fmt"
	"math"
	"strconv"

	"assay/internal/analysis"
	"assay/internal/phrase"
)

// Figure returns a figure with its unit for display. It has three significant digits, but keeps all
// digits before the point. Whole numbers of bytes, times and plain numbers are exact.
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

// Number returns a number for display: a whole number exactly, any other number with three digits.
func Number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return phrase.Significant(v, 3)
}

// scaled returns v in the largest of several units in which it is at least 1.
func scaled(v float64, units ...string) string {
	text, unit := phrase.Scaled(v, units)
	return text + " " + unit
}

// bound returns a bound as it was written, or rounded to five digits if it was computed. A ratio
// has no unit.
func bound(v float64, unit string) string {
	if unit != Times {
		return Figure(v, unit)
	}
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if v != math.Trunc(v) && len(text) > mostWritten {
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 5, 64), 64)
		text = strconv.FormatFloat(v, 'f', -1, 64)
	}
	return text
}

// mostWritten is the length of the longest fraction that somebody wrote: a longer one was computed.
const mostWritten = 8

func percent(share float64) string { return phrase.Significant(100*share, 2) + "%" }

// fourDigits returns an exact ratio, which is often close to its bound. It has four digits, or as
// many as show that it is not a whole number.
func fourDigits(v float64) string {
	if v == math.Trunc(v) {
		return Number(v)
	}
	text := ""
	for n := 4; n <= 9; n++ {
		text = phrase.Significant(v, n)
		if read, _ := strconv.ParseFloat(text, 64); read != math.Trunc(read) || math.Abs(v) >= 1000 {
			break
		}
	}
	return text
}

// estimated returns an estimate with three digits, because further digits are unknown.
func estimated(v float64) string {
	if rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64); err == nil && math.Abs(v) >= 1000 {
		v = rounded
	}
	return phrase.Significant(v, 3)
}

// timesText returns a ratio for display: with its interval, or without one if it is counted.
func timesText(i analysis.Interval, exact bool) string {
	switch {
	case math.IsInf(i.Value, 1):
		return "from 0"
	case exact && i.Lo == i.Hi:
		return fourDigits(i.Value) + " " + Times
	case !i.Bounded():
		return estimated(i.Value) + " " + Times + " ±?"
	}
	return fmt.Sprintf("%s (%s…%s) %s", estimated(i.Value), estimated(i.Lo), estimated(i.Hi), Times)
}

// PerTenfold is what the figures of a trend end with: they are for ten times as many items.
const PerTenfold = " per 10× items"

// per returns what the claim's figures are for: ten times as many items, or one item. It is empty for
// figures of whole values.
func (c *Claim) per() string {
	switch {
	case c.Predicate == Trend:
		return PerTenfold
	case c.PerItem:
		return " per item"
	}
	return ""
}
