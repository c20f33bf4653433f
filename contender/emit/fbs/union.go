package fbs

import (
	"fmt"
	"slices"
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/schema"
)

// maxVariants is the largest number of variants that a union's type, a byte, can tell apart.
const maxVariants = 255

// A Union is a FlatBuffers union: a table of one of several types, and a byte that says which
// one. A field that holds a union takes two slots of its table. Roots and vectors can only hold
// tables, so a union there is in its own table.
type Union struct {
	Name string
	// Message is the message that the union holds.
	Message *schema.Message
	// Variants are in the order of their field numbers. The type byte of the first is 1.
	Variants []*Variant

	none  string // the Go constant for no variant
	value string // the name of its Go functions after pack, unpack and scan
}

// A Variant is one variant of a union.
type Variant struct {
	Name string // the name in the .fbs text

	constant string // Go constant of its type
	member   string // Go field of the model
	table    *Table
}

// unions lays out the unions of the schema. FlatBuffers unions hold only tables, so a union of
// values of several kinds is laid out as a table with a field for each variant instead.
func (l *Layout) unions(byName map[string]*Table) error {
	l.union = map[string]*Union{}
	for _, m := range l.Schema.Messages {
		if !m.ByContent() {
			continue
		}
		if n := len(m.Fields); n > maxVariants {
			return &contender.Unsupported{
				Field: m.Name + "." + m.Fields[maxVariants].Name, Reason: fmt.Sprintf("a FlatBuffers union has at most %d variants", maxVariants),
			}
		}
		u := &Union{Name: m.Name, Message: m}
		if l.boxes(m) { // the table has the message's name
			u.Name = l.top.take(m.Name + "Kind")
		}
		for _, f := range slices.SortedFunc(slices.Values(m.Fields), func(a, b *schema.Field) int { return a.Number - b.Number }) {
			u.Variants = append(u.Variants, &Variant{Name: f.Name, member: schema.GoName(f.Name), table: byName[f.Type.Ref]})
		}
		l.union[m.Name] = u
		l.Unions = append(l.Unions, u)
	}
	return nil
}

// boxes reports whether the union of a message needs its own table: if it is a root, an element
// of a list or map, or a variant of a union.
func (l *Layout) boxes(m *schema.Message) bool {
	return slices.Contains(l.Schema.Roots, m.Name) || slices.ContainsFunc(l.Schema.Messages, func(of *schema.Message) bool {
		return slices.ContainsFunc(of.Fields, func(f *schema.Field) bool {
			return f.Type.Elem != nil && f.Type.Elem.Ref == m.Name || of.ByContent() && f.Type.Ref == m.Name
		})
	})
}

// inlines returns the union that a field holds in two slots, or nil.
func (l *Layout) inlines(f *schema.Field) *Union {
	if f.Type.Kind != schema.MessageKind {
		return nil
	}
	return l.union[f.Type.Ref]
}

// unionTable lays out a union's own table.
func (l *Layout) unionTable(t *Table) {
	t.Fields = []*Field{{Name: "value", member: "Value", Slot: 1, Type: Type{Form: Choice}, union: l.union[t.Name], whole: true}}
	t.Slots = 2
	l.Tables = append(l.Tables, t)
}

// nameUnion chooses the Go names of a union.
func (l *Layout) nameUnion(u *Union) {
	u.value = u.Message.Name + "Value"
	for slices.ContainsFunc(l.Tables, func(t *Table) bool { return t.Name == u.value }) {
		u.value += "_"
	}
	u.none = l.top.take(u.Name + "NONE")
	for _, v := range u.Variants {
		v.constant = l.top.take(u.Name + v.Name)
	}
}

// text returns the union in the syntax of a .fbs file.
func (u *Union) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "union %s {\n", u.Name)
	for _, v := range u.Variants {
		fmt.Fprintf(&b, "  %s:%s,\n", v.Name, v.table.Name)
	}
	b.WriteString("}\n")
	return b.String()
}

// declare writes the Go type of a union's type byte.
func (u *Union) declare(out *emit.Source) {
	out.P("type %s byte\n\nconst (\n%s %s = 0", u.Name, u.none, u.Name)
	for i, v := range u.Variants {
		out.P("%s %s = %d", v.constant, u.Name, i+1)
	}
	out.P(")\n")
}

