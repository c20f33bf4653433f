package floor

import (
	"fmt"

	"assay/contender"
	"assay/contender/emit"
	"assay/schema"
)

// A cloner writes code that makes deep copies with the fewest allocations. A first walk counts
// the text bytes and the elements of each Go type. Then one slab of each type is allocated, and
// a second walk carves the copy out of the slabs. Maps are made one by one, because the runtime
// offers no other way.
type cloner struct {
	schema *schema.Schema
	slabs  []string // the Go type of each slab's elements
}

func (c *cloner) write(req contender.Request) ([]byte, error) {
	body := emit.NewSource(req.Package, "assay")
	body.ImportAs("model", req.Model)
	body.Import("time", "unsafe")
	for _, m := range c.schema.Messages {
		c.count(body, m)
		c.clone(body, m)
	}
	body.P("// counts is how much of everything a value holds.\ntype counts struct {\ntext int")
	for i := range c.slabs {
		body.P("s%d int", i)
	}
	body.P("}\n\n// slabs is what a copy is carved from.\ntype slabs struct {\ntext []byte")
	for i, t := range c.slabs {
		body.P("s%d []%s", i, t)
	}
	body.P("}\n\nfunc (n *counts) make() *slabs {\na := &slabs{}\nif n.text > 0 {\na.text = make([]byte, 0, n.text)\n}")
	for i, t := range c.slabs {
		body.P("if n.s%d > 0 {\na.s%d = make([]%s, n.s%d)\n}", i, i, t, i)
	}
	body.P("return a\n}\n")
	body.P(`// bytes copies b to the end of the text slab.
func (a *slabs) bytes(b []byte) []byte {
	if len(b) == 0 {
		return b[:0:0]
	}
	at := len(a.text)
	a.text = append(a.text, b...)
	return a.text[at:len(a.text):len(a.text)]
}

// string copies s to the end of the text slab. The slab is never written
// again, so a string may point into it.
func (a *slabs) string(s string) string {
	if s == "" {
		return ""
	}
	at := len(a.text)
	a.text = append(a.text, s...)
	return unsafe.String(&a.text[at], len(s))
}

// carve cuts n elements off the front of a slab.
func carve[T any](slab *[]T, n int) []T {
	out := (*slab)[:n:n]
	*slab = (*slab)[n:]
	return out
}
`)
	for _, root := range c.schema.Roots {
		body.P("func clone%s(src *model.%s) *model.%s {\nvar n counts\ncount%sInto(&n, src)\ndst := new(model.%s)\nn.make().clone%s(dst, src)\nreturn dst\n}\n", root, root, root, root, root, root)
	}
	return body.Bytes()
}

// slab returns the index of the slab for elements of type t.
func (c *cloner) slab(t schema.Type) int {
	name := emit.ModelType(t, "model.")
	for i, s := range c.slabs {
		if s == name {
			return i
		}
	}
	c.slabs = append(c.slabs, name)
	return len(c.slabs) - 1
}

// flat reports whether a plain copy of a value of type t is a deep copy.
func (c *cloner) flat(t schema.Type) bool {
	switch {
	case t.Optional, t.Kind == schema.List, t.Kind == schema.Map, t.Kind == schema.String, t.Kind == schema.Bytes:
		return false
	case t.Kind == schema.MessageKind:
		for _, f := range c.schema.Message(t.Ref).Fields {
			if !c.flat(f.Type) {
				return false
			}
		}
	}
	return true
}

// required returns t with Optional unset.
func required(t schema.Type) schema.Type {
	t.Optional = false
	return t
}

