package claims

import (
	"fmt"
	"math"
	"strconv"

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

// bound returns a bound as it was written, or nearly so where it was computed. A
// ratio needs no unit.
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

// mostWritten is how long a fraction is that somebody wrote: a longer one was computed.
const mostWritten = 8

func percent(share float64) string { return digits(100*share, 2) + "%" }

// fourDigits writes an exact ratio, which is often close to its bound: with four digits, or as
// many as show that it is not a whole number.
func fourDigits(v float64) string {
	if v == math.Trunc(v) {
		return Number(v)
	}
	text := ""
	for n := 4; n <= 9; n++ {
		text = digits(v, n)
		if read, _ := strconv.ParseFloat(text, 64); read != math.Trunc(read) || math.Abs(v) >= 1000 {
			break
		}
	}
	return text
}

// estimated writes an estimate with three digits: those after them nobody knows.
func estimated(v float64) string {
	if rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64); err == nil && math.Abs(v) >= 1000 {
		v = rounded
	}
	return digits(v, 3)
}

// timesText is a ratio with its interval for reading, or a counted one.
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
