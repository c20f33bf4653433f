package fbs

import (
	"strings"

	"assay/contender/emit"
	"assay/schema"
)

// pack writes the functions that build a buffer from the model.
func (l *Layout) pack(out *emit.Source) {
	out.Import("cmp", "slices", "time")
	l.packer(out)
	for _, u := range l.Unions {
		packUnion(out, u)
	}
	for _, t := range l.Tables {
		switch {
		case t.Message != nil:
			out.P("// pack%s writes src and returns where it is.", t.Name)
			out.P("func pack%s(p *packer, src *model.%s) flatbuffers.UOffsetT {", t.Name, t.Name)
			l.packTable(out, t, func(f *Field) string { return member(t, f, "src") })
		case t == l.boxed:
			out.P("func pack%s(p *packer, value []byte) flatbuffers.UOffsetT {", t.Name)
			l.packTable(out, t, func(f *Field) string { return f.Name })
		default:
			key, value := t.Fields[0].Of, t.Fields[1].Of
			typ := emit.ModelType(value, "model.")
			if value.Kind == schema.MessageKind && !value.Optional {
				typ = "*" + typ
			}
			out.P("func pack%s(p *packer, key %s, value %s) flatbuffers.UOffsetT {", t.Name, emit.ModelType(key, ""), typ)
			l.packTable(out, t, func(f *Field) string {
				if f.Of.Kind == schema.MessageKind {
					return "(*value)"
				}
				return f.Name
			})
		}
		out.P("}\n")
	}
}

// member returns the expression of a model field.
func member(t *Table, f *Field, v string) string {
	if f.whole {
		return v
	}
	if t.Message.Bare {
		return "(*" + v + ")"
	}
	return v + "." + f.member
}

// address returns the address of an expression.
func address(expr string) string {
	if inner, ok := strings.CutPrefix(expr, "(*"); ok {
		return strings.TrimSuffix(inner, ")")
	}
	return "&" + expr
}

// packer writes the type with the state of packing: the builder, and stacks of values that must
// be collected before their vector can be written.
func (l *Layout) packer(out *emit.Source) {
	kinds := l.keyKinds()
	out.P("// A packer builds a buffer from the model. Offsets and keys are stacks: of the\n// offsets of a vector's elements, and of the keys of a map while its entries are\n// written.")
	out.P("type packer struct {\nb *flatbuffers.Builder\nunsorted bool // maps are written as they come\noffsets []flatbuffers.UOffsetT")
	for _, k := range kinds {
		out.P("%s []%s", keyStack(k), goKey(k))
	}
	out.P("}\n")
	out.P(`// vector writes a vector of the offsets above base and takes them off.
func (p *packer) vector(base int) flatbuffers.UOffsetT {
	v := p.b.CreateVectorOfTables(p.offsets[base:])
	p.offsets = p.offsets[:base]
	return v
}
`)
	if len(kinds) > 0 {
		out.P(`// pushKeys puts the keys of m on the stack, sorted: readers search entries by
// key.
func pushKeys[K cmp.Ordered, V any](stack []K, m map[K]V) []K {
	base := len(stack)
	for k := range m {
		stack = append(stack, k)
	}
	slices.Sort(stack[base:])
	return stack
}
`)
	}
}

// keyKinds returns the kinds of the keys of the schema's maps.
func (l *Layout) keyKinds() []schema.Kind {
	var kinds []schema.Kind
	for k := schema.Invalid; k <= schema.Map; k++ {
		for _, t := range l.Tables {
			if key := t.key(); key != nil && key.Of.Kind == k {
				kinds = append(kinds, k)
				break
			}
		}
	}
	return kinds
}

func goKey(k schema.Kind) string    { return emit.ModelType(schema.Type{Kind: k}, "") }
func keyStack(k schema.Kind) string { return goKey(k) + "s" }

// packTable writes the body of a pack function. It writes everything that is stored by offset
// first, because tables must not nest while they are written, and then the table.
func (l *Layout) packTable(out *emit.Source, t *Table, expr func(*Field) string) {
	for _, f := range t.Fields {
		switch {
		case f.Form == Choice:
			packChoice(out, f, expr(f))
		case f.Vector || f.Form >= Text:
			l.packOffset(out, f, expr(f), offsetName(f))
		}
	}
	out.P("%s(p.b)", t.start)
	for _, f := range t.Fields {
		switch src := expr(f); {
		case f.Form == Choice:
			kind, at := choiceNames(f)
			out.P("%s(p.b, %s)\n%s(p.b, %s)", f.addType, kind, f.add, at)
		case f.Vector || f.Form >= Text:
			out.P("%s(p.b, %s)", f.add, offsetName(f))
		case f.Of.Optional:
			out.P("if %s != nil {\n%s(p.b, %s)\n}", src, f.add, l.inline(f, "*"+src))
		default:
			out.P("%s(p.b, %s)", f.add, l.inline(f, src))
		}
	}
	out.P("return %s(p.b)", t.end)
}

