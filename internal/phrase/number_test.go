package phrase

import (
	"math"
	"testing"
)

func TestNanoseconds(t *testing.T) {
	for ns, want := range map[float64]string{
		0:       "0 ns",
		0.333:   "0.333 ns",
		38.94:   "38.9 ns",
		9.996:   "10.0 ns",
		999.4:   "999 ns",
		999.6:   "1.00 µs",
		1.1e5:   "110 µs",
		1e9:     "1.00 s",
		7.25e12: "7250 s",
	} {
		if got := Nanoseconds(ns); got != want {
			t.Errorf("%v: %q, want %q", ns, got, want)
		}
	}
}

func TestDigits(t *testing.T) {
	for v, want := range map[float64]struct {
		text     string
		decimals int
	}{
		0: {"0", 0}, math.Inf(1): {"+Inf", 0}, 1234.5: {"1234", 0}, 100: {"100", 0}, 9.996: {"10.0", 1}, -2.5: {"-2.50", 2}, 0.001: {"0.00100", 5},
	} {
		if text, decimals := Digits(v); text != want.text || decimals != want.decimals {
			t.Errorf("%v: %q with %d decimals, want %q with %d", v, text, decimals, want.text, want.decimals)
		}
	}
}
