// Package avsc is shared by the contenders of Avro: it has the Avro schema, and the Go types
// with which Avro libraries encode and decode it.
//
// A union message is a record with an optional field for each variant. Avro has unions of
// records, but twmb/avro decodes them into map[string]any only, and all Avro libraries here
// must share one schema to read one another's messages.
package avsc

import (
	"strconv"
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/schema"
)

// Style returns the style of the Go types that fit the Avro schema of s. A uint64 is an int64
// with the same bits, and a time is an int64 of nanoseconds since 1970, because Avro has no
// such types. A map is a list of entries unless its keys are strings.
func Style(s *schema.Schema) *emit.Style {
	return &emit.Style{
		Entries:    s,
		StringMaps: true,
		Leaf: map[schema.Kind]emit.Leaf{
			schema.Uint64:    {Go: "int64", From: "int64(%)", To: "uint64(%)", Sum: "workload.LeafInt(uint64(%))"},
			schema.Timestamp: {Go: "int64", From: "(%).UnixNano()", To: "time.Unix(0, %).UTC()"},
		},
	}
}

// Types writes the Go types, and for each root R the variable schemaR: the result of calling
// parse, the name of a Go function, with the text of the root's schema.
func Types(req contender.Request, out *emit.Source, st *emit.Style, parse string) error {
	st.Types(out, req.Schema, tag, [2]string{`avro:"key"`, `avro:"value"`})
	out.P("var (")
	for _, root := range req.Schema.Roots {
		text, err := Schema(req.Schema, root)
		if err != nil {
			return err
		}
		out.P("schema%s = %s(%s)", root, parse, "`"+text+"`")
	}
	out.P(")\n")
	return nil
}

func tag(_ *schema.Message, f *schema.Field) string {
	return `avro:"` + f.Name + `"`
}

// Schema returns the Avro schema of a root in JSON. As the specification demands, every record
// is defined at its first use and referred to by name afterwards. A bare message is an array or
// map without a name, so it must not contain itself, except in a record, which has a name.
func Schema(s *schema.Schema, root string) (string, error) {
	w := &writer{schema: s, defined: map[string]bool{}, open: map[string]bool{}}
	if err := w.message(s.Message(root)); err != nil {
		return "", err
	}
	return w.String(), nil
}

// A writer builds the text of one schema.
type writer struct {
	strings.Builder
	schema  *schema.Schema
	defined map[string]bool // the records that have a definition
	open    map[string]bool // the bare messages that are being written, within one record
}

func (w *writer) message(m *schema.Message) error {
	if m.Bare {
		if w.open[m.Name] {
			return &contender.Unsupported{
				Field:  m.Name + "." + m.Fields[0].Name,
				Reason: "Avro arrays and maps have no names, so they cannot contain themselves",
			}
		}
		w.open[m.Name] = true
		defer delete(w.open, m.Name)
		return w.value(m, m.Fields[0], m.Fields[0].Type)
	}
	if w.defined[m.Name] {
		w.WriteString(strconv.Quote(m.Name))
		return nil
	}
	defer w.begin(m.Name)()
	for i, f := range m.Fields {
		w.field(i, f.Name)
		if f.Type.Optional {
			w.WriteString(`["null", `)
		}
		if err := w.value(m, f, f.Type); err != nil {
			return err
		}
		if f.Type.Optional {
			// Readers with this schema can then read data of writers without the field.
			w.WriteString(`], "default": null`)
		}
		w.WriteString("}")
	}
	w.WriteString("]}")
	return nil
}

// begin begins the definition of a record. It returns a function that is to be called at its end.
func (w *writer) begin(name string) (end func()) {
	w.defined[name] = true
	open := w.open
	w.open = map[string]bool{}
	w.WriteString(`{"type": "record", "name": ` + strconv.Quote(name) + `, "fields": [`)
	return func() { w.open = open }
}

// field begins field i of a record.
func (w *writer) field(i int, name string) {
	if i > 0 {
		w.WriteString(",")
	}
	w.WriteString("\n" + `{"name": ` + strconv.Quote(name) + `, "type": `)
}

var names = map[schema.Kind]string{
	schema.Bool: `"boolean"`, schema.Int32: `"int"`, schema.Int64: `"long"`,
	schema.Uint32: `"long"`, schema.Uint64: `"long"`, schema.EnumKind: `"int"`,
	schema.Float32: `"float"`, schema.Float64: `"double"`,
	schema.String: `"string"`, schema.Bytes: `"bytes"`,
	schema.Timestamp: `{"type": "long", "logicalType": "timestamp-nanos"}`, schema.Duration: `"long"`,
}

// value writes the type of a value that is present.
func (w *writer) value(m *schema.Message, f *schema.Field, t schema.Type) error {
	switch {
	case t.Kind == schema.MessageKind:
		return w.message(w.schema.Message(t.Ref))
	case t.Kind == schema.List:
		w.WriteString(`{"type": "array", "items": `)
	case t.Kind == schema.Map && t.Key == schema.String:
		w.WriteString(`{"type": "map", "values": `)
	case t.Kind == schema.Map:
		entry := emit.EntryName(w.schema, m, f)
		w.WriteString(`{"type": "array", "items": `)
		if w.defined[entry] {
			w.WriteString(strconv.Quote(entry) + "}")
			return nil
		}
		defer w.begin(entry)()
		w.field(0, "key")
		w.WriteString(names[t.Key] + "}")
		w.field(1, "value")
		if err := w.value(m, f, *t.Elem); err != nil {
			return err
		}
		w.WriteString("}]}}")
		return nil
	default:
		w.WriteString(names[t.Kind])
		return nil
	}
	if err := w.value(m, f, *t.Elem); err != nil {
		return err
	}
	w.WriteString("}")
	return nil
}
