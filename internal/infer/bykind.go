package infer

import (
	"slices"

	"assay/internal/guess"
	"assay/internal/phrase"
	"assay/schema"
)

// byKind reports whether values of several kinds are a union whose variants JSON's kinds of value
// tell apart, such as 80 or "http", or a URL or an object. Lists may be a variant if their elements
// are of one kind, or are such a union themselves, and are not lists. Values that differ more are
// kept as the text of their JSON.
func (n *node) byKind() bool {
	switch {
	case len(n.kinds()) < 2 || n.union != nil || n.tangled || n.held || n.lone() > 0 && !n.apart() || n.vast():
		return false
	case n.force != nil && (!structural(n.force.Type) || kindOf(n.force.Type) != objectKind || n.force.Type == "union" || n.objects() == 0):
		return false
	case n.aside != nil && !find(n.aside).plain(n):
		return false
	}
	return n.list == nil || n.list.even(n)
}

// apart reports whether the values that were counted as lists of one element are a variant of their
// own, with the type of the elements. They are if there are real lists of one element too, so that
// a value alone cannot stand for such a list.
func (n *node) apart() bool {
	return n.elemental() && !n.gathered() && !slices.Contains(n.counted(), n.list.alone.kind)
}

// onlyObjects reports whether all values are objects, or null.
func (n *node) onlyObjects() bool {
	return n.object != nil && n.strings == 0 && n.list == nil && n.union == nil && n.force == nil && slices.Equal(n.kinds(), []valueKind{objectKind})
}

// onlyScalars reports whether all values are texts, numbers or truth values, or null.
func (n *node) onlyScalars() bool {
	return len(n.kinds()) > 0 && n.objects() == 0 && n.aside == nil && n.list == nil && n.union == nil && n.force == nil && !n.tangled && !n.held && !n.emptyTexts()
}

// plain reports whether n, whose objects another node has set aside, has only objects and is no
// union.
func (n *node) plain(of *node) bool {
	return n != of && n.union == nil && slices.Equal(n.kinds(), []valueKind{objectKind}) && (n.force == nil || structural(n.force.Type))
}

// even reports whether the elements of the lists of a node are not lists, and are of one kind or of
// several kinds that are a union.
func (l *list) even(of *node) bool {
	for _, e := range l.elems() {
		e = find(e)
		if e == of || e.vast() || e.lists() > 0 || e.lone() > 0 || len(e.kinds()) > 1 && !e.byKind() {
			return false
		}
	}
	return !l.isRow
}

// kinds returns the kinds of the elements, in the order of node.kinds.
func (l *list) kinds() []valueKind {
	var all []valueKind
	for _, e := range l.elems() {
		all = append(all, find(e).kinds()...)
	}
	return slices.DeleteFunc(slices.Clone(valueKinds[:]), func(k valueKind) bool { return !slices.Contains(all, k) })
}

// structs returns the objects of a node, whether or not they are set aside; nil: there are none.
func (n *node) structs() *object {
	if n.aside != nil {
		return find(n.aside).object
	}
	return n.object
}

// said returns the user's answer for the values of a node, or else for the objects that it has set
// aside; nil: there is none.
func (n *node) said() *Overrule {
	if n.force == nil && n.aside != nil {
		return find(n.aside).force
	}
	return n.force
}

// walkKinds decides about a node with values of several kinds, and about the nodes below it. If the
// values are no union, it does nothing: they are kept as the text of their JSON.
func (s *shaper) walkKinds(n *node, at place) {
	if !n.byKind() {
		return
	}
	s.setAside(n)
	if n.aside != nil {
		s.walk(n.aside, at.key)
	}
	if n.list == nil {
		return
	}
	if n.list.row != nil {
		s.mix(n)
	}
	if n.list.elem != nil {
		s.walk(n.list.elem, singular(at.key))
	}
}

// setAside moves the objects of a node that also has values of other kinds to a node of their own,
// so that they may share a message with objects elsewhere. It does nothing if there are none.
func (o *observer) setAside(n *node) {
	if n.object == nil || n.tangled || n.held {
		return
	}
	one := &node{
		up: n, inner: true, isAside: true, held: true, rules: n.rules, object: n.object, called: n.called, distinct: o.texts(),
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

// joinAsides joins the objects of two nodes when one of the nodes has set its objects aside. The
// other node's objects are then set aside too.
//
// Two cases are tangled: a node that was set aside is joined with values of several kinds, which
// would give a union within a union; or such values are joined with their own objects, and would
// hold themselves. A tangled node takes its objects back and is no union. Joins end only because of
// this rule: there is never more than one layer of nodes set aside.
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

// unionByKind returns the union for values of several kinds. It has a field for each kind.
func (b *builder) unionByKind(n *node, at path) schema.Type {
	m, isNew := b.make(role{n, "kinds"}, at)
	if !isNew {
		return b.ref(m)
	}
	m.Union, m.suffix = true, "Union"
	var kinds []string             // as the guess lists them
	first := len(b.result.Guesses) // the index of this guess: guesses about the variants follow
	other := "json"
	if n.listable(at) != "" {
		other = "list"
	}
	b.guess(guess.Structure, at, other, "", "it has %s", n.mixture())
	add := func(name string, kind valueKind, t schema.Type, json bool) {
		if t.Kind == schema.List || t.Kind == schema.Map {
			t, json = b.wrap(n, t, json, name+" of kinds"), false
		}
		t.Optional = true
		kinds = append(kinds, string(kind))
		m.Fields = append(m.Fields, &schema.Field{Name: name, Number: len(kinds), Type: t, OmitEmpty: true, JSONText: json})
		m.keys = append(m.keys, name)
	}
	scalars := func(of *node) {
		if of.strings > 0 {
			add("text", textKind, schema.Type{Kind: schema.String}, false)
		}
		if of.numbers() > 0 {
			t, json := b.number(of, at)
			add("number", numberKind, t, json)
		}
		if of.bools > 0 {
			add("flag", truthKind, schema.Type{Kind: schema.Bool}, false)
		}
	}
	scalars(n)
	if n.list != nil && n.list.seen > 0 {
		elem, json := b.element(n.list.elem, n.list.nulls)
		add("items", listKind, schema.Type{Kind: schema.List, Elem: &elem}, json)
	}
	switch {
	case !n.apart():
	case n.list.alone.kind == objectKind:
		t, json := b.element(n.list.elem, n.list.nulls)
		add("object", objectKind, t, json)
	default:
		scalars(find(n.list.elem))
	}
	if n.aside != nil {
		t, json, _ := b.decide(n.aside, n.aside.origin())
		add("object", objectKind, t, json)
	}
	b.result.Guesses[first].Decision = "a union: " + phrase.List(kinds, "or")
	return b.ref(m)
}
