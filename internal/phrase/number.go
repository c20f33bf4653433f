package phrase

import (
	"math"
	"strconv"
)

// Digits returns v in plain decimals with three significant digits, or with all
// digits before the point if there are more; and how many stand after it.
func Digits(v float64) (text string, decimals int) {
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

// Scaled returns v in the largest of the units, each a thousand of the one
// before, in which it is 1 or more.
func Scaled(v float64, units []string) (text, unit string) {
	i := 0
	for v != 0 && i < len(units)-1 && exponent(v) >= 3 {
		v /= 1000
		i++
	}
	text, _ = Digits(v)
	return text, units[i]
}

// Time returns a time in nanoseconds for reading, and its unit: "9.04", "µs".
func Time(ns float64) (text, unit string) {
	return Scaled(ns, []string{"ns", "µs", "ms", "s"})
}

// Nanoseconds is a time in nanoseconds for reading: "9.04 µs".
func Nanoseconds(ns float64) string {
	text, unit := Time(ns)
	return text + " " + unit
}
