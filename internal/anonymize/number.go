package anonymize

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"assay/internal/infer"
	"assay/schema"
)

// ranges has the smallest and the largest value of each kind at one place. Numbers are stored as
// absolute values, separately for each sign.
type ranges struct {
	id     [4]byte            // unique for each place
	wholes [2]bounds[uint64]  // by sign: see sign
	floats [2]bounds[float64] // by sign
	times  timeBounds
}

// bounds has the smallest and the largest of the values that were added.
type bounds[T uint64 | float64] struct {
	low, high T
	any       bool
}

func (b *bounds[T]) add(v T) {
	if !b.any {
		b.low, b.high, b.any = v, v, true
	}
	b.low, b.high = min(b.low, v), max(b.high, v)
}

// with returns bounds that include v too. A value of a file that is being written may be outside of
// those that were added, and is permuted within a range that has it.
func (b bounds[T]) with(v T) bounds[T] {
	b.add(v)
	return b
}

func sign(raw []byte) int {
	if len(raw) > 0 && raw[0] == '-' {
		return 1
	}
	return 0
}

// addNumber adds a number to the ranges.
func (r *ranges) addNumber(raw []byte, kind schema.Kind) {
	switch f, magnitude := infer.FormOf(raw); f {
	case infer.Whole:
		r.wholes[sign(raw)].add(magnitude)
	case infer.Float:
		r.floats[sign(raw)].add(parse(raw[sign(raw):], bitsOf(kind)))
	}
}

// bitsOf returns the size in bits of the float for numbers of a kind.
func bitsOf(kind schema.Kind) int {
	if kind == schema.Float32 {
		return 32
	}
	return 64
}

func parse(raw []byte, bits int) float64 {
	v, _ := strconv.ParseFloat(string(raw), bits)
	return v
}

// number appends a number that replaces raw.
func (a *anonymizer) number(out, raw []byte, r *ranges, kind schema.Kind) []byte {
	form, magnitude := infer.FormOf(raw)
	s := sign(raw)
	if s == 1 {
		out = append(out, '-')
	}
	switch form {
	case infer.Whole:
		return strconv.AppendUint(out, a.whole(magnitude, s, r, kind), 10)
	case infer.Float:
		return a.float(out, raw[s:], s, r, kind)
	}
	text := string(raw[s:])
	finite := func(t string) bool { return !math.IsInf(parse([]byte(t), bitsOf(kind)), 0) }
	fits := finite(text)
	return append(out, a.texts.replace(text, plain, infer.Look{Number: true}, func(t string) bool {
		f, _ := infer.FormOf(append(bytes.Clone(raw[:s]), t...))
		return f == infer.Beyond && finite(t) == fits
	})...)
}

// whole returns a magnitude that replaces m. It has the same number of digits, is within the range,
// and fits in an int64 if and only if m does.
func (a *anonymizer) whole(m uint64, s int, r *ranges, kind schema.Kind) uint64 {
	if m == 0 {
		return 0
	}
	length := len(strconv.FormatUint(m, 10))
	low, high := uint64(1), uint64(math.MaxUint64)
	for range length - 1 {
		low *= 10
	}
	if length < 20 {
		high = low*10 - 1
	}
	const limit = uint64(math.MaxInt64)
	if s == 0 && m > limit {
		low = max(low, limit+1)
	} else if s == 0 {
		high = min(high, limit)
	}
	least, most := low, high
	within := r.wholes[s].with(m)
	low, high = max(low, within.low), min(high, within.high)
	accept := func(uint64) bool { return true }
	if low == high {
		fits, n := exact(m), uint64(s) // -128 needs as many bits as 127
		// As a float, the new number must be as long as the old one too. The float of 9999999999999999
		// is longer than the number, and no other of 16 digits is like it: then any float will do.
		bits := bitsOf(kind)
		long := shortest(float64(m), bits) > length
		accept = func(v uint64) bool {
			return exact(v) == fits && (long || shortest(float64(v), bits) == length)
		}
		low, high = sizes(m-n, least-n, most-n)
		low, high = low+n, high+n
	}
	domain := binary.BigEndian.AppendUint64(append(r.id[:], 'w', byte(s)), low)
	for {
		m = low + a.permuter.integer(domain, m-low, high-low+1)
		if accept(m) {
			return m
		}
	}
}

