package infer

import (
	"fmt"

	"assay/internal/guess"
	"assay/internal/phrase"
	"assay/schema"
)

// count walks a node and those below it after all records were read. For each member it records how
// often its value is null or empty, for maps and lists how often their values are null, and for each
// object the key of its place. It collects the nodes that have only nulls in o.voids.
func (o *observer) count(n *node, key string) {
	if find(n).values() == 0 {
		o.voids = append(o.voids, n)
	}
	n = find(n)
	if n.isKind && n.called != nil {
		return // it was counted at another place
	}
	if l := n.list; l != nil {
		for _, e := range l.elems() {
			l.nulls += find(e).nulls
		}
		for i, r := range l.row {
			o.count(r, singular(key))
			if i > 0 {
				find(r).called = nil // a list counts as one place for its elements
			}
		}
		if l.elem != nil {
			o.count(l.elem, singular(key))
		}
	}
	if n.object == nil {
		return
	}
	n.called = []string{key}
	if n.object.value != nil {
		n.object.nulls = find(n.object.value).nulls
		o.count(n.object.value, singular(key))
	}
	for _, m := range n.object.members {
		v := find(m.node)
		m.nulls, m.empty, m.blanks = v.nulls, v.empties(), v.empty
		if v.list != nil {
			m.lists = v.list.empty
		}
		o.count(m.node, m.key)
	}
}

// A presence counts how often a field is absent, null, or an empty list, object or text. Empty
// values that stand for an absent one are not in empty: bare counts the lists among them that make
// the field a list of at most one object (see noneOrOne), and blanks the others.
type presence struct{ absent, nulls, empty, blanks, bare int64 }

// presence returns the presence of a member.
func (ob *object) presence(m *member) presence {
	p := presence{absent: ob.seen - m.count, nulls: m.nulls, empty: m.empty}
	if n := find(m.node); n.blank() {
		p.blanks = m.blanks
		switch {
		case n.objects() == 0 || n.isMap():
		case n.strings > 0 || m.node.keep != nil:
			p.blanks += m.lists
		default:
			p.bare = m.lists
		}
		p.empty -= p.blanks
	}
	return p
}

// both reports whether a field is sometimes absent and sometimes null. Only a type of its own can
// keep the two apart.
func (p presence) both() bool { return p.absent > 0 && p.nulls > 0 }

// blurs reports whether a join of two nodes would give a field that is both absent and null, though
// it is so in neither node.
func blurs(a, b *node, met map[[2]*node]bool) bool {
	a, b = find(a), find(b)
	pair := [2]*node{a, b}
	if a == b || met[pair] {
		return false
	}
	if met == nil {
		met = map[[2]*node]bool{}
	}
	met[pair] = true
	if a.list != nil && b.list != nil && a.list.elem != nil && b.list.elem != nil && blurs(a.list.elem, b.list.elem, met) {
		return true
	}
	x, y := a.structs(), b.structs()
	if x == nil || y == nil || x.value != nil || y.value != nil {
		return x != nil && y != nil && x.value != nil && y.value != nil && blurs(x.value, y.value, met)
	}
	without := func(ob *object) presence { return presence{absent: ob.seen} }
	for _, m := range x.members {
		p, q := x.presence(m), without(y)
		mine := y.member(m.key)
		if mine != nil {
			q = y.presence(mine)
		}
		if blurred(p, q) || mine != nil && blurs(m.node, mine.node, met) {
			return true
		}
	}
	for _, m := range y.members {
		if x.member(m.key) == nil && blurred(without(x), y.presence(m)) {
			return true
		}
	}
	return false
}

func blurred(p, q presence) bool {
	sum := presence{absent: p.absent + q.absent, nulls: p.nulls + q.nulls}
	return sum.both() && !p.both() && !q.both()
}

