package infer

import (
	"math"
	"slices"
	"strings"
)

// mostCompared is how many messages of one bucket a message is compared with. The bound keeps the time for
// very many unlike messages from growing with the square of their number.
const mostCompared = 32

// share joins messages that are one type, and reports whether it joined any. The order of fields
// does not matter. If the messages are under one key, or under keys with the same last word, their
// fields must be nearly the same; under other keys, they may differ only in which are optional.
func (s *shaper) share(order []*node) (any bool) {
	return s.shareNames(order) || s.shareFields(order)
}

// candidate reports whether a message may be shared.
func (s *shaper) candidate(n *node) bool {
	return n.force == nil && n.union == nil && !n.isKind && find(n) == n && n.object != nil && n.object.value == nil && len(n.object.members) > 0
}

// shareNames joins messages that are nearly the same and whose keys have the same last word. They
// must share two fields or more, and four of five of all fields. Under equal keys it is enough that
// they share all fields of the smaller message, and half of all, if the key is not vague. A single
// shared field is enough if it is the smaller message's only one under such a key and not vague
// itself, or if neither message has another and their key is a common name of texts.
func (s *shaper) shareNames(order []*node) (any bool) {
	return s.joinBuckets(order, func(n *node) []string {
		if key := words(singular(s.places[n].key)); len(key) > 0 {
			return key[len(key)-1:]
		}
		return []string{""}
	}, func(a, b *node) bool {
		x, y := singular(s.places[a].key), singular(s.places[b].key)
		shared, union := overlap(a.object, b.object)
		within := shared == min(len(a.object.members), len(b.object.members)) && shared*2 >= union && !vague(x)
		if x == y && shared == 1 && (union == 1 && ofText(x) || within && !vague(a.object.firstShared(b.object))) {
			return !conflict(a, b) && !blurs(a, b, nil) && !unlike(a, b, nil) && !s.clashes(a, b)
		}
		if shared < 2 || shared*5 < union*4 && !(x == y && within) {
			return false
		}
		if x != y && (unlike(a, b, nil) || s.nested(a, b)) {
			return false
		}
		return !conflict(a, b) && !blurs(a, b, nil) && !s.clashes(a, b)
	})
}

// ofText reports whether a key is a common name of texts. Objects with a single field under such a
// key hold a text and mean the same in all places.
func ofText(key string) bool {
	return slices.Contains([]string{"title", "message", "label", "description", "text", "comment", "note"}, strings.ToLower(key))
}

// firstShared returns the first key that two objects have in common, or "".
func (ob *object) firstShared(of *object) string {
	for _, m := range ob.members {
		if of.member(m.key) != nil {
			return m.key
		}
	}
	return ""
}

// shareFields joins messages under any keys that differ only in the order of their fields and in
// which fields are optional. At least half of all fields must stay required: an optional field
// costs no bytes in formats that encode presence, but it costs an allocation in Go.
func (s *shaper) shareFields(order []*node) (any bool) {
	return s.joinBuckets(order, func(n *node) []string {
		all, required := n.object.keyList()
		buckets := []string{"all " + strings.Join(all, "\x00")}
		if len(required) > 0 {
			buckets = append(buckets, "required "+strings.Join(required, "\x00"))
		}
		return buckets
	}, func(a, b *node) bool {
		if len(s.places[a].path) == 0 || len(s.places[b].path) == 0 || s.nested(a, b) {
			return false
		}
		_, union := overlap(a.object, b.object)
		_, required := a.object.keyList()
		_, others := b.object.keyList()
		both := slices.DeleteFunc(required, func(k string) bool { return !slices.Contains(others, k) })
		if len(both)*2 < union || len(both) == 1 && vague(both[0]) && !s.ofMany(a, b) {
			return false
		}
		return !unlike(a, b, nil) && !conflict(a, b) && !blurs(a, b, nil) && !s.clashes(a, b)
	})
}

// joinBuckets joins each message with the first message of its buckets for which same holds, and
// reports whether it joined any.
func (s *shaper) joinBuckets(order []*node, buckets func(*node) []string, same func(a, b *node) bool) (any bool) {
	known := map[string][]*node{}
next:
	for _, n := range order {
		if !s.candidate(n) {
			continue
		}
		names := buckets(n)
		for _, name := range names {
			for _, other := range known[name] {
				if other = find(other); other == n {
					continue next
				}
				if s.candidate(other) && same(other, n) {
					s.merge(other, n)
					any = true
					continue next
				}
			}
		}
		for _, name := range names {
			if len(known[name]) < mostCompared {
				known[name] = append(known[name], n)
			}
		}
	}
	return any
}

