package infer

import (
	"math"
	"slices"

	"assay/internal/guess"
	"assay/schema"
)

// An alone is how many values stand for lists of one element, and their kind.
type alone struct {
	count int64
	kind  string
}

func (a *alone) join(b alone) {
	if a.count += b.count; a.kind == "" {
		a.kind = b.kind
	}
}

// gather makes values that are now a list and now one value of another kind lists: the
// value alone stands for a list of it, as programs write that turn XML into JSON. It
// reports whether it did. Where there are lists of one element too, nothing would tell
// them from the value alone, and all stays as it is unless the user wants lists. Lists
// among the elements of a list are rather nested to several depths.
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

// clashes reports whether objects have a key under which those of another place have values
// of another kind.
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

// apart reports whether objects are other things than those of another place: each always have
// a key that the others never have, and they share at most half of the keys of either.
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

// listable returns the kind of the values beside lists at a place, when they could be
// elements of these; otherwise nothing.
func (n *node) listable(at path) string {
	if len(at) == 0 || at[len(at)-1].kind == inList {
		return ""
	}
	kinds := slices.DeleteFunc(n.kinds(), func(k string) bool { return k == "list" })
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

// takeScalars takes all values but the lists and the nulls out of a node, and returns a
// node of them, as an element of its lists.
func (n *node) takeScalars() *node {
	one := *n
	one.up, one.at, one.place, one.inner = n, step{kind: inList}, 0, false
	one.rules, one.force, one.keep = nil, nil, nil
	one.nulls, one.list = 0, nil
	*n = node{
		up: n.up, at: n.at, place: n.place, inner: n.inner,
		rules: n.rules, force: n.force, keep: n.keep, nulls: n.nulls, list: n.list, distinct: &texts{},
	}
	return &one
}

// gatherable reports whether values of that kind may be elements beside those of n, and
// JSON tells each of them from a list and from null.
func (n *node) gatherable(kind string) bool {
	if f := n.force; f != nil && (f.Type == "json" || f.Type == "number" || f.Type == "none") {
		return false
	}
	return n.absent() == 0 && !n.vast() && slices.Equal(n.counted(), []string{kind})
}

// vast reports whether there are numbers that no one kind of number holds.
func (n *node) vast() bool {
	return n.beyond > 0 || n.floats == 0 && n.low < 0 && n.high > math.MaxInt64
}

// lone is how many values stand for lists of one element.
func (n *node) lone() int64 {
	if n.list == nil {
		return 0
	}
	return n.list.alone.count
}

// gathered reports whether values alone are lists of one element. After a join with other
// lists they may be that no more.
func (n *node) gathered() bool { return n.elemental() && (n.list.ones == 0 || n.wantsList()) }

// elemental reports whether there are values that stand for lists, and all elements are of
// their kind.
func (n *node) elemental() bool {
	l := n.list
	if n.lone() == 0 || l.isRow || l.elem == nil {
		return false
	}
	e := find(l.elem)
	return e != n && e.gatherable(l.alone.kind)
}

// oneOrMany has JSON write a field's list of one element as that element, where the
// sample does.
func oneOrMany(f *schema.Field, n *node) {
	f.OneOrMany = f.Type.Kind == schema.List && n.gathered()
}

// unbracketed is what a list is that JSON writes as oneOrMany says.
const unbracketed = "a list, without brackets in JSON when it has one element"

// guessOneOrMany notes that a value alone is held as a list.
func (b *builder) guessOneOrMany(n *node, at path) {
	if n.gathered() && n.force == nil {
		b.guess(guess.Structure, at, "json", unbracketed, "%s", n.mixture())
	}
}
