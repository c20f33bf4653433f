package capnp

import (
	"fmt"

	"assay/contender/emit"
	"assay/schema"
)

const packStamp = `// setTime sets a timestamp.
func setTime(dst %[1]s, src time.Time) {
	dst.SetSeconds(src.Unix())
	dst.SetNanos(int32(src.Nanosecond()))
}
`

const packData = `// %[1]s sets an element. Set itself would write empty bytes as null, which
// is for nil.
func %[1]s(dst capnp.DataList, i int, src []byte) error {
	if src == nil || len(src) > 0 {
		return dst.Set(i, src)
	}
	d, err := capnp.NewData(dst.Segment(), src)
	if err != nil {
		return err
	}
	return capnp.PointerList(dst).Set(i, d.ToPtr())
}
`

// check follows a call that can fail.
const check = "if err != nil {\nreturn err\n}"

// pack writes the functions that build messages from the model.
func (l *Layout) pack(out *emit.Source) {
	out.Import("time")
	if l.stamp != nil {
		out.P(packStamp, l.stamp.Name)
	}
	if l.has(func(f *Field) bool { return f.List && f.Kind == schema.Bytes }) {
		out.P(packData, l.packData())
	}
	for _, root := range l.Schema.Roots {
		out.P("// build%s makes a message of src, in its first segment.", root)
		out.P("func build%s(seg *capnp.Segment, src *model.%s) error {", root, root)
		out.P("root, err := NewRoot%s(seg)\n%s\nreturn pack%s(root, src)\n}\n", l.byName[root].Name, check, root)
	}
	for _, st := range l.Structs {
		if st.message == nil {
			continue
		}
		m := st.message
		out.P("func pack%s(dst %s, src *model.%s) error {", m.Name, st.Name, m.Name)
		for _, f := range st.Fields {
			if !f.flags {
				l.packField(out, f, member(m, f, "src"))
			}
		}
		out.P("return nil\n}\n")
	}
}

// has reports whether want reports true for any field.
func (l *Layout) has(want func(*Field) bool) bool {
	for _, st := range l.Structs {
		for _, f := range st.Fields {
			if want(f) {
				return true
			}
		}
	}
	return false
}

// member returns the expression of a field's value in the model.
func member(m *schema.Message, f *Field, v string) string {
	if m.Bare {
		return "(*" + v + ")"
	}
	return v + "." + f.member
}

func (l *Layout) packField(out *emit.Source, f *Field, src string) {
	name := title(f.Name)
	switch {
	case f.List:
		out.P("if %s != nil {\nlist, err := dst.New%s(int32(len(%s)))\n%s", src, name, src, check)
		if f.isMap {
			out.P("i := 0\nfor k, v := range %s {\ne := list.At(i)\ni++", src)
			l.packValue(out, f.Struct.Fields[0], "e", "k")
			l.packValue(out, f.Struct.Fields[1], "e", "v")
		} else {
			out.P("for i := range %s {", src)
			l.packElem(out, f, src+"[i]")
		}
		out.P("}\n}")
	case f.of.Optional:
		out.P("if %s != nil {", src)
		if f.flag != nil {
			out.P("dst.Set%s(true)", title(f.flag.Name))
		}
		if f.of.Kind != schema.MessageKind {
			src = "*" + src
		}
		l.packValue(out, f, "dst", src)
		out.P("}")
	default:
		l.packValue(out, f, "dst", src)
	}
}

// packValue sets a field other than a list to src. Src is a pointer only for optional messages.
func (l *Layout) packValue(out *emit.Source, f *Field, dst, src string) {
	name := title(f.Name)
	switch f.of.Kind {
	case schema.String:
		if f.of.Optional { // the accessor would write an empty string as null
			out.P("if err := capnp.Struct(%s).SetNewText(%d, %s); err != nil {\nreturn err\n}", dst, f.Offset, src)
			return
		}
		out.P("if err := %s.Set%s(%s); err != nil {\nreturn err\n}", dst, name, src)
	case schema.Bytes:
		if f.of.Optional { // a pointer to nil bytes is present, so it becomes empty bytes
			out.P("{\nb := %s\nif b == nil {\nb = []byte{}\n}\nif err := %s.Set%s(b); err != nil {\nreturn err\n}\n}", src, dst, name)
			return
		}
		out.P("if err := %s.Set%s(%s); err != nil {\nreturn err\n}", dst, name, src)
	case schema.Timestamp:
		out.P("{\nt, err := %s.New%s()\n%s\nsetTime(t, %s)\n}", dst, name, check, src)
	case schema.MessageKind:
		if !f.of.Optional {
			src = "&" + src
		}
		out.P("{\nm, err := %s.New%s()\n%s\nif err := pack%s(m, %s); err != nil {\nreturn err\n}\n}", dst, name, check, f.of.Ref, src)
	default:
		out.P("%s.Set%s(%s)", dst, name, fromModel(f.of.Kind, src))
	}
}

// packData returns the name of the function that sets an element of a list of bytes. The name
// must differ from those of the messages' pack functions.
func (l *Layout) packData() string {
	name := "packData"
	for l.Schema.Message(name[len("pack"):]) != nil {
		name += "_"
	}
	return name
}

// packElem sets element i of the list to src.
func (l *Layout) packElem(out *emit.Source, f *Field, src string) {
	switch f.of.Kind {
	case schema.String:
		out.P("if err := list.Set(i, %s); err != nil {\nreturn err\n}", src)
	case schema.Bytes:
		out.P("if err := %s(list, i, %s); err != nil {\nreturn err\n}", l.packData(), src)
	case schema.Timestamp:
		out.P("setTime(list.At(i), %s)", src)
	case schema.MessageKind:
		if !f.of.Optional {
			src = "&" + src
		}
		out.P("if err := pack%s(list.At(i), %s); err != nil {\nreturn err\n}", f.of.Ref, src)
	default:
		out.P("list.Set(i, %s)", fromModel(f.of.Kind, src))
	}
}

// fromModel returns the expression of a number as it is stored.
func fromModel(k schema.Kind, src string) string {
	switch k {
	case schema.Duration:
		return fmt.Sprintf("int64(%s)", src)
	case schema.EnumKind:
		return fmt.Sprintf("int32(%s)", src)
	}
	return src
}
