package fbs

import (
	"strings"

	"assay/contender/emit"
	"assay/schema"
)

// unpacker is the state of unpacking. It limits memory and time as a verifier of the buffer
// would, because the Go library has no verifier.
const unpacker = `// maxReads is how many times its own length may be read from a buffer. One
// that shares nothing is read once; one that shares strings, somewhat more; one
// that was made to explode would be read over and over.
const maxReads = 16

// An unpacker bounds what is read from a buffer that may be damaged.
type unpacker struct {
	size int // of the buffer
	left int // bytes that may still be read
	// alias leaves byte strings in the buffer, as flatc's code does.
	alias bool
	$depth
}

func newUnpacker(data []byte) unpacker {
	return unpacker{size: len(data), left: maxReads * len(data)}
}

// spend counts bytes that are read.
func (u *unpacker) spend(n int) {
	if u.left -= n; u.left < 0 {
		panic("flatbuffers: the buffer's objects are shared too often; it is damaged")
	}
}

// list returns n, the length of a vector of elements of the given size, if the
// buffer can hold as many.
func (u *unpacker) list(n, size int) int {
	if n > u.size/size {
		panic("flatbuffers: a vector is longer than the buffer; it is damaged")
	}
	u.spend(n * size)
	return n
}

// text copies a string.
func (u *unpacker) text(b []byte) string {
	u.spend(len(b))
	return string(b)
}

// bytes copies a byte string, or with alias leaves it in the buffer; nil stays nil.
func (u *unpacker) bytes(b []byte) []byte {
	u.spend(len(b))
	if u.alias {
		return b[:len(b):len(b)]
	}
	return bytes.Clone(b)
}
`

const enter = `
// maxDepth is how deep values may contain values of their own type.
const maxDepth = 10000

// enter counts how deep recursive values are nested.
func (u *unpacker) enter() {
	if u.depth++; u.depth > maxDepth {
		panic("flatbuffers: values are nested too deeply")
	}
}
`

// unpack writes the functions that copy a buffer into the model.
func (l *Layout) unpack(out *emit.Source) {
	out.Import("bytes", "time")
	depth := ""
	for _, t := range l.Tables {
		if t.recursive {
			depth = "depth int // of recursive values"
		}
	}
	out.P("%s", strings.Replace(unpacker, "$depth", depth, 1))
	if depth != "" {
		out.P("%s", enter)
	}
	for _, u := range l.Unions {
		unpackUnion(out, u)
	}
	for _, t := range l.Tables {
		if t.Message == nil {
			continue
		}
		out.P("// unpack%s copies src into dst, a zero value. It panics on damaged input.", t.Name)
		out.P("func unpack%s(u *unpacker, dst *model.%s, src *%s) {\nu.spend(4)", t.Name, t.Name, t.Name)
		if t.recursive {
			out.P("u.enter()")
		}
		for _, f := range t.Fields {
			if dst := member(t, f, "dst"); f.Vector {
				l.unpackVector(out, f, dst)
			} else {
				l.unpackValue(out, f, dst, "src")
			}
		}
		if t.recursive {
			out.P("u.depth--")
		}
		out.P("}\n")
	}
}

// toModel returns the expression that converts an accessor's result to the model's type.
func (l *Layout) toModel(f *Field, value string) string {
	typ := emit.ModelType(f.Of, "model.")
	if f.Vector {
		typ = emit.ModelType(*f.Of.Elem, "model.")
	}
	switch {
	case f.Ref == "" && f.Kind != schema.Duration:
		return value
	case f.Optional:
		return "(" + typ + ")(" + value + ")"
	}
	return typ + "(" + value + ")"
}

// instant is the expression of the time that a timestamp holds.
const instant = "time.Unix(x.Seconds(), int64(x.Nanos())).UTC()"