// exact reports whether a float64 holds a magnitude exactly.
func exact(m uint64) bool { return m <= 1<<53 || bits.TrailingZeros64(m) >= bits.Len64(m)-53 }

// sizes narrows a range around a magnitude m to numbers that take as many bytes as m in the formats:
// as fixed-width integers, as varints with and without a sign, and as float64 where it is exact.
func sizes(m, low, high uint64) (uint64, uint64) {
	for _, n := range []int{6, 7, 8, 13, 14, 15, 16, 20, 21, 27, 28, 31, 32, 34, 35, 41, 42, 48, 49, 53, 55, 56, 62, 63} {
		if limit := uint64(1) << n; m >= limit {
			low = max(low, limit)
		} else {
			high = min(high, limit-1)
		}
	}
	return low, high
}

// shortest returns the length of the shortest form of a float without an exponent.
func shortest(v float64, bits int) int { return len(strconv.FormatFloat(v, 'f', -1, bits)) }

// A decimal is the shortest decimal number that parses as a float: digits times ten to the power of
// exponent.
type decimal struct {
	digits   uint64
	length   int // the number of digits
	exponent int
}

func decimalOf(v float64, bits int) decimal {
	text := strconv.AppendFloat(nil, v, 'e', -1, bits)
	i := bytes.IndexByte(text, 'e')
	e, _ := strconv.Atoi(string(text[i+1:]))
	mantissa := bytes.Replace(text[:i], []byte{'.'}, nil, 1)
	d, _ := strconv.ParseUint(string(mantissa), 10, 64)
	return decimal{d, len(mantissa), e - (len(mantissa) - 1)}
}

func (d decimal) float(bits int) float64 {
	return parse(append(strconv.AppendUint(nil, d.digits, 10), "e"+strconv.Itoa(d.exponent)...), bits)
}

// like reports whether two decimals have the same number of digits and the same exponent.
func (d decimal) like(e decimal) bool { return d.length == e.length && d.exponent == e.exponent }

// float appends a number that replaces raw, which has no sign. It has the same number of digits, both
// as written and in the shortest form of its float. It is within the range, unless raw is the only such
// number there.
func (a *anonymizer) float(out, raw []byte, s int, r *ranges, kind schema.Kind) []byte {
	bits := bitsOf(kind)
	v := parse(raw, bits)
	if first, end := significant(raw); v == 0 && first >= 0 && first < end {
		return a.rounded(out, raw, bits)
	}
	if v == 0 || math.IsInf(v, 0) {
		return append(out, raw...)
	}
	d, within, all := decimalOf(v, bits), r.floats[s], bounds[float64]{high: math.MaxFloat64}
	if bits == 32 {
		all.high = math.MaxFloat32
	}
	if within.low == within.high {
		within = all
	}
	domain := binary.BigEndian.AppendUint32(append(r.id[:], 'f', byte(s), byte(d.length)), uint32(int32(d.exponent)))
	start := len(out)
	accept := func(v float64, e decimal) bool {
		if v < within.low || v > within.high || !d.like(e) {
			return false
		}
		out = rewrite(out[:start], raw, v, e, bits)
		return parse(out[start:], bits) == v
	}
	if !accept(v, d) {
		return a.rounded(out[:start], raw, bits)
	}
	exact := 15 // all decimals with so many digits are different floats
	if bits == 32 {
		exact = 6
	}
	if d.length <= exact {
		fits := func(digits uint64) bool {
			e := decimal{digits, d.length, d.exponent}
			v := e.float(bits)
			return digits%10 != 0 && v > 0 && !math.IsInf(v, 0) && decimalOf(v, bits) == e && accept(v, e)
		}
		low, high := digitRange(d, within, bits)
		if single(low, high, fits) {
			within = all
			low, high = digitRange(d, within, bits)
		}
		for digits := d.digits; ; {
			if digits = low + a.permuter.integer(domain, digits-low, high-low+1); fits(digits) {
				return out
			}
		}
	}
	// Few long decimals are the shortest form of a float, so permute floats instead.
	fits := func(b uint64) bool {
		v := ofBits(b, bits)
		return accept(v, decimalOf(v, bits))
	}
	from, to := floatRange(d, within, bits)
	if single(from, to, fits) {
		within = all
		from, to = floatRange(d, within, bits)
	}
	for at := floatBits(v, bits); ; {
		if at = from + a.permuter.integer(domain, at-from, to-from+1); fits(at) {
			return out
		}
	}
}

