package emit

import (
	"strconv"
	"strings"

	"assay/result"
)

// numbered returns the name of something that a package has for a root in the usage with that index.
// The index is one character for up to 36 usages, because the eleventh of Order would otherwise be
// the first of a root Order1.
func numbered(what, root string, index int) string {
	return what + root + strconv.FormatInt(int64(index), 36)
}

// codec writes one codec type, its constructor and its batch loops.
func (b *Binder) codec(out *Source, root string, index int, u Usage) {
	c := codecWriter{
		b: b, u: u, out: out, name: numbered("codec", root, index), typ: b.typeOf(root), root: root, index: index,
		bound: map[result.Op]bool{},
	}
	c.sub = strings.NewReplacer("$T", c.typ, "$M", "model."+root, "$R", root)
	for _, op := range b.ops(u) {
		c.bound[op] = true
	}
	c.bound[result.Encode] = c.bound[result.Encode] || u.Borrows
	c.declare()
	c.construct()
	if c.bound[result.Encode] {
		c.encode()
		if !c.u.Prepared {
			c.fill()
		}
	}
	if c.reads() {
		out.P("func (c *%s) use(messages [][]byte) {\nc.messages, c.at = messages, 0", c.name)
		c.write(u.UseMessages)
		out.P("}\n")
	}
	if c.bound[result.Decode] {
		c.decode()
		c.decoded()
	}
	if c.bound[result.Open] {
		c.open()
	}
	if c.bound[result.Scan] {
		c.scan()
	}
	if c.bound[result.Convert] {
		c.convert()
	}
}

// A codecWriter writes the code of one codec type.
type codecWriter struct {
	b     *Binder
	u     Usage
	out   *Source
	name  string // of the codec's type
	typ   string // the contender's type for the root
	root  string
	index int
	bound map[result.Op]bool // the ops that get a batch loop
	sub   *strings.Replacer
}

// write writes a text after replacing $T, $M and $R by the contender's type, the model's type
// and the root's name. It writes nothing for an empty text.
func (c *codecWriter) write(text string) {
	if text != "" {
		c.out.P("%s", c.sub.Replace(text))
	}
}

// reads says whether an op of the codec reads messages.
func (c *codecWriter) reads() bool {
	return c.bound[result.Decode] || c.bound[result.Open] || c.bound[result.Scan]
}

// declare writes the codec's type.
func (c *codecWriter) declare() {
	c.out.P("type %s struct {", c.name)
	c.write("at int\nmodel []$M\nin []*" + c.held() + "\nmessages [][]byte")
	if c.u.Holds != "" {
		c.write("v " + c.u.Holds)
	} else {
		c.write("v *" + c.held())
	}
	c.write("out []byte\nback *$M")
	if c.bound[result.Open] {
		c.out.P("opened uint64 // keeps what op open read")
	}
	c.write(c.u.Fields)
	c.out.P("}\n")
}

// construct writes the function that makes a codec from values of the model.
func (c *codecWriter) construct() {
	out := c.out
	out.P("func %s(values any) (*bench.Codec, error) {", numbered("new", c.root, c.index))
	c.write("src, ok := values.([]$M)\nif !ok {\nreturn nil, fmt.Errorf(\"values are %T, want []$M\", values)\n}")
	c.write("c := &" + c.name + "{model: src, in: make([]*" + c.held() + ", len(src))}")
	out.P("for i := range src {")
	switch {
	case c.ofModel(): // a copy, because fill changes it
		c.write("c.in[i] = new($M)\n*c.in[i] = src[i]")
	case c.b.Fallible:
		c.write("c.in[i] = new($T)\nif err := from$R(c.in[i], &src[i]); err != nil {\nreturn nil, fmt.Errorf(\"input %d: %w\", i, err)\n}")
	default:
		c.write("c.in[i] = new($T)\nfrom$R(c.in[i], &src[i])")
	}
	out.P("}")
	c.write(c.u.Start)
	out.P("return &bench.Codec{\nSeek: func(i int) { c.at = i },")
	if c.bound[result.Encode] {
		out.P("Encode: c.encode,\nEncoded: func() []byte { return c.out },")
		if !c.u.Prepared {
			out.P("Fill: c.fill,")
		}
	}
	if c.u.Prepared {
		out.P("Placed: true,")
	}
	if c.u.Slack {
		out.P("Slack: true,")
	}
	if c.reads() {
		out.P("Use: c.use,")
	}
	if c.bound[result.Decode] {
		out.P("Decode: c.decode,\nDecoded: c.decoded,\nValue: func() any { return c.v },")
	}
	if c.bound[result.Open] {
		out.P("Open: c.open,")
	}
	if c.bound[result.Scan] {
		out.P("Scan: c.scan,")
	}
	if c.bound[result.Convert] {
		out.P("Convert: c.convert,\nConverted: func() any { return c.back },")
	}
	out.P("}, nil\n}\n")
}

// ofModel reports whether the inputs and the decoded values are values of the model.
func (c *codecWriter) ofModel() bool { return c.b.Direct || c.u.Program }

