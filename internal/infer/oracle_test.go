package infer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/schema"
	"assay/schema/neutral"
	"assay/schema/text"
)

// accepts checks what must hold for every inferred schema: it is valid, and can be written and read
// back; every record can be written in its neutral form, which package neutral reads; no value of the
// sample is lost; and with the schema given, the records become the same lines.
func accepts(t *testing.T, r *Result, sample []byte) {
	t.Helper()
	lines, records := converted(t, r)
	form := text.Format(r.Schema)
	again, err := text.Parse("schema.toml", form)
	if err != nil {
		t.Fatalf("the schema cannot be read again: %v\n%s", err, form)
	}
	if got := text.Format(again); !bytes.Equal(got, form) {
		t.Fatalf("the schema is read as another:\n%s\n%s", form, got)
	}
	if int64(len(lines)) != r.Records {
		t.Fatalf("%d lines of %d records", len(lines), r.Records)
	}
	o := oracle{r}
	root := schema.Type{Kind: schema.MessageKind, Ref: r.Root}
	for i, line := range lines {
		if err := o.same(root, false, records[i], parse(t, line)); err != nil {
			t.Fatalf("%v\nin %s\nof %s\nby %s", err, line, sample, form)
		}
	}
	if model := goType(r.Schema, root, map[string]bool{}); model != nil {
		f, err := neutral.Of(r.Schema, r.Root)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			if err := f.Parse(line, reflect.New(model).Interface()); err != nil {
				t.Fatalf("%v\nin %s", err, line)
			}
		}
	}
	if r.BadCount == 0 {
		o := r.options
		o.Schema, o.Overrules = again, nil
		given, err := JSON(r.sources, o)
		if err != nil {
			t.Fatalf("with the schema given: %v\nof %s\nby %s", err, sample, form)
		}
		for i, line := range write(t, given) {
			if string(line) != string(lines[i]) {
				t.Fatalf("with the schema given:\n%s\n%s", line, lines[i])
			}
		}
	}
}

func write(t *testing.T, r *Result) [][]byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(b.Bytes(), []byte("\n"))
	return lines[:len(lines)-1]
}

func parse(t *testing.T, line []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Fatalf("more than one value in %s", line)
	}
	return v
}

