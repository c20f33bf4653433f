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
				// The first message of a stream carries the types. It is written and
				// read here, once, so that every message that is timed is like any
				// later one.
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

// mutual names the field of a map that contains itself without a struct in
// between, but with another list or map; empty: there is none. A map of nothing
// but itself, and lists of one another, gob can hold.
func mutual(s *schema.Schema) (field string) {
	next := func(m *schema.Message) *schema.Message { return s.Message(m.Fields[0].Type.Elem.Ref) }
	for _, m := range s.Messages {
		if !m.Bare || m.Fields[0].Type.Kind != schema.Map || next(m) == m {
			continue
		}
		at := next(m)
		for range s.Messages { // a way back is not longer
			if at == nil || !at.Bare || at == m {
				break
			}
			at = next(at)
		}
		if at == m {
			return m.Name + "." + m.Fields[0].Name
		}
	}
	return ""
}
