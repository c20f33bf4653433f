package infer

// join merges b into a, which then stands for both, and so on with what is in them.
// It ends because every step joins two nodes that were not joined before. One step
// is done before the next begins: in a tree, what is in a node may be the node.
func (o *observer) join(a, b *node) {
	o.joins = append(o.joins, [2]*node{a, b})
	if len(o.joins) > 1 {
		return // a step of a join, which does the rest
	}
	for i := 0; i < len(o.joins); i++ {
		o.joinOne(o.joins[i][0], o.joins[i][1])
	}
	o.joins = o.joins[:0]
	for _, v := range o.unnamed {
		v.forget(map[*node]bool{})
	}
	o.unnamed = nil
}

// joinHeld joins values that are held alike: members of one key, elements, or values
// of maps. It returns the node of both. Objects join those that another has aside, and
// do not become one of its kinds themselves: they may be shared with other places.
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
		x.asides += y.objects()
		x.nulls += y.nulls
		if x.keep == nil {
			x.keep = a.keep
		}
		o.joinOuter(x.aside, y)
		return x
	}
	o.join(a, b)
	return a
}

// joinOuter joins two nodes, into that which was met less deep.
func (o *observer) joinOuter(a, b *node) {
	if a, b = find(a), find(b); len(b.origin()) < len(a.origin()) {
		a, b = b, a
	}
	o.join(a, b)
}

// joinOne is one step of join.
func (o *observer) joinOne(a, b *node) {
	a, b = find(a), find(b)
	if a == b {
		return
	}
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

// makeMap makes the objects of a node a map: the values of all keys are joined.
func (o *observer) makeMap(n *node, why string) {
	ob := n.object
	members := ob.members
	ob.value = o.node(n, step{kind: inValue})
	ob.keys, ob.wholes, ob.why = len(members), true, why
	ob.members, ob.index = nil, nil
	ob.names = map[string]bool{}
	for _, m := range members {
		ob.wholes = ob.wholes && wholeKey(m.key)
		ob.names[m.key] = true
	}
	for _, m := range members {
		if v := find(m.node); ob.value != v {
			v.force = nil // it was said of one key
		}
		o.join(ob.value, m.node)
	}
	if len(o.joins) > 0 {
		o.unnamed = append(o.unnamed, ob.value)
		return
	}
	ob.value.forget(map[*node]bool{})
}

// forget takes back what the objects, lists and maps at a node, and what is in
// these, are called: a key that is data is no name. met are the nodes that have
// forgotten; a map may be its own value.
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
