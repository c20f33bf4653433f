package export

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"assay/schema"
)

// The files that the tests read, in testdata. exampleFile has a made-up record, and sampleFile
// the user's records, both in JSON that the model reads. messagesFile has the user's records as
// messages of their .proto file, in protobuf's binary form, each after its length. protoFile has
// them in protobuf's JSON.
const (
	exampleFile  = "example.ndjson"
	sampleFile   = "sample.ndjson"
	messagesFile = "messages.binpb"
	protoFile    = "messages.ndjson"
)

// testdata adds the records that the tests read. If there is no package, it adds only the user's
// records, with a test that the model reads them.
func (m *Module) testdata(o Options) error {
	isOwn := func(p Package) bool { return own(p.Contender) }
	others := slices.ContainsFunc(m.Packages, func(p Package) bool { return !isOwn(p) })
	if others {
		v, err := json.Marshal(o.example(schema.Type{Kind: schema.MessageKind, Ref: o.Root}, nil))
		if err != nil {
			return err
		}
		m.add(testdata+exampleFile, append(v, '\n'))
	}
	if others || len(m.Packages) == 0 {
		records := slices.DeleteFunc(slices.Clone(o.Records), func(r []byte) bool { return o.Neutral && !o.readable(r) })
		if err := m.lines(testdata+sampleFile, records); err != nil {
			return err
		}
		if len(m.Packages) == 0 && len(records) > 0 {
			if err := m.modelTest(o); err != nil {
				return err
			}
		}
	}
	if !slices.ContainsFunc(m.Packages, isOwn) {
		return nil
	}
	var framed []byte
	for _, data := range o.Messages {
		framed = append(binary.AppendUvarint(framed, uint64(len(data))), data...)
	}
	if len(o.Messages) > 0 {
		m.add(testdata+messagesFile, framed)
	}
	return m.lines(testdata+protoFile, o.ProtoJSON)
}

// lines adds a file with one JSON value on each line. It adds nothing if there are no values.
func (m *Module) lines(name string, values [][]byte) error {
	var out bytes.Buffer
	for _, v := range values {
		if err := json.Compact(&out, v); err != nil {
			return fmt.Errorf("a record for the tests: %w", err)
		}
		out.WriteByte('\n')
	}
	if out.Len() > 0 {
		m.add(name, out.Bytes())
	}
	return nil
}

// example returns a small value of a type in the form that JSON has, with an element in every
// list and map. in has the messages that contain the value. They must not occur again inside it.
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
		return nil // it is optional, because otherwise the value could not end
	}
	in = append(slices.Clone(in), t.Ref)
	m := o.Schema.Message(t.Ref)
	if m.Bare || m.Wraps {
		return o.exampleOf(m.Fields[0], in)
	}
	if m.Union {
		return o.variant(m, in)
	}
	v := map[string]any{}
	for _, f := range m.Fields {
		v[o.key(m, f)] = o.exampleOf(f, in)
	}
	return v
}

// variant returns an example of a union: the first variant for which one is possible.
func (o Options) variant(m *schema.Message, in []string) any {
	for _, f := range m.Fields {
		example := o.example(f.Type, in)
		if m.ByKind() && example != nil {
			return example
		}
		v, ok := example.(map[string]any)
		if !ok {
			continue // the variant is one of the messages that contain it
		}
		if m.Tag != "" {
			v[o.told(f, m.Tag)] = f.When[0]
		}
		return v
	}
	return nil
}

// exampleOf returns an example of a field. For a field with the text of a JSON value, it returns
// a JSON value.
func (o Options) exampleOf(f *schema.Field, in []string) any {
	t := f.Type
	if f.JSONText {
		value := map[string]any{"any": []any{1, "value"}}
		switch t.Kind {
		case schema.List:
			return []any{value}
		case schema.Map:
			return map[string]any{"7": value} // a key of any kind
		}
		return value
	}
	if f.As != "" {
		v := spelledExample(f.As)
		switch t.Kind {
		case schema.List:
			return []any{v}
		case schema.Map:
			return map[string]any{"7": v}
		}
		return v
	}
	return o.example(t, in)
}

// spelledExample returns a value with the spelling.
func spelledExample(as schema.Spelling) any {
	at := time.Date(2020, 2, 2, 20, 20, 2, 0, time.UTC)
	switch {
	case as.Number():
		return json.RawMessage(as.AppendTime(nil, at))
	case as.Kind() == schema.Timestamp:
		return string(as.AppendTime(nil, at))
	case as.Kind() == schema.Int64:
		return string(as.AppendInt(nil, 1250))
	}
	return string(as.AppendBytes(nil, []byte("sixteen bytes ok")))
}

// readable reports whether encoding/json can read a record into the model. The neutral form can
// have objects for strings that are not UTF-8 and for times outside RFC 3339, and strings for
// floats that are no JSON numbers.
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
