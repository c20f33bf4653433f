package infer

import "slices"

// A joining is a pair of nodes to join. alike says that both have values of one place: the values
// of a key, the elements of lists or the values of maps.
type joining struct {
	a, b  *node
	alike bool
}

// join merges b into a, and their contents likewise. find then returns one node for both.
func (o *observer) join(a, b *node) { o.joinAll(joining{a: a, b: b}) }

// joinAll joins two nodes and their contents. It ends because each step joins two nodes that were
// not joined before. It finishes one step before the next begins, because in a tree a node may
// contain itself.
func (o *observer) joinAll(j joining) {
	o.joins = append(o.joins, j)
	if len(o.joins) > 1 {
		return // the call that began the join will do this step
	}
	for i := 0; i < len(o.joins); i++ {
		o.joinOne(o.joins[i])
	}
	o.joins = o.joins[:0]
	for _, v := range o.unnamed {
		v.forget(map[*node]bool{})
	}
	o.unnamed = nil
}

// joinHeld joins two nodes whose values are at one place: members of one key, elements of lists, or
// values of maps. It returns the node for that place. If one node has only objects and the other has
// set its objects aside, only the objects are joined, because the first node may be shared with
// other places.
func (o *observer) joinHeld(a, b *node) *node {
	if a.keep == nil {
		a.keep = b.keep
	}
	x, y := find(a), find(b)
	if x.onlyObjects() {
		x, y = y, x
	}
	if o.shaping && y.onlyObjects() && (x.aside != nil && !x.tangled && !x.held || x.byKind() && x.objects() > 0) {
		o.setAside(x)
		if x.keep == nil {
			x.keep = a.keep
		}
		o.joinOuter(joining{x.aside, y, true})
		return x
	}
	o.joinAll(joining{a, b, true})
	return a
}

// joinOuter joins two nodes into the one with the shorter origin path.
func (o *observer) joinOuter(j joining) {
	if j.a, j.b = find(j.a), find(j.b); len(j.b.origin()) < len(j.a.origin()) {
		j.a, j.b = j.b, j.a
	}
	o.joinAll(j)
}

// joinOne does one step of joinAll.
func (o *observer) joinOne(j joining) {
	a, b := find(j.a), find(j.b)
	if a == b {
		return
	}
	x, y := a.outer(b), b.outer(a)
	if x == y {
		return
	}
	if j.alike && x == a && y == b {
		a.countAside(b)
		b.countAside(a)
	}
	a, b = x, y
	b.same = a
	o.nodes--
	a.held = a.held || b.held
	a.inKind = a.inKind || b.inKind
	if g := o.grammar; g != nil && a.object != nil && b.object != nil && a.union != b.union {
		g.broken = g.broken || a.union == g.union || b.union == g.union
	}
	if a.force == nil {
		a.force = b.force
	}
	if a.object == nil {
		a.union = b.union
	}
	a.nulls += b.nulls
	a.bools += b.bools
	a.strings += b.strings
	a.ints += b.ints
	a.floats += b.floats
	a.beyond += b.beyond
	a.low = min(a.low, b.low)
	a.high = max(a.high, b.high)
	a.inexact += b.inexact
	a.times += b.times
	a.far += b.far
	a.zoned += b.zoned
	a.empty += b.empty
	a.numeric += b.numeric
	a.whole += b.whole
	a.large += b.large
	a.below += b.below
	a.called = append(a.called, b.called[:min(len(b.called), max(mostCalled-len(a.called), 0))]...)
	if a.sample == "" {
		a.sample = b.sample
	}
	a.spelt.join(&b.spelt)
	if b.distinct == nil {
		a.distinct = nil
	}
	if b.distinct != nil {
		for _, s := range b.distinct.order {
			if a.distinct != nil {
				a.choice(s)
			}
		}
	}
	o.joinAsides(a, b)
	o.joinObjects(a, b)
	o.joinLists(a, b)
}

// owner returns the node that has set n aside, or nil.
func (n *node) owner() *node {
	if !n.isAside {
		return nil
	}
	if of := find(n.up); of.aside != nil && find(of.aside) == n {
		return of
	}
	return nil
}

// outer returns the owner of n if n is to be joined with values that are not only objects, so that
// the owner takes part in the join; otherwise n.
func (n *node) outer(with *node) *node {
	of := n.owner()
	if of == nil || of == with || with.held || with.aside == nil && slices.Equal(with.kinds(), []valueKind{objectKind}) {
		return n
	}
	return of
}

