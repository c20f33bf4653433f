package encodinggob

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	style := &emit.Style{}
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, noTag, [2]string{})
	types.P(reader)
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

// reader is a type of the generated package. It has ReadByte because a
// gob.Decoder puts a bufio.Reader before a reader that has not.
const reader = `
// A messageReader reads one message after another.
type messageReader struct{ data []byte }

func (r *messageReader) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.data)
	r.data = r.data[n:]
	return n, nil
}

func (r *messageReader) ReadByte() (byte, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b, nil
}`
