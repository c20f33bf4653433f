package infer

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"assay/internal/phrase"
)

// askMap makes a node's objects a map when they look like one.
func (o *observer) askMap(n *node) {
	ob := n.object
	if n.union != nil || n.isKind {
		return
	}
	if f := n.force; f != nil {
		// Of JSON and of what is left out the keys are in no schema, and a map takes the least memory.
		if isMapType(f.Type) || f.Type == "json" || f.Type == "none" {
			o.makeMap(n, "")
		}
		return
	}
	why := ob.mapReason(n == o.root)
	if why == "" && n.at.kind == inKey && dictionary(n.at.key) && len(ob.members) >= 4 && ob.objects() {
		why = fmt.Sprintf("it is called %s, and the values of its %d keys are objects", shorten(n.at.key), len(ob.members))
	}
	if why == "" && n.at.kind == inKey {
		why = cmp.Or(ob.named(n.at.key), ob.varied(n.at.key), ob.sparse(n.at.key))
	}
	if why == "" && len(ob.members) >= maxKeys {
		why = fmt.Sprintf("it has more than %s different keys", phrase.Grouped(maxKeys))
	}
	if why != "" {
		o.makeMap(n, why)
	}
}

func isMapType(t string) bool { return t == "map" || strings.HasPrefix(t, "map[") }

// mapReason says why objects look like a map rather than a struct, or nothing.
// They do when the values are of one kind and the keys are data: numbers, ids,
// dates; or when there are very many keys; or many, of which each object has
// few. Keys that nearly all objects have are the fields of a struct. A record
// is a map only for its keys' sake.
func (ob *object) mapReason(record bool) string {
	keys := len(ob.members)
	if keys == 0 {
		return ""
	}
	data, odd := 0, 0
	example := ""
	for _, m := range ob.members {
		switch {
		case dataKey(m.key):
			data++
			if example == "" {
				example = m.key
			}
		case oddKey(m.key):
			odd++
		}
	}
	what, code := ob.coded()
	if what != "" {
		data, odd, example = keys, 0, code
	}
	fill := float64(ob.filled) / float64(ob.seen) / float64(keys)
	need := 0.6
	switch {
	case data*5 >= keys*4:
		need = 0.3
	case ob.seen < 3 && keys >= 16:
		need = 0.5
	case ob.seen >= 3 && keys >= 16 && fill < 0.2:
		need = 0.2
	}
	if why := ob.unlikeReason(record); why != "" {
		return why
	}
	steady := ob.seen >= 3 && fill >= 0.9 && keys <= 200
	if !ob.alike(need) && (record && steady || data*5 < keys*4 || keys < 8) {
		return ""
	}
	if record && steady && ob.seen >= manyRecords && fill >= 0.99 {
		return "" // columns, whatever they are called
	}
	switch {
	case what != "":
		return fmt.Sprintf("its keys are codes of %s, such as %q", what, shorten(example))
	case data*2 >= keys && !(steady && data*5 < keys*4):
		return fmt.Sprintf("its keys are data, such as %q", shorten(example))
	case steady:
		return ""
	case (data+odd)*5 > keys && keys >= 4:
		return fmt.Sprintf("%d of its %d keys are no names", data+odd, keys)
	case record:
		return ""
	case keys > 200:
		return fmt.Sprintf("it has %d different keys, and its values are alike", keys)
	case ob.seen < 3 && keys >= 16 && ob.objects():
		return fmt.Sprintf("it has %d keys, and its values are objects that are alike", keys)
	case ob.seen >= 3 && keys >= 8 && fill < 0.35:
		return fmt.Sprintf("its values are alike, and of %d keys one object has %.1f on average", keys, float64(ob.filled)/float64(ob.seen))
	}
	return ""
}

// dictionary reports whether a key is what formats call objects that map names to objects.
func dictionary(key string) bool {
	w := words(key)
	return len(w) > 0 && slices.Contains([]string{"definitions", "defs", "schemas", "translations"}, w[len(w)-1])
}

