package infer

// clashes reports whether a join of two messages would lose an answer of the user's:
// one about a value that would become one with values that it is not about. In a tree
// a join has others in its wake, which a comparison of the two does not show, so it is
// tried out. Without answers nothing is.
func (s *shaper) clashes(a, b *node) bool {
	if len(s.used) == 0 {
		return false
	}
	t := &trial{up: map[*node]*node{}, class: map[*node][]*node{}}
	t.union(a, b)
	for len(t.changed) > 0 {
		n := t.changed[0]
		t.changed = t.changed[1:]
		if t.find(n) == n {
			t.within(n)
		}
	}
	for _, class := range t.class {
		if overruled(class) {
			return true
		}
	}
	return false
}

// overruled reports whether an answer is about some of the nodes, and others with
// values have none or another.
func overruled(class []*node) bool {
	var of *Overrule
	for _, n := range class {
		if n.said() != nil {
			of = n.said()
		}
	}
	if of == nil {
		return false
	}
	for _, n := range class {
		if n.values() > 0 && (n.said() == nil || n.said().Type != of.Type) {
			return true
		}
	}
	return false
}

// A trial is which nodes a join would make one.
type trial struct {
	up      map[*node]*node // another of its class; none: it stands for the class
	class   map[*node][]*node
	changed []*node // whose members and elements are to be looked at
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

// within joins what is at one place in the nodes of a class: members of one key, all
// elements of lists, and all values where one of them is a map.
func (t *trial) within(n *node) {
	class := t.class[n]
	var elem, value *node
	for _, c := range class {
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
				t.union(elem, e)
			}
		}
		ob := c.structs()
		if ob == nil {
			continue
		}
		if ob.value != nil {
			t.union(value, ob.value)
		}
		for _, m := range ob.members {
			switch first := keys[m.key]; {
			case value != nil:
				t.union(value, m.node)
			case first != nil:
				t.union(first, m.node)
			default:
				keys[m.key] = m.node
			}
		}
	}
}
