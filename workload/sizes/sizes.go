package sizes

import (
	"fmt"
	"strconv"
	"time"

	"assay/workload"
)

// Workload is structs from tiny to huge in several shapes.
var Workload = &workload.Workload{
	Name:  "sizes",
	Title: "structs from tiny to huge, alone, in slices and in maps",
	Text: "Four structs, each made of the smaller ones, with strings, times, optional values and pointers; a list of maps of " +
		"the largest; and lists of each by value and by pointer. " +
		"The published slices by value began with as many zero elements as they had filled ones, " +
		"those by pointer did not, and the published times were the time of the run. Here every element is " +
		"filled, so that slices by value and by pointer hold the same, and the times are fixed. " +
		"The first value has the published contents. The others replace letters by letters, " +
		"numbers by numbers with as many digits and times by times of the same year, so that each encodes to as many bytes.",
	Source:   "\"Benchmarking Gob vs JSON, XML & YAML\" by Roman Sheremeta, RSheremeta/gob-serialization",
	Schema:   Schema,
	Sizes:    sizes(),
	Generate: generate,
}

// Lengths of the lists of a Huge.
const (
	bigs        = 50
	biggers     = 256
	theBiggests = 1024
)

// The number of maps of a ComplexMap, and the number of entries of each.
const (
	maps    = 10
	entries = 5
)

// Approximate memory of one value, in bytes.
const (
	tinyBytes   = 36
	mediumBytes = 136
	bigBytes    = 470
	hugeBytes   = (bigs + bigs + biggers + theBiggests) * bigBytes
	mapBytes    = maps * entries * hugeBytes
)

// A form is a size and the function that makes its values.
type form struct {
	workload.Size
	generate func(seed uint64, n int) any
}

// family returns the forms of a struct: one alone, and slices of count elements by value and
// by pointer.
func family[T any, Slice ~[]T, PtrSlice ~[]*T](name, root string, count int, bytes int64, one func(workload.Vary) T) [3]form {
	slice := func(v workload.Vary) Slice {
		return repeat(v, count, one)
	}
	ptrSlice := func(v workload.Vary) PtrSlice {
		return repeat(v, count, func(v workload.Vary) *T { return ptr(one(v)) })
	}
	whole := int64(count) * bytes
	return [3]form{
		{workload.Size{Key: "shape=single,struct=" + name, Root: root, Text: "one " + root, Bytes: bytes, Items: 1}, values(one)},
		{workload.Size{Key: "shape=slice,struct=" + name, Root: root + "Slice", Text: fmt.Sprintf("%d %s by value", count, root), Bytes: whole, Items: count}, values(slice)},
		{workload.Size{Key: "shape=ptr-slice,struct=" + name, Root: root + "PtrSlice", Text: fmt.Sprintf("%d %s by pointer", count, root), Bytes: whole, Items: count}, values(ptrSlice)},
	}
}

// forms returns all forms: first every struct alone, then the slices.
func forms() []form {
	families := [][3]form{
		family[Tiny, TinySlice, TinyPtrSlice]("tiny", "Tiny", 5, tinyBytes, tiny),
		family[Medium, MediumSlice, MediumPtrSlice]("medium", "Medium", 10, mediumBytes, medium),
		family[Big, BigSlice, BigPtrSlice]("big", "Big", 50, bigBytes, big),
		family[Huge, HugeSlice, HugePtrSlice]("huge", "Huge", 50, hugeBytes, huge),
		family[ComplexMap, ComplexMapSlice, ComplexMapPtrSlice]("map", "ComplexMap", 10, mapBytes, complexMap),
	}
	var out []form
	for shape := range 3 {
		for _, f := range families {
			out = append(out, f[shape])
		}
	}
	return out
}

func sizes() []workload.Size {
	var out []workload.Size
	for _, f := range forms() {
		s := f.Size
		switch s.Root {
		case "Medium":
			s.Typical, s.Default, s.Quick = true, true, true
		case "Tiny", "Big", "MediumSlice":
			s.Default = true
		}
		out = append(out, s)
	}
	return out
}

func generate(size workload.Size, seed uint64, n int) (any, error) {
	for _, f := range forms() {
		if f.Key == size.Key {
			return f.generate(seed, n), nil
		}
	}
	return nil, fmt.Errorf("workload sizes has no size %q; one is shape=slice,struct=medium", size.Key)
}

// values returns a function that makes n values.
func values[T any](one func(workload.Vary) T) func(seed uint64, n int) any {
	return func(seed uint64, n int) any {
		out := make([]T, n)
		for i := range out {
			out[i] = one(workload.NewVary(seed, i))
		}
		return out
	}
}

// repeat returns count elements that one makes.
func repeat[T any](v workload.Vary, count int, one func(workload.Vary) T) []T {
	out := make([]T, count)
	for i := range out {
		out[i] = one(v)
	}
	return out
}

// id returns a number of one digit.
func id(v workload.Vary) int64 { return v.Int(1, 1, 9) }

func tiny(v workload.Vary) Tiny {
	return Tiny{TinyId: id(v), SomeStr: v.Text("foo bar")}
}

func medium(v workload.Vary) Medium {
	return Medium{
		MediumId:           id(v),
		FirstName:          v.Text("foo"),
		LastName:           ptr(v.Text("bar")),
		MediumMoneyBalance: ptr(v.Decimal(10.24, 10_01, 99_99, 100)),
		CreatedAt:          now(v),
		TinyField:          tiny(v),
	}
}

func big(v workload.Vary) Big {
	const day = 24 * time.Hour
	country, deleted := v.Text("Ukraine"), now(v)
	return Big{
		BigId:          id(v),
		Age:            uint64(v.Int(26, 24, 63)), // one byte as a zigzag varint, two in CBOR
		Country:        &country,
		CountryBytes:   []byte(country),
		CreatedAt:      deleted.Add(-2 * day),
		UpdatedAt:      deleted.Add(-day),
		DeletedAt:      deleted,
		TinyField:      tiny(v),
		MediumField:    medium(v),
		MediumFieldPtr: ptr(medium(v)),
	}
}

func huge(v workload.Vary) Huge {
	return Huge{
		BigSlice:        repeat(v, bigs, big),
		BigPtrSlice:     repeat(v, bigs, func(v workload.Vary) *Big { return ptr(big(v)) }),
		BiggerSlice:     repeat(v, biggers, big),
		TheBiggestSlice: repeat(v, theBiggests, big),
	}
}

func complexMap(v workload.Vary) ComplexMap {
	return ComplexMap{Maps: repeat(v, maps, func(v workload.Vary) HugeMap {
		m := make(HugeMap, entries)
		for i := 1; i <= entries; i++ {
			m[strconv.Itoa(i)] = huge(v)
		}
		return m
	})}
}

// now returns 2023-04-04T14:07:22.123456789Z or another time in 2023. The nanoseconds have
// nine digits, do not end in 0, and fit in a varint of four bytes.
func now(v workload.Vary) time.Time {
	sec := v.Int(1_680_617_242, 1_673_000_000, 1_703_000_000)
	nsec := v.Int(123_456_78, 100_000_00, 268_435_44)*10 + v.Int(9, 1, 9)
	return time.Unix(sec, nsec).UTC()
}

// ptr returns a pointer to a copy of v. Go 1.26 has new(v) for this, but assay compare --go
// builds runners with older releases too.
func ptr[T any](v T) *T { return &v }
