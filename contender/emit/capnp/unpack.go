package capnp

import (
	"fmt"
	"strings"

	"assay/contender/emit"
	"assay/schema"
)

const allow = `// allow lets a message be read that is larger than the library's limit, which
// is 64 MiB unless one is set: it is there for messages that make a reader go
// over the same bytes again and again, and one pass over all of them is due.
func allow(msg *capnp.Message) error {
	size, err := msg.TotalSize()
	if err == nil && size > 32<<20 {
		msg.TraverseLimit = 2 * size
	}
	return err
}
`

const unpackStamp = `// getTime returns a timestamp; null is the beginning of 1970.
func getTime(src %[1]s) time.Time {
	return time.Unix(src.Seconds(), int64(src.Nanos())).UTC()
}
`

// unpack writes the functions that copy a message into the model.
func (l *Layout) unpack(out *emit.Source) {
	out.Import("bytes", "time")
	out.P("%s", allow)
	if l.stamp != nil {
		out.P(unpackStamp, l.stamp.Name)
	}
	for _, root := range l.Schema.Roots {
		st := l.byName[root]
		out.P("// root%s returns the root of a message.", root)
		out.P("func root%s(msg *capnp.Message) (%s, error) {\nif err := allow(msg); err != nil {\nreturn %s{}, err\n}\nreturn ReadRoot%s(msg)\n}\n", root, st.Name, st.Name, st.Name)
		out.P("// read%s copies a message into dst, a zero value.", root)
		out.P("func read%s(dst *model.%s, msg *capnp.Message) error {\nroot, err := root%s(msg)\n%s\nreturn unpack%s(dst, root)\n}\n", root, root, root, check, root)
	}
	for _, st := range l.Structs {
		if st.message == nil {
			continue
		}
		m := st.message
		out.P("func unpack%s(dst *model.%s, src %s) error {", m.Name, m.Name, st.Name)
		for _, f := range st.Fields {
			if !f.flags {
				l.unpackField(out, f, member(m, f, "dst"))
			}
		}
		out.P("return nil\n}\n")
	}
}

func (l *Layout) unpackField(out *emit.Source, f *Field, dst string) {
	name := title(f.Name)
	switch {
	case f.List:
		out.P("if src.Has%s() {\nlist, err := src.%s()\n%s", name, name, check)
		if f.isMap {
			l.unpackMap(out, f, dst)
		} else {
			out.P("own := make([]%s, list.Len())\nfor i := range own {", emit.ModelType(f.of, "model."))
			l.unpackElem(out, f, "own[i]")
			out.P("}\n%s = own", dst)
		}
		out.P("}")
	case f.of.Optional:
		if f.flag != nil {
			out.P("if src.%s() {", title(f.flag.Name))
		} else {
			out.P("if src.Has%s() {", name)
		}
		of := f.of
		of.Optional = false
		out.P("%s = new(%s)", dst, emit.ModelType(of, "model."))
		if f.of.Kind == schema.MessageKind {
			dst = "(*" + dst + ")" // its address is the pointer
		} else {
			dst = "*" + dst
		}
		l.unpackValue(out, f, dst, "src")
		out.P("}")
	default:
		l.unpackValue(out, f, dst, "src")
	}
}

// unpackMap makes a map from the list, whose elements are entries.
func (l *Layout) unpackMap(out *emit.Source, f *Field, dst string) {
	key, value := f.Struct.Fields[0], f.Struct.Fields[1]
	out.P("own := make(map[%s]%s, list.Len())\nfor i := range list.Len() {\ne := list.At(i)", emit.ModelType(key.of, ""), emit.ModelType(value.of, "model."))
	out.P("var k %s\nvar v %s", emit.ModelType(key.of, ""), emit.ModelType(value.of, "model."))
	l.unpackValue(out, key, "k", "e")
	if value.of.Optional {
		out.P("v = new(model.%s)", value.of.Ref)
		l.unpackValue(out, value, "(*v)", "e")
	} else {
		l.unpackValue(out, value, "v", "e")
	}
	out.P("own[k] = v\n}\n%s = own", dst)
}

// unpackValue sets dst to a field of src other than a list.
func (l *Layout) unpackValue(out *emit.Source, f *Field, dst, src string) {
	get := src + "." + title(f.Name) + "()"
	switch f.of.Kind {
	case schema.String:
		out.P("{\ns, err := %s\n%s\n%s = s\n}", get, check, dst)
	case schema.Bytes:
		out.P("{\nb, err := %s\n%s\n%s = bytes.Clone(b)\n}", get, check, dst)
	case schema.Timestamp:
		out.P("{\nt, err := %s\n%s\n%s = getTime(t)\n}", get, check, dst)
	case schema.MessageKind:
		out.P("{\nm, err := %s\n%s\nif err := unpack%s(%s, m); err != nil {\nreturn err\n}\n}", get, check, f.of.Ref, address(dst))
	default:
		out.P("%s = %s", dst, toModel(f.of, get))
	}
}

// address returns the expression of the address of dst. The address of (*p) is p.
func address(dst string) string {
	if p, ok := strings.CutPrefix(dst, "(*"); ok && strings.HasSuffix(p, ")") {
		return strings.TrimSuffix(p, ")")
	}
	return "&" + dst
}

// unpackElem sets dst to element i of the list.
func (l *Layout) unpackElem(out *emit.Source, f *Field, dst string) {
	switch f.of.Kind {
	case schema.String:
		out.P("s, err := list.At(i)\n%s\n%s = s", check, dst)
	case schema.Bytes:
		out.P("b, err := list.At(i)\n%s\n%s = bytes.Clone(b)", check, dst)
	case schema.Timestamp:
		out.P("%s = getTime(list.At(i))", dst)
	case schema.MessageKind:
		if f.of.Optional {
			out.P("%s = new(model.%s)", dst, f.of.Ref)
		} else {
			dst = "&" + dst
		}
		out.P("if err := unpack%s(%s, list.At(i)); err != nil {\nreturn err\n}", f.of.Ref, dst)
	default:
		out.P("%s = %s", dst, toModel(f.of, "list.At(i)"))
	}
}

// toModel returns the expression of a number as the model holds it.
func toModel(t schema.Type, get string) string {
	switch t.Kind {
	case schema.Duration:
		return fmt.Sprintf("time.Duration(%s)", get)
	case schema.EnumKind:
		return fmt.Sprintf("model.%s(%s)", t.Ref, get)
	}
	return get
}
