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
	// Holds is, with Direct, the Go type of what Decode leaves in v where that is
	// no value of the model but one of the library's own, such as a parsed message;
	// Model then sets m, a *$M, from v, for verification, and no op is timed with it.
	Holds, Model string
	// UseMessages is run when the messages are set.
	UseMessages string
	// Only restricts the ops that are bound; nil binds all that have statements.
	Only []result.Op
	// Prepared says that what Encode writes was made of the inputs by Start, and that
	// Decode does not look at messages: see bench.Codec.Placed.
	Prepared bool
	// Slack says that the last byte of a message may say nothing: see bench.Codec.Slack.
	Slack bool
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
	// Stream is how messages are written to a file and read back; nil: the contender has
	// no streams.
	Stream *Stream
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
	if req.Stream {
		return b.streams(req)
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
			more := ""
			if u.Borrows {
				more = "Borrows: true, "
			}
			if req.Varies != "" {
				more += fmt.Sprintf("Varies: %q, ", req.Varies)
			}
			out.P("{Contender: %q, Workload: %q, Root: %q, Mode: %q, Ops: []result.Op{%s}, %sNew: new%s%d},",
				req.Contender, req.Schema.Name, root, u.Mode, opList(b.ops(u)), more, root, i)
		}
	}
	out.P("}\n")
	for _, root := range req.Schema.Roots {
		for i, u := range b.Usages {
			b.codec(out, root, i, u)
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
