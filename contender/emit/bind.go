package emit

import (
	"fmt"
	"slices"
	"strings"

	"assay/contender"
	"assay/result"
	"assay/schema"
)

// A Usage is one mode of a contender, as the statements that its batch loops
// run for each operation.
//
// In all of them $T stands for the contender's own type of the root message,
// $M for the model's, $R for the root's name and c for the codec, whose fields
// are Fields' and
//
//	in       []*$T   the inputs, converted
//	model    []$M    the inputs
//	messages [][]byte
//	v        *$T     the last decoded value
//	out      []byte  the last encoded bytes
//
// Statements report failure by setting err.
type Usage struct {
	// Mode is the mode's key, empty for the default mode.
	Mode string
	// Fields are further fields of the codec struct.
	Fields string
	// Start is run once, after the inputs were converted.
	Start string
	// Encode sets out from in[i]. out holds the previous call's bytes, so a
	// mode that reuses its buffer starts from out[:0].
	Encode string
	// Decode sets v from data. v holds the previous call's value.
	Decode string
	// Open reads nothing but the root of data. It adds something of it to sum,
	// so that the call is not removed.
	Open string
	// Scan adds the sum of data's leaves to sum. Empty: it is Decode and a walk
	// over the decoded value.
	Scan string
	// UseMessages is run when the messages are set.
	UseMessages string
	// Only restricts the ops that are bound; nil binds all that have statements.
	Only []result.Op
	// Prepared says that what Encode writes was made of the inputs by Start, and that
	// Decode does not look at messages: see bench.Codec.Placed.
	Prepared bool
	// Borrows says that Encode is another library's and no op: it is there
	// because the contender only decodes and needs something to read.
	Borrows bool
}

// A Binder writes the bindings of a contender for every root of a schema.
type Binder struct {
	// Direct says that the contender has no type of its own: it encodes from
	// and decodes to the model, so $T is $M and there is no op convert.
	Direct bool
	// Fallible says that from$R and to$R return an error, because the types are
	// those of somebody else's schema, and that there is no sum$R. Ops convert and
	// scan are then bound only where a usage has statements for them.
	Fallible bool
	// TypeOf returns the contender's own type of a root as the package calls it;
	// nil: it is called as the root.
	TypeOf func(root string) string
	Usages []Usage
	// Imports are import paths that the statements need, and Named maps import
	// paths to the names they are imported under.
	Imports []string
	Named   map[string]string
}

// Write returns bind.go: one codec type for each root and usage, and Bindings,
// the list of them. For a package that stands alone it returns codec.go
// instead: functions that run the default mode's statements once.
func (b *Binder) Write(req contender.Request) (contender.File, error) {
	if req.Alone {
		return b.alone(req)
	}
	out := NewSource(req.Package, "assay")
	out.ImportAs("model", req.Model)
	out.Import("fmt", "os", "assay/bench", "assay/result")
	out.Import(b.Imports...)
	for path, name := range b.Named {
		out.ImportAs(name, path)
	}
	out.P("// Bindings are what %s can do with %s.", req.Contender, req.Schema.Name)
	out.P("var Bindings = []bench.Binding{")
	for _, root := range req.Schema.Roots {
		for i, u := range b.Usages {
			borrows := ""
			if u.Borrows {
				borrows = "Borrows: true, "
			}
			out.P("{Contender: %q, Workload: %q, Root: %q, Mode: %q, Ops: []result.Op{%s}, %sNew: new%s%d},",
				req.Contender, req.Schema.Name, root, u.Mode, opList(b.ops(u)), borrows, root, i)
		}
	}
	out.P("}\n")
	for _, root := range req.Schema.Roots {
		for i, u := range b.Usages {
			b.codec(out, req.Schema, root, i, u)
		}
	}
	data, err := out.Bytes()
	return contender.File{Name: "bind.go", Data: data}, err
}

// typeOf returns what $T stands for.
func (b *Binder) typeOf(root string) string {
	switch {
	case b.Direct:
		return "model." + root
	case b.TypeOf != nil:
		return b.TypeOf(root)
	}
	return root
}

// ops returns the ops that a usage binds, in the order of result.Ops.
func (b *Binder) ops(u Usage) []result.Op {
	has := map[result.Op]bool{
		result.Encode:  u.Encode != "" && !u.Borrows,
		result.Decode:  u.Decode != "",
		result.Open:    u.Open != "",
		result.Scan:    u.Scan != "" || u.Decode != "" && !b.Fallible,
		result.Convert: !b.Direct && !b.Fallible,
	}
	var ops []result.Op
	for _, op := range result.Ops {
		if has[op] && (u.Only == nil || slices.Contains(u.Only, op)) {
			ops = append(ops, op)
		}
	}
	return ops
}