// converted returns the lines that are written, and the records from which they were made.
func converted(t *testing.T, r *Result) (lines [][]byte, records []any) {
	t.Helper()
	lines = write(t, r)
	_, err := r.convert(func(rec Record, line []byte) error {
		if i := len(records); i >= len(lines) || string(lines[i]) != string(line)+"\n" {
			t.Fatalf("line %d is written as another", i+1)
		}
		records = append(records, parse(t, rec.Raw))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != len(lines) {
		t.Fatalf("%d records and %d lines", len(records), len(lines))
	}
	return lines, records
}

// An oracle checks that a value of the sample became the right neutral value. It shares no code with
// the converter.
type oracle struct{ *Result }

func (o oracle) same(t schema.Type, jsonText bool, in, out any) error {
	bad := func() error { return fmt.Errorf("%v became %v, a %s", in, out, text.FormatType(t)) }
	if out == nil {
		if in == nil && (t.Optional || t.Elem != nil || o.bare(t)) {
			return nil
		}
		if in == "" && (t.Optional && t.Kind == schema.MessageKind || t.Elem != nil || o.bare(t)) {
			return nil
		}
		if l, ok := in.([]any); ok && len(l) == 0 && o.forObjects(t) {
			return nil
		}
		return bad()
	}
	if jsonText && t.Kind == schema.String {
		s, ok := out.(string)
		var back any
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		if !ok || d.Decode(&back) != nil || !reflect.DeepEqual(in, back) {
			return bad()
		}
		return nil
	}
	ok := false
	switch t.Kind {
	case schema.MessageKind:
		return o.sameMessage(o.Schema.Message(t.Ref), in, out)
	case schema.List:
		a, ok1 := in.([]any)
		b, ok2 := out.([]any)
		if !ok1 || !ok2 || len(a) != len(b) {
			return bad()
		}
		for i := range a {
			if err := o.same(*t.Elem, jsonText, a[i], b[i]); err != nil {
				return err
			}
		}
		return nil
	case schema.Map:
		b, ok2 := out.(map[string]any)
		if l, ok := in.([]any); ok && len(l) == 0 && ok2 && len(b) == 0 {
			return nil
		}
		a, ok1 := in.(map[string]any)
		if !ok1 || !ok2 || len(a) != len(b) {
			return bad()
		}
		for k := range a {
			if _, ok := b[k]; !ok {
				return fmt.Errorf("the key %q of a map is gone", k)
			}
			if err := o.same(*t.Elem, jsonText, a[k], b[k]); err != nil {
				return err
			}
		}
		return nil
	case schema.Bool, schema.String, schema.Int64, schema.Uint64:
		ok = in == out
	case schema.Float64:
		a, err1 := strconv.ParseFloat(fmt.Sprint(in), 64)
		b, err2 := strconv.ParseFloat(fmt.Sprint(out), 64)
		exact, isRat := new(big.Rat).SetString(fmt.Sprint(in))
		_, isNumber := out.(json.Number)
		ok = isNumber && err1 == nil && err2 == nil && a == b && isRat && (a != 0 || exact.Sign() == 0)
	case schema.Timestamp:
		a, err1 := time.Parse(time.RFC3339Nano, fmt.Sprint(in))
		ok = err1 == nil && sameTime(a, out)
	}
	if !ok {
		return bad()
	}
	return nil
}

func sameTime(a time.Time, out any) bool {
	_, zone := a.Zone()
	if m, ok := out.(map[string]any); ok {
		return fmt.Sprintf("%v %v %v", m["unix"], m["nanos"], m["offset"]) == fmt.Sprintf("%v %v %v", a.Unix(), a.Nanosecond(), zone)
	}
	b, err := time.Parse(time.RFC3339Nano, fmt.Sprint(out))
	_, other := b.Zone()
	return err == nil && a.Equal(b) && zone == other
}

func (o oracle) bare(t schema.Type) bool {
	return t.Kind == schema.MessageKind && o.Schema.Message(t.Ref).Bare
}

// forObjects reports whether an empty list among the values of a type stands for an absent value,
// because the values are objects or rows, or for an empty map.
func (o oracle) forObjects(t schema.Type) bool {
	if t.Kind != schema.MessageKind {
		return false
	}
	m := o.Schema.Message(t.Ref)
	return t.Optional && !m.Bare && !m.Wraps && !m.ByKind()
}

// field is same for a field. JSON may have a list of one element without brackets.
func (o oracle) field(f *schema.Field, in, out any) error {
	if f.OneOrMany && in != nil {
		list, isList := in.([]any)
		if isList && len(list) == 1 {
			return fmt.Errorf("%v would lose its brackets", in)
		}
		if !isList {
			in = []any{in}
		}
	}
	return o.same(f.Type, f.JSONText, in, out)
}

func (o oracle) sameMessage(m *schema.Message, in, out any) error {
	if m.Bare {
		return o.field(m.Fields[0], in, out)
	}
	b, ok := out.(map[string]any)
	if !ok || len(b) != len(m.Fields) {
		return fmt.Errorf("%v is no %s", out, m.Name)
	}
	if m.Wraps {
		return o.field(m.Fields[0], in, b[m.Fields[0].TextName()])
	}
	if m.Union && m.Tag == "" && m.Fields[len(m.Fields)-1].When == nil && m.Fields[0].When == nil {
		return o.sameKind(m, in, b)
	}
	if m.Union {
		return o.sameUnion(m, in, b)
	}
	a, ok := in.(map[string]any)
	if list, isList := in.([]any); isList && m.Row && len(list) == len(m.Fields) {
		a, ok = map[string]any{}, true
		for i, v := range list {
			a[o.keys[m.Name][i]] = v
		}
	}
	if !ok {
		return fmt.Errorf("%v became a %s", in, m.Name)
	}
	rest := map[string]any{}
	for k, v := range a {
		rest[k] = v
	}
	for i, f := range m.Fields {
		key := o.keys[m.Name][i]
		v, there := b[f.TextName()]
		if !there {
			return fmt.Errorf("%s.%s is not written", m.Name, f.Name)
		}
		if err := o.field(f, a[key], v); err != nil {
			return fmt.Errorf("%s.%s: %w", m.Name, f.Name, err)
		}
		delete(rest, key)
	}
	for k, v := range rest {
		return fmt.Errorf("%s lost the key %q and its value %v", m.Name, k, v)
	}
	return nil
}

// variant returns the variant of a union that is set, and its value. The error says that not exactly
// one is set.
func variant(m *schema.Message, out map[string]any) (f *schema.Field, v any, err error) {
	set := 0
	for _, of := range m.Fields {
		if got := out[of.TextName()]; got != nil {
			f, v = of, got
			set++
		}
	}
	if set != 1 {
		return nil, nil, fmt.Errorf("%d variants of %s are set", set, m.Name)
	}
	return f, v, nil
}

// sameKind checks that one variant is set, and that it is the one for the value's kind in JSON.
func (o oracle) sameKind(m *schema.Message, in any, out map[string]any) error {
	f, v, err := variant(m, out)
	if err != nil {
		return err
	}
	ok, of := false, o.Schema.Message(f.Type.Ref)
	switch in.(type) {
	case string:
		ok = f.Type.Kind == schema.String
	case json.Number:
		ok = slices.Contains([]schema.Kind{schema.Int64, schema.Uint64, schema.Float64}, f.Type.Kind)
	case bool:
		ok = f.Type.Kind == schema.Bool
	case []any:
		ok = of != nil && of.Bare && of.Fields[0].Type.Kind == schema.List
	case map[string]any:
		ok = of != nil && !of.Union && (!of.Bare || of.Fields[0].Type.Kind == schema.Map)
	}
	if !ok {
		return fmt.Errorf("%v became %s, a %s", in, f.Name, text.FormatType(f.Type))
	}
	return o.field(f, in, v)
}

// sameUnion checks that one variant is set, and that the object's text or keys tell that variant.
func (o oracle) sameUnion(m *schema.Message, in any, out map[string]any) error {
	object, ok := in.(map[string]any)
	if !ok {
		return fmt.Errorf("%v became a %s", in, m.Name)
	}
	f, v, err := variant(m, out)
	if err != nil {
		return err
	}
	for _, before := range m.Fields {
		if before == f {
			break
		}
		if m.Tag == "" {
			if _, there := object[before.When[0]]; there {
				return fmt.Errorf("%v became %s, and has the key of %s", in, f.Name, before.Name)
			}
		}
	}
	if text, _ := object[m.Tag].(string); m.Tag != "" && !slices.Contains(f.When, text) {
		return fmt.Errorf("%v became %s", in, f.Name)
	}
	if len(f.When) > 0 && m.Tag == "" && object[f.When[0]] == nil {
		return fmt.Errorf("%v became %s", in, f.Name)
	}
	return o.sameMessage(o.Schema.Message(f.Type.Ref), in, v)
}

// goType returns the model type of a type, or nil if the type contains itself.
func goType(s *schema.Schema, t schema.Type, open map[string]bool) (out reflect.Type) {
	switch t.Kind {
	case schema.List:
		if elem := goType(s, *t.Elem, open); elem != nil {
			return reflect.SliceOf(elem)
		}
		return nil
	case schema.Map:
		key := map[schema.Kind]reflect.Type{schema.String: reflect.TypeFor[string](), schema.Int64: reflect.TypeFor[int64]()}[t.Key]
		if elem := goType(s, *t.Elem, open); elem != nil && key != nil {
			return reflect.MapOf(key, elem)
		}
		return nil
	case schema.MessageKind:
		if open[t.Ref] {
			return nil
		}
		open[t.Ref] = true
		defer delete(open, t.Ref)
		m := s.Message(t.Ref)
		var fields []reflect.StructField
		for _, f := range m.Fields {
			typ := goType(s, f.Type, open)
			if typ == nil {
				return nil
			}
			fields = append(fields, reflect.StructField{Name: schema.GoName(f.Name), Type: typ})
		}
		if m.Bare {
			out = fields[0].Type
		} else {
			out = reflect.StructOf(fields)
		}
	default:
		out = map[schema.Kind]reflect.Type{
			schema.Bool: reflect.TypeFor[bool](), schema.Int64: reflect.TypeFor[int64](), schema.Uint64: reflect.TypeFor[uint64](),
			schema.Int32: reflect.TypeFor[int32](), schema.Float32: reflect.TypeFor[float32](), schema.Uint32: reflect.TypeFor[uint32](),
			schema.Float64: reflect.TypeFor[float64](), schema.String: reflect.TypeFor[string](), schema.Bytes: reflect.TypeFor[[]byte](),
			schema.Timestamp: reflect.TypeFor[time.Time](), schema.Duration: reflect.TypeFor[time.Duration](), schema.EnumKind: reflect.TypeFor[int32](),
		}[t.Kind]
	}
	if t.Optional {
		out = reflect.PointerTo(out)
	}
	return out
}
