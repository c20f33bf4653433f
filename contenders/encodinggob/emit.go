package encodinggob

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	if field := mutual(req.Schema); field != "" {
		return contender.Output{}, &contender.Unsupported{
			Field: field, Reason: "encoding/gob takes a map for another type than it is, or panics, when the map contains itself through another list or map",
		}
	}
	style := &emit.Style{}
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, noTag, [2]string{})
	types.P(emit.MessageReader)
	types.Import("io")
	binder := &emit.Binder{
		Stream:  emit.Coders("*gob.Encoder", "gob.NewEncoder(c.w)", "*gob.Decoder", "gob.NewDecoder(c.r)"),
		Imports: []string{"bytes", "encoding/gob"},
		Usages: []emit.Usage{
			{
				Encode: "var buf bytes.Buffer\nerr = gob.NewEncoder(&buf).Encode(in[i])\nout = buf.Bytes()",
				Decode: "v = new($T)\nerr = gob.NewDecoder(bytes.NewReader(data)).Decode(v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer",
				Encode: "c.buf.Reset()\nerr = gob.NewEncoder(&c.buf).Encode(in[i])\nout = c.buf.Bytes()",
			},
			{
				Mode:   "output=reuse,session=stream",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Fields: "buf bytes.Buffer\nenc *gob.Encoder\nr messageReader\ndec *gob.Decoder",
				// The first message of a stream carries the types. Start writes and reads it
				// once, so that all timed messages are like later ones.
				Start: `c.enc = gob.NewEncoder(&c.buf)
if err := c.enc.Encode(c.in[0]); err != nil {
	return nil, err
}
c.r.data = bytes.Clone(c.buf.Bytes())
c.dec = gob.NewDecoder(&c.r)
if err := c.dec.Decode(new($T)); err != nil {
	return nil, err
}`,
				Encode: "c.buf.Reset()\nerr = c.enc.Encode(in[i])\nout = c.buf.Bytes()",
				Decode: "c.r.data = data\nv = new($T)\nerr = c.dec.Decode(v)",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}

func noTag(*schema.Message, *schema.Field) string { return "" }

// mutual names the field of a map whose elements are lists or maps that contain the map again,
// directly or inside structs. It is empty if there is none. Gob can hold a map of itself, and
// lists of one another.
func mutual(s *schema.Schema) (field string) {
	for _, m := range s.Messages {
		for _, f := range m.Fields {
			if f.Type.Kind != schema.Map {
				continue
			}
			elem := s.Message(f.Type.Elem.Ref)
			if elem != nil && elem.Bare && elem != m && holds(s, elem, m, map[*schema.Message]bool{}) {
				return m.Name + "." + f.Name
			}
		}
	}
	return ""
}

// holds reports whether a message contains another one at any depth.
func holds(s *schema.Schema, m, inner *schema.Message, seen map[*schema.Message]bool) bool {
	if seen[m] {
		return false
	}
	seen[m] = true
	for _, f := range m.Fields {
		t := f.Type
		if t.Elem != nil {
			t = *t.Elem
		}
		if next := s.Message(t.Ref); next != nil && (next == inner || holds(s, next, inner, seen)) {
			return true
		}
	}
	return false
}
