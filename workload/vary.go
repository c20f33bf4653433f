package workload

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
)

// Vary makes the values of a workload from a published value. Value 0 is the published
// value itself. Every other value is a variant that every format encodes to the same
// number of bytes, so the published sizes hold for all of them, and a library that
// remembers one value gains nothing for the next.
//
// Its methods take a published leaf and return the leaf or its variant. The result shares no
// memory with the leaf.
type Vary struct {
	r *rand.Rand // nil: the published value
}

// NewVary returns the Vary of value i. It depends on the seed unless i is 0.
func NewVary(seed uint64, i int) Vary {
	if i == 0 {
		return Vary{}
	}
	return Vary{Rand(seed, i)}
}

// The letters leave out e, n, o and y. Every word that YAML does not read as text (yes, no,
// on, off, true, false, null, nan, inf) has one of them, and YAML would have to quote it,
// which makes it longer.
const (
	lower1 = "abc"                 // 97 to 99
	lower2 = "dfghijklmpqrstuvwxz" // 100 to 122
	upper  = "ABCDFGHIJKLMPQRSTUVWXZ"
	digit  = "123456789" // without 0, so that the leading digit is never 0
)

// Text returns published with every ASCII letter and digit replaced by another of its class.
// The lower-case letters up to c are a class of their own: some text formats write a byte
// string as decimal numbers, and the numbers of these letters have two digits.
func (v Vary) Text(published string) string {
	if v.r == nil {
		return strings.Clone(published)
	}
	out := make([]byte, len(published))
	for i := range out {
		c := published[i]
		switch {
		case 'a' <= c && c <= 'c':
			c = lower1[v.r.IntN(len(lower1))]
		case 'd' <= c && c <= 'z':
			c = lower2[v.r.IntN(len(lower2))]
		case 'A' <= c && c <= 'Z':
			c = upper[v.r.IntN(len(upper))]
		case '0' <= c && c <= '9':
			c = digit[v.r.IntN(len(digit))]
		}
		out[i] = c
	}
	return string(out)
}

// Int returns published, or a number from min to max, both included. The caller must choose a
// range in which every number has as many digits as published, and as long a varint, zigzag
// or not.
func (v Vary) Int(published, min, max int64) int64 {
	if v.r == nil {
		return published
	}
	return min + v.r.Int64N(max-min+1)
}

// Decimal returns published, or k/scale for a k from min to max, both included. scale is a
// power of ten. Decimal skips two kinds of k: multiples of ten, whose shortest decimal is
// shorter than the others', and numbers whose quotient has a last byte of zeros, which gob
// and CBOR leave out.
//
// A k below 2^53 makes the quotient the float64 nearest to the decimal number. So the
// shortest decimal of the quotient has exactly the digits of k.
func (v Vary) Decimal(published float64, min, max int64, scale float64) float64 {
	if v.r == nil {
		return published
	}
	for {
		k := min + v.r.Int64N(max-min+1)
		f := float64(k) / scale
		if k%10 != 0 && math.Float64bits(f)&0xFF != 0 {
			return f
		}
	}
}

// RandBytes returns n random bytes.
func RandBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	var word [8]byte
	for at := 0; at < n; at += len(word) {
		binary.LittleEndian.PutUint64(word[:], r.Uint64())
		copy(b[at:], word[:])
	}
	return b
}
