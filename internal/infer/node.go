package infer

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// rowMax is the greatest length of a list that may be a row. tableMax is that of a record
	// that may be a row.
	rowMax, tableMax = 32, 1024
	// choices is the greatest number of different texts for which an enum is suggested. enumMax
	// is the greatest number if the user asks for an enum.
	choices, enumMax = 24, 4096
	// maxChoice is the greatest length, in bytes, of a text of an enum.
	maxChoice = 200
	// manyKeys is the number of different keys from which on the observer asks, while it reads,
	// whether objects are a map.
	manyKeys = 256
	// maxKeys is the number of different keys from which on objects are always a map.
	maxKeys = 10_000
	// maxNodes is the greatest number of nodes. It bounds the memory that fields take.
	maxNodes = 200_000
)

// A node describes the values at one path: it counts them by kind and by other properties that
// decide their type. Two nodes can be joined. The join describes the values as if all had been at
// one path.
type node struct {
	same  *node // the node that it was joined into, which replaces it; see find
	up    *node // the node that contained its values when it was first seen; nil: it is the record
	at    step  // the step from up to its values
	place int   // its place in the list, if the lists of up are rows
	inner bool  // it is a variant or the objects of up, and has the path of up
	// isAside says that it has the objects that up has set aside. held says that this is so of it
	// or of a node that was joined into it. See setAside.
	isAside, held bool
	// isKind says that it has all objects of one kind of a grammar. inKind says that it is such a
	// node or is within one.
	isKind, inKind bool
	rules          []rule
	force          *Overrule // the user's answer for its type
	keep           *Overrule // the user's answer for absent and null values; a join does not merge it
	union          *union    // its objects are of several kinds, and its object has a member for each

	nulls, bools, strings int64
	ints, floats          int64
	// beyond counts numbers that neither 64 bits nor float64 hold.
	beyond int64
	// low is the smallest int, or 0 if none is negative; high is the largest, or 0 if all are
	// negative. inexact counts the ints that float64 rounds.
	low     int64
	high    uint64
	inexact int64
	// These count strings: times by RFC 3339, times that are far from the present (see isFar),
	// times that are not in UTC (zoned), empty strings, and numbers in quotes (numeric). Of the
	// last, whole counts whole numbers of 64 bits, large those that are too large for int64, and
	// below the negative ones.
	times, far, zoned, empty, numeric int64
	whole, large, below               int64
	sample                            string  // a numeric string
	spelt                             spelt   // how texts and numbers are written
	distinct                          *texts  // nil: there are too many
	object                            *object // nil: none was seen
	list                              *list   // nil: none was seen
	// aside has the objects, and asides is their number, if there are values of other kinds too
	// and each kind is a variant of a union: see setAside. object is nil then.
	aside   *node
	asides  int64
	tangled bool // see joinAsides
	// called has the key at each place of the objects, up to mostCalled of them. The values of a
	// map have none.
	called []string
}

// texts has the different texts of a value, in the order seen.
type texts struct {
	known map[string]bool
	order []string
	most  int // how many there may be; 0: choices
}

// An object describes the objects at a path. If value is set, they are maps, and value describes
// the values of all keys.
type object struct {
	seen    int64 // objects
	empty   int64 // objects without members
	filled  int64 // members of all objects
	members []*member
	index   map[string]int
	value   *node
	nulls   int64           // null values of a map, counted when those of members are
	names   map[string]bool // the keys that a map had when it was made one
	keys    int             // keys of a map: at first the different ones, then every key that is read
	wholes  bool            // all keys of a map are whole numbers
	why     string
	asked   int // the number of keys when it was last asked whether it is a map
}

// A member is one key of an object. Its null and empty values are counted when all records were
// read (see observer.count), because its node may then be joined with those of other keys.
type member struct {
	key           string
	count         int64
	nulls, empty  int64
	blanks, lists int64 // the empty values that are texts, and those that are lists
	node          *node
}

// A list describes the lists at a path. As long as all have one length and it is short, row has a
// node for each place, and elem is nil.
type list struct {
	seen  int64 // lists
	empty int64
	ones  int64 // lists of one element
	items int64
	nulls int64 // null elements, counted when those of members are
	max   int64 // the length of the longest list
	// alone counts the values that stand for lists of one element, see gather: they are
	// counted as elements, and not as lists.
	alone alone
	elem  *node
	row   []*node // nil: the places are not kept apart
	isRow bool    // the lists are rows
	why   string
	names []string // the names of the places of a row
}

