package tomldoc

import (
	"strings"

	"github.com/BurntSushi/toml"
)

// A node is a value of a TOML text with its position. The TOML library returns values without
// positions, so locate parses the text a second time. locate relies on the library to reject
// invalid TOML.
type node struct {
	// key is the offset of the key. For an element of an array and for the whole text, it is
	// the offset of the value.
	key int
	// value is the offset of the value. For a table with a header, it lies in the header.
	value int
	keys  map[string]*node // of a table
	items []*node          // of an array
}

// child returns the node of a key. If there is none, it returns n: the position where the key
// would be.
func (n *node) child(key string) *node {
	if c := n.keys[key]; c != nil {
		return c
	}
	return n
}

// item returns the node of an element, or n if there is none.
func (n *node) item(i int) *node {
	if i < len(n.items) {
		return n.items[i]
	}
	return n
}

// enter returns the node of a key, and makes it if it is new. If the key is an array of
// tables, enter returns the last table, as headers in TOML do.
func (n *node) enter(key string, offset int) *node {
	c := n.keys[key]
	if c == nil {
		if n.keys == nil {
			n.keys = map[string]*node{}
		}
		c = &node{key: offset, value: offset}
		n.keys[key] = c
	}
	if len(c.items) > 0 {
		return c.items[len(c.items)-1]
	}
	return c
}

// locate returns the positions of all values of a valid TOML text.
func locate(src string) *node {
	s := &scanner{src: src}
	root := &node{}
	table := root
	for s.skip(" \t\r\n"); s.pos < len(src); s.skip(" \t\r\n") {
		if s.src[s.pos] == '[' {
			table = s.header(root)
		} else {
			s.pair(table)
		}
	}
	return root
}

// A scanner scans a valid TOML text. On any other text, its results are wrong, but it ends
// and stays within the text.
type scanner struct {
	src string
	pos int
}

// skip moves past the given bytes and comments.
func (s *scanner) skip(set string) {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == '#':
			s.until("\n")
		case strings.IndexByte(set, c) >= 0:
			s.pos++
		default:
			return
		}
	}
}

// until moves to the next of the given bytes, or to the end.
func (s *scanner) until(set string) {
	if n := strings.IndexAny(s.src[s.pos:], set); n >= 0 {
		s.pos += n
	} else {
		s.pos = len(s.src)
	}
}

// at reports whether the rest of the text begins with prefix.
func (s *scanner) at(prefix string) bool { return strings.HasPrefix(s.src[s.pos:], prefix) }

// pass moves past prefix if the rest of the text begins with it, and reports whether it did.
func (s *scanner) pass(prefix string) bool {
	ok := s.at(prefix)
	if ok {
		s.pos += len(prefix)
	}
	return ok
}

// header reads [a.b] or [[a.b]] and returns the table that it opens.
func (s *scanner) header(root *node) *node {
	start := s.pos
	array := s.pass("[[")
	if !array {
		s.pass("[")
	}
	table := root
	keys := s.dotted()
	for _, k := range keys[:len(keys)-1] {
		table = table.enter(k.name, k.offset)
	}
	last := keys[len(keys)-1]
	if array {
		table.enter(last.name, last.offset)
		list := table.keys[last.name]
		table = &node{key: start, value: start}
		list.items = append(list.items, table)
	} else {
		table = table.enter(last.name, last.offset)
	}
	s.until("]\n")
	for s.pass("]") {
	}
	return table
}

// pair reads a.b = value into a table.
func (s *scanner) pair(table *node) {
	for _, k := range s.dotted() {
		table = table.enter(k.name, k.offset)
	}
	s.until("=\n")
	s.pos = min(s.pos+1, len(s.src))
	s.skip(" \t")
	s.val(table)
}

// A key is one part of a dotted key.
type key struct {
	name   string
	offset int
}

// dotted reads a dotted key. It has at least one part.
func (s *scanner) dotted() []key {
	var keys []key
	for {
		s.skip(" \t")
		start := s.pos
		if s.at(`"`) || s.at(`'`) {
			s.str()
			keys = append(keys, key{unquote(s.src[start:s.pos]), start})
		} else {
			s.until(" \t\n.=]")
			keys = append(keys, key{s.src[start:s.pos], start})
		}
		s.skip(" \t")
		if !s.pass(".") {
			return keys
		}
	}
}

// unquote returns the key of a string literal.
func unquote(literal string) string {
	var v struct{ K string }
	if _, err := toml.Decode("K = "+literal, &v); err != nil {
		return literal
	}
	return v.K
}

// val reads a value into a node.
func (s *scanner) val(n *node) {
	const space = " \t\r\n"
	n.value = s.pos
	switch {
	case s.at(`"`), s.at(`'`):
		s.str()
	case s.pass("["):
		for s.skip(space); s.pos < len(s.src) && !s.pass("]"); s.skip(space) {
			if s.pass(",") {
				continue
			}
			e := &node{key: s.pos}
			s.val(e)
			n.items = append(n.items, e)
			if s.pos == e.value { // not TOML
				s.pos = len(s.src)
			}
		}
	case s.pass("{"):
		for s.skip(space); s.pos < len(s.src) && !s.pass("}"); s.skip(space) {
			if !s.pass(",") {
				s.pair(n)
			}
		}
	default:
		s.until(",]}#\r\n")
	}
}

// str moves past a string of any of the four forms.
func (s *scanner) str() {
	quote := s.src[s.pos : s.pos+1]
	end, escapes := quote, quote == `"`
	if s.at(quote + quote + quote) {
		end = quote + quote + quote
	}
	s.pos += len(end)
	for s.pos < len(s.src) && !s.at(end) {
		if escapes && s.at(`\`) {
			s.pos++
		}
		s.pos++
	}
	s.pos = min(s.pos+len(end), len(s.src))
	if len(end) == 3 { // up to two quotes may stand right before the end
		for range 2 {
			if !s.pass(quote) {
				break
			}
		}
	}
}
