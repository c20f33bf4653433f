// Package neutral writes and reads the values of a schema as JSON that is independent of any
// library. A runner in another language receives a workload's values in this form, and returns
// the values that it decoded in this form. PROTOCOL.md has the rules; no information is lost in
// either direction.
package neutral

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"assay/schema"
)

// A Header is the first line of a data file. It says what the values in the file are.
type Header struct {
	Workload string `json:"workload"`
	Size     string `json:"size"`
	Seed     uint64 `json:"seed"`
	Root     string `json:"root"`
	// Inputs is how many lines follow, each with one value.
	Inputs int    `json:"inputs"`
	Schema Schema `json:"schema"`
}

// A Schema is a schema.Schema as a data file holds it.
type Schema struct {
	Name      string    `json:"name"`
	Roots     []string  `json:"roots"`
	Unescaped bool      `json:"unescaped,omitempty"`
	Messages  []Message `json:"messages"`
	Enums     []Enum    `json:"enums"`
}

// A Message is a schema.Message.
type Message struct {
	Name string `json:"name"`
	Bare bool   `json:"bare,omitempty"`
	// Wraps is the result of schema.Schema.Transparent for the message.
	Wraps  bool    `json:"wraps,omitempty"`
	Row    bool    `json:"row,omitempty"`
	Union  bool    `json:"union,omitempty"`
	Tag    string  `json:"tag,omitempty"`
	Fields []Field `json:"fields"`
}

// A Field is a schema.Field. Text is the field's name in formats that write names; neutral
// values use it too.
type Field struct {
	Name      string   `json:"name"`
	Text      string   `json:"text"`
	Number    int      `json:"number"`
	OmitEmpty bool     `json:"omitempty,omitempty"`
	OmitZero  bool     `json:"omitzero,omitempty"`
	Null      bool     `json:"null,omitempty"`
	OneOrMany bool     `json:"one_or_many,omitempty"`
	JSONText  bool     `json:"json_text,omitempty"`
	As        string   `json:"as,omitempty"`
	When      []string `json:"when,omitempty"`
	Type      Type     `json:"type"`
}

// A Type is a schema.Type.
type Type struct {
	// Kind is bool, int32, int64, uint32, uint64, float32, float64, string, bytes,
	// timestamp, duration, enum, message, list or map.
	Kind     string `json:"kind"`
	Ref      string `json:"ref,omitempty"`
	Optional bool   `json:"optional,omitempty"`
	Key      string `json:"key,omitempty"`
	Elem     *Type  `json:"elem,omitempty"`
}

// An Enum is a schema.Enum.
type Enum struct {
	Name   string      `json:"name"`
	Values []EnumValue `json:"values"`
}

// An EnumValue is a schema.EnumValue.
type EnumValue struct {
	Name   string `json:"name"`
	Number int32  `json:"number"`
}

var kinds = [...]string{
	schema.Invalid: "invalid", schema.Bool: "bool",
	schema.Int32: "int32", schema.Int64: "int64", schema.Uint32: "uint32", schema.Uint64: "uint64",
	schema.Float32: "float32", schema.Float64: "float64", schema.String: "string", schema.Bytes: "bytes",
	schema.Timestamp: "timestamp", schema.Duration: "duration",
	schema.EnumKind: "enum", schema.MessageKind: "message", schema.List: "list", schema.Map: "map",
}

// SchemaOf returns the schema as a data file holds it.
func SchemaOf(s *schema.Schema) Schema {
	out := Schema{Name: s.Name, Roots: slices.Clone(s.Roots), Unescaped: s.Unescaped, Messages: []Message{}, Enums: []Enum{}}
	for _, m := range s.Messages {
		one := Message{Name: m.Name, Bare: m.Bare, Wraps: s.Transparent(m), Row: m.Row, Union: m.Union, Tag: m.Tag, Fields: []Field{}}
		for _, f := range m.Fields {
			one.Fields = append(one.Fields, Field{
				Name: f.Name, Text: f.TextName(), Number: f.Number,
				OmitEmpty: f.OmitEmpty, OmitZero: f.OmitZero, Null: f.Null, OneOrMany: f.OneOrMany, JSONText: f.JSONText, As: string(f.As), When: f.When, Type: typeOf(f.Type),
			})
		}
		out.Messages = append(out.Messages, one)
	}
	for _, e := range s.Enums {
		one := Enum{Name: e.Name, Values: []EnumValue{}}
		for _, v := range e.Values {
			one.Values = append(one.Values, EnumValue{v.Name, v.Number})
		}
		out.Enums = append(out.Enums, one)
	}
	return out
}

func typeOf(t schema.Type) Type {
	out := Type{Kind: kinds[t.Kind], Ref: t.Ref, Optional: t.Optional}
	if t.Kind == schema.Map {
		out.Key = kinds[t.Key]
	}
	if t.Elem != nil {
		elem := typeOf(*t.Elem)
		out.Elem = &elem
	}
	return out
}

// A Form is the neutral form of one root message. Several goroutines may use it at the same
// time.
type Form struct {
	schema *schema.Schema
	root   *schema.Message
	models *sync.Map // *schema.Message → *model
}

// A model is a struct that holds a message.
type model struct {
	typ    reflect.Type
	fields [][]int // index of each field of the message, for FieldByIndex; nil if the struct lacks it
}

