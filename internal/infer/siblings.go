package infer

import (
	"fmt"
	"strings"
)

// siblings turns objects into maps if they look like a map beside them, as labels beside
// annotations, or like a map under the same key elsewhere. It reports whether there were any. Their
// values must be of the same kind as the map's, and other keys must seem possible: see open.
func (s *shaper) siblings(order []*node) (any bool) {
	elsewhere := map[string]*node{} // the first map under each key
	s.eachMap(order, func(key string, n *node) {
		if elsewhere[key] == nil {
			elsewhere[key] = n
		}
	})
	for _, n := range order {
		if find(n) != n || n.object == nil || n.object.value != nil {
			continue
		}
		beside := n.object.maps()
		for _, m := range n.object.members {
			if find(n) != n || n.object == nil {
				break // it was joined with a value of a map
			}
			c := find(m.node)
			if !s.candidate(c) || len(c.kinds()) != 1 {
				continue
			}
			why := s.mapLike(m, c, beside, elsewhere[singular(m.key)])
			if why == "" {
				why = n.object.sameKeys(c.object)
			}
			if why != "" {
				s.makeMap(c, why)
				any = true
			}
		}
	}
	return any
}

// sameKeys returns why the objects of a member are a map like another member of ob, or "". That map
// must have nearly all of their keys, and their values must be of one kind.
func (ob *object) sameKeys(of *object) string {
	if len(of.members) < 3 || !of.alike(0) {
		return ""
	}
	for _, m := range ob.members {
		beside := find(m.node).object
		if beside == nil || beside.value == nil {
			continue
		}
		shared := 0
		for _, k := range of.members {
			if beside.names[k.key] {
				shared++
			}
		}
		if shared*5 >= len(of.members)*4 {
			return fmt.Sprintf("its keys are those of %s beside it, which is a map", shorten(m.key))
		}
	}
	return ""
}

// eachMap visits the members of messages that are maps, or whose objects are all empty.
func (s *shaper) eachMap(order []*node, visit func(key string, n *node)) {
	for _, n := range order {
		if n.object == nil {
			continue
		}
		for _, m := range n.object.members {
			if v := find(m.node); v.object != nil && (v.object.value != nil || v.hollow()) && len(v.kinds()) == 1 {
				visit(singular(m.key), v)
			}
		}
	}
}

// maps returns, for each kind of scalar, the key of the first member that is a map with such values.
func (ob *object) maps() map[valueKind]string {
	first := map[valueKind]string{}
	for _, m := range ob.members {
		if o := find(m.node).object; o != nil && o.value != nil {
			if kind := plainKind(o.value); kind != "" && first[kind] == "" {
				first[kind] = m.key
			}
		}
	}
	return first
}

// mapLike returns why the objects c of the member m are a map like another one, or "". beside has
// the keys of maps beside m, by the kind of their values. elsewhere is a map under the same key in
// another message, or nil.
func (s *shaper) mapLike(m *member, c *node, beside map[valueKind]string, elsewhere *node) string {
	kind := c.object.scalar()
	if kind == "" || !c.object.open(m.key) {
		return ""
	}
	if key, ok := beside[kind]; ok {
		return fmt.Sprintf("its values are %ss, like those of %s beside it, which is a map", kind, shorten(key))
	}
	if elsewhere == nil || elsewhere == c {
		return ""
	}
	switch value := elsewhere.object.value; {
	case value == nil:
		return fmt.Sprintf("its values are %ss, and %s, whose objects have no keys, is a map", kind, s.places[elsewhere].path)
	case plainKind(value) == kind:
		return fmt.Sprintf("its values are %ss, like those of %s, which is a map", kind, s.places[elsewhere].path)
	}
	return ""
}

// scalar returns the kind of the values of a struct if all are scalars of one kind; otherwise "".
func (ob *object) scalar() (kind valueKind) {
	for _, m := range ob.members {
		v := find(m.node)
		k := scalarKind(v)
		if k == "" && len(v.kinds()) == 0 && v.force == nil {
			continue
		}
		if k == "" || kind != "" && k != kind {
			return ""
		}
		kind = k
	}
	return kind
}

// scalarKind is plainKind, but returns "" if the user gave an answer for the node.
func scalarKind(n *node) valueKind {
	if find(n).force != nil {
		return ""
	}
	return plainKind(n)
}

// plainKind returns the kind of a node's values if all are scalars of one kind; otherwise "".
func plainKind(n *node) valueKind {
	n = find(n)
	if k := n.kinds(); len(k) == 1 && n.object == nil && n.list == nil {
		return k[0]
	}
	return ""
}

// severalKeys is the least number of keys for which absent keys suggest a map: see open and sparse.
const severalKeys = 5

// open reports whether objects look as if they could have other keys too: openName holds for their
// own key, a key has characters that names of fields do not have, or there are several keys that are
// not always present. A few such keys are not enough: an author's email may just be unknown.
func (ob *object) open(key string) bool {
	if openName(key) {
		return true
	}
	for _, m := range ob.members {
		if strings.ContainsAny(m.key, "-./ ") {
			return true
		}
	}
	return len(ob.members) >= severalKeys && ob.seen >= 3 && float64(ob.filled) < 0.9*float64(ob.seen)*float64(len(ob.members))
}

// openName reports whether a key is a common name of objects whose keys users choose.
func openName(key string) bool {
	w := words(key)
	if len(w) == 0 {
		return false
	}
	switch w[len(w)-1] {
	case "labels", "annotations", "metadata", "meta", "tags", "attributes", "attrs", "headers", "env", "environment", "vars", "variables",
		"properties", "props", "params", "parameters", "selector", "dimensions", "extra", "extras", "custom", "cookies", "args":
		return true
	}
	return false
}
