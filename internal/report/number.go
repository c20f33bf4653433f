package report

import (
	"math"
	"strconv"

	"assay/internal/analysis"
)

// digits returns v in plain decimals with three significant digits, or with all
// digits before the point if there are more; and how many stand after it.
func digits(v float64) (text string, decimals int) {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'f', -1, 64), 0
	}
	decimals = max(0, 2-exponent(v))
	return strconv.FormatFloat(v, 'f', decimals, 64), decimals
}

// exponent is the power of ten of v's first digit once v is rounded to three.
func exponent(v float64) int {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64)
	return int(math.Floor(math.Log10(math.Abs(rounded)) + 1e-9))
}

// scaled returns v in the largest of the units, each a thousand of the one
// before, in which it is 1 or more.
func scaled(v float64, units []string) (text, unit string) {
	i := 0
	for v != 0 && i < len(units)-1 && exponent(v) >= 3 {
		v /= 1000
		i++
	}
	text, _ = digits(v)
	return text, units[i]
}

// duration returns nanoseconds for reading.
func duration(ns float64) (text, unit string) {
	return scaled(ns, []string{"ns", "µs", "ms", "s"})
}

// bytes returns a number of bytes for reading. Under 1 kB whole numbers are
// written as such, because they are exact.
func bytes(n float64) string {
	if n < 1000 && n == math.Trunc(n) {
		return strconv.FormatFloat(n, 'f', 0, 64) + " B"
	}
	text, unit := scaled(n, []string{"B", "kB", "MB", "GB", "TB"})
	return text + " " + unit
}

// count returns a number of allocations for reading.
func count(n float64) string {
	if n == math.Trunc(n) {
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return strconv.FormatFloat(n, 'f', 2, 64)
}

// plusMinus returns the wider side of the interval as a share of its value, or
// "±?" for an interval without bounds.
func plusMinus(i analysis.Interval) string {
	if !i.Bounded() {
		return "±?"
	}
	percent := 100 * max(i.Hi/i.Value-1, 1-i.Lo/i.Value)
	switch {
	case percent < 0.05:
		return "±<0.1%"
	case percent < 9.95:
		return "±" + strconv.FormatFloat(percent, 'f', 1, 64) + "%"
	}
	return "±" + strconv.FormatFloat(percent, 'f', 0, 64) + "%"
}

// times returns a factor and its interval for reading: "14.7×" and
// "(14.5…14.9)". Bounds have as many decimals as the factor.
func times(i analysis.Interval) (factor, bounds string) {
	text, decimals := digits(i.Value)
	if !i.Bounded() || math.IsInf(i.Value, 0) {
		return text + "×", ""
	}
	at := func(v float64) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
	return text + "×", "(" + at(i.Lo) + "…" + at(i.Hi) + ")"
}
