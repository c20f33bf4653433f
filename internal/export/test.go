package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"slices"
	"strings"
	"text/template"

	"assay/contender"
	"assay/schema"
)

// recordsFile is the file of the records that the tests read, in testdata.
const recordsFile = "records.jsonl"

// document returns doc.go.
func document(o Options, c *contender.Contender) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Package %s encodes and decodes %s as %s, by %s.\n//\n%s\n", c.Dir(), o.Root, c.Format, c.Name, comment(c.Text))
	if len(c.Losses) > 0 {
		b.WriteString("//\n// What a round trip is known to lose:\n")
		for _, l := range c.Losses {
			fmt.Fprintf(&b, "//   - %s\n", contender.LossText[l])
		}
	}
	if slices.Contains(c.Traits, contender.Panics) {
		b.WriteString("//\n// Damaged input can make it panic: recover where bytes are not your own.\n")
	}
	fmt.Fprintf(&b, "package %s\n", c.Dir())
	return format.Source(b.Bytes())
}

// comment returns a text as the lines of a comment.
func comment(text string) string {
	const width = 80
	var b strings.Builder
	line := "//"
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > width && line != "//" {
			b.WriteString(line + "\n")
			line = "//"
		}
		line += " " + word
	}
	return b.String() + line
}

// testFile returns codec_test.go. Own says that the package has types of its own.
func testFile(o Options, c *contender.Contender, own bool) ([]byte, error) {
	has := func(l contender.Loss) bool { return slices.Contains(c.Losses, l) }
	within := "0"
	switch {
	case has(contender.TimeMillis):
		within = "time.Millisecond"
	case has(contender.TimeMicros):
		within = "time.Microsecond"
	}
	var b bytes.Buffer
	err := testTemplate.Execute(&b, map[string]any{
		"Package": c.Dir(), "Model": o.Module + "/model", "Root": o.Root, "Own": own,
		"Within": within, "File": "../testdata/" + recordsFile, "ZeroNil": has(contender.ZeroPointer),
	})
	if err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}

var testTemplate = template.Must(template.New("").Parse(`package {{.Package}}

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"reflect"
	"testing"
	"time"

	{{printf "%q" .Model}}
)

// What is encoded and decoded comes back. Nil and empty are alike, and so are
// times of one instant.
func TestRoundTrip(t *testing.T) {
	f, err := os.Open({{printf "%q" .File}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := json.NewDecoder(f)
	for n := 1; ; n++ {
		in := new(model.{{.Root}})
		if err := d.Decode(in); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("record %d: %v", n, err)
		}
		data, err := Marshal{{.Root}}({{if .Own}}{{.Root}}FromModel(in){{else}}in{{end}})
		if err != nil {
			t.Fatalf("record %d: %v", n, err)
		}
		v, err := Unmarshal{{.Root}}(data)
		if err != nil {
			t.Fatalf("record %d: %v", n, err)
		}
		out := {{if .Own}}{{.Root}}ToModel(v){{else}}v{{end}}
		if !same(reflect.ValueOf(in), reflect.ValueOf(out)) {
			t.Errorf("record %d comes back as %+v, was %+v", n, out, in)
		}
	}
}

// within is how far times may be apart.
const within time.Duration = {{.Within}}

func same(a, b reflect.Value) bool {
	if t, ok := a.Interface().(time.Time); ok {
		return t.Sub(b.Interface().(time.Time)).Abs() <= within
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil(){{if .ZeroNil}} || a.IsNil() && b.Elem().IsZero() || b.IsNil() && a.Elem().IsZero(){{end}}
		}
		return same(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() {
			return false
		}
		for _, key := range a.MapKeys() {
			if v := b.MapIndex(key); !v.IsValid() || !same(a.MapIndex(key), v) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}
`))

// example returns a value of a type as JSON has it: small, with an element in
// every list and map. In are the messages that it is in, where they must not be
// again.
func (o Options) example(t schema.Type, in []string) any {
	switch t.Kind {
	case schema.Bool:
		return true
	case schema.Int32, schema.Int64, schema.Uint32, schema.Uint64:
		return 42
	case schema.Duration:
		return 1_500_000_000 // nanoseconds
	case schema.Float32, schema.Float64:
		return 1.5
	case schema.String:
		return "text"
	case schema.Bytes:
		return []byte("bytes")
	case schema.Timestamp:
		return "2020-02-02T20:20:02Z"
	case schema.EnumKind:
		// Some contenders lose values below zero.
		greatest := int32(0)
		for _, v := range o.Schema.Enum(t.Ref).Values {
			greatest = max(greatest, v.Number)
		}
		return greatest
	case schema.List:
		if t.Elem.Kind == schema.MessageKind && slices.Contains(in, t.Elem.Ref) {
			return nil
		}
		return []any{o.example(*t.Elem, in)}
	case schema.Map:
		if t.Elem.Kind == schema.MessageKind && slices.Contains(in, t.Elem.Ref) {
			return nil
		}
		key := "7"
		if t.Key == schema.String {
			key = "key"
		}
		return map[string]any{key: o.example(*t.Elem, in)}
	}
	if slices.Contains(in, t.Ref) {
		return nil // it is optional, or it could not end
	}
	in = append(slices.Clone(in), t.Ref)
	m := o.Schema.Message(t.Ref)
	if m.Bare {
		return o.example(m.Fields[0].Type, in)
	}
	v := map[string]any{}
	for _, f := range m.Fields {
		v[f.TextName()] = o.example(f.Type, in)
		if f.JSONText {
			v[f.TextName()] = jsonTexts(v[f.TextName()])
		}
	}
	return v
}

// jsonTexts puts the text of a JSON value in the place of each string.
func jsonTexts(v any) any {
	const text = `{"json":["<text>",1.50]}`
	switch v := v.(type) {
	case []any:
		return []any{text}
	case map[string]any:
		for key := range v {
			v[key] = text
		}
		return v
	}
	return text
}

// readable says whether encoding/json reads a record into the model: the neutral
// form has objects for strings that are not UTF-8 and times that RFC 3339 cannot
// hold, and strings for floats that JSON has no numbers for.
func (o Options) readable(record []byte) bool {
	d := json.NewDecoder(bytes.NewReader(record))
	d.UseNumber()
	var v any
	return d.Decode(&v) == nil && o.plain(schema.Type{Kind: schema.MessageKind, Ref: o.Root}, v)
}

func (o Options) plain(t schema.Type, v any) bool {
	if v == nil {
		return true
	}
	switch t.Kind {
	case schema.String, schema.Timestamp:
		_, ok := v.(string)
		return ok
	case schema.Float32, schema.Float64:
		_, ok := v.(json.Number)
		return ok
	case schema.List:
		list, _ := v.([]any)
		return !slices.ContainsFunc(list, func(v any) bool { return !o.plain(*t.Elem, v) })
	case schema.Map:
		entries, _ := v.(map[string]any)
		for _, v := range entries {
			if !o.plain(*t.Elem, v) {
				return false
			}
		}
	case schema.MessageKind:
		m := o.Schema.Message(t.Ref)
		if m.Bare {
			return o.plain(m.Fields[0].Type, v)
		}
		object, _ := v.(map[string]any)
		for _, f := range m.Fields {
			if !o.plain(f.Type, object[f.TextName()]) {
				return false
			}
		}
	}
	return true
}
