package schema

import (
	"slices"
	"strings"
)

// Variant returns the index of the union's variant to which a JSON object belongs, or -1 if
// there is none. has reports whether the object has a key. tag is the object's text at the
// union's Tag, and tagged says whether it has a text there.
func (m *Message) Variant(has func(key string) bool, tag string, tagged bool) int {
	if m.Tag != "" {
		if !tagged {
			return -1
		}
		return slices.IndexFunc(m.Fields, func(f *Field) bool { return slices.Contains(f.When, tag) })
	}
	return slices.IndexFunc(m.Fields, func(f *Field) bool { return len(f.When) == 0 || has(f.When[0]) })
}

// A JSONKind is the kind of a JSON value, as its first byte tells it. All numbers have one
// kind, and true and false have one kind.
type JSONKind byte

// The kinds of JSON values.
const (
	JSONNull   JSONKind = 'n'
	JSONBool   JSONKind = 't'
	JSONNumber JSONKind = '0'
	JSONString JSONKind = '"'
	JSONObject JSONKind = '{'
	JSONArray  JSONKind = '['
)

// notObjects are the kinds of variants that are not objects, so that only their kind can tell
// them apart.
var notObjects = []JSONKind{JSONBool, JSONNumber, JSONString, JSONArray}

// JSONKindOf returns the kind of a JSON value from its first byte, which must not be white
// space.
func JSONKindOf(first byte) JSONKind {
	switch {
	case first == 'f':
		return JSONBool
	case first == '-' || '0' <= first && first <= '9':
		return JSONNumber
	}
	return JSONKind(first)
}

// ByKind reports whether a message is a union without a Tag and a When, so that the kind of the
// JSON value tells its variants apart: a number, a text, an object.
func (m *Message) ByKind() bool {
	return m.Union && m.Tag == "" && !slices.ContainsFunc(m.Fields, func(f *Field) bool { return len(f.When) > 0 })
}

// ByContent reports whether a message is a union of objects whose content, a Tag or keys, tells
// the variants apart.
func (m *Message) ByContent() bool { return m.Union && !m.ByKind() }

// VariantKinds returns the kind of the JSON value of each variant of a union for which ByKind
// reports true, and nil for any other message.
func (s *Schema) VariantKinds(m *Message) []JSONKind {
	if !m.ByKind() {
		return nil
	}
	kinds := make([]JSONKind, len(m.Fields))
	for i, f := range m.Fields {
		kinds[i] = s.variantKind(f)
	}
	return kinds
}

// variantKind returns the kind of the JSON value of a variant, or 0 if a field of its type
// cannot be a variant.
func (s *Schema) variantKind(f *Field) JSONKind {
	switch f.Type.Kind {
	case Bool:
		return JSONBool
	case Int32, Int64, Uint32, Uint64, Float32, Float64:
		return JSONNumber
	case String:
		return JSONString
	case MessageKind:
		switch of := s.Message(f.Type.Ref); {
		case of == nil || of.Wraps || of.Row || of.Union, of.Bare && len(of.Fields) != 1:
			return 0
		case of.Bare && of.Fields[0].Type.Kind == List:
			return JSONArray
		}
		return JSONObject
	}
	return 0
}

// VariantOf returns the index of the variant whose JSON values begin with the given byte, or
// -1. It is for unions for which ByKind reports true.
func (s *Schema) VariantOf(m *Message, first byte) int {
	return slices.Index(s.VariantKinds(m), JSONKindOf(first))
}

// OneofName returns the name of the union in formats that name unions. It does not clash with a
// name that is generated for a field.
func (m *Message) OneofName() string {
	name := "variant"
	for slices.ContainsFunc(m.Fields, func(f *Field) bool { return strings.HasSuffix(GoName(f.Name), GoName(name)) }) {
		name += "_set"
	}
	return name
}

// union checks the rules of unions and their variants.
func (c *checker) union(path string, m *Message) {
	if !m.Union {
		if m.Tag != "" {
			c.fail(path, "tag", "the variants of a union are told apart by a tag; write union = true, or leave the tag out")
		}
		for i, f := range m.Fields {
			if f.When != nil {
				c.fail(path+"."+orAt(f.Name, "fields", i), "when", "when is for the variants of a union; write union = true, or leave it out")
			}
		}
		return
	}
	if m.Bare || m.Wraps || m.Row || len(m.Fields) < 2 {
		c.fail(path, "union", "a union has at least two fields, is no row and not bare, and does not wrap")
	}
	if bad := badText(m.Tag); bad != "" {
		c.fail(path, "tag", "the tag %q %s", m.Tag, bad)
	}
	if m.ByKind() {
		c.kinds(path, m)
		return
	}
	taken := map[string]string{}
	for i, f := range m.Fields {
		fpath := path + "." + orAt(f.Name, "fields", i)
		of := c.schema.Message(f.Type.Ref)
		switch {
		case m.Tag == "" && slices.Contains(notObjects, c.schema.variantKind(f)):
			c.fail(fpath, "when", "when tells objects apart, and this variant is none; leave when out of all variants, and the kinds of their values tell")
			continue
		case f.Type.Kind != MessageKind || !f.Type.Optional || of == nil:
			c.fail(fpath, "type", "a variant of a union is an optional message, with a * before its name")
			continue
		case of.Bare || of.Wraps || of.Row || of.Union:
			c.fail(fpath, "type", "a variant of a union is a message that is an object in JSON: neither bare nor a row nor a union, and none that wraps")
			continue
		case !f.OmitEmpty:
			c.fail(fpath, "omitempty", "of a union only one variant is written; write omitempty = true")
		}
		for _, w := range f.When {
			if other, ok := taken[w]; ok {
				c.fail(fpath, "when", "%q tells variant %q already", w, other)
			}
			taken[w] = f.Name
		}
		if m.Tag != "" {
			c.tagged(fpath, m, f, of)
		} else {
			c.keyed(fpath, m, i, of)
		}
	}
}

