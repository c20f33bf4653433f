package sizes

import (
	"encoding/xml"
	"reflect"
	"testing"
	"time"

	"assay/published/publishedtest"
	model "assay/workload/sizes"
)

// fixed returns the time for which the exact sizes are known.
var fixed clock = func() time.Time { return time.Date(2023, 4, 4, 14, 7, 22, 123456789, time.UTC) }

// These are the sizes of the published program's values with a fixed clock; they were not
// published. Gob first sends the names of slice types that were fields, with their package. The
// package's name has two letters less here than in the published program, so []Big and []*Big take
// two bytes less each.
func TestSizes(t *testing.T) {
	want := map[string][]int{ // gob, json, xml, yaml
		"shape=single,struct=tiny":      {56, 34, 61, 29},
		"shape=single,struct=medium":    {228, 175, 273, 164},
		"shape=single,struct=big":       {534, 644, 922, 720},
		"shape=single,struct=huge":      {278_911 - 4, 1_420_842, 1_955_593, 1_891_429},
		"shape=slice,struct=tiny":       {125, 316, 575, 305},
		"shape=slice,struct=medium":     {753, 3_301, 4_500, 3_360},
		"shape=slice,struct=big":        {10_471 - 2, 52_201, 69_200, 58_450},
		"shape=ptr-slice,struct=tiny":   {120, 176, 305, 165},
		"shape=ptr-slice,struct=big":    {10_122 - 2, 32_251, 46_100, 37_000},
		"shape=ptr-slice,struct=medium": {723, 1_761, 2_730, 1_760},
	}
	for _, form := range forms {
		for i, size := range want[form.key] {
			l := libraries[i]
			data, err := l.encode(form.make(fixed))
			if err != nil {
				t.Fatal(err)
			}
			if len(data) != size {
				t.Errorf("%s, %s: %d bytes, want %d", form.key, l.name, len(data), size)
			}
		}
	}
}