// elems returns the nodes of the elements: a single one, or one for each place.
func (l *list) elems() []*node {
	if l.elem != nil {
		return []*node{l.elem}
	}
	return l.row
}

func find(n *node) *node {
	for n.same != nil {
		if n.same.same != nil {
			n.same = n.same.same
		}
		n = n.same
	}
	return n
}

func (n *node) numbers() int64 { return n.ints + n.floats + n.beyond }

func (n *node) objects() int64 {
	if n.object == nil {
		return n.asides
	}
	return n.object.seen
}

func (n *node) lists() int64 {
	if n.list == nil {
		return 0
	}
	return n.list.seen
}

// values returns how many values there were, without nulls.
func (n *node) values() int64 {
	return n.bools + n.numbers() + n.strings + n.objects() + n.lists() + n.lone()
}

// empties returns how many values were an empty list, object or text.
func (n *node) empties() int64 {
	sum := n.empty
	if n.object != nil {
		sum += n.object.empty
	}
	if n.list != nil {
		sum += n.list.empty
	}
	return sum
}

// An observer merges values into nodes.
type observer struct {
	decoder *jsontext.Decoder
	buffer  bytes.Buffer
	scratch []byte
	depth   int // the greatest depth allowed
	nodes   int
	raw     []byte // the record
	html    htmlSeen
	heads   heads
	root    *node
	joins   []joining          // the steps of a join, both done and yet to do
	unnamed []*node            // the values of maps that a join has made
	used    map[*Overrule]bool // answers that apply to some place
	mapped  map[*Overrule]path // the values of the map that the place of an answer became a key of
	voids   []*node            // nodes whose values were all null when all records were read
	shaping bool               // all records were read
	grammar *grammar           // nil: there is none
	most    int                // see texts
	late    []lateAnswer       // that came too late for places of the grammar
}

// texts returns a set for the texts of a node. If the user wants an enum, every set may have as many
// texts as an enum, because it may show only later which places the answer is about: those of rows,
// of lists without brackets, and of messages that are joined.
func (o *observer) texts() *texts { return &texts{most: o.most} }

func (o *observer) node(up *node, s step) *node {
	o.nodes++
	n := &node{up: up, at: s, inKind: up.inKind, distinct: o.texts()}
	o.follow(n, up.rules, s)
	return n
}

// origin returns the path at which the values were first seen. Some record has a value there,
// whatever the node is joined with later.
func (n *node) origin() path {
	var all path
	for ; n.up != nil; n = n.up {
		if n.inner {
			continue
		}
		s := n.at
		switch up := find(n.up); {
		case s.kind == inKey && up.object != nil && up.object.value != nil:
			s = step{kind: inValue}
		case s.kind == inList && up.list != nil && up.list.isRow:
			s = step{kind: inKey, key: up.list.names[n.place]}
		}
		all = append(all, s)
	}
	slices.Reverse(all)
	return all
}

// follow gives a node the answers and rules that lead to it, and those that lead on from it.
func (o *observer) follow(n *node, rules []rule, s step) {
	n.rules, n.force, n.keep = follow(rules, s)
	n.union = unionAt(rules, s)
	for _, of := range []*Overrule{n.force, n.keep} {
		if of != nil {
			o.used[of] = true
		}
	}
}

var (
	errDeep  = errors.New("too deep")
	errNodes = errors.New("too many fields")
)

// value merges the decoder's next value, which is nested in depth other values. It returns errors
// of the decoder, errDeep and errNodes.
func (o *observer) value(n *node, depth int) error {
	if o.nodes > maxNodes {
		return errNodes
	}
	d := o.decoder
	switch kind := d.PeekKind(); {
	case (kind == '{' || kind == '[') && depth == o.depth:
		return errDeep
	case kind == '{':
		return o.members(n, depth)
	case kind == '[':
		return o.items(n, depth)
	}
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	switch raw[0] {
	case 'n':
		n.nulls++
	case 't', 'f':
		n.bools++
	case '"':
		o.html.text(raw)
		text := raw[1 : len(raw)-1]
		if bytes.IndexByte(text, '\\') >= 0 {
			o.scratch, _ = jsontext.AppendUnquote(o.scratch[:0], raw)
			text = o.scratch
		}
		n.text(text)
	default:
		n.number(raw)
	}
	return nil
}