// unlikeReason says why objects look like a map, however unlike the values of their keys are: no
// struct has so many fields that are structs, or such names.
func (ob *object) unlikeReason(record bool) string {
	bad, example := 0, ""
	for _, m := range ob.members {
		if tagText(m.key) != m.key && m.key != "" {
			if bad++; bad == 1 {
				example = m.key
			}
		}
	}
	switch {
	case !record && bad == len(ob.members):
		return fmt.Sprintf("no struct tag can hold its keys, such as %q", shorten(example))
	case !ob.objects():
		return ""
	case bad >= fewBadKeys:
		return fmt.Sprintf("%d of its %d keys can be in no struct tag, such as %q", bad, len(ob.members), shorten(example))
	case !record && ob.seen < 3 && len(ob.members) >= manyObjects:
		return fmt.Sprintf("it has %d keys, and its values are objects", len(ob.members))
	}
	return ""
}

const (
	// fewBadKeys is how many keys that no struct tag can hold make objects a map, and
	// manyObjects how many keys of objects do.
	fewBadKeys, manyObjects = 3, 64
	// manyRecords is how many records must have the same keys for these to be fields though
	// they look like data.
	manyRecords = 16
)

// objects reports whether the values of all keys are objects, one of them with two
// keys or more.
func (ob *object) objects() bool {
	several := false
	for _, m := range ob.members {
		n := find(m.node)
		if n.object == nil && len(n.kinds()) > 0 {
			return false
		}
		several = several || n.object != nil && (n.object.value != nil || len(n.object.members) > 1)
	}
	return several
}

// alike reports whether the values of all keys are of one kind and, if they are
// objects, have on average that share of all keys that any of them has.
func (ob *object) alike(share float64) bool {
	var class string
	union := map[string]bool{}
	var filled, seen float64
	for _, m := range ob.members {
		n := find(m.node)
		k := n.kinds()
		if len(k) > 1 {
			return false
		}
		if len(k) == 0 {
			continue
		}
		if class == "" {
			class = k[0]
		}
		if class != k[0] {
			return false
		}
		if n.object != nil && n.object.value == nil {
			filled += float64(n.object.filled)
			seen += float64(n.object.seen)
			for _, inner := range n.object.members {
				union[inner.key] = true
			}
		}
	}
	return class != "" && (len(union) == 0 || filled/seen/float64(len(union)) >= share)
}

