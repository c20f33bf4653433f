package bench

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"reflect"
	"strconv"
	"strings"
)

const (
	// leastNumber is the least absolute value of an integer that is looked for in memory, and
	// leastDigits is the shortest text of a number with a fraction. Smaller ones may be in
	// memory by chance, as enums or as lengths.
	leastNumber = 1 << 21
	leastDigits = 6
	// mostSought is how many numbers that are missing in memory are looked for in its texts.
	mostSought = 64
)

// numbers are the numbers that a value holds as Go numbers.
type numbers struct {
	whole map[int64]bool // unsigned integers by their bits
	other map[float64]bool
}

func newNumbers() numbers { return numbers{map[int64]bool{}, map[float64]bool{}} }

// add adds a value if it is a number.
func (n numbers) add(v reflect.Value) {
	switch {
	case v.CanInt():
		n.whole[v.Int()] = true
	case v.CanUint():
		n.whole[int64(v.Uint())] = true
	case v.CanFloat():
		n.other[v.Float()] = true
	}
}

// A number is a number of a model, and the forms in which texts may hold it.
type number struct {
	whole int64
	other float64
	text  string // in decimal
	forms []string
	size  int // in bits; 0 for an integer
}

// in reports whether all contains the number, whatever its type.
func (n number) in(all numbers) bool {
	if n.size == 0 {
		return all.whole[n.whole] || all.other[float64(n.whole)] || all.other[float64(uint64(n.whole))]
	}
	return all.other[n.other] || all.other[float64(float32(n.other))]
}

// wholeNumber returns an integer with its forms in text and in the common binary formats.
func wholeNumber(v int64, text string) number {
	n := number{whole: v, text: text, forms: []string{text}}
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], uint64(v))
	n.forms = append(n.forms, string(word[:]))
	binary.BigEndian.PutUint64(word[:], uint64(v))
	n.forms = append(n.forms, string(word[:]))
	if v == int64(int32(v)) || v == int64(uint32(v)) {
		n.forms = append(n.forms, fixed32(uint32(v))...)
	}
	n.forms = append(n.forms, string(binary.AppendUvarint(nil, uint64(v))), string(binary.AppendVarint(nil, v)))
	return n
}

// otherNumber returns a number with a fraction, of so many bits, with its forms.
func otherNumber(v float64, bits int) number {
	n := number{other: v, text: strconv.FormatFloat(v, 'g', -1, bits), size: bits}
	n.forms = append(n.forms, n.text, strconv.FormatFloat(v, 'f', -1, bits))
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], math.Float64bits(v))
	n.forms = append(n.forms, string(word[:]))
	binary.BigEndian.PutUint64(word[:], math.Float64bits(v))
	n.forms = append(n.forms, string(word[:]))
	if bits == 32 {
		n.forms = append(n.forms, fixed32(math.Float32bits(float32(v)))...)
	}
	return n
}

// fixed32 returns the two forms of a word of four bytes.
func fixed32(v uint32) []string {
	return []string{string(binary.LittleEndian.AppendUint32(nil, v)), string(binary.BigEndian.AppendUint32(nil, v))}
}

// A sought is the content of a model that must be in memory: numbers and bytes.
type sought struct {
	numbers []number
	bytes   []string
	left    int
}

// soughtOf returns the numbers and bytes of a model that are large enough to be looked for.
func soughtOf(model any) *sought {
	s := &sought{left: mostLeaves}
	s.add(reflect.ValueOf(model))
	return s
}

func (s *sought) add(v reflect.Value) {
	if s.left--; s.left < 0 {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			s.add(v.Elem())
		}
	case reflect.Struct:
		if isMachinery(v.Type()) {
			return // libraries store times in many ways
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				s.add(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			if v.Len() > leastDigits {
				s.bytes = append(s.bytes, string(octets(v)))
			}
			return
		}
		for i := range v.Len() {
			s.add(v.Index(i))
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			s.add(it.Key())
			s.add(it.Value())
		}
	default:
		s.number(v)
	}
}

func (s *sought) number(v reflect.Value) {
	switch {
	case v.CanInt():
		if n := v.Int(); n >= leastNumber || n <= -leastNumber {
			s.numbers = append(s.numbers, wholeNumber(n, strconv.FormatInt(n, 10)))
		}
	case v.CanUint():
		if n := v.Uint(); n >= leastNumber {
			s.numbers = append(s.numbers, wholeNumber(int64(n), strconv.FormatUint(n, 10)))
		}
	case v.CanFloat():
		n := otherNumber(v.Float(), v.Type().Bits())
		if math.Trunc(n.other) != n.other && !math.IsInf(n.other, 0) && len(n.text) >= leastDigits {
			s.numbers = append(s.numbers, n)
		}
	}
}

// octets returns the elements of a list of bytes. The list may be an array or an unexported
// field, for which reflect.Value.Bytes would panic.
func octets(v reflect.Value) []byte {
	b := make([]byte, v.Len())
	for i := range b {
		b[i] = byte(v.Index(i).Uint())
	}
	return b
}

// unread returns a number or bytes of a model that were decoded late, or an empty string if
// there are none. Such content is missing in m, but a text in m holds one of its forms, or it
// is in after, the memory after the conversion.
func (m *memory) unread(model any, after *memory) string {
	if m.opaque {
		return ""
	}
	s := soughtOf(model)
	looked := 0
	for _, n := range s.numbers {
		if n.in(m.numbers) {
			continue
		}
		if n.in(after.numbers) || m.holds(n.forms...) {
			return n.text
		}
		if looked++; looked == mostSought {
			break
		}
	}
	looked = 0
	for _, b := range s.bytes {
		if m.texts[b] {
			continue
		}
		if after.texts[b] || m.holds(base64.StdEncoding.EncodeToString([]byte(b)), b) {
			return strconv.QuoteToASCII(b)
		}
		if looked++; looked == mostSought {
			break
		}
	}
	return ""
}

// holds reports whether a text in memory contains one of the forms.
func (m *memory) holds(forms ...string) bool {
	for text := range m.texts {
		for _, form := range forms {
			if strings.Contains(text, form) {
				return true
			}
		}
	}
	return false
}
