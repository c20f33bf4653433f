package infer

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assay/internal/guess"
	"assay/internal/phrase"
	"assay/schema"
)

const (
	// maxVariants is the greatest number of variants of a union.
	maxVariants = 64
	// maxRounds is how often a sample is surveyed for unions at most. Unions within variants need
	// further rounds.
	maxRounds = 5
)

// A union describes a place whose objects are of several kinds, and how to tell the kinds apart. A
// survey of the sample finds it. The sample is then read again with a node for each variant.
type union struct {
	path path
	// how has the fields of the union, without their types: see schema.Message.Variant. Its Tag
	// and texts are as in the sample.
	how *schema.Message
	// forced is the user's answer that asks for it; nil: it is a guess, and why is the reason.
	forced *Overrule
	why    string
	beside path  // the path of the text beside the objects that goes with their kinds; nil: none
	kinds  int64 // the number of kinds of its message
	// splits has a condition for the records of each variant that --only can select. untold is
	// the number of records of the other variants.
	splits []split
	untold int64
}

// A split is a condition that selects the records of one kind, and their number.
type split struct {
	only  Only
	count int64
}

// unionAt returns the union of a rule that ends with a step, or nil.
func unionAt(rules []rule, s step) *union {
	for _, r := range rules {
		if r.union != nil && len(r.path) == 1 && r.path[0].leads(s) {
			return r.union
		}
	}
	return nil
}

// variant counts an object at the place of a union, and returns the node of the variant of the next
// value.
func (o *observer) variant(n *node) *node {
	fields := n.union.how.Fields
	if n.object == nil {
		n.object = &object{}
		for _, f := range fields {
			o.nodes++
			n.object.add(f.Name, &node{rules: n.rules, up: n, inner: true, distinct: o.texts()})
		}
	}
	ob := n.object
	ob.seen++
	ob.filled++
	i := o.heads.variant(n.union.how, Record{Raw: o.raw}.After(o.decoder.InputOffset()))
	if i < 0 {
		i = len(fields) - 1 // the sample changed since the survey: its conversion will report that
	}
	ob.members[i].count++
	return ob.members[i].node
}

// After returns the text of the record that begins with the next token after an offset.
func (r Record) After(offset int64) []byte { return r.Raw[r.next(offset):] }

// heads reads the beginnings of objects for the text or keys that tell variants apart.
type heads struct {
	decoder *jsontext.Decoder
	buffer  bytes.Buffer
	there   []bool // which keys in When of the fields the object has
}

// members calls f with each key of the object with which a text begins, until f returns true. f may
// read the value of the key if it returns true. members reports whether it read the whole object
// without f returning true.
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

// textValue reads the next value and returns its text if it is a string.
func textValue(d *jsontext.Decoder) (text string, ok bool) {
	raw, err := d.ReadValue()
	if err != nil || raw[0] != '"' {
		return "", false
	}
	return unquote(raw), true
}

// text returns the text under a key of the object with which raw begins, or "".
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

// variant returns the index of the variant of the object with which a text begins, or -1. It compares
// keys in the form of TextName.
func (h *heads) variant(m *schema.Message, text []byte) int {
	h.there = append(h.there[:0], make([]bool, len(m.Fields))...)
	tagged := -1
	whole := h.members(text, func(key string, d *jsontext.Decoder) bool {
		key = TextName(key)
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

// unionOf returns the type of a place whose objects are of several kinds. If the union does not fit
// the messages of its variants, unionOf refuses it, and the sample is read again without it.
func (b *builder) unionOf(n *node, at path) schema.Type {
	if b.grammar != nil && n.union == b.grammar.union {
		return b.kindUnion(n, at)
	}
	var kinds []int // the variants with objects at this place
	for i, v := range n.object.members {
		if v.count > 0 {
			kinds = append(kinds, i)
		}
	}
	for _, i := range kinds {
		v := find(n.object.members[i].node)
		if !b.full[v] || v.object == nil || v.object.value != nil {
			b.refuse(n.union, noFields)
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

// refuseUntold refuses the unions whose kinds their tag or keys cannot tell apart. It runs when all
// messages are known: in a tree the kinds of a union contain themselves, and shared messages may
// have been joined with others.
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

// noFields is why a union is refused whose kinds are not all structs.
const noFields = "one of its kinds is not an object with fields"

func (b *builder) refuse(u *union, why string) {
	if b.refused == nil {
		b.refused = map[*union]string{}
	}
	b.refused[u] = why
}

// untold returns why the i-th kind of a union cannot be told from the others, or "".
func (b *builder) untold(union *message, i int) string {
	m, key := b.at(union.Fields[i].Type.Ref), union.Tag
	if m.Bare || m.Wraps || m.Row || m.Union {
		return noFields
	}
	if key == "" {
		if len(union.Fields[i].When) == 0 {
			return ""
		}
		key = union.Fields[i].When[0]
		for _, later := range union.Fields[i+1:] {
			if of := b.at(later.Type.Ref); of.textField(key, strings.EqualFold) != nil {
				return fmt.Sprintf("the key %q, which marks one of its kinds, also occurs in another", key)
			}
		}
	}
	f := m.textField(key, func(name, key string) bool { return name == key })
	if f == nil || !b.alwaysThere(f) || union.Tag != "" && f.Type.Kind != schema.String {
		return fmt.Sprintf("the value at %q, which tells its kinds apart, is absent, null or not a text in some objects", key)
	}
	return ""
}

// textField returns the first field whose text name matches a key according to is, or nil.
func (m *message) textField(key string, is func(name, key string) bool) *schema.Field {
	for _, f := range m.Fields {
		if is(f.TextName(), key) {
			return f
		}
	}
	return nil
}

// alwaysThere reports whether a field is written in every object and is never null.
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

// notesOf returns notes on a union: how to measure each kind by itself, and what the union costs in
// Avro, where it is written differently than Avro users would write it: see package avsc.
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
	slices.SortStableFunc(u.splits, func(a, b split) int { return cmp.Compare(b.count, a.count) })
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
		rest += "; --only cannot select the other " + plural(u.untold, "record")
	}
	return append(notes, fmt.Sprintf("%s"+severalKinds+"%s measures one of them by itself, %s%s",
		u.path, first.only, plural(first.count, "record"), rest))
}
