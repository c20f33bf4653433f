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
	"time"
)

// Append appends the neutral form of a value of the plan's root type to dst.
func (p Plan) Append(dst []byte, v reflect.Value) ([]byte, error) {
	w := &writer{plan: p, texts: map[string]bool{}, beyond: map[string]string{}, mixed: map[string]bool{}}
	for _, t := range p.Texts {
		w.texts[t] = true
	}
	return w.value(dst, Type{How: Message, Ref: p.Root}, v)
}

// Read sets v, a zero value of the plan's root type, to the value of a line in the neutral form. Fields
// that are not in the plan stay zero.
func (p Plan) Read(line []byte, v reflect.Value) error {
	r := &reader{plan: p, texts: map[string]bool{}}
	for _, t := range p.Texts {
		r.texts[t] = true
	}
	return r.value(line, Type{How: Message, Ref: p.Root}, v)
}

// A reader sets values from their neutral form.
type reader struct {
	plan  Plan
	texts map[string]bool
}

var null = []byte("null")

func (r *reader) value(text json.RawMessage, t Type, v reflect.Value) error {
	text = bytes.TrimSpace(text)
	if bytes.Equal(text, null) && (t.Optional || t.How == List || t.How == Map || t.How == Bytes) {
		return nil // v is zero
	}
	if t.How != JSON {
		for v.Kind() == reflect.Pointer {
			v.Set(reflect.New(v.Type().Elem()))
			v = v.Elem()
		}
	}
	switch t.How {
	case Message:
		return r.message(text, t, v)
	case List:
		return r.list(text, t, v)
	case Map:
		return r.dict(text, t, v)
	case True:
		return nil
	case Bytes:
		return readBytes(text, v)
	case String:
		s, err := readString(text)
		v.SetString(s)
		return err
	case Time:
		at, err := readTime(text)
		v.Set(reflect.ValueOf(at).Convert(v.Type()))
		return err
	case Float32, Float64:
		f, err := readFloat(text)
		v.SetFloat(f)
		return err
	case Wrapped:
		return r.value(text, *t.Elem, v.Field(0))
	case Text, Binary, JSON:
		return r.special(text, t, v)
	}
	return json.Unmarshal(text, plainValue(v))
}

// plainValue returns a pointer to v, converted to a pointer to its basic type, so that no method of the
// user's type is called.
func plainValue(v reflect.Value) any {
	basic := map[reflect.Kind]reflect.Type{
		reflect.Bool: reflect.TypeFor[bool](), reflect.Int: reflect.TypeFor[int](), reflect.Int8: reflect.TypeFor[int8](),
		reflect.Int16: reflect.TypeFor[int16](), reflect.Int32: reflect.TypeFor[int32](), reflect.Int64: reflect.TypeFor[int64](),
		reflect.Uint: reflect.TypeFor[uint](), reflect.Uint8: reflect.TypeFor[uint8](), reflect.Uint16: reflect.TypeFor[uint16](),
		reflect.Uint32: reflect.TypeFor[uint32](), reflect.Uint64: reflect.TypeFor[uint64](), reflect.Uintptr: reflect.TypeFor[uintptr](),
	}[v.Kind()]
	return v.Addr().Convert(reflect.PointerTo(basic)).Interface()
}