func opList(ops []result.Op) string {
	names := make([]string, len(ops))
	for i, op := range ops {
		names[i] = "result." + strings.ToUpper(string(op[:1])) + string(op[1:])
	}
	return strings.Join(names, ", ")
}

// codec writes one codec type, its constructor and its batch loops.
func (b *Binder) codec(out *Source, s *schema.Schema, root string, index int, u Usage) {
	t := b.typeOf(root)
	name := fmt.Sprintf("codec%s%d", root, index)
	sub := strings.NewReplacer("$T", t, "$M", "model."+root, "$R", root)
	w := func(text string) {
		if text != "" {
			out.P("%s", sub.Replace(text))
		}
	}
	bound := map[result.Op]bool{}
	for _, op := range b.ops(u) {
		bound[op] = true
	}
	bound[result.Encode] = bound[result.Encode] || u.Borrows

	out.P("type %s struct {", name)
	w("at int\nmodel []$M\nin []*$T\nmessages [][]byte\nv *$T\nout []byte\nback *$M")
	if bound[result.Open] {
		out.P("opened uint64 // keeps what op open read")
	}
	w(u.Fields)
	out.P("}\n")

	out.P("func new%s%d(values any) (*bench.Codec, error) {", root, index)
	w("src, ok := values.([]$M)\nif !ok {\nreturn nil, fmt.Errorf(\"values are %T, want []$M\", values)\n}")
	out.P("c := &%s{model: src, in: make([]*%s, len(src))}", name, t)
	out.P("for i := range src {")
	switch {
	case b.Direct: // a copy, because fill changes it
		w("c.in[i] = new($T)\n*c.in[i] = src[i]")
	case b.Fallible:
		w("c.in[i] = new($T)\nif err := from$R(c.in[i], &src[i]); err != nil {\nreturn nil, fmt.Errorf(\"input %d: %w\", i, err)\n}")
	default:
		w("c.in[i] = new($T)\nfrom$R(c.in[i], &src[i])")
	}
	out.P("}")
	w(u.Start)
	out.P("return &bench.Codec{\nSeek: func(i int) { c.at = i },")
	if bound[result.Encode] {
		out.P("Encode: c.encode,\nEncoded: func() []byte { return c.out },")
		if !u.Prepared {
			out.P("Fill: c.fill,")
		}
	}
	if u.Prepared {
		out.P("Placed: true,")
	}
	if bound[result.Decode] || bound[result.Open] || bound[result.Scan] {
		out.P("Use: c.use,")
	}
	if bound[result.Decode] {
		out.P("Decode: c.decode,\nDecoded: c.decoded,\nValue: func() any { return c.v },")
	}
	if bound[result.Open] {
		out.P("Open: c.open,")
	}
	if bound[result.Scan] {
		out.P("Scan: c.scan,")
	}
	if bound[result.Convert] {
		out.P("Convert: c.convert,\nConverted: func() any { return c.back },")
	}
	out.P("}, nil\n}\n")

	if bound[result.Encode] {
		out.P("func (c *%s) encode(n int) (sum uint64, err error) {", name)
		out.P("in, i, out := c.in, c.at, c.out\nfor ; n > 0; n-- {")
		w(u.Encode)
		out.P("if err != nil {\nreturn sum, err\n}\nsum += uint64(len(out))\nif i++; i == len(in) {\ni = 0\n}\n}")
		out.P("c.at, c.out = i, out\nreturn sum, nil\n}\n")
		if !u.Prepared {
			b.fill(out, name, w)
		}
	}
	if bound[result.Decode] || bound[result.Open] || bound[result.Scan] {
		out.P("func (c *%s) use(messages [][]byte) {\nc.messages, c.at = messages, 0", name)
		w(u.UseMessages)
		out.P("}\n")
	}
	if bound[result.Decode] {
		out.P("func (c *%s) decode(n int) (sum uint64, err error) {", name)
		out.P("messages, i, v := c.messages, c.at, c.v\nfor ; n > 0; n-- {\ndata := messages[i]")
		w(u.Decode)
		out.P("if err != nil {\nreturn sum, err\n}\nsum++\nif i++; i == len(messages) {\ni = 0\n}\n}")
		out.P("c.at, c.v = i, v\nreturn sum, nil\n}\n")
		out.P("func (c *%s) decoded() any {", name)
		switch {
		case b.Direct:
			out.P("return c.v\n}\n")
		case b.Fallible: // verification tells a model with nothing in it from the input
			w("m := new($M)\nif err := to$R(m, c.v); err != nil {\nfmt.Fprintln(os.Stderr, \"a decoded value cannot be compared:\", err)\nreturn new($M)\n}\nreturn m\n}\n")
		default:
			w("m := new($M)\nto$R(m, c.v)\nreturn m\n}\n")
		}
	}
	if bound[result.Open] {
		out.P("func (c *%s) open(n int) (uint64, error) {", name)
		out.P("var sum, ops uint64\nmessages, i := c.messages, c.at\nfor ; n > 0; n-- {\ndata := messages[i]")
		w(u.Open)
		out.P("ops++\nif i++; i == len(messages) {\ni = 0\n}\n}")
		out.P("c.at, c.opened = i, sum\nreturn ops, nil\n}\n")
	}
	if bound[result.Scan] {
		out.P("func (c *%s) scan(n int) (sum uint64, err error) {", name)
		if u.Scan != "" {
			out.P("messages, i := c.messages, c.at\nfor ; n > 0; n-- {\ndata := messages[i]")
			w(u.Scan)
		} else {
			out.P("messages, i, v := c.messages, c.at, c.v\nfor ; n > 0; n-- {\ndata := messages[i]")
			w(u.Decode)
		}
		out.P("if err != nil {\nreturn sum, err\n}")
		if u.Scan == "" {
			if b.Direct {
				out.P("sum += v.LeafSum()")
			} else {
				w("sum += sum$R(v)")
			}
		}
		out.P("if i++; i == len(messages) {\ni = 0\n}\n}")
		if u.Scan != "" {
			out.P("c.at = i\nreturn sum, nil\n}\n")
		} else {
			out.P("c.at, c.v = i, v\nreturn sum, nil\n}\n")
		}
	}
	if bound[result.Convert] {
		out.P("func (c *%s) convert(n int) (uint64, error) {", name)
		w("src, i := c.model, c.at\nvar back *$M\nvar ops uint64\nfor ; n > 0; n-- {\nown := new($T)\nfrom$R(own, &src[i])\nback = new($M)\nto$R(back, own)\nops++\nif i++; i == len(src) {\ni = 0\n}\n}")
		out.P("c.at, c.back = i, back\nreturn ops, nil\n}\n")
	}
}