var (
	uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$`)
	hash = regexp.MustCompile(`^(0x)?[0-9a-fA-F]{12,}$`)
)

// dataKey reports whether a key looks like data: a number, a date, an id, a
// path, an address.
func dataKey(key string) bool {
	digits := 0
	for _, r := range key {
		if digit(r) {
			digits++
		}
	}
	switch {
	case len(key) > 64, uuid.MatchString(key), hash.MatchString(key) && digits > 0:
		return true
	case strings.Contains(key, "/"), strings.Contains(key, "@") && strings.Contains(key, ".") && key[0] != '@':
		return true
	case stamp(key):
		return true
	case len(key) >= 4 && digits*2 >= len(key):
		return true
	}
	return len(key) >= 20 && digits >= 3 && !strings.ContainsAny(key, "_- ")
}

// stamp reports whether a text has digits, and besides only what times and dates have.
func stamp(text string) bool {
	return strings.ContainsAny(text, "0123456789") && strings.Trim(text, "0123456789-+.,:/TZ ") == ""
}

// oddKey reports whether a key would be no name in any language.
func oddKey(key string) bool {
	for i, r := range key {
		if !unicode.IsLetter(r) && !strings.ContainsRune("_$@.:-#", r) && !(i > 0 && unicode.IsDigit(r)) {
			return true
		}
	}
	return key == ""
}

// wholeKey reports whether a key is a whole number as strconv writes it.
func wholeKey(key string) bool {
	n, err := strconv.ParseInt(key, 10, 64)
	return err == nil && strconv.FormatInt(n, 10) == key
}

// A place is where a node is first met.
type place struct {
	path path
	key  string // the last key on the way: what its message is called after
}

// A shaper decides what objects and lists are once all values were seen.
type shaper struct {
	*observer
	header  []string
	places  map[*node]place
	again   map[*node][]path // where else nodes are met
	parents []parent         // messages on the way to the node that is looked at
	changed bool
	folded  bool           // a message became the one around it, and the walk went on
	within  *node          // the message whose rest is passed, see pass
	shared  map[*node]bool // messages of more than one place
	order   []*node        // the messages, each before those in it
	err     error
}

// shape decides about root and all below it, until nothing changes.
func (s *shaper) shape(root *node) error {
	for {
		s.places, s.again = map[*node]place{}, map[*node][]path{}
		s.changed, s.folded, s.within = false, false, nil
		var order []*node
		s.walk(root, "", &order)
		if s.err != nil {
			return s.err
		}
		if s.changed || s.folded || s.treeMaps(order) || s.share(order) || s.families(order) || s.siblings(order) {
			continue
		}
		s.order = order
		return nil
	}
}

// walk decides about a node and those below it. order gets the messages, each
// before those in it.
func (s *shaper) walk(n *node, key string, order *[]*node) {
	at := place{n.origin(), key}
	n = find(n)
	if _, met := s.places[n]; met || s.changed || s.within != nil || s.err != nil {
		if met && len(s.again[n]) < maxVariants {
			s.again[n] = append(s.again[n], at.path)
		}
		return
	}
	s.places[n] = at
	if f := n.force; f != nil && (f.Type == "json" || f.Type == "number" || f.Type == "none") {
		return
	}
	if len(n.kinds()) > 1 && !s.gather(n, at.path) {
		s.walkKinds(n, at, order)
		return
	}
	if n.list != nil {
		s.walkList(n, at, order)
	}
	if n.aside != nil {
		s.walk(n.aside, key, order)
	}
	if n.object == nil || s.within != nil || s.changed { // what is in its lists may have become what it is in
		return
	}
	if n.object.value == nil {
		s.askMap(n)
	}
	if find(n) != n || n.object == nil { // a map of itself, whose values are of several kinds
		s.changed = true
		return
	}
	if v := n.object.value; v != nil {
		s.walk(v, singular(key), order)
		return
	}
	if s.fold(n, at) {
		return
	}
	*order = append(*order, n)
	s.parents = append(s.parents, parent{node: n})
	for _, m := range n.object.members {
		s.parents[len(s.parents)-1].key = m.key
		s.walk(m.node, m.key, order)
	}
	s.parents = s.parents[:len(s.parents)-1]
	if s.within == n {
		s.within = nil
	}
}

func (s *shaper) walkList(n *node, at place, order *[]*node) {
	s.askRow(n, at)
	l := n.list
	if l.isRow {
		for i, r := range l.row {
			s.walk(r, l.names[i], order)
		}
		return
	}
	if l.elem != nil {
		s.walk(l.elem, singular(at.key), order)
	}
}

// askRow decides whether a node's lists are rows: of one length, with different
// kinds at different places.
func (s *shaper) askRow(n *node, at place) {
	l := n.list
	if l.isRow || l.row == nil {
		if n.force != nil && n.force.Type == "row" && !l.isRow {
			s.err = fmt.Errorf("%s: the lists at %s have different lengths, or more than %d elements, and cannot be rows", n.force, at.path, rowMax)
		}
		return
	}
	var classes []string
	for _, r := range l.row {
		classes = append(classes, strings.Join(find(r).kinds(), "|"))
	}
	differ := slices.ContainsFunc(classes, func(c string) bool { return c != "" && c != firstKnown(classes) })
	isRow := differ && len(l.row) >= 2 && (l.seen > 1 || len(l.row) <= 8)
	if f := n.force; f != nil {
		isRow = f.Type == "row" && len(l.row) > 0
	}
	if len(at.path) == 0 {
		// Columns with names are rows, whatever is in them. An empty list is an
		// absent row, and no record is absent.
		isRow = (isRow || s.header != nil) && l.empty == 0
	}
	if !isRow {
		s.mix(n)
		return
	}
	l.isRow = true
	l.why = fmt.Sprintf("%s a list of %d elements of different kinds", each(l.seen-l.empty, "value"), len(l.row))
	for i := range l.row {
		l.names = append(l.names, placeName(i))
	}
	if len(at.path) == 0 && len(s.header) == len(l.row) {
		l.names = s.header
	}
	for i, r := range l.row {
		find(r).called = nil // its place has a name of its own
		s.lead(r, n.rules, step{kind: inKey, key: l.names[i]}, true)
	}
}

func firstKnown(classes []string) string {
	for _, c := range classes {
		if c != "" {
			return c
		}
	}
	return ""
}

// A parent is a message, and the key of its member that is looked at.
type parent struct {
	node *node
	key  string
}

// fold makes a message that repeats one around it that one: a tree then is a
// message that holds itself.
func (s *shaper) fold(n *node, at place) bool {
	if n.force != nil || n.union != nil || n.isKind {
		return false
	}
	for i := len(s.parents) - 1; i >= 0; i-- {
		up := s.parents[i].node
		if up.force != nil || up.union != nil || up.isKind || !s.repeats(i, n, at) || conflictInTree(up, n) || s.clashesInTree(up, n) {
			continue
		}
		called := up.called // by what is around it
		s.merge(up, n)
		find(up).called = called
		s.pass(i)
		return true
	}
	return false
}

// wide is how many members a message has of which one that changes does not end the
// walk: there would be as many walks as members.
const wide = 64

// pass has the walk go on after the i-th parent changed, beyond the member of the
// outermost wide message that it is in, and ends the walk where there is none. It ends too
// when what is around has become one with what is in it.
func (s *shaper) pass(i int) {
	s.changed = true
	for j, p := range s.parents[:i] {
		if find(p.node) != p.node {
			return
		}
		if len(p.node.object.members) >= wide {
			s.changed, s.folded, s.within = false, true, s.parents[j+1].node
			return
		}
	}
}

// conflictInTree reports whether a message conflicts with one around it.
func conflictInTree(up, n *node) bool {
	return (&meeting{met: map[[2]*node]bool{}, tree: true}).conflict(up, n)
}

// merge joins b into a.
func (s *shaper) merge(a, b *node) {
	s.join(a, b)
	s.shared[find(a)] = true
}

// repeats reports whether a message looks like the i-th one around it, whose member led to
// it: it has such a member itself, or nearly all of its many keys are the same. Values of
// maps under one key within one another are alike when they have a key in common, and a
// message directly within one under the same key is when both always have the same keys.
// A short reference, which has few of the fields or whose object at that member has, is not.
func (s *shaper) repeats(i int, n *node, at place) bool {
	up, way := s.parents[i].node, s.parents[i].key
	shared, union := overlap(up.object, n.object)
	own := len(n.object.members)
	if own == 0 {
		return false
	}
	if s.places[up].key == at.key {
		if up.at.kind == inValue && n.at.kind == inValue && shared > 0 {
			return true
		}
		if short(up, n) || refers(up.object, n, way) {
			return false
		}
		return shared == own || shared >= 2 && shared*5 >= own*4 || i == len(s.parents)-1 && sameRequired(up.object, n.object)
	}
	again := n.object.member(way) != nil
	if again && i < len(s.parents)-1 && short(s.parents[i+1].node, inner(n.object.member(way).node)) {
		return false
	}
	return again && shared >= 2 && shared*5 >= union*3 || shared >= 6 && shared*5 >= union*4
}

// fewestLost is how many fields that a message always has a reference to one has not.
const fewestLost = 6

// short reports whether a message is a reference rather than the whole: of the fields that the
// whole always has, it has less than a third.
func short(whole, n *node) bool {
	if n == nil || n == whole {
		return false
	}
	_, required := whole.object.keyList()
	has := 0
	for _, key := range required {
		if n.object.member(key) != nil {
			has++
		}
	}
	return len(required)-has >= fewestLost && has*3 < len(required)
}

// fewestMissed is how many fields that a message always has a short reference has not, when
// none of those that refer has the field that they are in.
const fewestMissed = 3

// refers reports whether messages only refer to what they are in, by the key way: they have
// scalars alone, and at most half of the fields that it always has.
func refers(whole *object, n *node, way string) bool {
	_, required := whole.keyList()
	missed := 0
	for _, key := range required {
		if n.object.member(key) == nil {
			missed++
		}
	}
	return missed >= fewestMissed && missed*2 >= len(required) && n.object.member(way) == nil &&
		!slices.ContainsFunc(n.object.members, func(m *member) bool { v := find(m.node); return v.objects() > 0 || v.lists() > 0 })
}

// sameRequired reports whether there are keys that the objects of two messages always have,
// and both have the same.
func sameRequired(a, b *object) bool {
	_, x := a.keyList()
	_, y := b.keyList()
	return len(x) > 0 && slices.Equal(x, y)
}
