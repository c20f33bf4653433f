package phrase

import (
	"math"
	"strconv"
)

// Digits returns v as a plain decimal with three significant digits, or with all digits
// before the point if there are more. decimals is the number of digits after the point.
func Digits(v float64) (text string, decimals int) {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'f', -1, 64), 0
	}
	return Significant(v, 3), max(0, 2-exponent(v, 3))
}

// Significant returns v as a plain decimal with n significant digits, or with all digits before the
// point if there are more.
func Significant(v float64, n int) string {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', max(0, n-1-exponent(v, n)), 64)
}

// exponent returns the power of ten of the first digit of v, after v is rounded to n digits.
func exponent(v float64, n int) int {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', n-1, 64), 64)
	return int(math.Floor(math.Log10(math.Abs(rounded)) + 1e-9))
}

// Scaled returns v in the largest unit in which it is at least 1, or in the first unit if
// there is none. Each unit is a thousand times the one before.
func Scaled(v float64, units []string) (text, unit string) {
	i := 0
	for v != 0 && i < len(units)-1 && exponent(v, 3) >= 3 {
		v /= 1000
		i++
	}
	text, _ = Digits(v)
	return text, units[i]
}

// Time returns a time in nanoseconds for people, and its unit: "9.04", "µs".
func Time(ns float64) (text, unit string) {
	return Scaled(ns, []string{"ns", "µs", "ms", "s"})
}

// Nanoseconds returns a time in nanoseconds for people: "9.04 µs".
func Nanoseconds(ns float64) string {
	text, unit := Time(ns)
	return text + " " + unit
}