func (c *cloner) count(out *emit.Source, m *schema.Message) {
	out.P("func count%sInto(n *counts, v *model.%s) {", m.Name, m.Name)
	for _, f := range m.Fields {
		src := member(m, f, "v")
		if c.flat(f.Type) {
			continue
		}
		switch elem := f.Type.Elem; f.Type.Kind {
		case schema.List:
			out.P("n.s%d += len(%s)", c.slab(*elem), src)
			if !c.flat(*elem) {
				out.P("for i := range %s {", src)
				c.countValue(out, *elem, src+"[i]")
				out.P("}")
			}
		case schema.Map:
			text := f.Type.Key == schema.String
			switch flat := c.flat(*elem); {
			case flat && text:
				out.P("for k := range %s {\nn.text += len(k)\n}", src)
			case !flat:
				key := "_"
				if text {
					key = "k"
				}
				out.P("for %s, x := range %s {", key, src)
				if text {
					out.P("n.text += len(k)")
				}
				c.countValue(out, *elem, "x")
				out.P("}")
			}
		default:
			c.countValue(out, f.Type, src)
		}
	}
	out.P("}\n")
}

func (c *cloner) countValue(out *emit.Source, t schema.Type, src string) {
	if t.Optional {
		out.P("if %s != nil {\nn.s%d++", src, c.slab(required(t)))
		switch {
		case c.flat(required(t)):
		case t.Kind == schema.MessageKind:
			out.P("count%sInto(n, %s)", t.Ref, src)
		default:
			out.P("n.text += len(*%s)", src)
		}
		out.P("}")
		return
	}
	if t.Kind == schema.MessageKind {
		out.P("count%sInto(n, &%s)", t.Ref, src)
		return
	}
	out.P("n.text += len(%s)", src)
}

func (c *cloner) clone(out *emit.Source, m *schema.Message) {
	out.P("func (a *slabs) clone%s(dst, src *model.%s) {", m.Name, m.Name)
	out.P("*dst = *src")
	for _, f := range m.Fields {
		dst, src := member(m, f, "dst"), member(m, f, "src")
		if c.flat(f.Type) {
			continue
		}
		switch elem := f.Type.Elem; f.Type.Kind {
		case schema.List:
			out.P("if len(%s) > 0 {\n%s = carve(&a.s%d, len(%s))", src, dst, c.slab(*elem), src)
			if c.flat(*elem) {
				out.P("copy(%s, %s)", dst, src)
			} else {
				out.P("for i := range %s {", src)
				c.cloneValue(out, *elem, dst+"[i]", src+"[i]")
				out.P("}")
			}
			out.P("}")
		case schema.Map:
			key := "k"
			if f.Type.Key == schema.String {
				key = "a.string(k)"
			}
			out.P("if %s != nil {\n%s = make(%s, len(%s))\nfor k, x := range %s {", src, dst, emit.ModelType(f.Type, "model."), src, src)
			if c.flat(*elem) {
				out.P("%s[%s] = x", dst, key)
			} else {
				out.P("var e %s", emit.ModelType(*elem, "model."))
				c.cloneValue(out, *elem, "e", "x")
				out.P("%s[%s] = e", dst, key)
			}
			out.P("}\n}")
		default:
			c.cloneValue(out, f.Type, dst, src)
		}
	}
	out.P("}\n")
}

func (c *cloner) cloneValue(out *emit.Source, t schema.Type, dst, src string) {
	if t.Optional {
		slab := c.slab(required(t))
		out.P("if %s != nil {\n%s = &carve(&a.s%d, 1)[0]", src, dst, slab)
		if t.Kind == schema.MessageKind {
			out.P("a.clone%s(%s, %s)", t.Ref, dst, src)
		} else {
			c.cloneLeaf(out, required(t), "*"+dst, "*"+src)
		}
		out.P("}")
		return
	}
	if t.Kind == schema.MessageKind {
		out.P("a.clone%s(&%s, &%s)", t.Ref, dst, src)
		return
	}
	c.cloneLeaf(out, t, dst, src)
}

func (c *cloner) cloneLeaf(out *emit.Source, t schema.Type, dst, src string) {
	switch t.Kind {
	case schema.String:
		out.P("%s = a.string(%s)", dst, src)
	case schema.Bytes:
		out.P("%s = a.bytes(%s)", dst, src)
	case schema.Invalid, schema.List, schema.Map, schema.MessageKind:
		panic(fmt.Sprintf("floor: kind %d is no leaf", t.Kind))
	default:
		out.P("%s = %s", dst, src)
	}
}