// countAside adds the objects and nulls of more to the counts of n's owner, because they are about
// to be joined with n, the objects that the owner has set aside.
func (n *node) countAside(more *node) {
	if of := n.owner(); of != nil && of != more {
		of.asides += more.objects()
		of.nulls += more.nulls
	}
}

func (o *observer) joinObjects(a, b *node) {
	if b.object == nil {
		return
	}
	if a.object == nil {
		a.object = b.object
		return
	}
	x, y := a.object, b.object
	if x.value == nil && y.value != nil {
		o.makeMap(a, y.why)
	}
	if y.value == nil && x.value != nil {
		o.makeMap(b, x.why)
		y = b.object
	}
	x.seen += y.seen
	x.filled += y.filled
	x.empty += y.empty
	if x.value != nil {
		x.keys += y.keys
		x.wholes = x.wholes && y.wholes
		x.nulls += y.nulls
		x.value = o.joinHeld(x.value, y.value)
		return
	}
	for _, m := range y.members {
		if mine := x.member(m.key); mine != nil {
			mine.count += m.count
			mine.nulls += m.nulls
			mine.empty += m.empty
			mine.blanks += m.blanks
			mine.lists += m.lists
			mine.node = o.joinHeld(mine.node, m.node)
			continue
		}
		added := x.members[x.add(m.key, m.node)]
		added.count, added.nulls, added.empty, added.blanks, added.lists = m.count, m.nulls, m.empty, m.blanks, m.lists
	}
}

// makeMap turns the objects of a node into a map by joining the values of all keys.
func (o *observer) makeMap(n *node, why string) {
	ob := n.object
	members := ob.members
	ob.value = o.node(n, step{kind: inValue})
	ob.keys, ob.wholes, ob.why = len(members), true, why
	ob.members, ob.index = nil, nil
	ob.names = map[string]bool{}
	for _, m := range members {
		ob.wholes = ob.wholes && wholeKey(m.key)
		ob.nulls += m.nulls
		ob.names[m.key] = true
	}
	for _, m := range members {
		if v := find(m.node); ob.value != v {
			for _, of := range []*Overrule{v.force, v.keep} {
				if of != nil && (n.force == nil || isMapType(n.force.Type)) { // else its values are not in the schema
					o.mapped[of] = append(n.origin(), step{kind: inValue})
				}
			}
			v.force = nil // the answer was about one key only
		}
		o.join(ob.value, m.node)
	}
	if len(o.joins) > 0 {
		o.unnamed = append(o.unnamed, ob.value)
		return
	}
	ob.value.forget(map[*node]bool{})
}

// forget clears what places call the objects at a node and below it, because a key that is data is
// no name for them. met has the nodes that are done: a map may be its own value.
func (n *node) forget(met map[*node]bool) {
	if n == nil {
		return
	}
	n = find(n)
	if met[n] {
		return
	}
	met[n] = true
	n.called = nil
	if n.object != nil {
		n.object.value.forget(met)
	}
	if n.list == nil {
		return
	}
	n.list.elem.forget(met)
	for _, r := range n.list.row {
		r.forget(met)
	}
}

func (o *observer) joinLists(a, b *node) {
	if b.list == nil {
		return
	}
	if a.list == nil {
		a.list = b.list
		return
	}
	x, y := a.list, b.list
	keep := x.row != nil && y.row != nil && (len(x.row) == len(y.row) || len(x.row) == 0 || len(y.row) == 0)
	x.seen += y.seen
	x.empty += y.empty
	x.ones += y.ones
	x.items += y.items
	x.nulls += y.nulls
	x.max = max(x.max, y.max)
	x.alone.join(y.alone)
	if keep {
		if len(x.row) == 0 {
			x.row = y.row
			return
		}
		for i := range y.row {
			x.row[i] = o.joinHeld(x.row[i], y.row[i])
		}
		return
	}
	if x.row != nil {
		o.mix(a)
	}
	if y.row != nil {
		o.mix(b)
	}
	x.isRow = false
	switch {
	case y.elem == nil:
	case x.elem == nil:
		x.elem = y.elem
	default:
		x.elem = o.joinHeld(x.elem, y.elem)
	}
}