func (r *reader) message(text json.RawMessage, t Type, v reflect.Value) error {
	if bare, ok := r.plan.Bare[t.Ref]; ok {
		return r.value(text, bare, v)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		return err
	}
	for _, f := range r.plan.Messages[t.Ref] {
		inner, ok := object[f.Name]
		if !ok {
			return fmt.Errorf("%s: the key %q is missing", f.Path, f.Name)
		}
		field, ok := settable(v, f.Index, bytes.Equal(inner, null) || f.OmitEmpty && empty(inner))
		if !ok {
			continue
		}
		if err := r.value(inner, f.Type, field); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return nil
}

// empty reports whether a scalar in the neutral form is one that encoding/json leaves out with omitempty.
func empty(text json.RawMessage) bool {
	return slices.Contains([]string{`""`, "0", "0.0", "false"}, string(text))
}

// settable returns a field. It allocates nil embedded structs on the way to it, unless the field stays
// zero. ok is false if the field cannot be reached.
func settable(v reflect.Value, index []int, zero bool) (field reflect.Value, ok bool) {
	for i, x := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if zero || !v.CanSet() {
					return v, false
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v, true
}

func (r *reader) list(text json.RawMessage, t Type, v reflect.Value) error {
	var items []json.RawMessage
	if err := json.Unmarshal(text, &items); err != nil {
		return err
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	} else if len(items) != v.Len() {
		return fmt.Errorf("%d elements for an array of %d", len(items), v.Len())
	}
	for i, item := range items {
		if err := r.value(item, *t.Elem, v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) dict(text json.RawMessage, t Type, v reflect.Value) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		return err
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), len(object)))
	for name, inner := range object {
		key := reflect.New(v.Type().Key()).Elem()
		if err := readKey(t.Key, name, key); err != nil {
			return err
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		if err := r.value(inner, *t.Elem, elem); err != nil {
			return err
		}
		v.SetMapIndex(key, elem)
	}
	return nil
}

func readKey(how How, name string, key reflect.Value) error {
	switch how {
	case Text:
		for key.Kind() == reflect.Pointer {
			key.Set(reflect.New(key.Type().Elem()))
			key = key.Elem()
		}
		if m, ok := key.Addr().Interface().(encoding.TextUnmarshaler); ok && key.Kind() != reflect.String {
			return m.UnmarshalText([]byte(name))
		}
	case Int:
		n, err := strconv.ParseInt(name, 10, key.Type().Bits())
		key.SetInt(n)
		return err
	case Uint:
		n, err := strconv.ParseUint(name, 10, key.Type().Bits())
		key.SetUint(n)
		return err
	}
	if key.Kind() != reflect.String {
		return fmt.Errorf("a key of type %s cannot be read from its text", key.Type())
	}
	key.SetString(name)
	return nil
}

// special sets a value with the methods of its type.
func (r *reader) special(text json.RawMessage, t Type, v reflect.Value) error {
	if t.How == JSON && r.texts[t.Ref] {
		return json.Unmarshal(text, v.Addr().Interface())
	}
	s, err := readString(text)
	if err != nil {
		return err
	}
	switch t.How {
	case JSON:
		return json.Unmarshal([]byte(s), v.Addr().Interface())
	case Text:
		if m, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
			return m.UnmarshalText([]byte(s))
		}
		return fmt.Errorf("a %s has MarshalText and no UnmarshalText", v.Type())
	}
	data, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return err
	}
	if m, ok := v.Addr().Interface().(encoding.BinaryUnmarshaler); ok {
		return m.UnmarshalBinary(data)
	}
	return fmt.Errorf("a %s has MarshalBinary and no UnmarshalBinary", v.Type())
}

func readBytes(text json.RawMessage, v reflect.Value) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	data, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return err
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(data), len(data)))
	} else if len(data) != v.Len() {
		return fmt.Errorf("%d bytes for an array of %d", len(data), v.Len())
	}
	for i, b := range data {
		v.Index(i).SetUint(uint64(b))
	}
	return nil
}

// readString reads a string, or the object that represents a string that is not UTF-8.
func readString(text json.RawMessage) (string, error) {
	var s string
	if text[0] == '"' {
		err := json.Unmarshal(text, &s)
		return s, err
	}
	var object struct{ Base64 *[]byte }
	if err := json.Unmarshal(text, &object); err != nil {
		return "", err
	}
	if object.Base64 == nil {
		return "", errors.New("neither a string nor the bytes of one")
	}
	return string(*object.Base64), nil
}

// readTime reads a time, or the object that represents a time that RFC 3339 cannot express.
func readTime(text json.RawMessage) (time.Time, error) {
	if text[0] == '"' {
		var s string
		if err := json.Unmarshal(text, &s); err != nil {
			return time.Time{}, err
		}
		return time.Parse(time.RFC3339Nano, s)
	}
	var object struct{ Unix, Nanos, Offset int64 }
	err := json.Unmarshal(text, &object)
	return time.Unix(object.Unix, object.Nanos).In(time.FixedZone("", int(object.Offset))), err
}

func readFloat(text json.RawMessage) (float64, error) {
	switch string(text) {
	case `"NaN"`:
		return math.NaN(), nil
	case `"Infinity"`:
		return math.Inf(1), nil
	case `"-Infinity"`:
		return math.Inf(-1), nil
	}
	return strconv.ParseFloat(string(text), 64)
}
