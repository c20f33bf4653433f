package protoform

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"assay/schema"
	"assay/schema/neutral"
)

// An EnumError reports a message that holds a number which its enum does not have.
type EnumError struct {
	Path   string // of the field
	Number int32
}

func (e *EnumError) Error() string {
	return fmt.Sprintf("%s holds %d, a value that its enum does not have; add it to the .proto", e.Path, e.Number)
}

// key returns a key and a colon, as they precede a value in a JSON object.
func key(text string) []byte { return append(neutral.AppendString(nil, text), ':') }

// Append appends a message of the root in neutral form. It calls left with a description of
// everything that it leaves out, such as an unknown field; left may be nil. If the schema
// cannot hold a value, Append returns an error that names the field.
func (f *Form) Append(dst []byte, m protoreflect.Message, left func(what string)) ([]byte, error) {
	w := writer{left}
	return w.message(dst, f.root, m)
}

type writer struct {
	left func(what string)
}

func (w *writer) message(dst []byte, m *message, v protoreflect.Message) ([]byte, error) {
	if w.left != nil {
		for raw := v.GetUnknown(); len(raw) > 0; {
			number, _, n := protowire.ConsumeField(raw)
			if n < 0 {
				break // cannot happen: the decoder has checked it
			}
			w.left(fmt.Sprintf("field %d of %s, which the .proto does not have", number, m.name))
			raw = raw[n:]
		}
	}
	dst = append(dst, '{')
	for i, f := range m.fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, f.start...)
		var err error
		if dst, err = w.field(dst, f, v); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

func (w *writer) field(dst []byte, f *field, v protoreflect.Message) ([]byte, error) {
	switch {
	case f.Container == schema.List:
		return w.list(dst, f, v.Get(f.desc).List())
	case f.Container == schema.Map:
		return w.dict(dst, f, v.Get(f.desc).Map())
	case f.There:
		return strconv.AppendBool(dst, v.Has(f.desc)), nil
	case f.Optional && !v.Has(f.desc):
		return append(dst, "null"...), nil
	}
	return w.value(dst, f, v.Get(f.desc))
}

// list appends a list. An empty list becomes null, like an absent one, because protobuf does
// not tell them apart.
func (w *writer) list(dst []byte, f *field, list protoreflect.List) ([]byte, error) {
	n := list.Len()
	if n == 0 {
		return append(dst, "null"...), nil
	}
	dst = append(dst, '[')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = w.value(dst, f, list.Get(i)); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// dict appends a map with its entries in the order of their keys' texts.
func (w *writer) dict(dst []byte, f *field, m protoreflect.Map) ([]byte, error) {
	if m.Len() == 0 {
		return append(dst, "null"...), nil
	}
	type entry struct {
		key   string
		value protoreflect.Value
	}
	var entries []entry
	m.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		entries = append(entries, entry{k.String(), v})
		return true
	})
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	dst = append(dst, '{')
	for i, e := range entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		if !utf8.ValidString(e.key) {
			return dst, fmt.Errorf("%s: the map key %q is not UTF-8", f.Path, e.key)
		}
		dst = append(neutral.AppendString(dst, e.key), ':')
		var err error
		if dst, err = w.value(dst, f, e.value); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// value appends one value of a field.
func (w *writer) value(dst []byte, f *field, v protoreflect.Value) ([]byte, error) {
	if f.Wrapped {
		inner := v.Message()
		v = inner.Get(inner.Descriptor().Fields().ByNumber(1))
	}
	switch f.Kind {
	case schema.MessageKind:
		return w.message(dst, f.inner, v.Message())
	case schema.Bool:
		return strconv.AppendBool(dst, f.There || v.Bool()), nil
	case schema.Int32, schema.Int64:
		return strconv.AppendInt(dst, v.Int(), 10), nil
	case schema.Uint32, schema.Uint64:
		return strconv.AppendUint(dst, v.Uint(), 10), nil
	case schema.Float32:
		return neutral.AppendFloat(dst, w.float(f, v.Float()), 32), nil
	case schema.Float64:
		return neutral.AppendFloat(dst, w.float(f, v.Float()), 64), nil
	case schema.String:
		return neutral.AppendString(dst, v.String()), nil
	case schema.Bytes:
		return appendBytes(dst, v.Bytes(), f.Container == schema.Invalid && !f.Optional), nil
	case schema.EnumKind:
		n := int32(v.Enum())
		if !f.has(n) {
			return dst, &EnumError{f.Path, n}
		}
		return strconv.AppendInt(dst, int64(n), 10), nil
	case schema.Timestamp:
		return appendTime(dst, f, v.Message())
	case schema.Duration:
		return appendDuration(dst, f, v.Message())
	}
	return dst, fmt.Errorf("%s has no neutral form", f.Path)
}

// float returns a float in the form that the schema keeps; see Field.Unsigned.
func (w *writer) float(f *field, v float64) float64 {
	if v == 0 && math.Signbit(v) && f.Unsigned {
		if w.left != nil {
			w.left("the sign of a zero in " + f.Path)
		}
		return 0
	}
	return v
}

// secondsNanos returns the two fields of a timestamp or a duration.
func secondsNanos(v protoreflect.Message) (seconds, nanos int64) {
	d := v.Descriptor().Fields()
	return v.Get(d.ByNumber(1)).Int(), v.Get(d.ByNumber(2)).Int()
}

// The range of google.protobuf.Timestamp: the years 1 to 9999.
const firstSecond, lastSecond = -62135596800, 253402300799

func appendTime(dst []byte, f *field, v protoreflect.Message) ([]byte, error) {
	s, n := secondsNanos(v)
	if s < firstSecond || s > lastSecond || n < 0 || n >= 1e9 {
		return dst, fmt.Errorf("%s: %d seconds and %d nanoseconds are no google.protobuf.Timestamp, which is from year 1 to 9999 with nanoseconds from 0 to 999999999", f.Path, s, n)
	}
	dst = append(dst, '"')
	dst = time.Unix(s, n).UTC().AppendFormat(dst, time.RFC3339Nano)
	return append(dst, '"'), nil
}

func appendDuration(dst []byte, f *field, v protoreflect.Message) ([]byte, error) {
	s, n := secondsNanos(v)
	if n <= -1e9 || n >= 1e9 || s < 0 && n > 0 || s > 0 && n < 0 {
		return dst, fmt.Errorf("%s: %d seconds and %d nanoseconds are no google.protobuf.Duration: both have one sign, and the nanoseconds are below a second", f.Path, s, n)
	}
	hi, lo := bits.Mul64(uint64(max(s, -s)), 1e9)
	if s == math.MinInt64 || hi > 0 || lo > math.MaxInt64-1e9 {
		return dst, fmt.Errorf("%s: a duration of %d seconds is beyond the 292 years that a Go time.Duration holds", f.Path, s)
	}
	return strconv.AppendInt(dst, s*1e9+n, 10), nil
}

// appendBytes appends bytes as base64. If absent is set, empty bytes become null, because
// protobuf does not tell them from absent ones.
func appendBytes(dst, b []byte, absent bool) []byte {
	if absent && len(b) == 0 {
		return append(dst, "null"...)
	}
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, b)
	return append(dst, '"')
}
