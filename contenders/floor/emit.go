package floor

import (
	"fmt"

	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	pack := emit.NewSource(req.Package, "assay")
	pack.ImportAs("model", req.Model)
	pack.Import("encoding/binary", "math")
	for _, m := range req.Schema.Messages {
		packMessage(pack, m)
	}
	packed, err := pack.Bytes()
	if err != nil {
		return contender.Output{}, err
	}
	cloned, err := (&cloner{schema: req.Schema}).write(req)
	if err != nil {
		return contender.Output{}, err
	}
	binder := &emit.Binder{
		Direct: true,
		Usages: []emit.Usage{
			{
				Fields: "packed [][]byte",
				Start:  start, Prepared: true,
				Encode: "out = append([]byte(nil), c.packed[i]...)",
				Decode: "_ = data\nv = clone$R(&c.model[i])",
				Open:   "sum += uint64(len(data))",
				Scan:   "_ = data\nsum += c.model[i].LeafSum()",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "packed [][]byte",
				Start:  start, Prepared: true,
				Encode: "out = append(out[:0], c.packed[i]...)",
			},
		},
	}
	bind, err := binder.Write(req)
	if err != nil {
		return contender.Output{}, err
	}
	return contender.Output{Files: []contender.File{
		{Name: "pack.go", Data: packed}, {Name: "clone.go", Data: cloned}, bind,
	}}, nil
}

const start = "for i := range src {\nc.packed = append(c.packed, pack$R(nil, &src[i]))\n}"

// member returns the expression of a field of v, a pointer to a model value.
func member(m *schema.Message, f *schema.Field, v string) string {
	if m.Bare {
		return "(*" + v + ")"
	}
	return v + "." + schema.GoName(f.Name)
}

// packMessage writes the function that appends the bytes of a message's leaves to a buffer:
// numbers at their full width, and text without a length.
func packMessage(out *emit.Source, m *schema.Message) {
	out.P("func pack%s(b []byte, v *model.%s) []byte {", m.Name, m.Name)
	for _, f := range m.Fields {
		src := member(m, f, "v")
		switch f.Type.Kind {
		case schema.List:
			out.P("for i := range %s {", src)
			packValue(out, *f.Type.Elem, src+"[i]")
			out.P("}")
		case schema.Map:
			out.P("for k, x := range %s {", src)
			packValue(out, schema.Type{Kind: f.Type.Key}, "k")
			packValue(out, *f.Type.Elem, "x")
			out.P("}")
		default:
			packValue(out, f.Type, src)
		}
	}
	out.P("return b\n}\n")
}

func packValue(out *emit.Source, t schema.Type, src string) {
	if t.Kind == schema.MessageKind {
		if t.Optional {
			out.P("if %s != nil {\nb = pack%s(b, %s)\n}", src, t.Ref, src)
		} else {
			out.P("b = pack%s(b, &%s)", t.Ref, src)
		}
		return
	}
	if t.Optional {
		out.P("if %s != nil {", src)
		src = "(*" + src + ")"
		defer out.P("}")
	}
	switch t.Kind {
	case schema.Bool:
		out.P("if %s {\nb = append(b, 1)\n} else {\nb = append(b, 0)\n}", src)
	case schema.Int32, schema.Uint32, schema.EnumKind:
		out.P("b = binary.LittleEndian.AppendUint32(b, uint32(%s))", src)
	case schema.Int64, schema.Uint64, schema.Duration:
		out.P("b = binary.LittleEndian.AppendUint64(b, uint64(%s))", src)
	case schema.Float32:
		out.P("b = binary.LittleEndian.AppendUint32(b, math.Float32bits(%s))", src)
	case schema.Float64:
		out.P("b = binary.LittleEndian.AppendUint64(b, math.Float64bits(%s))", src)
	case schema.String, schema.Bytes:
		out.P("b = append(b, %s...)", src)
	case schema.Timestamp:
		out.P("b = binary.LittleEndian.AppendUint64(b, uint64(%s.Unix()))\nb = binary.LittleEndian.AppendUint32(b, uint32(%s.Nanosecond()))", src, src)
	default:
		panic(fmt.Sprintf("floor: no leaf kind %d", t.Kind))
	}
}
