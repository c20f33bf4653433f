package emit

import (
	"fmt"
	"slices"
	"strings"

	"assay/contender"
	"assay/result"
	"assay/schema"
)

// A Usage is one mode of a contender. It consists of the statements that the batch loops run
// for each operation.
//
// In all statements, $T stands for the contender's own type of the root message, $M for the
// model's type, $R for the root's name, and c for the codec, which has the fields of Fields and
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
	// Fields are additional fields of the codec struct.
	Fields string
	// Start runs once, after the inputs were converted.
	Start string
	// Encode sets out from in[i]. Before, out holds the bytes of the previous call, so a mode
	// that reuses its buffer starts from out[:0].
	Encode string
	// Decode sets v from data. Before, v holds the value of the previous call.
	Decode string
	// Open reads only the root of data. It adds something of the root to sum, so that the
	// compiler cannot remove the call.
	Open string
	// Scan adds the sum of data's leaves to sum. Empty: Decode, and a walk over the decoded
	// value.
	Scan string
	// Holds is, with Direct, the Go type of v if Decode sets v to a value of the library and
	// not of the model, such as a parsed message. Model then sets m, a *$M, from v for
	// verification, which no op includes.
	Holds, Model string
	// Program says that the usage is that of ProgramMode: in and v have values of the model.
	Program bool
	// UseMessages runs when the messages are set.
	UseMessages string
	// Refuses is that of the mode: Binder.Write leaves out a usage that refuses the schema. A nil
	// Refuses means that the usage is for every schema.
	Refuses func(*schema.Schema) *contender.Unsupported
	// Only restricts the bound ops; nil binds every op that has statements.
	Only []result.Op
	// Prepared says that Start has already made the output of Encode from the inputs, and that
	// Decode does not look at messages: see bench.Codec.Placed.
	Prepared bool
	// Slack says that the last byte of a message may carry no information: see
	// bench.Codec.Slack.
	Slack bool
	// Borrows says that Encode calls another library and is no op of the contender. The
	// contender only decodes, and needs messages to decode.
	Borrows bool
}

// A Binder writes the bindings of a contender for every root of a schema.
type Binder struct {
	// Direct says that the contender has no own type: it encodes from and decodes to the model.
	// $T is then $M, and there is no op convert.
	Direct bool
	// Fallible says that the types are those of a foreign schema, so that from$R and to$R
	// return an error and there is no sum$R. A usage then has the op scan only with statements
	// for it, and never has the op convert.
	Fallible bool
	// TypeOf returns the name of the contender's own type of a root in the package. Nil: the
	// root's name.
	TypeOf func(root string) string
	Usages []Usage
	// Stream says how to write messages to a file and read them back. Nil: the contender has no
	// streams.
	Stream *Stream
	// Imports are import paths that the statements need, and Named maps import paths to the
	// names that they are imported under.
	Imports []string
	Named   map[string]string
}

// Write returns bind.go, which has one codec type for each root and usage, and their list,
// Bindings. If req.Alone is set, it returns codec.go instead: functions that run the default
// mode's statements once. If req.Stream is set, bind.go has the streams instead.
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
	usages := slices.DeleteFunc(slices.Clone(b.Usages), func(u Usage) bool { return u.Refuses != nil && u.Refuses(req.Refusing()) != nil })
	for _, u := range usages {
		if u.Program && (b.Direct || b.Fallible) {
			return contender.File{}, fmt.Errorf("%s has mode %s, but no conversion that the mode could time", req.Contender, u.Mode)
		}
	}
	out.P("// Bindings are what %s can do with %s.", req.Contender, req.Schema.Name)
	out.P("var Bindings = []bench.Binding{")
	for _, root := range req.Schema.Roots {
		for i, u := range usages {
			more := ""
			if u.Borrows {
				more = "Borrows: true, "
			}
			if req.Varies != "" {
				more += fmt.Sprintf("Varies: %q, ", req.Varies)
			}
			out.P("{Contender: %q, Workload: %q, Root: %q, Mode: %q, Ops: []result.Op{%s}, %sNew: %s},",
				req.Contender, req.Schema.Name, root, u.Mode, opList(b.ops(u)), more, numbered("new", root, i))
		}
	}
	out.P("}\n")
	for _, root := range req.Schema.Roots {
		for i, u := range usages {
			b.codec(out, root, i, u)
		}
	}
	data, err := out.Bytes()
	return contender.File{Name: "bind.go", Data: data}, err
}

// typeOf returns the type that $T stands for.
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

// Own returns convert.go: the conversions between the model and the contender's own types.
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

// Package returns the whole package of a contender whose own types Style.Types has written to
// types: types.go, convert.go and bind.go.
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