// model returns the model of a message for the struct type that holds it. It caches the result.
func (f Form) model(m *schema.Message, typ reflect.Type) *model {
	if known, ok := f.models.Load(m); ok && known.(*model).typ == typ {
		return known.(*model)
	}
	index := map[string][]int{}
	for _, in := range reflect.VisibleFields(typ) {
		index[in.Name] = in.Index
	}
	out := &model{typ, make([][]int, len(m.Fields))}
	for i, field := range m.Fields {
		out.fields[i] = index[schema.GoName(field.Name)]
	}
	f.models.Store(m, out)
	return out
}

// field returns the i-th field of the message in a struct, or the zero Value if the struct has
// no such field.
func (m *model) field(v reflect.Value, i int) reflect.Value {
	if m.fields[i] == nil {
		return reflect.Value{}
	}
	return v.FieldByIndex(m.fields[i])
}

// Of returns the form of a root message of a valid schema.
func Of(s *schema.Schema, root string) (Form, error) {
	m := s.Message(root)
	if m == nil {
		return Form{}, fmt.Errorf("schema %s has no message %q", s.Name, root)
	}
	return Form{s, m, &sync.Map{}}, nil
}

// Append appends the value, a pointer to the root's model type, as one JSON value without a
// newline.
func (f Form) Append(dst []byte, v any) ([]byte, error) {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return dst, fmt.Errorf("a %T is no pointer to a value", v)
	}
	return f.message(dst, f.root, p.Elem())
}

func (f Form) message(dst []byte, m *schema.Message, v reflect.Value) ([]byte, error) {
	if m.Bare {
		return f.field(dst, m, m.Fields[0], v)
	}
	dst = append(dst, '{')
	model := f.model(m, v.Type())
	for i, field := range m.Fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, field.TextName())
		dst = append(dst, ':')
		var err error
		if dst, err = f.field(dst, m, field, model.field(v, i)); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// field appends a field's value and names the field in an error.
func (f Form) field(dst []byte, m *schema.Message, field *schema.Field, v reflect.Value) ([]byte, error) {
	dst, err := f.value(dst, field.Type, v)
	if err != nil {
		var deep *fieldError
		if !errors.As(err, &deep) {
			err = &fieldError{m.Name + "." + field.Name, err}
		}
	}
	return dst, err
}

// A fieldError is an error with the field that cannot be written or read.
type fieldError struct {
	field string
	err   error
}

func (e *fieldError) Error() string { return e.field + ": " + e.err.Error() }
func (e *fieldError) Unwrap() error { return e.err }

func (f Form) value(dst []byte, t schema.Type, v reflect.Value) ([]byte, error) {
	if !v.IsValid() {
		return dst, errors.New("the model has no such field")
	}
	if t.Optional {
		if v.IsNil() {
			return append(dst, "null"...), nil
		}
		v = v.Elem()
	}
	switch t.Kind {
	case schema.MessageKind:
		return f.message(dst, f.schema.Message(t.Ref), v)
	case schema.List:
		return f.list(dst, t, v)
	case schema.Map:
		return f.dict(dst, t, v)
	}
	return appendLeaf(dst, t.Kind, v)
}

func (f Form) list(dst []byte, t schema.Type, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(dst, "null"...), nil
	}
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = f.value(dst, *t.Elem, v.Index(i)); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// dict appends a map with its entries in the order of their keys' texts, so that equal values
// have equal texts.
func (f Form) dict(dst []byte, t schema.Type, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(dst, "null"...), nil
	}
	type entry struct {
		key   string
		value reflect.Value
	}
	var entries []entry
	for it := v.MapRange(); it.Next(); {
		key := fmt.Sprint(it.Key())
		if !utf8.ValidString(key) {
			return dst, fmt.Errorf("the map key %q is not UTF-8, and a JSON object can have no such key", key)
		}
		entries = append(entries, entry{key, it.Value()})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	dst = append(dst, '{')
	for i, e := range entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, e.key), ':')
		var err error
		if dst, err = f.value(dst, *t.Elem, e.value); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

func appendLeaf(dst []byte, kind schema.Kind, v reflect.Value) ([]byte, error) {
	switch kind {
	case schema.Bool:
		return strconv.AppendBool(dst, v.Bool()), nil
	case schema.Int32, schema.Int64, schema.Duration, schema.EnumKind:
		return strconv.AppendInt(dst, v.Int(), 10), nil
	case schema.Uint32, schema.Uint64:
		return strconv.AppendUint(dst, v.Uint(), 10), nil
	case schema.Float32:
		return AppendFloat(dst, v.Float(), 32), nil
	case schema.Float64:
		return AppendFloat(dst, v.Float(), 64), nil
	case schema.String:
		return AppendString(dst, v.String()), nil
	case schema.Bytes:
		if v.IsNil() {
			return append(dst, "null"...), nil
		}
		return AppendString(dst, base64.StdEncoding.EncodeToString(v.Bytes())), nil
	case schema.Timestamp:
		t, ok := v.Interface().(time.Time)
		if !ok {
			return dst, fmt.Errorf("a %s is no time", v.Type())
		}
		if _, offset := t.Zone(); t.Year() < 1 || t.Year() > 9999 || offset%60 != 0 {
			// RFC 3339 has four digits for the year, and whole minutes for the offset.
			return fmt.Appendf(dst, `{"unix":%d,"nanos":%d,"offset":%d}`, t.Unix(), t.Nanosecond(), offset), nil
		}
		return AppendString(dst, t.Format(time.RFC3339Nano)), nil
	}
	return dst, fmt.Errorf("no form for the kind %d", kind)
}

// AppendFloat appends a float of 32 or 64 bits in a form that no reader takes for an integer.
func AppendFloat(dst []byte, v float64, bits int) []byte {
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

// AppendString appends a string, or the object that represents a string that is not UTF-8.
func AppendString(dst []byte, s string) []byte {
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
