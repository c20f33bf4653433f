package phrase

import "testing"

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