func offsetName(f *Field) string {
	return strings.ToLower(f.member[:1]) + f.member[1:] + "Offset"
}

// inline returns the expression with which a table or vector stores a model value inline.
func (l *Layout) inline(f *Field, src string) string {
	switch {
	case f.Form == Struct:
		src = strings.TrimPrefix(src, "*") // methods are called on the pointer
		return l.create + "(p.b, " + src + ".Unix(), int32(" + src + ".Nanosecond()))"
	case f.Ref != "":
		return f.Ref + "(" + src + ")"
	case f.Kind == schema.Duration:
		return "int64(" + src + ")"
	}
	return src
}

// packOffset writes the statements that set name to the offset of the value, or leave it 0 if
// there is no value.
func (l *Layout) packOffset(out *emit.Source, f *Field, src, name string) {
	if f.Vector {
		out.P("var %s flatbuffers.UOffsetT\nif %s != nil {", name, src)
		l.packVector(out, f, src, name)
		out.P("}")
		return
	}
	if f.Key { // a reader may rely on every entry having a key
		out.P("%s := p.b.CreateString(%s)", name, src)
		return
	}
	none, value := "nil", src
	if f.Of.Optional {
		value = "*" + src
	}
	switch f.Form {
	case Text:
		if !f.Of.Optional {
			none = `""`
		}
		value = "p.b.CreateString(" + value + ")"
	case Bytes:
		value = "p.b.CreateByteVector(" + value + ")"
	case Nested:
		if !f.Of.Optional || strings.HasPrefix(src, "(*") {
			out.P("%s := pack%s(p, %s)", name, f.table.Name, address(src))
			return
		}
		value = "pack" + f.table.Name + "(p, " + src + ")"
	}
	out.P("var %s flatbuffers.UOffsetT\nif %s != %s {\n%s = %s\n}", name, src, none, name, value)
}

// packVector writes the statements that set name to a vector of src, which is not nil.
func (l *Layout) packVector(out *emit.Source, f *Field, src, name string) {
	if f.Form == Scalar || f.Form == Struct {
		out.P("n := len(%s)\n%s(p.b, n)\nfor i := n - 1; i >= 0; i-- {", src, f.startVector)
		elem := *f
		elem.Vector = false
		if value := l.inline(&elem, src+"[i]"); f.Form == Struct {
			out.P("%s", value)
		} else {
			if f.Ref != "" {
				value = "int32(" + src + "[i])"
			}
			out.P("p.b.Prepend%s(%s)", scalars[f.Kind].method, value)
		}
		out.P("}\n%s = p.b.EndVector(n)", name)
		return
	}
	out.P("base := len(p.offsets)")
	switch elem := f.Of.Elem; {
	case f.Of.Kind == schema.Map:
		keys := "p." + keyStack(f.Of.Key)
		byPointer := elem.Kind == schema.MessageKind && !elem.Optional
		value := "value"
		if byPointer {
			value = "&value"
		}
		out.P("if p.unsorted {\nfor key, value := range %s {\np.offsets = append(p.offsets, pack%s(p, key, %s))\n}\n} else {", src, f.table.Name, value)
		out.P("first := len(%s)\n%s = pushKeys(%s, %s)", keys, keys, keys, src)
		out.P("for i := first; i < first+len(%s); i++ {\nkey := %s[i]", src, keys)
		value = src + "[key]"
		if byPointer {
			out.P("value := %s", value)
			value = "&value"
		}
		out.P("p.offsets = append(p.offsets, pack%s(p, key, %s))\n}\n%s = %s[:first]\n}", f.table.Name, value, keys, keys)
	case f.Form == Text:
		out.P("for i := range %s {\np.offsets = append(p.offsets, p.b.CreateString(%s[i]))\n}", src, src)
	case elem.Kind == schema.MessageKind && !elem.Optional:
		out.P("for i := range %s {\np.offsets = append(p.offsets, pack%s(p, &%s[i]))\n}", src, f.table.Name, src)
	default:
		out.P("for i := range %s {\np.offsets = append(p.offsets, pack%s(p, %s[i]))\n}", src, f.table.Name, src)
	}
	out.P("%s = p.vector(base)", name)
}
