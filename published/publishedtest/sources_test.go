package publishedtest

import "testing"

func TestDiffers(t *testing.T) {
	f := Figure{Allocs: 100, Bytes: 10_000, Size: 50}
	size := func(n float64) map[string]float64 { return map[string]float64{"encoded-bytes": n} }
	for _, test := range []struct {
		name       string
		r          Result
		n          int
		ok, again  bool
		sizeWithin float64
	}{
		{name: "as it is", r: Result{Allocs: 100, Bytes: 10_000, Extra: size(50)}, n: 1000, ok: true},
		{name: "what go test rounds down", r: Result{Allocs: 100.9, Bytes: 10_000.9, Extra: size(50)}, n: 1000, ok: true},
		{name: "within, of many operations", r: Result{Allocs: 100, Bytes: 10_016, Extra: size(50)}, n: 1000, ok: true},
		{name: "an allocation more, of many operations", r: Result{Allocs: 101, Bytes: 10_000, Extra: size(50)}, n: 1000, again: true},
		{name: "an allocation less, of many operations", r: Result{Allocs: 99, Bytes: 10_000, Extra: size(50)}, n: 1000},
		{name: "20 bytes more, of many operations", r: Result{Allocs: 100, Bytes: 10_020, Extra: size(50)}, n: 1000, again: true},
		{name: "within, of few", r: Result{Allocs: 101, Bytes: 10_200, Extra: size(50)}, n: 3, ok: true},
		{name: "noise", r: Result{Allocs: 105, Bytes: 11_000, Extra: size(50)}, n: 3, again: true},
		{name: "too few", r: Result{Allocs: 98, Bytes: 10_000, Extra: size(50)}, n: 3},
		{name: "too few beside noise", r: Result{Allocs: 105, Bytes: 9_000, Extra: size(50)}, n: 3},
		{name: "another size", r: Result{Allocs: 100, Bytes: 10_000, Extra: size(51)}, n: 3},
		{name: "no size", r: Result{Allocs: 100, Bytes: 10_000}, n: 3},
		{name: "a size within", r: Result{Allocs: 100, Bytes: 10_000, Extra: size(51)}, n: 3, sizeWithin: 0.05, ok: true},
	} {
		f.SizeWithin = test.sizeWithin
		said, again := differs(f, test.r, test.n, 1e-4)
		if (said == "") != test.ok || !test.ok && again != test.again {
			t.Errorf("%s: %q, again %v", test.name, said, again)
		}
	}
}