// The accessors and builder functions of a field that holds a union.
const (
	getChoice = `func (rcv *$T) $Type() $U {
	o := flatbuffers.UOffsetT(rcv._tab.Offset($type))
	if o != 0 {
		return $U(rcv._tab.GetByte(o + rcv._tab.Pos))
	}
	return 0
}

func (rcv *$T) $Get(obj *flatbuffers.Table) bool {
	$find
		rcv._tab.Union(obj, o)
		return true
	}
	return false
}
`
	addChoice = `func $addType(builder *flatbuffers.Builder, v $U) {
	builder.PrependByteSlot($type, byte(v), 0)
}

func $add(builder *flatbuffers.Builder, v flatbuffers.UOffsetT) {
	builder.PrependUOffsetTSlot($slot, v, 0)
}
`
)

// unionName returns the name of the union that the field holds, or "".
func (f *Field) unionName() string {
	if f.union == nil {
		return ""
	}
	return f.union.Name
}

// packUnion writes the function that builds the variant that is set. unpackUnion writes the
// function that copies the variant into the model, and scanUnion the function that adds up its
// leaves.
func packUnion(out *emit.Source, u *Union) {
	out.P("// pack%s writes the variant that is set and returns which it is, and where.", u.value)
	out.P("func pack%s(p *packer, src *model.%s) (%s, flatbuffers.UOffsetT) {\nswitch {", u.value, u.Message.Name, u.Name)
	for _, v := range u.Variants {
		out.P("case src.%s != nil:\nreturn %s, pack%s(p, src.%s)", v.member, v.constant, v.table.Name, v.member)
	}
	out.P("}\nreturn %s, 0\n}\n", u.none)
}

func unpackUnion(out *emit.Source, u *Union) {
	out.P("// unpack%s copies a variant into dst, a zero value. It panics on damaged input.", u.value)
	out.P("func unpack%s(u *unpacker, dst *model.%s, kind %s, src *flatbuffers.Table) {\nswitch kind {", u.value, u.Message.Name, u.Name)
	for _, v := range u.Variants {
		out.P("case %s:\nvar x %s\nx.Init(src.Bytes, src.Pos)", v.constant, v.table.Name)
		out.P("dst.%[1]s = new(model.%[2]s)\nunpack%[2]s(u, dst.%[1]s, &x)", v.member, v.table.Name)
	}
	out.P("}\n}\n")
}

func scanUnion(out *emit.Source, u *Union) {
	out.P("func scan%s(kind %s, src *flatbuffers.Table) uint64 {\nswitch kind {", u.value, u.Name)
	for _, v := range u.Variants {
		out.P("case %s:\nvar x %s\nx.Init(src.Bytes, src.Pos)\nreturn scan%s(&x)", v.constant, v.table.Name, v.table.Name)
	}
	out.P("}\nreturn 0\n}\n")
}

// packChoice writes the statements that build a union and set two variables to its type and its
// offset: see choiceNames.
func packChoice(out *emit.Source, f *Field, src string) {
	kind, at := choiceNames(f)
	call := "pack" + f.union.value + "(p, "
	switch {
	case f.whole:
		out.P("%s, %s := %s%s)", kind, at, call, src)
	case f.Of.Optional:
		out.P("var %s %s\nvar %s flatbuffers.UOffsetT\nif %s != nil {\n%s, %s = %s%s)\n}", kind, f.union.Name, at, src, kind, at, call, src)
	default:
		out.P("%s, %s := %s%s)", kind, at, call, address(src))
	}
}

func choiceNames(f *Field) (kind, at string) {
	at = offsetName(f)
	return strings.TrimSuffix(at, "Offset") + "Kind", at
}

// unpackChoice writes the statements that set dst to a union of src.
func unpackChoice(out *emit.Source, f *Field, dst, src string) {
	out.P("{\nvar x flatbuffers.Table\nif %s.%s(&x) {", src, f.get)
	switch {
	case f.whole:
	case f.Of.Optional:
		out.P("%s = new(model.%s)", dst, f.union.Message.Name)
	default:
		dst = address(dst)
	}
	out.P("unpack%s(u, %s, %s.%s(), &x)\n}\n}", f.union.value, dst, src, f.getType)
}
