package infer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assay/internal/guess"
	"assay/internal/phrase"
	"assay/schema"
)

const (
	// maxVariants is how many variants a union may have.
	maxVariants = 64
	// maxRounds is how often a sample is read for unions within variants.
	maxRounds = 5
)

// A union is a place whose objects are of several kinds, and how those are told
// apart. It is decided by a survey of the sample, which is then read again with a
// node for each variant.
type union struct {
	path path
	// how has the fields of the union, without their types: see
	// schema.Message.Variant. Its texts are keys of the sample.
	how *schema.Message
	// forced is the user's answer that asks for it; nil: it is a guess, for a reason.
	forced *Overrule
	why    string
	beside path  // of the text beside the objects that goes with their kinds; nil: none
	kinds  int64 // how many its message has
	// splits say which records are of which variant, by --only; empty: none can. untold
	// is how many records are of the others.
	splits []split
	untold int64
}

// A split is the records of which an --only is true, and how many there are.
type split struct {
	only  Only
	count int64
}

// unionAt returns the union that a step leads to by rules, or nil.
func unionAt(rules []rule, s step) *union {
	for _, r := range rules {
		if r.union != nil && len(r.path) == 1 && r.path[0].leads(s) {
			return r.union
		}
	}
	return nil
}

// variant counts an object at the place of a union, and returns the node of the
// variant that the next value is of.
func (o *observer) variant(n *node) *node {
	fields := n.union.how.Fields
	if n.object == nil {
		n.object = &object{}
		for _, f := range fields {
			o.nodes++
			n.object.add(f.Name, &node{rules: n.rules, up: n, inner: true, distinct: &texts{}})
		}
	}
	ob := n.object
	ob.seen++
	ob.filled++
	i := o.heads.variant(n.union.how, Record{Raw: o.raw}.After(o.decoder.InputOffset()))
	if i < 0 {
		i = len(fields) - 1 // the sample is another than it was, which is seen when it is converted
	}
	ob.members[i].count++
	return ob.members[i].node
}

// After returns the text of the record from the token after an offset on.
func (r Record) After(offset int64) []byte { return r.Raw[r.next(offset):] }

// heads read what tells the variants of unions apart.
type heads struct {
	decoder *jsontext.Decoder
	buffer  bytes.Buffer
	there   []bool
}

// members calls f with the keys of the object with which a text begins, each before its value,
// until f is done, which may have read the value. It reports whether f was done with none.
func (h *heads) members(text []byte, f func(key string, d *jsontext.Decoder) (done bool)) bool {
	h.buffer = *bytes.NewBuffer(text)
	if h.decoder == nil {
		h.decoder = jsontext.NewDecoder(&h.buffer)
	} else {
		h.decoder.Reset(&h.buffer)
	}
	d := h.decoder
	if d.PeekKind() != '{' {
		return false
	}
	if _, err := d.ReadToken(); err != nil {
		return false
	}
	for d.PeekKind() == '"' {
		raw, err := d.ReadValue()
		if err != nil || f(unquote(raw), d) || d.SkipValue() != nil {
			return false
		}
	}
	return true
}

// textValue reads a value and returns it if it is a text.
func textValue(d *jsontext.Decoder) (text string, ok bool) {
	raw, err := d.ReadValue()
	if err != nil || raw[0] != '"' {
		return "", false
	}
	return unquote(raw), true
}

// text returns the text that the object with which raw begins has under a key; nothing when
// it has none.
func (h *heads) text(key string, raw []byte) (text string) {
	h.members(raw, func(k string, d *jsontext.Decoder) bool {
		if k != key {
			return false
		}
		text, _ = textValue(d)
		return true
	})
	return text
}

// variant returns the index of the variant that an object is of, with which a text
// begins, or -1. The keys of the sample stand for the text names that they get.
func (h *heads) variant(m *schema.Message, text []byte) int {
	h.there = append(h.there[:0], make([]bool, len(m.Fields))...)
	tagged := -1
	whole := h.members(text, func(key string, d *jsontext.Decoder) bool {
		key = tagText(key)
		if m.Tag != "" && key == m.Tag {
			if text, ok := textValue(d); ok {
				tagged = m.Variant(nil, text, true)
			}
			return true
		}
		for i, f := range m.Fields {
			if m.Tag == "" && len(f.When) > 0 && f.When[0] == key {
				h.there[i] = true
			}
		}
		return false
	})
	if !whole {
		return tagged
	}
	return m.Variant(func(key string) bool {
		i := slices.IndexFunc(m.Fields, func(f *schema.Field) bool { return len(f.When) > 0 && f.When[0] == key })
		return i >= 0 && h.there[i]
	}, "", false)
}

