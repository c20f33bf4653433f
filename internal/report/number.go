package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay/internal/analysis"
	"assay/internal/phrase"
)

// BytesText formats a number of bytes: "66 B", "1.21 kB", "−1.21 kB". A whole number under 1 kB has all
// its digits, because it is exact.
func BytesText(n float64) string {
	if n < 0 {
		return "−" + BytesText(-n)
	}
	if n < 1000 && n == math.Trunc(n) {
		return strconv.FormatFloat(n, 'f', 0, 64) + " B"
	}
	text, unit := phrase.Scaled(n, []string{"B", "kB", "MB", "GB", "TB"})
	return text + " " + unit
}

// CountText formats a number of allocations. A number within 0.01 of a whole number is shown as
// whole: a single allocation among many operations causes such a difference.
func CountText(n float64) string {
	if whole := math.Round(n); math.Abs(n-whole) < 0.01 && (whole > 0 || n == 0) {
		return strconv.FormatFloat(whole, 'f', 0, 64)
	}
	return strconv.FormatFloat(n, 'f', 2, 64)
}

// noInterval stands for the uncertainty of a number without an interval.
const noInterval = "±?"

// mostPercent is the largest percentage that plusMinus writes as a number. A wider interval means
// that the value is not known.
const mostPercent = 999

// plusMinus formats the wider side of the interval as a share of its value. It returns noInterval
// if the interval has no bounds.
func plusMinus(i analysis.Interval) string {
	if !i.Bounded() {
		return noInterval
	}
	percent := 100 * i.HalfWidth()
	switch {
	case percent < 0.05:
		return "±<0.1%"
	case percent < 9.95:
		return "±" + strconv.FormatFloat(percent, 'f', 1, 64) + "%"
	case percent >= mostPercent+0.5:
		return fmt.Sprintf("±>%d%%", mostPercent)
	}
	return "±" + strconv.FormatFloat(percent, 'f', 0, 64) + "%"
}

// times formats a factor and its interval: "14.7×" and "(14.5…14.9)". The bounds have as many
// decimals as the factor.
func times(i analysis.Interval) (factor, bounds string) {
	text, decimals := phrase.Digits(i.Value)
	if !i.Bounded() || math.IsInf(i.Value, 0) {
		return text + "×", ""
	}
	return text + "×", around(i, func(v float64) string { return strconv.FormatFloat(v, 'f', decimals, 64) })
}

// around formats the bounds of a factor. A bound that is more than ten times away from the factor
// counts as not known: "(<1.47…>147)".
func around(i analysis.Interval, text func(float64) string) string {
	lo, hi := text(i.Lo), text(i.Hi)
	if far := i.Value / 10; i.Lo < far {
		lo = "<" + text(far)
	}
	if far := i.Value * 10; i.Hi > far {
		hi = ">" + text(far)
	}
	return "(" + lo + "…" + hi + ")"
}

// speed converts a ratio of times to how many times as fast that is, "14.7×", and its bounds.
func speed(ratio analysis.Interval) (factor, bounds string) { return times(ratio.Over(1)) }

// MeasureText formats a time in ns with its uncertainty: "39.4 ns ±1.1%".
func MeasureText(i analysis.Interval) string {
	return phrase.Nanoseconds(i.Value) + " " + plusMinus(i)
}

// ShareText formats a share as a percentage: "12%", "0.3%".
func ShareText(v float64) string {
	if v != 0 && v < 0.0995 {
		return strconv.FormatFloat(100*v, 'f', 1, 64) + "%"
	}
	return strconv.FormatFloat(100*v, 'f', 0, 64) + "%"
}

// change formats a factor as a change with its bounds: "−8.4%" and "(−9.9…−6.9)". A change to at
// least twice or at most half is "×3.05" and "(3.01…3.09)", because readers misread percentages
// above a hundred. If one side is 0, there is no factor: "from 0", "to 0".
func change(i analysis.Interval) (text, bounds string) {
	switch {
	case math.IsInf(i.Value, 1):
		return "from 0", ""
	case i.Value == 0:
		return "to 0", ""
	}
	if i.Value >= 2 || i.Value <= 0.5 {
		number, decimals := phrase.Digits(i.Value)
		text = "×" + number
		if i.Bounded() && i.Lo != i.Hi {
			bounds = around(i, func(v float64) string { return strconv.FormatFloat(v, 'f', decimals, 64) })
		}
		return text, bounds
	}
	percents := signed
	if excludes := i.Lo > 1 || i.Hi < 1; i.Bounded() && excludes && (signed(i.Lo) == "0.0" || signed(i.Hi) == "0.0") {
		percents = func(factor float64) string { return signedBy(factor, 2) } // a bound of 0.0 would say that 1 is not excluded
	}
	text = percents(i.Value) + "%"
	if i.Bounded() && i.Lo != i.Hi {
		bounds = around(i, percents)
	}
	return text, bounds
}

// signed formats a factor as a signed percentage with one decimal, without the percent sign.
func signed(factor float64) string { return signedBy(factor, 1) }

func signedBy(factor float64, decimals int) string {
	text := strconv.FormatFloat(100*(factor-1), 'f', decimals, 64)
	switch {
	case strings.Trim(text, "-0.") == "":
		return strings.TrimPrefix(text, "-")
	case text[0] == '-':
		return "−" + text[1:]
	}
	return "+" + text
}
