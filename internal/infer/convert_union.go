package infer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assay/schema"
)

// variant converts an object to a union by setting the field of its variant.
func (c *converter) variant(s *shape) error {
	text := c.record.After(c.decoder.InputOffset())
	at := c.heads.variant(s.union, text)
	if at < 0 {
		return c.ahead("this object is of no variant of %s: %s", s.name, wanted(s.union)).Or(", and --skip-bad leaves the record out")
	}
	return c.oneOf(s, at)
}

// ofKind converts a value to a union whose variants JSON's kind of value tells apart.
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

// oneOf converts a value to a union by setting the field with index at.
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

// wanted describes the text or keys that an object of a union must have, and what to do if it lacks
// them.
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

// A Tag describes the texts at a place that tell the variants of a union apart.
type Tag struct{ kept map[string]bool }

// Keeps reports whether a text is a word of the schema rather than data: the schema has the text,
// or names a type after it. In an inferred schema, only texts under a key such as type or kind are
// such words, because data such as the names of customers may tell kinds apart too.
func (t *Tag) Keeps(text string) bool { return t.kept[text] }

// KeepsTags reports whether the texts under a key that tells the variants of a union apart are
// words of the schema: see Tag.Keeps.
func (r *Result) KeepsTags(key string) bool { return r.keys == nil || ofKinds(key) }

// NamesData reports whether a type is named after a text that is data: see Tag.Keeps.
func (r *Result) NamesData() bool {
	return slices.ContainsFunc(r.tags, func(u *union) bool { return !r.KeepsTags(u.besideKey()) }) ||
		slices.ContainsFunc(r.Schema.Messages, func(m *schema.Message) bool { return m.Tag != "" && !r.KeepsTags(m.Tag) })
}

// tagged marks a target as one of texts that tell variants apart. kept says whether the given texts
// are words of the schema.
func (t *target) tagged(kept bool, texts []string) {
	if t.tag == nil {
		t.tag = &Tag{map[string]bool{}}
	}
	for _, text := range texts {
		t.tag.kept[text] = t.tag.kept[text] || kept
	}
}

// markTags marks the fields whose texts tell the variants of a union apart.
func (r *Result) markTags(s *shape) {
	if s.union == nil || s.union.Tag == "" {
		return
	}
	for i, f := range s.fields {
		of := r.Schema.Message(f.message.name).Fields
		if at := slices.IndexFunc(of, func(f *schema.Field) bool { return f.TextName() == s.union.Tag }); at >= 0 {
			f.message.fields[at].tagged(r.KeepsTags(s.union.Tag), s.union.Fields[i].When)
		}
	}
}

// besideKey returns the key of the text beside the objects of a union.
func (u *union) besideKey() string { return u.beside[len(u.beside)-1].key }

// markBeside marks the texts at path p from t: they are beside the objects of a union, and name its
// variants.
func (r *Result) markBeside(t *target, p path, u *union) {
	for t.kind == schema.MessageKind && (t.message.bare || t.message.wraps) {
		t = t.message.fields[0].target
	}
	switch {
	case t.kind == schema.MessageKind && t.message.union != nil:
		for _, f := range t.message.fields {
			r.markBeside(f.target, p, u)
		}
	case len(p) == 0 && (t.kind != schema.String || t.json):
	case len(p) == 0:
		for _, f := range u.how.Fields {
			t.tagged(r.KeepsTags(u.besideKey()), []string{f.Name})
		}
	case t.elem != nil:
		r.markBeside(t.elem, p[1:], u)
	case t.kind == schema.MessageKind && p[0].kind == inKey:
		if i, ok := t.message.index[p[0].key]; ok {
			r.markBeside(t.message.fields[i].target, p[1:], u)
		}
	}
}

// Of returns the place of the variant of an object if p is the place of a union whose variants are
// objects; otherwise it returns p. raw begins with the text of the object.
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

// OfKind returns the place of the variant of a value of that kind if p is the place of a union
// whose variants JSON's kind of value tells apart; otherwise it returns p.
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

// Tag describes the texts at the place if they tell the variants of a union apart; otherwise it
// returns nil.
func (p Place) Tag() *Tag {
	if p = p.value(); p.target == nil {
		return nil
	}
	return p.target.tag
}
