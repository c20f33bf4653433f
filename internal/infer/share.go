package infer

import (
	"math"
	"slices"
	"strings"
)

// most is how many messages of one bucket a message is compared with: samples of
// very many unlike messages must not take the square of their number.
const most = 32

// share joins messages that are one type, and reports whether there were any.
// Fields may be in any order. Under one key, or keys with one last word, they are
// nearly the same; under other keys they are the same but for what is optional.
func (s *shaper) share(order []*node) (any bool) {
	return s.shareNames(order) || s.shareFields(order)
}

// candidate reports whether a message may be shared.
func (s *shaper) candidate(n *node) bool {
	return n.force == nil && n.union == nil && !n.isKind && find(n) == n && n.object != nil && n.object.value == nil && len(n.object.members) > 0
}

// shareNames joins messages under keys with one last word that are nearly the
// same: four of five fields, or under one key all fields of the smaller one.
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
		if x == y && shared == 1 && (union == 1 && ofText(x) || within && !vague(a.object.only(b.object))) {
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

// ofText reports whether a key is what texts are called: objects of one field under it, such as
// title and message, hold a text and say the same in all places.
func ofText(key string) bool {
	return slices.Contains([]string{"title", "message", "label", "description", "text", "comment", "note"}, strings.ToLower(key))
}

// only returns the first key of an object that another has too.
func (ob *object) only(of *object) string {
	for _, m := range ob.members {
		if of.member(m.key) != nil {
			return m.key
		}
	}
	return ""
}

// shareFields joins messages under any keys that are the same but for the order of
// their fields and what is optional. A field that is optional after that was so in
// one of them, or at least half of all fields stay required: an optional value
// costs no bytes where it is told by its presence, but an allocation in Go.
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

// joinBuckets joins each message with the first of one of its buckets that may be
// the same.
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
			if len(known[name]) < most {
				known[name] = append(known[name], n)
			}
		}
	}
	return any
}

// ofMany reports whether two messages are beside one another in an object whose key
// is of many, as those in links are.
func (s *shaper) ofMany(a, b *node) bool {
	x, y := s.places[a].path, s.places[b].path
	return len(x) == len(y) && slices.Equal(x[:len(x)-1], y[:len(y)-1]) && (&message{users: []path{x, y}}).parentName() != ""
}

// nested reports whether one of two messages is met within the other.
func (s *shaper) nested(a, b *node) bool {
	x, y := s.places[a].path, s.places[b].path
	return x.holds(y) || y.holds(x) || slices.Equal(x, y)
}

// keyList returns the keys of an object in the order of the alphabet, all of them
// and those that every object has.
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

// vague reports whether a key says nothing of what a message is: that messages of
// unlike names have such a field only, or that two have such a name, is by chance.
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

// fewNumbers is how many whole numbers may stand among fractions by chance.
const fewNumbers = 20

// unlike reports whether messages under different keys hold different things,
// though their keys are the same: another kind of number, other objects.
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

// wholes is how many numbers there are where none has a fraction.
func wholes(n *node) int64 {
	if n.floats > 0 {
		return 0
	}
	return n.ints
}

// overlap is how many keys two messages share, and have together.
func overlap(a, b *object) (shared, union int) {
	for _, m := range b.members {
		if a.member(m.key) != nil {
			shared++
		}
	}
	return shared, len(a.members) + len(b.members) - shared
}

// conflict reports whether a join of two nodes would make some value less
// exactly described than it is: two kinds at one place, times and other texts,
// objects that have no key in common.
func conflict(a, b *node) bool { return (&meeting{met: map[[2]*node]bool{}}).conflict(a, b) }

