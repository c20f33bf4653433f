package infer

import (
	"math"
	"slices"

	"assay/internal/guess"
	"assay/schema"
)

// An alone counts the values that stand for lists of one element. All are of one kind.
type alone struct {
	count int64
	kind  valueKind
}

func (a *alone) join(b alone) {
	if a.count += b.count; a.kind == "" {
		a.kind = b.kind
	}
}

// gather handles values that are sometimes a list and sometimes a single value of another kind. It
// counts each single value as a list of one element, as programs mean it that turn XML into JSON,
// and reports whether it did so. If there are also real lists of one element, nothing would
// distinguish them from single values, so gather changes nothing unless the user asked for lists.
// Elements of a list are not gathered: lists among them more likely mean several depths of nesting.
func (s *shaper) gather(n *node, at path) bool {
	l, kind := n.list, n.listable(at)
	switch {
	case kind == "" || n.union != nil || n.aside != nil:
		return false
	case n.wantsList():
	case n.force != nil || l.ones > 0 || n.object != nil && slices.ContainsFunc(l.elems(), func(e *node) bool {
		return n.object.clashes(find(e).object) || n.object.apart(find(e).object)
	}):
		return false
	}
	if l.row != nil {
		s.mix(n)
	}
	one := n.takeScalars()
	l.alone.join(alone{one.values(), kind})
	l.items += one.values()
	s.nodes++
	s.lead(one, n.rules, step{kind: inList}, true)
	if l.elem == nil {
		l.elem = one
	} else {
		s.join(l.elem, one)
	}
	return true
}

// clashes reports whether two objects have a common key whose values are of different kinds.
func (ob *object) clashes(other *object) bool {
	if other == nil || ob.value != nil || other.value != nil {
		return false
	}
	for _, m := range ob.members {
		beside := other.member(m.key)
		if beside == nil {
			continue
		}
		a, b := find(m.node).kinds(), find(beside.node).kinds()
		if len(a) == 1 && len(b) == 1 && a[0] != b[0] {
			return true
		}
	}
	return false
}

// apart reports whether the objects of two places are different things: each place has a key that
// is in all of its objects and in none of the other's, and both share at most half of the keys of
// the smaller one.
func (ob *object) apart(other *object) bool {
	if other == nil || ob.value != nil || other.value != nil {
		return false
	}
	own := func(a, b *object) bool {
		return slices.ContainsFunc(a.members, func(m *member) bool { return m.count == a.seen && b.member(m.key) == nil })
	}
	shared, _ := overlap(ob, other)
	return shared*2 <= min(len(ob.members), len(other.members)) && own(ob, other) && own(other, ob)
}

// listable returns the kind of the values beside lists at a place if they could be elements of
// these lists; otherwise "".
func (n *node) listable(at path) valueKind {
	if len(at) == 0 || at[len(at)-1].kind == inList {
		return ""
	}
	kinds := slices.DeleteFunc(n.kinds(), func(k valueKind) bool { return k == listKind })
	l := n.list
	if l == nil || l.isRow || len(kinds) != 1 || l.alone.kind != "" && l.alone.kind != kinds[0] {
		return ""
	}
	for _, e := range l.elems() {
		if e = find(e); e == n || !e.gatherable(kinds[0]) {
			return ""
		}
	}
	return kinds[0]
}

// wantsList reports whether the user wants lists.
func (n *node) wantsList() bool { return n.force != nil && n.force.Type == "list" }

// takeScalars moves all values except lists and nulls out of a node, and returns a new node with
// them that can be an element of its lists.
func (n *node) takeScalars() *node {
	one, none := *n, &texts{}
	if n.distinct != nil {
		none.most = n.distinct.most
	}
	one.up, one.at, one.place, one.inner = n, step{kind: inList}, 0, false
	one.rules, one.force, one.keep = nil, nil, nil
	one.nulls, one.list = 0, nil
	*n = node{
		up: n.up, at: n.at, place: n.place, inner: n.inner,
		rules: n.rules, force: n.force, keep: n.keep, nulls: n.nulls, list: n.list, distinct: none,
	}
	return &one
}

// gatherable reports whether all values of n are of the given kind, none is null, and JSON
// distinguishes each of them from a list.
func (n *node) gatherable(kind valueKind) bool {
	if f := n.force; f != nil && (f.Type == "json" || f.Type == "number" || f.Type == "none") {
		return false
	}
	return n.absent() == 0 && !n.vast() && slices.Equal(n.counted(), []valueKind{kind})
}

// vast reports whether no single kind of number can hold all numbers of a node.
func (n *node) vast() bool {
	return n.beyond > 0 || n.floats == 0 && n.low < 0 && n.high > math.MaxInt64
}

// lone returns how many values stand for lists of one element.
func (n *node) lone() int64 {
	if n.list == nil {
		return 0
	}
	return n.list.alone.count
}

// gathered reports whether single values still stand for lists of one element. A join with other
// lists may have changed that.
func (n *node) gathered() bool { return n.elemental() && (n.list.ones == 0 || n.wantsList()) }

// elemental reports whether single values stand for lists, and all elements of lists are of the
// kind of these values.
func (n *node) elemental() bool {
	l := n.list
	if n.lone() == 0 || l.isRow || l.elem == nil {
		return false
	}
	e := find(l.elem)
	return e != n && e.gatherable(l.alone.kind)
}

// oneOrMany sets f.OneOrMany if the sample writes lists of one element without brackets.
func oneOrMany(f *schema.Field, n *node) {
	f.OneOrMany = f.Type.Kind == schema.List && n.gathered()
}

// unbracketed describes a list with OneOrMany in a guess.
const unbracketed = "a list, without brackets in JSON when it has one element"

// guessOneOrMany records the guess that a single value is held as a list.
func (b *builder) guessOneOrMany(n *node, at path) {
	if n.gathered() && n.force == nil {
		b.guess(guess.Structure, at, "json", unbracketed, "%s", n.mixture())
	}
}