// ofMany reports whether two messages are members of one object whose key is a plural, such as
// links.
func (s *shaper) ofMany(a, b *node) bool {
	x, y := s.places[a].path, s.places[b].path
	return len(x) == len(y) && slices.Equal(x[:len(x)-1], y[:len(y)-1]) && (&message{users: []path{x, y}}).parentName() != ""
}

// nested reports whether one of two messages is first met within the other, or at its path.
func (s *shaper) nested(a, b *node) bool {
	x, y := s.places[a].path, s.places[b].path
	return x.holds(y) || y.holds(x) || slices.Equal(x, y)
}

// keyList returns the keys of objects in sorted order: all keys, and those that every object has.
func (ob *object) keyList() (all, required []string) {
	for _, m := range ob.members {
		all = append(all, m.key)
		if m.count == ob.seen {
			required = append(required, m.key)
		}
	}
	slices.Sort(all)
	slices.Sort(required)
	return all, required
}

// vague reports whether a key says little about a message. If messages with unlike names share only
// such a field, or if two messages have such a name, that is likely by chance.
func vague(key string) bool {
	switch strings.ToLower(key) {
	case "id", "uid", "uuid", "name", "value", "text", "type", "key", "url", "uri", "href", "title", "code", "count", "kind", "label", "description",
		"data", "item", "object", "total", "amount", "date", "time", "status", "state", "message", "path", "version", "content", "body", "note", "comment",
		"attribute", "property", "parameter", "param", "detail", "info", "field", "entry", "element", "node", "record", "result", "response", "request",
		"payload":
		return true
	}
	return false
}

// fewNumbers is the count of whole numbers from which on it is no chance that none has a fraction.
const fewNumbers = 20

// unlike reports whether messages with the same fields hold different things, because some values
// are of another kind, another kind of number, or other objects.
func unlike(a, b *node, met map[[2]*node]bool) bool {
	a, b = find(a), find(b)
	pair := [2]*node{a, b}
	if a == b || met[pair] {
		return false
	}
	if met == nil {
		met = map[[2]*node]bool{}
	}
	met[pair] = true
	if (a.floats == 0) != (b.floats == 0) && min(a.numbers(), b.numbers()) > 0 {
		if whole := max(wholes(a), wholes(b)); whole >= fewNumbers {
			return true
		}
	}
	ka, kb := a.kinds(), b.kinds()
	if !slices.Equal(ka, kb) && (len(ka) > 0 && len(kb) > 0 || a.object != nil || b.object != nil) {
		return true
	}
	if a.list != nil && b.list != nil {
		switch p, q := a.list.elem, b.list.elem; {
		case p != nil && q != nil && unlike(p, q, met):
			return true
		case (p == nil) != (q == nil) && (p != nil && find(p).object != nil || q != nil && find(q).object != nil):
			return true
		}
	}
	x, y := a.structs(), b.structs()
	if x == nil || y == nil {
		return false
	}
	if x.value != nil && y.value != nil {
		return unlike(x.value, y.value, met)
	}
	if shared, union := overlap(x, y); shared*5 < union*4 && len(met) > 1 {
		return true
	}
	for _, m := range x.members {
		if theirs := y.member(m.key); theirs != nil && unlike(m.node, theirs.node, met) {
			return true
		}
	}
	return false
}

// wholes returns the number of whole numbers, or 0 if a number has a fraction.
func wholes(n *node) int64 {
	if n.floats > 0 {
		return 0
	}
	return n.ints
}

// overlap returns the number of keys that two messages share, and that they have together.
func overlap(a, b *object) (shared, union int) {
	for _, m := range b.members {
		if a.member(m.key) != nil {
			shared++
		}
	}
	return shared, len(a.members) + len(b.members) - shared
}

// conflict reports whether a join of two nodes would describe some value less exactly: two kinds of
// value at one place, times and other texts, or objects that have no key in common.
func conflict(a, b *node) bool { return (&meeting{met: map[[2]*node]bool{}}).conflict(a, b) }

// A meeting compares two nodes that may be joined, and their contents.
type meeting struct {
	met map[[2]*node]bool // the pairs that were compared
	// tree says that one node is within the other. A value that is of one kind in a leaf may then
	// be a union of several kinds elsewhere.
	tree bool
}

func (t *meeting) conflict(a, b *node) bool {
	a, b = find(a), find(b)
	pair := [2]*node{a, b}
	if a == b || t.met[pair] {
		return false
	}
	t.met[pair] = true
	ka, kb := a.kinds(), b.kinds()
	if len(ka) == 0 || len(kb) == 0 || a.blankBeside(b) || b.blankBeside(a) {
		return false
	}
	if t.tree && (a.kept(b) || b.kept(a)) {
		return false
	}
	if a.union != b.union {
		return true
	}
	if a.union != nil && a.inKind && b.inKind {
		return false
	}
	if !slices.Equal(ka, kb) && !(t.tree && t.together(a, b, ka, kb)) {
		return true
	}
	return scalarsConflict(a, b, ka[0]) || t.objects(a, b) || t.lists(a, b)
}

