package program

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A writer writes values in the neutral form.
type writer struct {
	plan   Plan
	texts  map[string]bool
	beyond map[string]string
	mixed  map[string]bool
	depth  int // messages within messages
}

// deepest is how many messages may be within one another, as encoding/json limits what it decodes.
const deepest = 10000

// value appends one value. It follows pointers.
func (w *writer) value(dst []byte, t Type, v reflect.Value) ([]byte, error) {
	if v.IsValid() && t.How != JSON {
		for v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v = reflect.Value{}
				break
			}
			v = v.Elem()
		}
	}
	if !v.IsValid() || t.How == JSON && t.Optional && v.IsZero() {
		if t.Optional || t.How == List || t.How == Map || t.How == Bytes {
			return append(dst, "null"...), nil
		}
		return dst, errors.New("a nil pointer, and there is no null here: the elements of lists and maps must not be nil")
	}
	switch t.How {
	case Message:
		return w.message(dst, t, v)
	case List:
		return w.list(dst, t, v)
	case Map:
		return w.dict(dst, t, v)
	case Bool:
		return strconv.AppendBool(dst, v.Bool()), nil
	case True:
		return append(dst, "true"...), nil
	case Int:
		return strconv.AppendInt(dst, v.Int(), 10), nil
	case Uint:
		return strconv.AppendUint(dst, v.Uint(), 10), nil
	case Enum:
		return w.enum(dst, t, v), nil
	case Float32:
		return appendFloat(dst, v.Float(), 32), nil
	case Float64:
		return appendFloat(dst, v.Float(), 64), nil
	case String:
		return appendString(dst, v.String()), nil
	case Bytes:
		return appendBytes(dst, v), nil
	}
	return w.special(dst, t, v)
}

func (w *writer) message(dst []byte, t Type, v reflect.Value) ([]byte, error) {
	if bare, ok := w.plan.Bare[t.Ref]; ok {
		return w.value(dst, bare, v)
	}
	if w.depth++; w.depth > deepest {
		return dst, fmt.Errorf("more than %d structs within one another; a pointer may lead back to its own struct", deepest)
	}
	defer func() { w.depth-- }()
	dst = append(dst, '{')
	for i, f := range w.plan.Messages[t.Ref] {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, f.Name), ':')
		var err error
		value, there := at(v, f.Index)
		if f.OmitEmpty && (value.Kind() == reflect.Slice || value.Kind() == reflect.Map) && value.Len() == 0 {
			value = reflect.Zero(value.Type())
		}
		switch how := f.Type.How; {
		case f.OmitZero && f.Type.Optional && isZero(value), !there && (f.Type.Optional || how == List || how == Map || how == Bytes):
			value = reflect.Value{}
		case (f.OmitEmpty || f.OmitZero) && (how == Float32 || how == Float64) && value.Kind() != reflect.Pointer && value.Float() == 0:
			value = reflect.Zero(value.Type()) // encoding/json leaves out -0 as well
		}
		if dst, err = w.value(dst, f.Type, value); err != nil {
			var deep *fieldError
			if !errors.As(err, &deep) {
				err = &fieldError{f.Path, err}
			}
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// isZero reports whether encoding/json leaves out a field with omitzero that has the value v.
func isZero(v reflect.Value) bool {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return true
	}
	if v.CanInterface() {
		if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
			return z.IsZero()
		}
	}
	if v.CanAddr() && v.Addr().CanInterface() {
		if z, ok := v.Addr().Interface().(interface{ IsZero() bool }); ok {
			return z.IsZero()
		}
	}
	return v.IsZero()
}

// A fieldError says which field cannot be written, and why.
type fieldError struct {
	path string
	err  error
}

func (e *fieldError) Error() string { return e.path + ": " + e.err.Error() }
func (e *fieldError) Unwrap() error { return e.err }

// at returns a field. If an embedded pointer on the way is nil, it returns the field of a zero value,
// and there is false.
func at(v reflect.Value, index []int) (field reflect.Value, there bool) {
	there = true
	for i, x := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v, there = reflect.New(v.Type().Elem()), false
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v, there
}