// held returns the type of the inputs and of the decoded values, as write replaces it.
func (c *codecWriter) held() string {
	if c.ofModel() {
		return "$M"
	}
	return "$T"
}

// encode writes the batch loop of op encode.
func (c *codecWriter) encode() {
	c.out.P("func (c *%s) encode(n int) (sum uint64, err error) {", c.name)
	c.out.P("in, i, out := c.in, c.at, c.out\nfor ; n > 0; n-- {")
	c.write(c.u.Encode)
	c.out.P("if err != nil {\nreturn sum, err\n}\nsum += uint64(len(out))\nif i++; i == len(in) {\ni = 0\n}\n}")
	c.out.P("c.at, c.out = i, out\nreturn sum, nil\n}\n")
}

// fill writes the method that sets the Go value of an input to another content. The method
// zeroes the value first, so that a root list or map stays nil if the content is nil.
func (c *codecWriter) fill() {
	c.out.P("func (c *%s) fill(i int, v any) error {", c.name)
	c.write("src, ok := v.(*$M)\nif !ok {\nreturn fmt.Errorf(\"value is a %T, want *$M\", v)\n}")
	switch {
	case c.ofModel():
		c.write("*c.in[i] = *src\nreturn nil\n}\n")
	case c.b.Fallible:
		c.write("*c.in[i] = *new($T)\nreturn from$R(c.in[i], src)\n}\n")
	default:
		c.write("*c.in[i] = *new($T)\nfrom$R(c.in[i], src)\nreturn nil\n}\n")
	}
}

// decode writes the batch loop of op decode.
func (c *codecWriter) decode() {
	c.out.P("func (c *%s) decode(n int) (sum uint64, err error) {", c.name)
	c.out.P("messages, i, v := c.messages, c.at, c.v\nfor ; n > 0; n-- {\ndata := messages[i]")
	c.write(c.u.Decode)
	c.out.P("if err != nil {\nreturn sum, err\n}\nsum++\nif i++; i == len(messages) {\ni = 0\n}\n}")
	c.out.P("c.at, c.v = i, v\nreturn sum, nil\n}\n")
}

// decoded writes the function that returns the last decoded value as a value of the model, for
// verification.
func (c *codecWriter) decoded() {
	c.out.P("func (c *%s) decoded() any {", c.name)
	switch {
	case c.u.Holds != "":
		c.write("v, m := c.v, new($M)\n" + c.u.Model + "\nreturn m\n}\n")
	case c.ofModel():
		c.out.P("return c.v\n}\n")
	case c.b.Fallible: // an empty model value fails verification
		c.write("m := new($M)\nif err := to$R(m, c.v); err != nil {\nfmt.Fprintln(os.Stderr, \"a decoded value cannot be compared:\", err)\nreturn new($M)\n}\nreturn m\n}\n")
	default:
		c.write("m := new($M)\nto$R(m, c.v)\nreturn m\n}\n")
	}
}

// open writes the batch loop of op open.
func (c *codecWriter) open() {
	c.out.P("func (c *%s) open(n int) (uint64, error) {", c.name)
	c.out.P("var sum, ops uint64\nmessages, i := c.messages, c.at\nfor ; n > 0; n-- {\ndata := messages[i]")
	c.write(c.u.Open)
	c.out.P("ops++\nif i++; i == len(messages) {\ni = 0\n}\n}")
	c.out.P("c.at, c.opened = i, sum\nreturn ops, nil\n}\n")
}

// scan writes the batch loop of op scan: the usage's own statements, or decoding and a walk
// over the leaves.
func (c *codecWriter) scan() {
	out := c.out
	out.P("func (c *%s) scan(n int) (sum uint64, err error) {", c.name)
	if c.u.Scan != "" {
		out.P("messages, i := c.messages, c.at\nfor ; n > 0; n-- {\ndata := messages[i]")
		c.write(c.u.Scan)
		out.P("if err != nil {\nreturn sum, err\n}")
	} else {
		out.P("messages, i, v := c.messages, c.at, c.v\nfor ; n > 0; n-- {\ndata := messages[i]")
		c.write(c.u.Decode)
		out.P("if err != nil {\nreturn sum, err\n}")
		if c.b.Direct {
			out.P("sum += v.LeafSum()")
		} else {
			c.write("sum += sum$R(v)")
		}
	}
	out.P("if i++; i == len(messages) {\ni = 0\n}\n}")
	if c.u.Scan != "" {
		out.P("c.at = i\nreturn sum, nil\n}\n")
	} else {
		out.P("c.at, c.v = i, v\nreturn sum, nil\n}\n")
	}
}

// convert writes the batch loop of op convert.
func (c *codecWriter) convert() {
	c.out.P("func (c *%s) convert(n int) (uint64, error) {", c.name)
	c.write("src, i := c.model, c.at\nvar back *$M\nvar ops uint64\nfor ; n > 0; n-- {\nown := new($T)\nfrom$R(own, &src[i])\nback = new($M)\nto$R(back, own)\nops++\nif i++; i == len(src) {\ni = 0\n}\n}")
	c.out.P("c.at, c.back = i, back\nreturn ops, nil\n}\n")
}
