package infer

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// rowMax is the longest list that may be a row. tableMax is the widest row
	// that a record may be.
	rowMax, tableMax = 32, 1024
	// choices is how many different texts a value may have to be shown as a
	// possible enum; enumMax is how many a forced one may have.
	choices, enumMax = 24, 4096
	// maxChoice is the length of the longest text that is counted as one of a
	// possible enum, in bytes.
	maxChoice = 200
	// manyKeys is the number of different keys at which an object is first asked
	// whether it is a map, while it is being read.
	manyKeys = 256
	// maxKeys is the number at which it is made one.
	maxKeys = 10_000
	// maxNodes bounds the memory that fields take.
	maxNodes = 200_000
)

// A node is what was seen at one path: it counts the kinds of value and what
// tells them apart. Two nodes can be joined, and the join is what would have
// been seen if their values had been at one path.
type node struct {
	same  *node // joined into that one, which is to be read instead
	up    *node // the values that it was in when it was first seen; nil: it is the record
	at    step  // how it was met there; of a list that is a row, place says where
	place int
	inner bool // it is a variant of the union up, or its objects, and at its path
	// isAside says that it is the objects of up, and held that it or a node that was joined
	// into it is: see setAside.
	isAside, held bool
	// isKind says that it is all objects of one kind of a grammar, and inKind that it is one or
	// is within one.
	isKind, inKind bool
	rules          []rule
	force          *Overrule // what the user said it is
	keep           *Overrule // what the user said of it where it is absent or null; not of what it is joined with
	union          *union    // its objects are of several kinds, and its object has a member for each

	nulls, bools, strings int64
	ints, floats          int64
	// beyond are numbers that neither 64 bits nor float64 hold.
	beyond int64
	// low and high are the range of ints: low of those below zero, high of the
	// others. inexact are those that float64 rounds.
	low     int64
	high    uint64
	inexact int64
	// Of the strings, times are times by RFC 3339, far those that are not near to now,
	// see isFar, zoned those that are not in
	// UTC, empty are "", and numeric are numbers in quotes, of which whole are whole ones
	// of 64 bits, and large and below those that are too large for int64 and negative.
	times, far, zoned, empty, numeric int64
	whole, large, below               int64
	sample                            string  // a numeric string
	spelt                             spelt   // how texts and numbers are written
	distinct                          *texts  // nil: there are too many
	object                            *object // nil: none was seen
	list                              *list   // nil: none was seen
	// aside has the objects, asides of them, when there are values of other kinds too
	// and each kind is a variant of a union: see setAside. object is nil then.
	aside   *node
	asides  int64
	tangled bool // see joinAsides
	// called is what the places of the objects call them, each as often as it does,
	// up to mostCalled times. Nobody has called the values of a map.
	called []string
}

// texts are the different texts of a value, in the order seen.
type texts struct {
	known map[string]bool
	order []string
}

// An object is what was seen of the objects at a path. It is a map when value
// is set, and all else is then of the keys only.
type object struct {
	seen    int64 // objects
	empty   int64 // of them without members
	filled  int64 // members of all of them
	members []*member
	index   map[string]int
	value   *node
	nulls   int64           // values of a map that are null, counted as those of members are
	names   map[string]bool // keys of a map, those that it had when it was made one
	keys    int             // different keys of a map, as far as they were counted
	wholes  bool            // all keys of a map are whole numbers
	why     string
	asked   int // keys at which it was last asked whether it is a map
}

// A member is one key of an object. How often its value was null, and how often
// an empty list, object or text, is counted once all was read: nodes may then be
// joined with those of other keys.
type member struct {
	key           string
	count         int64
	nulls, empty  int64
	blanks, lists int64 // of the empty ones those that are texts, and lists
	node          *node
}

// A list is what was seen of the lists at a path. As long as all have one
// length and that is short, row has a node for each place; elem has nothing
// then.
type list struct {
	seen  int64 // lists
	empty int64
	ones  int64 // lists of one element
	items int64
	nulls int64 // elements that are null, counted as those of members are
	max   int64 // the longest
	// alone are the values that stand for lists of one element, see gather: they are
	// counted as elements, and not as lists.
	alone alone
	elem  *node
	row   []*node // nil: no longer kept apart
	isRow bool    // it was decided that it is a row
	why   string
	names []string // of the places of a row, when they are known
}

// elems are the nodes of the elements: one, or one for each place.
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

// values is how many values there were, nulls left out.
func (n *node) values() int64 {
	return n.bools + n.numbers() + n.strings + n.objects() + n.lists() + n.lone()
}

// empties is how many values were an empty list, object or text.
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

// kinds are the kinds of value that were seen. An empty text beside objects, or
// beside lists, is none, and so is an empty list beside objects; see blank. A value that stands for a list of one element is of
// the kind of the lists.
func (n *node) kinds() []string {
	k := n.counted()
	if n.lone() > 0 && !n.gathered() && !slices.Contains(k, n.list.alone.kind) {
		k = append(k, n.list.alone.kind)
	}
	return k
}

// counted is kinds without the values that stand for lists.
func (n *node) counted() (k []string) {
	texts, lists := n.strings, n.lists()
	if n.blank() {
		texts, lists = 0, lists-n.hollowLists()
	}
	for _, c := range []struct {
		n    int64
		name string
	}{{n.bools, "truth value"}, {n.numbers(), "number"}, {texts, "text"}, {n.objects(), "object"}, {lists, "list"}} {
		if c.n > 0 {
			k = append(k, c.name)
		}
	}
	return k
}

// An observer merges values into nodes.
type observer struct {
	decoder *jsontext.Decoder
	buffer  bytes.Buffer
	scratch []byte
	depth   int // deepest allowed
	nodes   int
	raw     []byte // the record
	html    htmlSeen
	heads   heads
	root    *node
	joins   []joining          // the steps of a join: those that are done, and those to do
	unnamed []*node            // the values of maps that a join has made
	used    map[*Overrule]bool // those that are about something
	voids   []*node            // whose values were all null when all was read
	shaping bool               // all was read
	grammar *grammar           // nil: there is none
	late    []lateAnswer       // to places of the grammar
}

func (o *observer) node(up *node, s step) *node {
	o.nodes++
	n := &node{up: up, at: s, inKind: up.inKind, distinct: &texts{}}
	o.follow(n, up.rules, s)
	return n
}

// origin returns the path at which the values were first seen. Whatever they are
// joined with later, some record has something there.
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

// follow gives a node the rules that lead to it.
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

// value merges the decoder's next value, which is within depth others. Its errors
// are those of the decoder, errDeep and errNodes.
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

// find returns the index of a key, which is most often the one that came next
// in an earlier object; or -1.
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

// mix gives up to keep the places of a list apart.
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