// unpackValue writes the statements that set dst to a field of src other than a vector.
func (l *Layout) unpackValue(out *emit.Source, f *Field, dst, src string) {
	get := src + "." + f.get
	switch f.Form {
	case Choice:
		unpackChoice(out, f, dst, src)
	case Scalar:
		out.P("%s = %s", dst, l.toModel(f, get+"()"))
	case Text:
		if f.Of.Optional {
			out.P("if b := %s(); b != nil {\nx := u.text(b)\n%s = &x\n}", get, dst)
			return
		}
		out.P("%s = u.text(%s())", dst, get)
	case Bytes:
		if f.Of.Optional {
			out.P("if b := %s.%s(); b != nil {\nx := u.bytes(b)\n%s = &x\n}", src, f.bytes, dst)
			return
		}
		out.P("%s = u.bytes(%s.%s())", dst, src, f.bytes)
	case Struct:
		out.P("if x := %s(new(%s)); x != nil {", get, l.Stamp)
		if f.Of.Optional {
			out.P("t := %s\n%s = &t\n}", instant, dst)
			return
		}
		out.P("%s = %s\n}", dst, instant)
	case Nested:
		out.P("if x := %s(new(%s)); x != nil {", get, f.table.Name)
		if f.Of.Optional {
			out.P("%s = new(model.%s)\nunpack%s(u, %s, x)\n}", dst, f.Of.Ref, f.table.Name, dst)
			return
		}
		out.P("unpack%s(u, %s, x)\n}", f.table.Name, address(dst))
	}
}

// unpackVector writes the statements that set dst to a vector of src. An
// absent vector leaves it nil.
func (l *Layout) unpackVector(out *emit.Source, f *Field, dst string) {
	out.P("if src._tab.Offset(%d) != 0 {\nn := u.list(src.%s(), %d)", 4+2*f.Slot, f.length, f.size())
	out.P("%s = make(%s, n)", dst, emit.ModelType(f.Of, "model."))
	switch f.Form {
	case Struct:
		out.P("var x %s", l.Stamp)
	case Nested:
		out.P("var x %s", f.table.Name)
	}
	if f.Of.Kind == schema.Map {
		l.unpackEntries(out, f, dst)
		return
	}
	out.P("for i := range %s {", dst)
	at := dst + "[i]"
	switch elem := f.Of.Elem; {
	case f.Form == Scalar:
		out.P("%s = %s", at, l.toModel(f, "src."+f.get+"(i)"))
	case f.Form == Text:
		out.P("%s = u.text(src.%s(i))", at, f.get)
	case f.Form == Struct:
		out.P("src.%s(&x, i)\n%s = %s", f.get, at, instant)
	case elem.Kind == schema.Bytes:
		out.P("src.%s(&x, i)\nu.spend(4)\n%s = u.bytes(x.%s())", f.get, at, f.table.Fields[0].bytes)
	case elem.Optional:
		out.P("src.%s(&x, i)\n%s = new(model.%s)\nunpack%s(u, %s, &x)", f.get, at, elem.Ref, f.table.Name, at)
	default:
		out.P("src.%s(&x, i)\nunpack%s(u, &%s, &x)", f.get, f.table.Name, at)
	}
	out.P("}\n}")
}

// unpackEntries writes the loop over the n entries of a map.
func (l *Layout) unpackEntries(out *emit.Source, f *Field, dst string) {
	key, value := f.table.Fields[0], f.table.Fields[1]
	out.P("for i := range n {\nsrc.%s(&x, i)\nu.spend(4)", f.get)
	// Unpack the value before the key, because the key is part of the last statement.
	switch of := value.Of; {
	case of.Kind == schema.MessageKind && of.Optional:
		// An element by pointer is never nil, even if the entry has no value.
		out.P("value := new(model.%s)\nif x := x.%s(new(%s)); x != nil {\nunpack%s(u, value, x)\n}", of.Ref, value.get, value.table.Name, value.table.Name)
	default:
		out.P("var value %s", emit.ModelType(of, "model."))
		l.unpackValue(out, value, "value", "x")
	}
	expr := "x." + key.get + "()"
	if key.Form == Text {
		expr = "u.text(" + expr + ")"
	}
	out.P("%s[%s] = value\n}\n}", dst, expr)
}