func (o *observer) members(n *node, depth int) error {
	d := o.decoder
	switch g := o.grammar; {
	case g != nil && (n.union == nil && n.named() || n.union == g.union):
		if i := o.kindAt(); i >= 0 {
			n = o.ofKind(n, i)
		} else if n.union != nil {
			g.broken = true
		}
	case n.union != nil:
		n = o.variant(n)
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	if n.object == nil {
		n.object = &object{}
	}
	ob := n.object
	ob.seen++
	before := ob.filled
	for next := 0; d.PeekKind() != '}'; {
		raw, err := d.ReadValue()
		if err != nil {
			return err
		}
		o.html.text(raw)
		key := raw[1 : len(raw)-1]
		if bytes.IndexByte(key, '\\') >= 0 {
			o.scratch, _ = jsontext.AppendUnquote(o.scratch[:0], raw)
			key = o.scratch
		}
		ob.filled++
		var at *node
		if ob.value != nil {
			ob.keys++
			ob.wholes = ob.wholes && wholeKey(string(key))
			at = ob.value
		} else {
			i := ob.find(key, next)
			if i < 0 {
				i = ob.add(string(key), o.node(n, step{kind: inKey, key: string(key)}))
			}
			next = i + 1
			m := ob.members[i]
			m.count++
			at = m.node
		}
		if err := o.value(at, depth+1); err != nil {
			return err
		}
		if ob.value == nil && len(ob.members) >= max(manyKeys, 2*ob.asked) {
			ob.asked = len(ob.members)
			o.askMap(n)
		}
	}
	if ob.filled == before {
		ob.empty++
	}
	_, err := d.ReadToken()
	return err
}

// find returns the index of a key, or -1. next is the most likely index: keys mostly come in the
// same order as in earlier objects.
func (ob *object) find(key []byte, next int) int {
	if next < len(ob.members) && ob.members[next].key == string(key) {
		return next
	}
	if len(ob.members) <= 8 {
		for i, m := range ob.members {
			if m.key == string(key) {
				return i
			}
		}
		return -1
	}
	if i, ok := ob.index[string(key)]; ok {
		return i
	}
	return -1
}

// add adds a member and returns its index.
func (ob *object) add(key string, n *node) int {
	ob.members = append(ob.members, &member{key: key, node: n})
	switch i := len(ob.members) - 1; {
	case i == 8:
		ob.index = map[string]int{}
		for j, m := range ob.members {
			ob.index[m.key] = j
		}
	case i > 8:
		ob.index[key] = i
	}
	return len(ob.members) - 1
}

// member returns the member of a key, or nil.
func (ob *object) member(key string) *member {
	if i := ob.find([]byte(key), 0); i >= 0 {
		return ob.members[i]
	}
	return nil
}

func (o *observer) items(n *node, depth int) error {
	d := o.decoder
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	rows := int64(rowMax)
	if depth == 0 {
		rows = tableMax
	}
	if n.list == nil {
		n.list = &list{row: []*node{}}
	}
	l := n.list
	l.seen++
	i := int64(0)
	for ; d.PeekKind() != ']'; i++ {
		at := l.elem
		if l.row != nil {
			switch {
			case i < int64(len(l.row)):
			case i >= rows || l.seen-l.empty > 1:
				o.mix(n)
			default:
				one := o.node(n, step{kind: inList})
				one.place = int(i)
				l.row = append(l.row, one)
			}
			if l.row != nil {
				at = l.row[i]
			}
		}
		if l.row == nil {
			if l.elem == nil {
				l.elem = o.node(n, step{kind: inList})
			}
			at = l.elem
		}
		if err := o.value(at, depth+1); err != nil {
			return err
		}
	}
	l.items += i
	l.max = max(l.max, i)
	if i == 1 {
		l.ones++
	}
	if i == 0 {
		l.empty++
	} else if l.row != nil && i < int64(len(l.row)) {
		o.mix(n)
	}
	_, err := d.ReadToken()
	return err
}

// mix stops keeping the places of lists apart: it joins their nodes into one for all elements.
func (o *observer) mix(n *node) {
	l := n.list
	row := l.row
	l.row = nil
	for _, r := range row {
		if l.elem == nil {
			l.elem = o.node(n, step{kind: inList})
		}
		o.join(l.elem, r)
	}
}