// scalarsConflict reports whether the texts of two nodes, the first kind of whose values is given,
// are times in one of them only, or whether no kind of number holds the numbers of both as exactly
// as those of each.
func scalarsConflict(a, b *node, first valueKind) bool {
	switch {
	case first == textKind && (a.times == a.strings) != (b.times == b.strings):
		return true
	case (a.beyond > 0) != (b.beyond > 0) || !agree(a, b):
		return true
	case a.floats == 0 && a.inexact > 0 && b.floats > 0 || b.floats == 0 && b.inexact > 0 && a.floats > 0:
		return true // a float would round whole numbers
	}
	return a.floats+b.floats == 0 && min(a.low, b.low) < 0 && max(a.high, b.high) > math.MaxInt64
}

// objects reports whether the objects of two nodes conflict: they have too few keys in common, or
// a value of theirs conflicts.
func (t *meeting) objects(a, b *node) bool {
	x, y := a.structs(), b.structs()
	switch {
	case x == nil || y == nil:
		return false
	case (x.value == nil) != (y.value == nil):
		return t.noMap(a, b)
	case x.value != nil:
		return t.conflict(x.value, y.value)
	}
	least := min(len(x.members), len(y.members))
	if shared, _ := overlap(x, y); shared == 0 && least > 0 || t.tree && len(t.met) > 1 && shared*2 < least {
		return true
	}
	return slices.ContainsFunc(y.members, func(m *member) bool {
		mine := x.member(m.key)
		return mine != nil && t.conflict(mine.node, m.node)
	})
}

// lists reports whether the lists of two nodes conflict: only those of one are rows, or rows of
// another length, or elements of theirs conflict.
func (t *meeting) lists(a, b *node) bool {
	x, y := a.list, b.list
	switch {
	case x == nil || y == nil:
		return false
	case x.isRow != y.isRow && x.items > 0 && y.items > 0:
		return true
	case x.isRow && y.isRow && len(x.row) != len(y.row):
		return true
	case x.row != nil && len(x.row) == len(y.row):
		for i := range x.row { // the places stay apart after the join
			if t.conflict(x.row[i], y.row[i]) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(x.elems(), func(e *node) bool {
		return slices.ContainsFunc(y.elems(), func(f *node) bool { return t.conflict(e, f) })
	})
}

// noMap reports whether two nodes, one a map and one a struct, cannot be one map: the user said what
// the struct is, or one of its values conflicts with the values of the map.
func (t *meeting) noMap(a, b *node) bool {
	if a.structs().value == nil {
		a, b = b, a
	}
	return b.force != nil || slices.ContainsFunc(b.structs().members, func(m *member) bool { return t.conflict(a.structs().value, m.node) })
}

// together reports whether two nodes of a tree, with values of the kinds ka and kb, may be of one
// type. They may if one node is a union by kind and the other has some of its kinds, has one more
// kind that is a scalar, or is such a union itself; or if one has lists and the other single
// values that can be elements of these lists, written without brackets.
func (t *meeting) together(a, b *node, ka, kb []valueKind) bool {
	if len(ka) < len(kb) {
		a, ka, b, kb = b, kb, a, ka
	}
	if a.byKind() {
		return len(kb) == 1 && b.list == nil && b.objects() == 0 && !b.emptyTexts() || b.byKind() && (a.objects() > 0 || b.objects() == 0) || !slices.ContainsFunc(kb, func(k valueKind) bool { return !slices.Contains(ka, k) })
	}
	return len(ka) == 1 && len(kb) == 1 && (a.listsOf(b, kb[0]) || b.listsOf(a, ka[0]))
}

// emptyTexts reports whether there are texts and all are empty, so that they may stand for absent
// values.
func (n *node) emptyTexts() bool { return n.strings > 0 && n.strings == n.empty }

// listsOf reports whether n has lists, none with exactly one element, and the values of other,
// scalars of the given kind, can stand for lists of one element.
func (n *node) listsOf(other *node, kind valueKind) bool {
	l := n.list
	if l == nil || l.isRow || l.ones > 0 || l.items == 0 || n.force != nil || l.alone.kind != "" && l.alone.kind != kind {
		return false
	}
	if kind == objectKind || kind == listKind || n.strings > 0 || other.emptyTexts() || other.nulls > 0 {
		return false
	}
	return !slices.ContainsFunc(l.elems(), func(e *node) bool { e = find(e); return e == n || !e.gatherable(kind) })
}
