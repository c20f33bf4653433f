package infer

import (
	"slices"

	"assay/internal/guess"
	"assay/internal/phrase"
	"assay/schema"
)

// byKind reports whether values of several kinds are a union whose variants are told by
// their kind in JSON: an 80 or an "http", a URL or an object. Lists may be among them
// when their elements are of one kind, or such a union themselves, and are no lists. What
// differs more stays the text of its JSON.
func (n *node) byKind() bool {
	switch {
	case len(n.kinds()) < 2 || n.union != nil || n.tangled || n.held || n.lone() > 0 && !n.apart() || n.vast():
		return false
	case n.force != nil && (!structural(n.force.Type) || kindOf(n.force.Type) != "object" || n.force.Type == "union" || n.objects() == 0):
		return false
	case n.aside != nil && !find(n.aside).plain(n):
		return false
	}
	return n.list == nil || n.list.even(n)
}

// apart reports whether values that stand for lists are no lists after all, since there are
// lists of one element too, and are a kind of their own, of the elements' type.
func (n *node) apart() bool {
	return n.elemental() && !n.gathered() && !slices.Contains(n.counted(), n.list.alone.kind)
}

// onlyObjects reports whether all values are objects, or null.
func (n *node) onlyObjects() bool {
	return n.object != nil && n.strings == 0 && n.list == nil && n.union == nil && n.force == nil && slices.Equal(n.kinds(), []string{"object"})
}

// onlyScalars reports whether all values are texts, numbers or truth values, or null.
func (n *node) onlyScalars() bool {
	return len(n.kinds()) > 0 && n.objects() == 0 && n.aside == nil && n.list == nil && n.union == nil && n.force == nil && !n.tangled && !n.held && !n.emptyTexts()
}

// plain reports whether the objects that a node has aside are all that there is at theirs.
func (n *node) plain(of *node) bool {
	return n != of && n.union == nil && slices.Equal(n.kinds(), []string{"object"}) && (n.force == nil || structural(n.force.Type))
}

// even reports whether the elements of a node's lists are of one kind, or of several that
// are a union, and no lists.
func (l *list) even(of *node) bool {
	for _, e := range l.elems() {
		e = find(e)
		if e == of || e.vast() || e.lists() > 0 || e.lone() > 0 || len(e.kinds()) > 1 && !e.byKind() {
			return false
		}
	}
	return !l.isRow
}

// kinds are those of the elements, in the order of node.kinds.
func (l *list) kinds() []string {
	var all []string
	for _, e := range l.elems() {
		all = append(all, find(e).kinds()...)
	}
	return slices.DeleteFunc([]string{"truth value", "number", "text", "object", "list"}, func(k string) bool { return !slices.Contains(all, k) })
}

// structs returns the objects of a node, those that it has aside too; nil: there are none.
func (n *node) structs() *object {
	if n.aside != nil {
		return find(n.aside).object
	}
	return n.object
}

// said returns what the user said of the values of a node, or of the objects that it has
// aside; nil: nothing.
func (n *node) said() *Overrule {
	if n.force == nil && n.aside != nil {
		return find(n.aside).force
	}
	return n.force
}

// walkKinds decides about values of several kinds and those below them. They are kept as
// the text of their JSON when they are no union.
func (s *shaper) walkKinds(n *node, at place, order *[]*node) {
	if !n.byKind() {
		return
	}
	s.setAside(n)
	if n.aside != nil {
		s.walk(n.aside, at.key, order)
	}
	if n.list == nil {
		return
	}
	if n.list.row != nil {
		s.mix(n)
	}
	if n.list.elem != nil {
		s.walk(n.list.elem, singular(at.key), order)
	}
}

// setAside gives the objects of a node that has values of other kinds a node of their own:
// they may be shared with objects that stand alone. It does nothing where there are none.
func (o *observer) setAside(n *node) {
	if n.object == nil || n.tangled || n.held {
		return
	}
	one := &node{
		up: n, inner: true, isAside: true, held: true, rules: n.rules, object: n.object, called: n.called, distinct: &texts{},
	}
	if n.force != nil {
		one.force, n.force = n.force, nil
	}
	n.aside, n.asides = one, n.object.seen
	n.object, n.called = nil, nil
	o.nodes++
	for _, m := range one.object.members {
		if m.node.up == n {
			m.node.up = one
		}
	}
	if v := one.object.value; v != nil && v.up == n {
		v.up = one
	}
}

// joinAsides joins the objects of two nodes of which one has them aside, so that they are
// aside in both. Objects that were set aside and are joined with values of several kinds
// would be a union in a union, and such values that are joined with their own objects would
// hold themselves. Both are tangled: they have their objects as others have, and are no
// union. That joins end rests on it, since there is never more than one layer.
func (o *observer) joinAsides(a, b *node) {
	if a.aside == nil && b.aside == nil {
		a.tangled = a.tangled || b.tangled
		return
	}
	if a.tangled || b.tangled || a.held {
		a.tangled = true
		for _, n := range []*node{a, b} {
			if of := n.aside; of != nil {
				n.aside, n.asides = nil, 0
				o.join(a, of)
			}
		}
		return
	}
	seen := a.objects() + b.objects()
	o.setAside(a)
	o.setAside(b)
	a.asides = seen
	switch {
	case b.aside == nil:
	case a.aside == nil:
		a.aside = b.aside
	default:
		o.joinOuter(joining{a: a.aside, b: b.aside})
	}
}

// unionByKind returns the union of values of several kinds, which has a field for each.
func (b *builder) unionByKind(n *node, at path) schema.Type {
	m, isNew := b.make(role{n, "kinds"}, at)
	if !isNew {
		return b.ref(m)
	}
	m.Union, m.suffix = true, "Union"
	var kinds []string
	first := len(b.result.Guesses) // before those that are about what is inside
	other := "json"
	if n.listable(at) != "" {
		other = "list"
	}
	b.guess(guess.Structure, at, other, "", "it has %s", n.mixture())
	add := func(name, kind string, t schema.Type, json bool) {
		if t.Kind == schema.List || t.Kind == schema.Map {
			t, json = b.wrap(n, t, json, name+" of kinds"), false
		}
		t.Optional = true
		kinds = append(kinds, kind)
		m.Fields = append(m.Fields, &schema.Field{Name: name, Number: len(kinds), Type: t, OmitEmpty: true, JSONText: json})
		m.keys = append(m.keys, name)
	}
	scalars := func(of *node) {
		if of.strings > 0 {
			add("text", "text", schema.Type{Kind: schema.String}, false)
		}
		if of.numbers() > 0 {
			t, json := b.number(of, at)
			add("number", "number", t, json)
		}
		if of.bools > 0 {
			add("flag", "truth value", schema.Type{Kind: schema.Bool}, false)
		}
	}
	scalars(n)
	if n.list != nil && n.list.seen > 0 {
		elem, json := b.element(n.list.elem, n.list.nulls)
		add("items", "list", schema.Type{Kind: schema.List, Elem: &elem}, json)
	}
	switch {
	case !n.apart():
	case n.list.alone.kind == "object":
		t, json := b.element(n.list.elem, n.list.nulls)
		add("object", "object", t, json)
	default:
		scalars(find(n.list.elem))
	}
	if n.aside != nil {
		t, json, _ := b.decide(n.aside, n.aside.origin())
		add("object", "object", t, json)
	}
	b.result.Guesses[first].Decision = "a union: " + phrase.List(kinds, "or")
	return b.ref(m)
}
