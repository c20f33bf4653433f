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

// askMap turns a node's objects into a map if they look like one.
func (o *observer) askMap(n *node) {
	ob := n.object
	if n.union != nil || n.isKind {
		return
	}
	if f := n.force; f != nil {
		// The schema has no keys of values that are kept as JSON or left out, and a map needs the
		// least memory.
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

// mapReason returns why objects look like a map rather than a struct, or "". They look like a map if
// the values are of one kind and the keys are data, such as numbers, ids or dates; if there are very
// many keys; or if there are many keys and each object has few of them. Keys that nearly all objects
// have are the fields of a struct. A record is a map only if its keys are data or no names.
func (ob *object) mapReason(record bool) string {
	keys := len(ob.members)
	if keys == 0 {
		return ""
	}
	if why := ob.unlikeReason(record); why != "" {
		return why
	}
	look := ob.look()
	fill := float64(ob.filled) / float64(ob.seen) / float64(keys)
	steady := ob.seen >= 3 && fill >= 0.9 && keys <= 200
	if !ob.alike(ob.needed(look, fill)) && (record && steady || !look.mostlyData(keys) || keys < 8) {
		return ""
	}
	if record && steady && ob.seen >= manyRecords && fill >= 0.99 {
		return "" // the keys are columns, although they look like data
	}
	switch {
	case look.codes != "":
		return fmt.Sprintf("its keys are codes of %s, such as %q", look.codes, shorten(look.example))
	case look.data*2 >= keys && !(steady && !look.mostlyData(keys)):
		return fmt.Sprintf("its keys are data, such as %q", shorten(look.example))
	case steady:
		return ""
	case (look.data+look.odd)*5 > keys && keys >= 4:
		return fmt.Sprintf("%d of its %d keys do not look like names", look.data+look.odd, keys)
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

// A keyLook counts the keys of objects by what they look like.
type keyLook struct {
	data, odd int    // keys that are data, and others that are no names
	example   string // the first key that is data
	codes     string // what all keys are codes of, such as countries, or ""
}

// mostlyData reports whether four of five keys are data.
func (l keyLook) mostlyData(keys int) bool { return l.data*5 >= keys*4 }

// look returns what the keys of objects look like.
func (ob *object) look() (l keyLook) {
	if what, code := ob.coded(); what != "" {
		return keyLook{data: len(ob.members), example: code, codes: what}
	}
	for _, m := range ob.members {
		switch {
		case dataKey(m.key):
			l.data++
			l.example = cmp.Or(l.example, m.key)
		case oddKey(m.key):
			l.odd++
		}
	}
	return l
}

// needed returns the share of keys whose values must be alike in a map. It is the smaller, the more
// the keys look like those of one. fill is the share of all keys that an object has.
func (ob *object) needed(l keyLook, fill float64) float64 {
	switch keys := len(ob.members); {
	case l.mostlyData(keys):
		return 0.3
	case ob.seen < 3 && keys >= 16:
		return 0.5
	case ob.seen >= 3 && keys >= 16 && fill < 0.2:
		return 0.2
	}
	return 0.6
}

// dictionary reports whether a key is one that formats use for objects that map names to objects.
func dictionary(key string) bool {
	w := words(key)
	return len(w) > 0 && slices.Contains([]string{"definitions", "defs", "schemas", "translations"}, w[len(w)-1])
}

// unlikeReason returns why objects look like a map even if the values of their keys are unlike, or
// "": no struct has so many fields that are structs, or fields with such names.
func (ob *object) unlikeReason(record bool) string {
	bad, example := 0, ""
	for _, m := range ob.members {
		if TextName(m.key) != m.key && m.key != "" {
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
	// fewBadKeys is the number of keys that no struct tag can hold from which on objects are a map,
	// and manyObjects the number of keys with objects. See unlikeReason.
	fewBadKeys, manyObjects = 3, 64
	// manyRecords is the number of records from which on common keys are fields, even if they look
	// like data.
	manyRecords = 16
)

// objects reports whether the values of all keys are objects, and one of them is a map or has two or
// more keys.
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

// alike reports whether the values of all keys are of one kind and, if they are objects, each has on
// average at least the given share of all of their keys.
func (ob *object) alike(share float64) bool {
	var class valueKind
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

// stamp reports whether a text has digits, and otherwise only characters of times and dates.
func stamp(text string) bool {
	return strings.ContainsAny(text, "0123456789") && strings.Trim(text, "0123456789-+.,:/TZ ") == ""
}

// oddKey reports whether a key is no name in any programming language.
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

// A place is where the walk of a shaper first meets a node.
type place struct {
	path path
	key  string // the last key on the way, which names its message
	nth  int    // how many nodes the walk met before it
}

// A shaper decides the shapes of objects and lists after all records were read.
type shaper struct {
	*observer
	header  []string
	places  map[*node]place
	again   map[*node][]path // the other places where nodes are met
	parents []parent         // the messages around the current node, the outermost first
	changed bool             // a node changed: the walk ends and begins again
	folded  bool             // a message became one around it, and the walk went on; see pass
	within  *node            // the walk skips the rest of this message; see pass
	shared  map[*node]bool   // messages of more than one place
	order   []*node          // the messages, each before those in it
	err     error
}

// shape decides the shapes of root and all nodes below it. It repeats the walk until nothing changes.
func (s *shaper) shape(root *node) error {
	for {
		s.places, s.again = map[*node]place{}, map[*node][]path{}
		s.changed, s.folded, s.within = false, false, nil
		s.order = nil
		s.walk(root, "")
		if s.err != nil {
			return s.err
		}
		if s.changed || s.folded || s.treeMaps(s.order) || s.share(s.order) || s.families(s.order) || s.siblings(s.order) {
			continue
		}
		return nil
	}
}

// walk decides the shapes of a node and the nodes below it. It appends the messages to s.order, each
// before those in it.
func (s *shaper) walk(n *node, key string) {
	at := place{n.origin(), key, len(s.places)}
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
		s.walkKinds(n, at)
		return
	}
	if n.list != nil {
		s.walkList(n, at)
	}
	if n.aside != nil {
		s.walk(n.aside, key)
	}
	if n.object == nil || s.within != nil || s.changed { // a walk of its lists may have changed nodes
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
		s.walk(v, singular(key))
		return
	}
	if s.fold(n, at) {
		return
	}
	s.order = append(s.order, n)
	s.parents = append(s.parents, parent{node: n})
	for _, m := range n.object.members {
		s.parents[len(s.parents)-1].key = m.key
		s.walk(m.node, m.key)
	}
	s.parents = s.parents[:len(s.parents)-1]
	if s.within == n {
		s.within = nil
	}
}

func (s *shaper) walkList(n *node, at place) {
	s.askRow(n, at)
	l := n.list
	if l.isRow {
		for i, r := range l.row {
			s.walk(r, l.names[i])
		}
		return
	}
	if l.elem != nil {
		s.walk(l.elem, singular(at.key))
	}
}

// askRow decides whether a node's lists are rows: they all have one length, and different kinds of
// value at different places.
func (s *shaper) askRow(n *node, at place) {
	l := n.list
	if l.isRow || l.row == nil {
		if n.force != nil && n.force.Type == "row" && !l.isRow {
			s.err = fmt.Errorf("%s: the lists at %s have different lengths, or more than %d elements, and cannot be rows", n.force, at.path, rowMax)
		}
		return
	}
	isRow := l.varied() && len(l.row) >= 2 && (l.seen > 1 || len(l.row) <= 8)
	if f := n.force; f != nil {
		isRow = f.Type == "row" && len(l.row) > 0
	}
	if len(at.path) == 0 {
		// Lists under names of columns are rows, whatever their values are. Elsewhere an empty list
		// is an absent row, but a record is never absent.
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
		find(r).called = nil // its name comes from the place in the row
		s.lead(r, n.rules, step{kind: inKey, key: l.names[i]}, true)
	}
}

// varied reports whether two places of the lists have values of different kinds.
func (l *list) varied() bool {
	var first []valueKind
	for _, r := range l.row {
		switch kinds := find(r).kinds(); {
		case len(kinds) == 0:
		case first == nil:
			first = kinds
		case !slices.Equal(first, kinds):
			return true
		}
	}
	return false
}

// A parent is a message around the current node, and the key of its member that leads there.
type parent struct {
	node *node
	key  string
}

// fold merges a message into the message around it that it repeats, and reports whether there is
// one. The message around it is then a tree: it contains itself.
func (s *shaper) fold(n *node, at place) bool {
	if n.force != nil || n.union != nil || n.isKind {
		return false
	}
	for i := len(s.parents) - 1; i >= 0; i-- {
		up := s.parents[i].node
		if up.force != nil || up.union != nil || up.isKind || !s.repeats(i, n, at) || conflictInTree(up, n) || s.clashesInTree(up, n) {
			continue
		}
		called := up.called // keep only the keys outside of the tree
		s.merge(up, n)
		find(up).called = called
		s.pass(i)
		return true
	}
	return false
}

// wide is the number of members from which on the walk goes on after a change in one member of a
// message. Otherwise there could be as many walks as members.
const wide = 64

// pass decides how the walk goes on after the i-th parent changed. If a message around that parent
// is wide, the walk goes on with the next member of the outermost such message. Otherwise the walk
// ends. It also ends if a message around the parent was merged with one inside it.
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

// merge joins b into a and marks the result as shared.
func (s *shaper) merge(a, b *node) {
	s.join(a, b)
	s.shared[find(a)] = true
}

// repeats reports whether a message n looks like up, the i-th message around it:
//   - n has the key of the member of up that led to it, or nearly all of its many keys are in up;
//   - both are values of maps under one key, and they have a key in common;
//   - n is directly in up under the same key, and the keys that each always has are the same.
//
// A short reference does not repeat up. It has few of the fields of up, or the object at that
// member of n has few of the fields of the object in up.
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

// fewestLost is the least number of required fields of a message that a reference to it must lack.
const fewestLost = 6

// short reports whether n is a short reference to whole: it has less than a third of the fields that
// whole always has, and lacks at least fewestLost of them.
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

// fewestMissed is the least number of required fields of a message that a reference within it must
// lack: see refers.
const fewestMissed = 3

// refers reports whether n, which is in whole under the key way, only refers to messages like whole:
// it has only scalars and no member way, and lacks at least half, and at least fewestMissed, of the
// fields that whole always has.
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

// sameRequired reports whether the keys that the objects of two messages always have are the same,
// and there are any.
func sameRequired(a, b *object) bool {
	_, x := a.keyList()
	_, y := b.keyList()
	return len(x) > 0 && slices.Equal(x, y)
}