// A meeting is two nodes that may be joined, with what is in them.
type meeting struct {
	met map[[2]*node]bool
	// tree says that one is within the other: what is of one kind in a leaf may then be of
	// several kinds elsewhere, where these are a union.
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
	if !slices.Equal(ka, kb) && !(t.tree && t.together(a, b, ka, kb)) || ka[0] == "text" && (a.times == a.strings) != (b.times == b.strings) {
		return true
	}
	if (a.beyond > 0) != (b.beyond > 0) || !agree(a, b) {
		return true
	}
	if a.floats == 0 && a.inexact > 0 && b.floats > 0 || b.floats == 0 && b.inexact > 0 && a.floats > 0 {
		return true
	}
	if a.floats+b.floats == 0 && min(a.low, b.low) < 0 && max(a.high, b.high) > math.MaxInt64 {
		return true
	}
	if x, y := a.structs(), b.structs(); x != nil && y != nil {
		if (x.value == nil) != (y.value == nil) {
			return t.noMap(a, b)
		}
		if x.value != nil {
			return t.conflict(x.value, y.value)
		}
		least := min(len(x.members), len(y.members))
		if shared, _ := overlap(x, y); shared == 0 && least > 0 || t.tree && len(t.met) > 1 && shared*2 < least {
			return true
		}
		for _, m := range y.members {
			if mine := x.member(m.key); mine != nil && t.conflict(mine.node, m.node) {
				return true
			}
		}
	}
	if a.list != nil && b.list != nil {
		if a.list.isRow != b.list.isRow && a.list.items > 0 && b.list.items > 0 {
			return true
		}
		if a.list.isRow && b.list.isRow {
			if len(a.list.row) != len(b.list.row) {
				return true
			}
		}
		if a.list.row != nil && len(a.list.row) == len(b.list.row) {
			for i := range a.list.row { // they stay apart
				if t.conflict(a.list.row[i], b.list.row[i]) {
					return true
				}
			}
			return false
		}
		for _, x := range a.list.elems() {
			for _, y := range b.list.elems() {
				if t.conflict(x, y) {
					return true
				}
			}
		}
	}
	return false
}

// noMap reports whether one of two nodes is a map, and the other a struct that
// cannot be such a map: the user says so, or a value of it conflicts with those of
// the map.
func (t *meeting) noMap(a, b *node) bool {
	if a.structs().value == nil {
		a, b = b, a
	}
	return b.force != nil || slices.ContainsFunc(b.structs().members, func(m *member) bool { return t.conflict(a.structs().value, m.node) })
}

// together reports whether values of the kinds ka and kb, of which some are within a tree of
// the others, may be of one type. The kinds of one are among those of a union by kind; or one
// is such a union, and the other one more kind of it, or another; or one are lists, and the
// other elements of them, which then are lists without brackets.
func (t *meeting) together(a, b *node, ka, kb []string) bool {
	if len(ka) < len(kb) {
		a, ka, b, kb = b, kb, a, ka
	}
	switch {
	case a.byKind():
		return len(kb) == 1 && b.list == nil && b.objects() == 0 && !b.emptyTexts() || b.byKind() && (a.objects() > 0 || b.objects() == 0) || !slices.ContainsFunc(kb, func(k string) bool { return !slices.Contains(ka, k) })
	}
	return len(ka) == 1 && len(kb) == 1 && (a.listsOf(b, kb[0]) || b.listsOf(a, ka[0]))
}

// emptyTexts reports whether all texts are empty: they may stand for none.
func (n *node) emptyTexts() bool { return n.strings > 0 && n.strings == n.empty }

// listsOf reports whether all values are lists, none of one element, and the other's, which are
// scalars of a kind, can be beside them without brackets.
func (n *node) listsOf(other *node, kind string) bool {
	l := n.list
	if l == nil || l.isRow || l.ones > 0 || l.items == 0 || n.force != nil || l.alone.kind != "" && l.alone.kind != kind {
		return false
	}
	if kind == "object" || kind == "list" || n.strings > 0 || other.emptyTexts() || other.nulls > 0 {
		return false
	}
	return !slices.ContainsFunc(l.elems(), func(e *node) bool { e = find(e); return e == n || !e.gatherable(kind) })
}