// single reports whether only one number from low to high fits. It says no if there are many numbers.
func single(low, high uint64, fits func(uint64) bool) bool {
	const many = 8
	n := 0
	for v := low; high-low < many && v <= high; v++ {
		if fits(v) {
			n++
		}
	}
	return n == 1
}

// floatRange returns the bits of the smallest and the largest float that have the exponent and the
// number of digits of d, as far as they are within the bounds.
func floatRange(d decimal, within bounds[float64], bits int) (from, to uint64) {
	ten := decimal{1, 1, d.exponent + d.length - 1}
	low, high := max(ten.float(bits), within.low), within.high
	ten.exponent++
	if top := ten.float(bits); top > 0 && !math.IsInf(top, 0) {
		high = min(high, top)
	}
	return floatBits(low, bits), floatBits(high, bits)
}

// rounded appends a number that replaces raw, which has no sign, if the float of raw is 0 or has its
// digits at other places than raw: the float of 0.99999999999999999 is 1. It does not keep to the range.
func (a *anonymizer) rounded(out, raw []byte, bits int) []byte {
	first, end := significant(raw)
	number := func(digits string) []byte { return slices.Concat(raw[:first], []byte(digits), raw[end:]) }
	zero := parse(raw, bits) == 0
	return append(out, number(a.texts.replace(string(raw[first:end]), plain, infer.Look{Number: true}, func(digits string) bool {
		v := parse(number(digits), bits)
		return (v == 0) == zero && !math.IsInf(v, 0)
	}))...)
}

func floatBits(v float64, bits int) uint64 {
	if bits == 32 {
		return uint64(math.Float32bits(float32(v)))
	}
	return math.Float64bits(v)
}

func ofBits(b uint64, bits int) float64 {
	if bits == 32 {
		return float64(math.Float32frombits(uint32(b)))
	}
	return math.Float64frombits(b)
}

// digitRange returns the smallest and the largest digits for decimals that are like d and within the
// bounds. The range may be a little too wide.
func digitRange(d decimal, within bounds[float64], bits int) (low, high uint64) {
	low, high = 1, 9
	for range d.length - 1 {
		low, high = low*10, high*10+9
	}
	scaled := func(v float64) float64 {
		b := decimalOf(v, bits)
		return float64(b.digits) * math.Pow10(b.exponent-d.exponent)
	}
	const margin = 1e-14
	if v := scaled(within.low)*(1-margin) - 1; within.low > 0 && v > float64(low) {
		low = min(uint64(v), d.digits)
	}
	if v := scaled(within.high)*(1+margin) + 1; v < float64(high) {
		high = max(uint64(v), d.digits)
	}
	return low, high
}

// significant returns where the digits of a number begin, after leading zeros, and where they end. In a
// zero they begin nowhere before the end.
func significant(raw []byte) (first, end int) {
	if end = bytes.IndexAny(raw, "eE"); end < 0 {
		end = len(raw)
	}
	return bytes.IndexAny(raw, "123456789"), end
}

// rewrite appends raw with its digits replaced by those of v. e is the decimal of v.
func rewrite(out, raw []byte, v float64, e decimal, bits int) []byte {
	first, end := significant(raw)
	count := 0
	for _, c := range raw[first:end] {
		if c != '.' {
			count++
		}
	}
	text := bytes.Replace(bytes.TrimRight(raw[first:end], ".0"), []byte{'.'}, nil, 1)
	var with []byte
	if len(text) <= e.length {
		with = strconv.AppendUint(nil, e.digits, 10)
	} else {
		// raw has more digits than its float needs: write v with as many digits.
		with = strconv.AppendFloat(nil, v, 'e', count-1, bits)
		with = bytes.Replace(with[:bytes.IndexByte(with, 'e')], []byte{'.'}, nil, 1)
	}
	i := 0
	for at, c := range raw {
		if at >= first && at < end && c != '.' {
			c = '0'
			if i < len(with) {
				c = with[i]
			}
			i++
		}
		out = append(out, c)
	}
	return out
}