// keep marks a field as one whose value may be absent or null, according to p, and decides how such
// a value is written. said is the user's answer; nil: there is none.
func (b *builder) keep(f *schema.Field, n *node, said *Overrule, at path, p presence) {
	oneOrMany(f, n)
	if p.bare > 0 {
		b.noneOrOne(f, n, at, p.bare)
	}
	nilable := nilable(f)
	none := p.nulls + p.blanks
	if said == nil && p.both() && p.blanks == 0 {
		b.apart(f, n, at, p)
		return
	}
	f.Type.Optional = !nilable && (p.absent+none > 0 || f.As != "" && said != nil)
	how := ""
	switch {
	case said != nil:
		how = said.Type
	case p.absent == 0 && none == 0:
		return
	case p.absent == 0:
		how = "null"
	default:
		how = "omitempty"
		if p.empty > 0 && nilable {
			how = "omitzero"
		}
		if none == 0 {
			break
		}
		decision, other := "left out where it is null too", "null"
		if none > p.absent {
			how, decision, other = "null", "null where it is absent too", how
		}
		switch {
		case p.blanks == 0:
			b.guess(guess.Presence, at, other, decision, "it is absent %s and null %s, and one Go type is written in one of the two ways", times(p.absent), times(p.nulls))
		case p.nulls > 0 || how == "null":
			empty, _ := n.blankWords()
			b.guess(guess.Presence, at, other, decision, "it is absent %s and null or %s %s, and one Go type is written in one of the two ways", times(p.absent), empty, times(none))
		}
	}
	if p.blanks > 0 {
		b.guessBlank(n, at, p.blanks, how)
	}
	switch {
	case how == "null":
		f.Null = nilable
	case how == "omitzero" && nilable:
		f.OmitZero = true
	default:
		f.OmitEmpty = true
	}
}

// apart makes a field distinguish null from absent. Its type becomes an optional message with one
// value that may be null; the message is left out if the field is absent.
func (b *builder) apart(f *schema.Field, n *node, at path, p presence) {
	m, isNew := b.make(role{n, "apart"}, b.places[n].path)
	if isNew {
		value := &schema.Field{Name: "value", Number: 1, Type: f.Type, OneOrMany: f.OneOrMany, JSONText: f.JSONText, As: f.As}
		value.Null = nilable(value)
		value.Type.Optional = !value.Null
		m.Fields, m.keys = []*schema.Field{value}, []string{""}
		m.Wraps, m.apart, m.suffix = true, true, "OrNull"
	}
	f.Type, f.OneOrMany, f.JSONText, f.As, f.OmitEmpty = b.ref(m), false, false, "", true
	f.Type.Optional = true
	other := "omitempty"
	if p.nulls > p.absent {
		other = "null"
	}
	b.guess(guess.Presence, at, other, "a value, null or absent", "it is absent %s and null %s, which a type of its own tells apart", times(p.absent), times(p.nulls))
}

// tristate reports whether the target distinguishes null from absent: see builder.apart.
func (t *target) tristate() bool {
	return t.omitEmpty && t.message != nil && t.message.wraps && t.message.fields[0].nullable()
}

func times(n int64) string {
	if n == 1 {
		return "once"
	}
	return phrase.Grouped(n) + " times"
}

// hollow returns the type of values that are all null or empty: a list of strings for lists, a map
// of strings for objects, and otherwise a string.
func (b *builder) hollow(n *node, at path) schema.Type {
	var seen, what string
	text := schema.Type{Kind: schema.String}
	t := text
	switch {
	case n.list != nil:
		t = schema.Type{Kind: schema.List, Elem: &text}
		seen, what = fmt.Sprintf("there are only empty lists, %s", phrase.Grouped(n.lists())), "a list of strings"
	case n.object != nil:
		t = schema.Type{Kind: schema.Map, Key: schema.String, Elem: &text}
		if n.force != nil {
			t.Key = keyKind(n.force.Type)
		}
		seen, what = fmt.Sprintf("there are only objects without keys, %s", phrase.Grouped(n.objects())), "a map of strings"
	default:
		seen, what = fmt.Sprintf("there are only nulls, %s", phrase.Grouped(n.nulls)), "a string that is always null"
	}
	if n.nulls > 0 && n.values() > 0 {
		seen += fmt.Sprintf(", and nulls, %s", phrase.Grouped(n.nulls))
	}
	b.guess(guess.Type, at, "json", what, "%s", seen)
	return t
}