// unionOf returns the type of a place whose objects are of several kinds. When
// what was decided of them does not fit the messages that the variants became, the
// union is refused, and the sample is read again without it.
func (b *builder) unionOf(n *node, at path) schema.Type {
	if b.grammar != nil && n.union == b.grammar.union {
		return b.kindUnion(n, at)
	}
	var kinds []int // variants that there are here: messages may share a place in part
	for i, v := range n.object.members {
		if v.count > 0 {
			kinds = append(kinds, i)
		}
	}
	for _, i := range kinds {
		v := find(n.object.members[i].node)
		if !b.full[v] || v.object == nil || v.object.value != nil {
			b.refuse(n.union, "one of its kinds is no object with fields")
			return schema.Type{Kind: schema.String}
		}
	}
	if len(kinds) == 1 {
		t, _ := b.object(find(n.object.members[kinds[0]].node), at)
		return t
	}
	m, isNew := b.make(role{n, ""}, at)
	if !isNew {
		return b.ref(m)
	}
	u := n.union
	m.Union, m.Tag, m.own, m.union = true, u.how.Tag, u.forced != nil, u
	if u.forced == nil {
		b.guess(guess.Structure, at, "struct", fmt.Sprintf("a union of %d kinds", len(kinds)), "%s", u.why)
	}
	u.kinds = max(u.kinds, int64(len(kinds)))
	names := newNamer()
	for _, i := range kinds {
		v := u.how.Fields[i]
		t, _ := b.object(find(n.object.members[i].node), at)
		f := b.field(m, names, v.Name, t, false)
		f.Type.Optional, f.OmitEmpty, f.When = true, true, slices.Clone(v.When)
	}
	return b.ref(m)
}

// refuseUntold refuses the unions whose kinds cannot be told by their tag or keys.
// It is decided when all messages are known: in a tree the kinds of a union hold
// themselves, and what is shared may have become one with another message.
func (b *builder) refuseUntold() {
	for _, m := range b.list {
		if m.union == nil {
			continue
		}
		for i := range m.Fields {
			if why := b.untold(m, i); why != "" {
				b.refuse(m.union, why)
			}
		}
	}
}

func (b *builder) refuse(u *union, why string) {
	if b.refused == nil {
		b.refused = map[*union]string{}
	}
	b.refused[u] = why
}

// untold says why the i-th kind of a union cannot be told, or nothing.
func (b *builder) untold(union *message, i int) string {
	m, key := b.at(union.Fields[i].Type.Ref), union.Tag
	if m.Bare || m.Wraps || m.Row || m.Union {
		return "one of its kinds is no object with fields"
	}
	if key == "" {
		if len(union.Fields[i].When) == 0 {
			return ""
		}
		key = union.Fields[i].When[0]
		for _, later := range union.Fields[i+1:] {
			if of := b.at(later.Type.Ref); of.textField(key, strings.EqualFold) != nil {
				return fmt.Sprintf("the key %q, which tells one of its kinds, is in another one too", key)
			}
		}
	}
	f := m.textField(key, func(name, key string) bool { return name == key })
	if f == nil || !b.alwaysThere(f) || union.Tag != "" && f.Type.Kind != schema.String {
		return fmt.Sprintf("the value at %q, which tells its kinds apart, is absent, null or no text in some", key)
	}
	return ""
}

// textField returns the first field whose key in JSON is that one, or nil.
func (m *message) textField(key string, is func(name, key string) bool) *schema.Field {
	for _, f := range m.Fields {
		if is(f.TextName(), key) {
			return f
		}
	}
	return nil
}

// alwaysThere reports whether a field is in every object, and never null.
func (b *builder) alwaysThere(f *schema.Field) bool {
	if f.Type.Optional || f.Omits() || f.JSONText {
		return false
	}
	switch f.Type.Kind {
	case schema.List, schema.Map, schema.Bytes:
		return false
	case schema.MessageKind:
		of := b.at(f.Type.Ref)
		return !of.Bare && !of.Wraps
	}
	return true
}

// notesOf says how each kind of the unions is measured by itself, and what a union
// costs in Avro, which is not written as its users would: see package avsc.
func (in *inference) notesOf(u *union) (notes []string) {
	if u.kinds > 1 {
		what := "the record"
		if len(u.path) > 0 {
			what = u.path.String()
		}
		notes = append(notes, fmt.Sprintf("Avro: %s has an optional field for each of %d kinds, which is %s an object more than a union of records; only one of the two libraries reads such a union into structs",
			what, u.kinds, plural(u.kinds-1, "byte")))
	}
	if len(u.splits) == 0 {
		return notes
	}
	slices.SortStableFunc(u.splits, func(a, b split) int { return int(min(max(b.count-a.count, -1), 1)) })
	first := u.splits[0]
	rest := ""
	if more := u.splits[1:]; len(more) > 0 {
		var others []string
		for _, s := range more {
			others = append(others, fmt.Sprintf("%s (%s)", s.only.short(), phrase.Grouped(s.count)))
		}
		rest = "; the other kinds are " + phrase.Some(others, 6)
	}
	if u.untold > 0 {
		rest += "; no --only takes the other " + plural(u.untold, "record")
	}
	return append(notes, fmt.Sprintf("%s"+severalKinds+"%s measures one of them by itself, %s%s",
		u.path, first.only, plural(first.count, "record"), rest))
}