// fill writes the method that puts another content into the Go value of an input.
func (b *Binder) fill(out *Source, codec string, w func(string)) {
	out.P("func (c *%s) fill(i int, v any) error {", codec)
	w("src, ok := v.(*$M)\nif !ok {\nreturn fmt.Errorf(\"value is a %T, want *$M\", v)\n}")
	switch {
	case b.Direct:
		w("*c.in[i] = *src\nreturn nil\n}\n")
	case b.Fallible:
		w("*c.in[i] = $T{}\nreturn from$R(c.in[i], src)\n}\n")
	default:
		w("*c.in[i] = $T{}\nfrom$R(c.in[i], src)\nreturn nil\n}\n")
	}
}

// Own returns conv.go: the conversions between the model and the contender's
// own types.
func Own(req contender.Request, st *Style) (contender.File, error) {
	out := NewSource(req.Package, "assay")
	if req.Alone && st.JSONText.To != "" {
		alone := *st
		alone.JSONText.To = "plainJSON(%)"
		st = &alone
		if hasJSONText(req.Schema) {
			out.Import("strings")
			out.P(plainJSON)
		}
	}
	st.Convert(out, req.Schema, req.Model)
	if st.Optional[schema.Bytes] == PresentBytes && hasOptionalBytes(req.Schema) {
		out.P(present)
	}
	data, err := out.Bytes()
	return contender.File{Name: "convert.go", Data: data}, err
}

// Package returns the whole package of a contender whose own types are written
// by Style.Types: types.go, convert.go and bind.go.
func Package(req contender.Request, types *Source, st *Style, b *Binder) (contender.Output, error) {
	data, err := types.Bytes()
	if err != nil {
		return contender.Output{}, err
	}
	conv, err := Own(req, st)
	if err != nil {
		return contender.Output{}, err
	}
	bind, err := b.Write(req)
	if err != nil {
		return contender.Output{}, err
	}
	return contender.Output{Files: []contender.File{{Name: "types.go", Data: data}, conv, bind}}, nil
}
