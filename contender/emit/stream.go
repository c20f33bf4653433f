package emit

import (
	"fmt"
	"strings"

	"assay/contender"
)

// A Stream says how a contender writes messages to a file one after another and reads them
// back. It consists of the statements of the methods of a codec c.
//
// In all statements, $T, $M and $R are as in Usage. c has the fields of Fields and
//
//	w   *bufio.Writer  the destination
//	r   *bufio.Reader  the source
//	buf []byte         free for use; it is kept from message to message
//
// Statements report failure by setting err.
type Stream struct {
	// Fields are additional fields of the codec.
	Fields string
	// Create runs before the first message is written to c.w.
	Create string
	// Write writes the message in, a *$T.
	Write string
	// Close runs after the last message. It writes the data that the library still holds.
	Close string
	// Open runs before the first message is read from c.r.
	Open string
	// OpenAt, unless it is empty, replaces Open. It has c.f, an io.ReaderAt, and its length
	// c.size instead of c.r.
	OpenAt string
	// Read sets v, a *$T that is nil before, to the next message, which must not share memory
	// with later messages. At the end it sets err to io.EOF.
	Read string
	// Imports are import paths that the statements need, and Named maps import paths to the
	// names that they are imported under.
	Imports []string
	Named   map[string]string
}

// Delimited returns the stream of a protobuf library without functions for streams: the length
// of each message precedes it as a varint, as with writeDelimitedTo of other languages. Marshal
// sets c.buf to the encoding of in, and unmarshal decodes data into v.
func Delimited(marshal, unmarshal string) *Stream {
	return &Stream{
		Write: marshal + "\nif err == nil {\nerr = bench.WriteDelimited(c.w, c.buf)\n}",
		Read: "var data []byte\nif data, err = bench.ReadDelimited(c.r, c.buf); err == nil {\nc.buf = data\nv = new($T)\n" +
			unmarshal + "\n}",
		Imports: []string{"slices"},
	}
}

// Coders returns the stream of a library with an encoder and a decoder for many messages. Enc
// and dec are their types. Create and open are the expressions that make them from c.w and c.r.
// The decoder must return io.EOF at the end.
func Coders(enc, create, dec, open string) *Stream {
	return &Stream{
		Fields: "enc " + enc + "\ndec " + dec,
		Create: "c.enc = " + create,
		Write:  "err = c.enc.Encode(in)",
		Open:   "c.dec = " + open,
		Read:   "v = new($T)\nerr = c.dec.Decode(v)",
	}
}

// streams returns bind.go with the streams of every root and their list, Streams.
func (b *Binder) streams(req contender.Request) (contender.File, error) {
	if b.Stream == nil || b.Fallible {
		return contender.File{}, &contender.Unsupported{Field: req.Schema.Roots[0], Reason: req.Contender + " has no streams"}
	}
	out := NewSource(req.Package, "assay")
	out.ImportAs("model", req.Model)
	out.Import("bufio", "fmt", "io", "assay/bench")
	out.Import(b.Imports...)
	out.Import(b.Stream.Imports...)
	for _, named := range []map[string]string{b.Named, b.Stream.Named} {
		for path, name := range named {
			out.ImportAs(name, path)
		}
	}
	out.P("// Streams are how %s writes and reads messages of %s in turn.", req.Contender, req.Schema.Name)
	out.P("var Streams = []bench.StreamBinding{")
	for _, root := range req.Schema.Roots {
		out.P("{Contender: %q, Workload: %q, Root: %q, New: newStream%s},", req.Contender, req.Schema.Name, root, root)
	}
	out.P("}\n")
	for _, root := range req.Schema.Roots {
		b.stream(out, root)
	}
	data, err := out.Bytes()
	return contender.File{Name: "bind.go", Data: data}, err
}

// stream writes the codec of one root.
func (b *Binder) stream(out *Source, root string) {
	s, name := b.Stream, "stream"+root
	sub := strings.NewReplacer("$T", b.typeOf(root), "$M", "model."+root, "$R", root)
	write := func(text string, args ...any) { out.P("%s", sub.Replace(fmt.Sprintf(text, args...))) }

	reader, open := "r *bufio.Reader", "Open: c.open"
	if s.OpenAt != "" {
		reader, open = "f io.ReaderAt\nsize int64", "OpenAt: c.open"
	}
	write("type %s struct {\nin, v []*$T\nw *bufio.Writer\n%s\nbuf []byte\n%s\n}\n", name, reader, s.Fields)
	write("func newStream$R() *bench.StreamCodec {\nc := new(%s)\nreturn &bench.StreamCodec{\n"+
		"Fill: c.fill, Create: c.create, Write: c.write, Close: c.close, %s, Read: c.read, Value: c.value,\n}\n}\n", name, open)

	write("func (c *%s) fill(values any) error {\nsrc, ok := values.([]$M)\nif !ok {\nreturn fmt.Errorf(\"values are %%T, want []$M\", values)\n}", name)
	write("clear(c.in)\nc.in = c.in[:0]\nfor i := range src {")
	if b.Direct {
		write("c.in = append(c.in, &src[i])")
	} else {
		write("own := new($T)\nfrom$R(own, &src[i])\nc.in = append(c.in, own)")
	}
	write("}\nreturn nil\n}\n")

	write("func (c *%s) create(w *bufio.Writer) (err error) {\nc.w = w\n%s\nreturn err\n}\n", name, s.Create)
	write("func (c *%s) write() (err error) {\nfor _, in := range c.in {\n%s\nif err != nil {\nreturn err\n}\n}\nreturn nil\n}\n", name, s.Write)
	write("func (c *%s) close() (err error) {\n%s\nreturn err\n}\n", name, s.Close)
	if s.OpenAt != "" {
		write("func (c *%s) open(f io.ReaderAt, size int64) (err error) {\nc.f, c.size = f, size\n%s\nreturn err\n}\n", name, s.OpenAt)
	} else {
		write("func (c *%s) open(r *bufio.Reader) (err error) {\nc.r = r\n%s\nreturn err\n}\n", name, s.Open)
	}
	write("func (c *%s) read(n int) (int, error) {\nclear(c.v)\nc.v = c.v[:0]\nfor range n {\nvar v *$T\nvar err error\n%s\n"+
		"if err != nil {\nreturn len(c.v), err\n}\nc.v = append(c.v, v)\n}\nreturn len(c.v), nil\n}\n", name, s.Read)
	if b.Direct {
		write("func (c *%s) value(i int) any { return c.v[i] }\n", name)
	} else {
		write("func (c *%s) value(i int) any {\nm := new($M)\nto$R(m, c.v[i])\nreturn m\n}\n", name)
	}
}
