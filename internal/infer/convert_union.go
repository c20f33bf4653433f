package infer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assay/schema"
)

// variant converts an object to a union, of which one field is set.
func (c *converter) variant(s *shape) error {
	text := c.record.After(c.decoder.InputOffset())
	at := c.heads.variant(s.union, text)
	if at < 0 {
		return c.ahead("this object is of no variant of %s: %s", s.name, wanted(s.union)).Or(", and --skip-bad leaves the record out")
	}
	return c.oneOf(s, at)
}

// ofKind converts a value to a union whose variants are told by the kind of the value.
func (c *converter) ofKind(t *target, kind jsontext.Kind) error {
	at := -1
	if kind > 0 {
		at = slices.Index(t.message.kinds, schema.JSONKindOf(byte(kind)))
	}
	if at < 0 {
		return c.wrong(t, kind)
	}
	return c.oneOf(t.message, at)
}

// oneOf converts a value to a union whose field of that index is set.
func (c *converter) oneOf(s *shape, at int) error {
	c.out = append(c.out, '{')
	for i, f := range s.fields {
		c.out = append(c.out, f.label...)
		if i != at {
			c.out = append(c.out, "null,"...)
			continue
		}
		if err := c.value(f.target); err != nil {
			return err
		}
		c.out = append(c.out, ',')
	}
	c.close('}')
	return nil
}

// wanted says what an object of a union has, and what to do when one has not.
func wanted(m *schema.Message) string {
	var all []string
	for _, f := range m.Fields {
		for _, w := range f.When {
			all = append(all, strconv.Quote(shorten(w)))
		}
	}
	const some = 8
	list := strings.Join(all[:min(len(all), some)], ", ")
	if len(all) > some {
		list += " …"
	}
	if m.Tag != "" {
		return "its " + strconv.Quote(m.Tag) + " is none of " + list + "; when of a field in the schema says which texts it is for"
	}
	return "it has none of the keys " + list + "; the last field of a union without when takes what is left"
}

// tags marks the fields by whose text the variants of a union are told.
func (s *shape) tags() {
	if s.union == nil || s.union.Tag == "" {
		return
	}
	for _, f := range s.fields {
		if i, ok := f.message.index[s.union.Tag]; ok {
			f.message.fields[i].tag = true
		}
	}
}

// mark marks the texts at a path from a place as a tag that is beside a union.
func (t *target) mark(p path) {
	for t.kind == schema.MessageKind && (t.message.bare || t.message.wraps) {
		t = t.message.fields[0].target
	}
	switch {
	case t.kind == schema.MessageKind && t.message.union != nil:
		for _, f := range t.message.fields {
			f.mark(p)
		}
	case len(p) == 0:
		t.tag = true
	case t.elem != nil:
		t.elem.mark(p[1:])
	case t.kind == schema.MessageKind && p[0].kind == inKey:
		if i, ok := t.message.index[p[0].key]; ok {
			t.message.fields[i].mark(p[1:])
		}
	}
}

// Of returns the place of the variant that an object is of, with whose text raw
// begins, when the place is one of a union; otherwise the place as it is.
func (p Place) Of(raw []byte) Place {
	in := p.value()
	if in.target == nil || in.target.kind != schema.MessageKind || in.target.message.union == nil || in.target.message.kinds != nil {
		return p
	}
	var h heads
	i := h.variant(in.target.message.union, raw)
	if i < 0 {
		return Place{}
	}
	return Place{in.target.message.fields[i].target, p.given}
}

// OfKind returns the place of the variant that a value is of, when the place is one of a
// union whose variants are told by the kind of their value; otherwise the place as it is.
func (p Place) OfKind(kind jsontext.Kind) Place {
	in := p.value()
	if in.target == nil || in.target.kind != schema.MessageKind || in.target.message.kinds == nil {
		return p
	}
	i := slices.Index(in.target.message.kinds, schema.JSONKindOf(byte(kind)))
	if i < 0 {
		return Place{}
	}
	return Place{in.target.message.fields[i].target, p.given}
}

// Tag reports whether the text there tells the variants of a union apart, so that
// it is rather a key than data.
func (p Place) Tag() bool {
	p = p.value()
	return p.target != nil && p.target.tag
}