func (w *writer) list(dst []byte, t Type, v reflect.Value) ([]byte, error) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		return append(dst, "null"...), nil
	}
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = w.value(dst, *t.Elem, v.Index(i)); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// dict appends a map in the order of its keys' texts.
func (w *writer) dict(dst []byte, t Type, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(dst, "null"...), nil
	}
	type entry struct {
		key   string
		value reflect.Value
	}
	var entries []entry
	for it := v.MapRange(); it.Next(); {
		key, err := keyText(t.Key, it.Key())
		if err != nil {
			return dst, err
		}
		entries = append(entries, entry{key, it.Value()})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	dst = append(dst, '{')
	for i, e := range entries {
		if i > 0 {
			dst = append(dst, ',')
			if entries[i-1].key == e.key {
				return dst, fmt.Errorf("two keys of a map are both written as %q", e.key)
			}
		}
		dst = append(appendString(dst, e.key), ':')
		var err error
		if dst, err = w.value(dst, *t.Elem, addressable(e.value)); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// keyText returns the key of a map as encoding/json writes it.
func keyText(how How, v reflect.Value) (string, error) {
	var key string
	switch how {
	case Text:
		if v.Kind() == reflect.String { // encoding/json calls no method of such keys
			key = v.String()
			break
		}
		if v.Kind() == reflect.Pointer && v.IsNil() {
			return "", errors.New("a key of a map is a nil pointer")
		}
		m, ok := method[encoding.TextMarshaler](addressable(v))
		if !ok {
			return "", fmt.Errorf("a key of type %s has no MarshalText", v.Type())
		}
		text, err := m.MarshalText()
		if err != nil {
			return "", err
		}
		key = string(text)
	case Int:
		key = strconv.FormatInt(v.Int(), 10)
	case Uint:
		key = strconv.FormatUint(v.Uint(), 10)
	default:
		key = v.String()
	}
	if !utf8.ValidString(key) {
		return "", fmt.Errorf("the map key %q is not UTF-8", key)
	}
	return key, nil
}

func (w *writer) enum(dst []byte, t Type, v reflect.Value) []byte {
	start := len(dst)
	if v.CanUint() {
		dst = strconv.AppendUint(dst, v.Uint(), 10)
	} else {
		dst = strconv.AppendInt(dst, v.Int(), 10)
	}
	if n := string(dst[start:]); !t.Values[n] && w.beyond[t.Ref] == "" {
		w.beyond[t.Ref] = n
	}
	return dst
}

// special appends a value that needs more than its kind: a time, a duration or one with methods.
func (w *writer) special(dst []byte, t Type, v reflect.Value) ([]byte, error) {
	v = addressable(v)
	switch t.How {
	case Time:
		return appendTime(dst, v.Convert(reflect.TypeFor[time.Time]()).Interface().(time.Time)), nil
	case Duration:
		return strconv.AppendInt(dst, v.Int(), 10), nil
	case Wrapped:
		return w.value(dst, *t.Elem, v.Field(0))
	case Text:
		if m, ok := method[encoding.TextMarshaler](v); ok {
			text, err := m.MarshalText()
			if err != nil {
				return dst, err
			}
			return appendString(dst, string(text)), nil
		}
	case Binary:
		if m, ok := method[encoding.BinaryMarshaler](v); ok {
			data, err := m.MarshalBinary()
			if err != nil {
				return dst, err
			}
			return appendString(dst, base64.StdEncoding.EncodeToString(data)), nil
		}
	case JSON:
		return w.json(dst, t, v)
	}
	return dst, fmt.Errorf("a %s cannot be written as %s", v.Type(), t.How)
}

// json appends the text of a value's JSON as a string, or the JSON itself if it is always a string.
func (w *writer) json(dst []byte, t Type, v reflect.Value) ([]byte, error) {
	text, err := json.Marshal(v.Addr().Interface())
	if err != nil {
		return dst, err
	}
	if t.Optional && string(text) == "null" { // as a json.RawMessage may be
		return append(dst, text...), nil
	}
	isText := text[0] == '"'
	if !isText {
		w.mixed[t.Ref] = true
	}
	if !w.texts[t.Ref] {
		return appendString(dst, string(plain(text))), nil
	}
	if !isText {
		return dst, fmt.Errorf("the JSON of a %s was always a text before and is %s now", v.Type(), text)
	}
	return append(dst, text...), nil
}

// plain returns a JSON text without unnecessary escapes in its strings, because libraries differ in
// what they escape.
func plain(text []byte) []byte {
	if bytes.IndexByte(text, '\\') < 0 {
		return text
	}
	var out []byte
	for len(text) > 0 {
		if text[0] != '"' {
			out, text = append(out, text[0]), text[1:]
			continue
		}
		end := 1
		for text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		var s string
		if err := json.Unmarshal(text[:end+1], &s); err != nil {
			panic(err) // encoding/json wrote it
		}
		out, text = appendPlain(out, s), text[end+1:]
	}
	return out
}

// appendPlain appends a string as JSON with only the necessary escapes.
func appendPlain(dst []byte, s string) []byte {
	const short = "\b\t\n\f\r"
	dst = append(dst, '"')
	for _, r := range s {
		switch i := strings.IndexRune(short, r); {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case i >= 0:
			dst = append(dst, '\\', "btnfr"[i])
		case r < ' ':
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// method returns the value, or a pointer to it, as the interface M. ok is false if neither has the
// methods.
func method[M any](v reflect.Value) (m M, ok bool) {
	if m, ok = v.Interface().(M); ok {
		return m, true
	}
	m, ok = v.Addr().Interface().(M)
	return m, ok
}

// addressable returns the value if it is addressable, otherwise an addressable copy, so that methods
// of its pointer can be called.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// appendBytes appends a slice or an array of bytes as base64.
func appendBytes(dst []byte, v reflect.Value) []byte {
	if v.Kind() == reflect.Slice && v.IsNil() {
		return append(dst, "null"...)
	}
	b := make([]byte, v.Len())
	for i := range b {
		b[i] = byte(v.Index(i).Uint())
	}
	return appendString(dst, base64.StdEncoding.EncodeToString(b))
}

// appendTime appends a time; as an object if RFC 3339 cannot express it.
func appendTime(dst []byte, t time.Time) []byte {
	if _, offset := t.Zone(); t.Year() < 1 || t.Year() > 9999 || offset%60 != 0 {
		return fmt.Appendf(dst, `{"unix":%d,"nanos":%d,"offset":%d}`, t.Unix(), t.Nanosecond(), offset)
	}
	return appendString(dst, t.Format(time.RFC3339Nano))
}

// appendFloat appends a float in a form that no reader takes for a whole number.
func appendFloat(dst []byte, v float64, bits int) []byte {
	switch {
	case math.IsNaN(v):
		return append(dst, `"NaN"`...)
	case math.IsInf(v, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(v, -1):
		return append(dst, `"-Infinity"`...)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, v, 'g', -1, bits)
	if !slices.ContainsFunc(dst[start:], func(c byte) bool { return c == '.' || c == 'e' }) {
		dst = append(dst, ".0"...)
	}
	return dst
}

// appendString appends a string, or an object that represents a string that is not UTF-8.
func appendString(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		dst = append(dst, `{"base64":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, []byte(s))
		return append(dst, `"}`...)
	}
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string is always JSON
	}
	return append(dst, text...)
}