// If a figure differs from the published one, that follows in a comment, if there is one. The
// published figures are from Go 1.20 or before. Since then gob takes fewer allocations to compile a
// type and more to decode slices, encoding/json takes fewer to decode, and formatting and parsing a
// time takes one less.
func TestPublished(t *testing.T) {
	publishedtest.CheckNames(t, Set, model.Workload)
	const pools = 0.05 // the collector empties pools now and then
	publishedtest.Check(t, Set, 100, []publishedtest.Figure{
		{Name: "decode/shape=single,struct=tiny/gob", Allocs: 156 /* 179 */, Size: 56},
		{Name: "decode/shape=single,struct=tiny/json", N: 1000, Allocs: 6, Bytes: 248},
		{Name: "decode/shape=single,struct=tiny/xml", Allocs: 33, Bytes: 1_481},
		{Name: "decode/shape=single,struct=tiny/yaml", Allocs: 51 /* 52 */},
		{Name: "decode/shape=single,struct=medium/gob", Allocs: 202 /* 235 */},
		{Name: "decode/shape=single,struct=medium/json", Allocs: 12 /* 14 */},
		{Name: "decode/shape=single,struct=medium/xml", Allocs: 90 /* 92 */},
		{Name: "decode/shape=single,struct=medium/yaml", Allocs: 128 /* 126 */, Within: pools},
		{Name: "decode/shape=single,struct=big/gob", Allocs: 272 /* 324 */},
		{Name: "decode/shape=single,struct=big/json", Allocs: 24 /* 32 */},
		{Name: "decode/shape=single,struct=big/xml", Allocs: 272 /* 280 */},
		{Name: "decode/shape=single,struct=big/yaml", Allocs: 388 /* 386 */, Within: pools},
		{Name: "decode/shape=single,struct=huge/gob", N: 10, Allocs: 23_822 /* 22,501 */, Within: 1e-3},
		{Name: "decode/shape=single,struct=huge/json", N: 10, Allocs: 20_799 /* 37,218 */, Within: 1e-3},
		{Name: "decode/shape=single,struct=huge/xml", N: 10, Allocs: 545_256 /* 564,327 */, Within: 1e-3, Slow: true},
		{Name: "decode/shape=single,struct=huge/yaml", N: 10, Allocs: 742_922 /* 745,485 */, Within: 1e-3, Slow: true},

		{Name: "encode/shape=single,struct=huge/gob", N: 10, Allocs: 13_851 /* 13,891 */, Within: 1e-3},
		{Name: "encode/shape=single,struct=huge/json", N: 10, Allocs: 12_226, Within: 1e-3},

		{Name: "encode/shape=slice,struct=tiny/gob", Allocs: 20 /* 22 */, Size: 125},
		{Name: "encode/shape=slice,struct=tiny/json", Allocs: 1, Size: 316},
		{Name: "encode/shape=slice,struct=tiny/xml", Allocs: 9, Bytes: 5_072, Size: 575},
		{Name: "encode/shape=slice,struct=tiny/yaml", Allocs: 129, Bytes: 37_584, Size: 305},
		{Name: "encode/shape=slice,struct=medium/gob", Allocs: 47 /* 62 */},
		{Name: "encode/shape=slice,struct=medium/json", Allocs: 21},
		{Name: "encode/shape=slice,struct=medium/xml", Allocs: 62 /* 72 */},
		{Name: "encode/shape=slice,struct=medium/yaml", Allocs: 857 /* 877 */},
		{Name: "encode/shape=slice,struct=big/gob", Allocs: 537 /* 571 */},
		{Name: "encode/shape=slice,struct=big/json", Allocs: 451, Within: pools},
		{Name: "encode/shape=slice,struct=big/xml", Allocs: 1_016 /* 1,116 */},
		{Name: "encode/shape=slice,struct=big/yaml", N: 10, Allocs: 13_545 /* 13,745 */, Within: 1e-3},
		{Name: "encode/shape=slice,struct=huge/gob", N: 3, Allocs: 690_111, Within: 1e-3, Slow: true},
		{Name: "encode/shape=slice,struct=huge/json", N: 3, Allocs: 611_006, Within: 1e-3, Slow: true},

		{Name: "decode/shape=ptr-slice,struct=huge/gob", N: 3, Allocs: 772 /* 797 */, Within: 0.02, Slow: true},
		{Name: "decode/shape=ptr-slice,struct=huge/json", N: 3, Allocs: 63 /* 72 */, Slow: true},
		{Name: "encode/shape=single,struct=map/gob", N: 3, Allocs: 690_180, Within: 1e-3, Slow: true},
		{Name: "decode/shape=single,struct=map/json", N: 3, Allocs: 1_039_547, Within: 1e-3, Slow: true},
	})
}

// From a slice in XML only the first element comes back, which is a zero value, without an error.
func TestXMLSlice(t *testing.T) {
	data, err := xml.Marshal(doubled(5, fixed.tiny))
	if err != nil {
		t.Fatal(err)
	}
	var got []Tiny
	if err := xml.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, []Tiny{{}}) {
		t.Errorf("got %v, want one zero value", got)
	}
}

// Decoding the slice of pointers to Huge into pointers to Big gives as many elements, all of them
// zero.
func TestWrongType(t *testing.T) {
	value := pointers(2, fixed.huge)
	for _, l := range libraries[:2] {
		data, err := l.encode(value)
		if err != nil {
			t.Fatal(err)
		}
		var got []*Big
		if err := l.decode(data, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, []*Big{{}, {}}) {
			t.Errorf("%s: got %v, want two zero values", l.name, got)
		}
	}
}

func TestDoubled(t *testing.T) {
	one := Tiny{TinyID: 1, SomeStr: "foo bar"}
	if got, want := doubled(2, fixed.tiny), []Tiny{{}, {}, one, one}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := fixed.huge(); len(got.BigSlice) != 100 || len(got.BigPtrSlice) != 50 || len(got.BiggerSlice) != 512 || len(got.TheBiggestSlice) != 2048 {
		t.Errorf("slices of %d, %d, %d and %d", len(got.BigSlice), len(got.BigPtrSlice), len(got.BiggerSlice), len(got.TheBiggestSlice))
	}
}
