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
	unpacker{l: l, out: out, read: "read", unpack: "unpack"}.write()
}

// alias writes the functions that copy a message into the model but leave its byte strings where
// they are. They are not those of unpack with a condition, so that the default mode need not ask
// for each byte string whether to copy it.
func (l *Layout) alias(out *emit.Source) {
	out.Import("time")
	unpacker{l: l, out: out, read: "view", unpack: "alias", alias: true}.write()
}

// An unpacker writes functions that copy a message into the model.
type unpacker struct {
	l   *Layout
	out *emit.Source
	// read and unpack begin the names of the functions for roots and for messages. The rest of
	// a name is the message's name, which begins with an upper-case letter.
	read, unpack string
	alias        bool // leave bytes in the message
}

func (u unpacker) write() {
	for _, root := range u.l.Schema.Roots {
		st := u.l.byName[root]
		if u.alias {
			u.out.P("// %s%s copies a message into dst, a zero value, but leaves its byte strings where they\n// are.", u.read, root)
		} else {
			u.out.P("// root%s returns the root of a message.", root)
			u.out.P("func root%s(msg *capnp.Message) (%s, error) {\nif err := allow(msg); err != nil {\nreturn %s{}, err\n}\nreturn ReadRoot%s(msg)\n}\n", root, st.Name, st.Name, st.Name)
			u.out.P("// %s%s copies a message into dst, a zero value.", u.read, root)
		}
		u.out.P("func %s%s(dst *model.%s, msg *capnp.Message) error {\nroot, err := root%s(msg)\n%s\nreturn %s%s(dst, root)\n}\n", u.read, root, root, root, check, u.unpack, root)
	}
	for _, st := range u.l.Structs {
		if st.message == nil {
			continue
		}
		m := st.message
		u.out.P("func %s%s(dst *model.%s, src %s) error {", u.unpack, m.Name, m.Name, st.Name)
		for _, f := range st.Fields {
			if !f.flags {
				u.field(f, member(m, f, "dst"))
			}
		}
		u.out.P("return nil\n}\n")
	}
}

func (u unpacker) field(f *Field, dst string) {
	name := title(f.Name)
	switch {
	case f.List:
		u.out.P("if src.Has%s() {\nlist, err := src.%s()\n%s", name, name, check)
		if f.isMap {
			u.entries(f, dst)
		} else {
			u.out.P("own := make([]%s, list.Len())\nfor i := range own {", emit.ModelType(f.of, "model."))
			u.elem(f, "own[i]")
			u.out.P("}\n%s = own", dst)
		}
		u.out.P("}")
	case f.of.Optional:
		if f.flag != nil {
			u.out.P("if src.%s() {", title(f.flag.Name))
		} else {
			u.out.P("if src.Has%s() {", name)
		}
		of := f.of
		of.Optional = false
		u.out.P("%s = new(%s)", dst, emit.ModelType(of, "model."))
		if f.of.Kind == schema.MessageKind {
			dst = "(*" + dst + ")" // its address is the pointer
		} else {
			dst = "*" + dst
		}
		u.value(f, dst, "src")
		u.out.P("}")
	default:
		u.value(f, dst, "src")
	}
}

// entries makes a map from the list, whose elements are entries.
func (u unpacker) entries(f *Field, dst string) {
	key, value := f.Struct.Fields[0], f.Struct.Fields[1]
	u.out.P("own := make(map[%s]%s, list.Len())\nfor i := range list.Len() {\ne := list.At(i)", emit.ModelType(key.of, ""), emit.ModelType(value.of, "model."))
	u.out.P("var k %s\nvar v %s", emit.ModelType(key.of, ""), emit.ModelType(value.of, "model."))
	u.value(key, "k", "e")
	if value.of.Optional {
		u.out.P("v = new(model.%s)", value.of.Ref)
		u.value(value, "(*v)", "e")
	} else {
		u.value(value, "v", "e")
	}
	u.out.P("own[k] = v\n}\n%s = own", dst)
}

// value sets dst to a field of src other than a list.
func (u unpacker) value(f *Field, dst, src string) {
	get := src + "." + title(f.Name) + "()"
	switch f.of.Kind {
	case schema.String:
		u.out.P("{\ns, err := %s\n%s\n%s = s\n}", get, check, dst)
	case schema.Bytes:
		u.out.P("{\nb, err := %s\n%s\n%s = %s\n}", get, check, dst, u.bytes())
	case schema.Timestamp:
		u.out.P("{\nt, err := %s\n%s\n%s = getTime(t)\n}", get, check, dst)
	case schema.MessageKind:
		u.out.P("{\nm, err := %s\n%s\nif err := %s%s(%s, m); err != nil {\nreturn err\n}\n}", get, check, u.unpack, f.of.Ref, address(dst))
	default:
		u.out.P("%s = %s", dst, toModel(f.of, get))
	}
}

// address returns the expression of the address of dst. The address of (*p) is p.
func address(dst string) string {
	if p, ok := strings.CutPrefix(dst, "(*"); ok && strings.HasSuffix(p, ")") {
		return strings.TrimSuffix(p, ")")
	}
	return "&" + dst
}

// elem sets dst to element i of the list.
func (u unpacker) elem(f *Field, dst string) {
	switch f.of.Kind {
	case schema.String:
		u.out.P("s, err := list.At(i)\n%s\n%s = s", check, dst)
	case schema.Bytes:
		u.out.P("b, err := list.At(i)\n%s\n%s = %s", check, dst, u.bytes())
	case schema.Timestamp:
		u.out.P("%s = getTime(list.At(i))", dst)
	case schema.MessageKind:
		if f.of.Optional {
			u.out.P("%s = new(model.%s)", dst, f.of.Ref)
		} else {
			dst = "&" + dst
		}
		u.out.P("if err := %s%s(%s, list.At(i)); err != nil {\nreturn err\n}", u.unpack, f.of.Ref, dst)
	default:
		u.out.P("%s = %s", dst, toModel(f.of, "list.At(i)"))
	}
}

// bytes returns the expression of the byte string b as the model holds it. A part of the message has no
// room behind it, so that an append to it cannot write into the message. Nil stays nil.
func (u unpacker) bytes() string {
	if u.alias {
		return "b[:len(b):len(b)]"
	}
	return "bytes.Clone(b)"
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
