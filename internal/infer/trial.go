package infer

import (
	"maps"
	"slices"
)

// clashes reports whether a join of two messages would apply a user's answer to values that do not
// fit it, see agree. In a tree a join causes further joins, which a comparison of the two messages
// does not show, so clashes tries the join out. Without answers nothing clashes.
func (s *shaper) clashes(a, b *node) bool {
	return len(s.used) > 0 && slices.ContainsFunc(joined(a, b), overruled)
}

// clashesInTree is clashes for a message of a tree and another message. It also reports whether the
// join would tangle objects that are a variant of a union with values of such a union. These values,
// with most of the tree within them, would then be kept as the text of their JSON.
func (s *shaper) clashesInTree(tree, n *node) bool {
	return slices.ContainsFunc(joined(tree, n), func(class []*node) bool {
		return tangled(class) || len(s.used) > 0 && overruled(class)
	})
}

// joined returns the classes of nodes that a join of two nodes would make one.
func joined(a, b *node) [][]*node {
	t := &trial{up: map[*node]*node{}, class: map[*node][]*node{}}
	t.union(a, b)
	for len(t.changed) > 0 {
		n := t.changed[0]
		t.changed = t.changed[1:]
		if t.find(n) == n {
			t.within(n)
		}
	}
	return slices.Collect(maps.Values(t.class))
}

// tangled reports whether a join of the nodes of a class would join objects that were set aside with
// values of other kinds, which joinAsides tangles.
func tangled(class []*node) bool {
	held := slices.ContainsFunc(class, func(n *node) bool { return n.aside == nil && (n.held || n.tangled) })
	return held && slices.ContainsFunc(class, func(n *node) bool { return n.aside != nil || n.onlyScalars() })
}

// overruled reports whether the user gave an answer for one of the nodes, and another node with values
// does not agree with it.
func overruled(class []*node) bool {
	i := slices.IndexFunc(class, func(n *node) bool { return n.said() != nil })
	return i >= 0 && slices.ContainsFunc(class, func(n *node) bool { return n.values() > 0 && !agree(class[i], n) })
}

// A trial finds the classes of nodes that a join would make one, without joining them. It is a
// union-find structure.
type trial struct {
	up      map[*node]*node   // the parent in the class; none: the node is its root
	class   map[*node][]*node // the nodes of a class, by its root
	changed []*node           // roots whose members and elements must be looked at
}

func (t *trial) find(n *node) *node {
	n = find(n)
	for t.up[n] != nil {
		n = t.up[n]
	}
	return n
}

func (t *trial) union(a, b *node) {
	if a, b = t.find(a), t.find(b); a == b {
		return
	}
	if len(t.class[a]) < len(t.class[b]) {
		a, b = b, a
	}
	for _, n := range []*node{a, b} {
		if t.class[n] == nil {
			t.class[n] = []*node{n}
		}
	}
	t.up[b] = a
	t.class[a] = append(t.class[a], t.class[b]...)
	delete(t.class, b)
	t.changed = append(t.changed, a)
}

// within joins the nodes at one place in a class: the members of one key, all elements of lists, and
// all values if one of the nodes is a map.
func (t *trial) within(n *node) {
	class := t.class[n]
	var elem, value, aside *node
	for _, c := range class {
		if c.aside != nil {
			if aside == nil {
				aside = c.aside
			}
			t.union(aside, c.aside)
		}
		if ob := c.structs(); ob != nil && ob.value != nil {
			value = ob.value
		}
	}
	keys := map[string]*node{}
	for _, c := range class {
		if c.list != nil {
			for _, e := range c.list.elems() {
				if elem == nil {
					elem = e
				}
				elem = t.held(elem, e)
			}
		}
		ob := c.structs()
		if ob == nil {
			continue
		}
		if ob.value != nil {
			value = t.held(value, ob.value)
		}
		for _, m := range ob.members {
			switch first := keys[m.key]; {
			case value != nil:
				value = t.held(value, m.node)
			case first != nil:
				keys[m.key] = t.held(first, m.node)
			default:
				keys[m.key] = m.node
			}
		}
	}
}

// held does for a trial what joinHeld does: it joins objects with those that a union has set aside.
func (t *trial) held(a, b *node) *node {
	for _, pair := range [][2]*node{{a, b}, {b, a}} {
		x, y := t.of(pair[0]), t.of(pair[1])
		union := slices.IndexFunc(x, func(n *node) bool { return n.aside != nil })
		if union >= 0 && t.find(a) != t.find(b) && !slices.ContainsFunc(y, func(n *node) bool { return !n.onlyObjects() }) {
			t.union(x[union].aside, pair[1])
			return pair[0]
		}
	}
	t.union(a, b)
	return a
}

// of returns the nodes of a node's class.
func (t *trial) of(n *node) []*node {
	if n = t.find(n); t.class[n] != nil {
		return t.class[n]
	}
	return []*node{n}
}
