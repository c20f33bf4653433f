package publishedtest

import "testing"

func TestDiffers(t *testing.T) {
	f := Figure{Allocs: 100, Bytes: 10_000, Size: 50}
	for _, test := range []struct {
		name       string
		r          Result
		ok, again  bool
		sizeWithin float64
	}{
		{name: "as it is", r: Result{Allocs: 100, Bytes: 10_000, Extra: map[string]float64{"encoded-bytes": 50}}, ok: true},
		{name: "within", r: Result{Allocs: 101, Bytes: 10_200, Extra: map[string]float64{"encoded-bytes": 50}}, ok: true},
		{name: "noise", r: Result{Allocs: 105, Bytes: 11_000, Extra: map[string]float64{"encoded-bytes": 50}}, again: true},
		{name: "too few", r: Result{Allocs: 98, Bytes: 10_000, Extra: map[string]float64{"encoded-bytes": 50}}},
		{name: "too few beside noise", r: Result{Allocs: 105, Bytes: 9_000, Extra: map[string]float64{"encoded-bytes": 50}}},
		{name: "another size", r: Result{Allocs: 100, Bytes: 10_000, Extra: map[string]float64{"encoded-bytes": 51}}},
		{name: "no size", r: Result{Allocs: 100, Bytes: 10_000}},
		{name: "a size within", r: Result{Allocs: 100, Bytes: 10_000, Extra: map[string]float64{"encoded-bytes": 51}}, sizeWithin: 0.05, ok: true},
	} {
		f.SizeWithin = test.sizeWithin
		said, again := differs(f, test.r, 1e-4)
		if (said == "") != test.ok || !test.ok && again != test.again {
			t.Errorf("%s: %q, again %v", test.name, said, again)
		}
	}
}