// kinds checks the variants of a union for which ByKind reports true.
func (c *checker) kinds(path string, m *Message) {
	taken := map[JSONKind]string{}
	for i, f := range m.Fields {
		fpath := path + "." + orAt(f.Name, "fields", i)
		if of := c.schema.Message(f.Type.Ref); of != nil && of.Bare && len(of.Fields) != 1 {
			continue // the check of bare messages reports it
		}
		kind := c.schema.variantKind(f)
		switch other, ok := taken[kind]; {
		case f.As != "" || f.JSONText:
			c.fail(fpath, "type", "a variant that the kind of its value tells has neither as nor json_text; leave it out")
		case kind == 0 || !f.Type.Optional:
			c.fail(fpath, "type", "a variant of a union without tag and when is an optional bool, number, string or message, with a * before it: an object, or a bare list or map in JSON, and no union. The kind of the JSON value tells it")
		case kind == JSONArray && c.schema.Message(f.Type.Ref).Fields[0].OneOrMany:
			c.fail(fpath, "type", "JSON writes a list of one element of %s as that element, whose kind tells another variant or none; leave one_or_many out there", f.Type.Ref)
		case ok:
			c.fail(fpath, "when", "in JSON it is of the kind that variant %q is of; say with a tag of the union, or with when, how they are told apart", other)
		case !f.OmitEmpty:
			c.fail(fpath, "omitempty", "of a union only one variant is written; write omitempty = true")
		}
		taken[kind] = f.Name
	}
}

// tagged checks a variant that the text of a tag identifies.
func (c *checker) tagged(path string, m *Message, f *Field, of *Message) {
	if len(f.When) == 0 {
		c.fail(path, "when", "the tag %q of the union tells its variants apart; say with when = [\"…\"] which texts it has in this one", m.Tag)
	}
	tag := of.TextField(m.Tag)
	if tag == nil || tag.Type.Kind != String || tag.Type.Optional || tag.Omits() || tag.JSONText {
		c.fail(path, "type", "%s has no string %q that is always there, which is the tag of the union", of.Name, m.Tag)
	}
	if other := of.mistaken(m.Tag); other != nil {
		c.fail(path, "type", "the key %q of %s and the tag %q are one where case does not count", other.TextName(), of.Name, m.Tag)
	}
}

// keyed checks the i-th variant of a union without a Tag, which a key identifies.
func (c *checker) keyed(path string, m *Message, i int, of *Message) {
	when := m.Fields[i].When
	switch {
	case len(when) == 0 && i == len(m.Fields)-1:
		return
	case len(when) != 1:
		c.fail(path, "when", "without a tag a variant is told by one key that is always there; say which with when = [\"…\"]. Only the last variant may have none")
		return
	}
	if f := of.TextField(when[0]); f == nil || !c.schema.always(f) {
		c.fail(path, "when", "%s has no field %q that is never absent, null or empty, to be told by", of.Name, when[0])
	}
	for j, later := range m.Fields[i:] {
		next := c.schema.Message(later.Type.Ref)
		if next == nil {
			continue
		}
		if j > 0 && next.TextField(when[0]) != nil {
			c.fail(path, "when", "%s, which variant %q is, has the key %q too; put that variant before this one", next.Name, later.Name, when[0])
		}
		if other := next.mistaken(when[0]); other != nil {
			c.fail(path, "when", "the keys %q of %s and %q are one where case does not count", other.TextName(), next.Name, when[0])
		}
	}
}

// TextField returns the field with the given text name, or nil.
func (m *Message) TextField(text string) *Field {
	for _, f := range m.Fields {
		if f.TextName() == text {
			return f
		}
	}
	return nil
}

// mistaken returns a field whose text name differs from text only in case, or nil. Libraries
// that ignore case would confuse the two.
func (m *Message) mistaken(text string) *Field {
	for _, f := range m.Fields {
		if t := f.TextName(); t != text && strings.EqualFold(t, text) {
			return f
		}
	}
	return nil
}

// always reports whether the JSON of every value has the field, and it is never null.
func (s *Schema) always(f *Field) bool {
	if f.Type.Optional || f.Type.container() || f.Type.Kind == Bytes || f.Omits() || f.JSONText {
		return false
	}
	if of := s.Message(f.Type.Ref); of != nil {
		return !of.Bare && !of.Wraps
	}
	return true
}
