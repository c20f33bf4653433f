package customer

import (
	"math"
	"testing"

	"assay/published"
	"assay/published/publishedtest"
	model "assay/workload/customer"
)

// If a figure differs from the published one, that follows in a comment. The published figures are
// from about 2021, with protobuf-go 1.26 and flatbuffers 1.12. These benchmarks were also run with
// older releases of Go, to find what makes the difference:
//
//   - FlatBuffers, encode: as published up to Go 1.24. Since 1.25 a slice that
//     grows by append begins on the stack, which saves one allocation at level 1,
//     36 and about 600 at the others.
//   - gogo protobuf, encode and decode, and protobuf, decode: as published with
//     Go 1.24 and GOEXPERIMENT=noswissmap. Swiss maps of more than eight entries
//     take one to three allocations more.
//   - JSON, and protobuf, encode: as here, except for the Swiss maps, with Go 1.24
//     and with protobuf-go 1.28. Both walk maps by reflection, which allocated more
//     when the figures were published; that Go release was not run.
//   - JSON, decode: as here, except for the Swiss maps, with Go 1.24. The decoder of
//     that time allocated more for each key of a map; it was not run.
//
// The input of decode is made in the timed part, so the counts at level 3 agree only for the
// published numbers of operations: 22, 78 and 193.
func TestPublished(t *testing.T) {
	publishedtest.CheckNames(t, Set, model.Workload)
	const maps = 1e-3 // a map's growth depends on its hash seed
	publishedtest.Check(t, Set, 1000, []publishedtest.Figure{
		{Name: "encode/level=1/json", Allocs: 11 /* 14 */, Size: 371},
		{Name: "encode/level=1/protobuf", Allocs: 11 /* 15 */, Size: 143},
		{Name: "encode/level=1/flatbuffers", Allocs: 9 /* 10 */, Size: 296},
		{Name: "encode/level=1/gogo", Allocs: 9, Bytes: 627, Size: 143},
		{Name: "decode/level=1/json", Allocs: 21 /* 26 */},
		{Name: "decode/level=1/protobuf", Allocs: 13, Bytes: 733},
		{Name: "decode/level=1/gogo", Allocs: 11, Bytes: 528},

		{Name: "encode/level=2/json", Allocs: 587 /* 619 */, Size: 17_385},
		{Name: "encode/level=2/protobuf", Allocs: 696 /* 717 */, Size: 8_959, Within: maps},
		{Name: "encode/level=2/flatbuffers", Allocs: 290 /* 326 */, Size: 13_816},
		{Name: "encode/level=2/gogo", Allocs: 456 /* 433 */, Size: 8_959, Within: maps},
		{Name: "decode/level=2/json", Allocs: 628 /* 1,000 */, Within: maps},
		{Name: "decode/level=2/protobuf", Allocs: 728 /* 705 */, Within: maps},
		{Name: "decode/level=2/gogo", Allocs: 488 /* 465 */, Within: maps},

		{Name: "encode/level=3/json", N: 20, Allocs: 83_440 /* 84,209 */, Size: 2_502_847, Within: maps, Slow: true},
		{Name: "encode/level=3/protobuf", N: 20, Allocs: 103_327 /* 103,901 */, Size: 1_382_061, Within: maps, Slow: true},
		{Name: "encode/level=3/flatbuffers", N: 20, Allocs: 41_445 /* 42,052 */, Size: 2_043_064, Within: maps, Slow: true},
		{Name: "encode/level=3/gogo", N: 20, Allocs: 63_127 /* 62,899 */, Size: 1_382_061, Within: maps, Slow: true},
		{Name: "decode/level=3/json", N: 22, Allocs: 87_830 /* 148,547 */, Within: maps, Slow: true},
		{Name: "decode/level=3/protobuf", N: 78, Allocs: 105_251 /* 105,029 */, Within: maps, Slow: true},
		{Name: "decode/level=3/gogo", N: 193, Allocs: 64_262 /* 64,031 */, Within: maps, Slow: true},
	})
}

// The published unmarshalling of FlatBuffers does nothing, so it must not allocate.
func TestOpen(t *testing.T) {
	// The message is made with the timer running, so it takes many operations to make its
	// allocations negligible.
	for name, n := range map[string]int{
		"decode/level=1/flatbuffers": 100_000, "decode/level=2/flatbuffers": 100_000, "decode/level=3/flatbuffers": 10_000_000,
	} {
		if r := publishedtest.Run(t, Set, name, n); r.Allocs >= 0.01 {
			t.Errorf("%s: %.2f allocations", name, r.Allocs)
		}
	}
}

// TestOpenReadsFourBytes checks that the published unmarshalling reads only the first four bytes of a
// message, which say where its root is: the rest may be missing. So it takes the same at any level.
func TestOpenReadsFourBytes(t *testing.T) {
	opens := func(data []byte) (ok bool) {
		defer func() { ok = recover() == nil }()
		openFlatBuffers(data)
		return true
	}
	for _, l := range levels {
		data, err := encodeFlatBuffers(l)
		if err != nil {
			t.Fatal(err)
		}
		if !opens(data[:4:4]) || opens(data[:3:3]) {
			t.Errorf("%d addresses: four bytes suffice: %v, three: %v; want four and no less", l.addresses, opens(data[:4:4]), opens(data[:3:3]))
		}
	}
}

// TestLevel2 checks that level 2 has 20 addresses in the program, and that the published bytes of
// encoding are those of 20. Each library's are nearer to what 20 addresses take here than to what 10
// take. Of gogo/protobuf they differ by less than 2% from the first and by more than 5% from the
// second.
func TestLevel2(t *testing.T) {
	l := levels[1]
	if l.addresses != 20 {
		t.Fatalf("level 2 has %d addresses", l.addresses)
	}
	half := l
	half.addresses = 10
	for i, want := range []float64{52_443, 43_157, 62_473, 31_112} {
		library := libraries[i]
		bytes := func(of level) float64 {
			set := encoding(library, of)
			return publishedtest.Run(t, set, set.Benchmarks[0].Name, 1000).Bytes
		}
		all, less := bytes(l), bytes(half)
		if math.Abs(want-all) >= math.Abs(want-less) {
			t.Errorf("%s: %.0f bytes with 20 addresses and %.0f with 10, where %v were published", library.name, all, less, want)
		}
		if library.name == "gogo" && (math.Abs(want/all-1) > 0.02 || want/less < 1.05) {
			t.Errorf("gogo: the published bytes are %.3f times those of 20 addresses, and %.3f times those of 10", want/all, want/less)
		}
	}
}

// encoding returns the benchmark of encoding a level.
func encoding(l library, of level) published.Set {
	run := func(b *testing.B) { l.benchmarkEncode(b, of) }
	return published.Set{Name: "level 2", Benchmarks: []published.Benchmark{{Name: l.name, Run: run}}}
}
