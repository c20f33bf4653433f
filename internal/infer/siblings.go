package infer

import (
	"fmt"
	"strings"
)

// siblings makes objects maps that look like a map beside them, or like one under
// the same key elsewhere, and reports whether there were any: labels beside
// annotations. Their values are of the map's kind, and their keys are open.
func (s *shaper) siblings(order []*node) (any bool) {
	elsewhere := map[string]*node{} // maps by key
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
				break // it has become one with a value of a map
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

// sameKeys says why a member's objects are a map as one beside them is, or nothing: it has
// nearly all of their keys, and their values are of one kind.
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

// eachMap visits the maps in messages.
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

// maps returns the key of the first member that is a map of each kind of scalar.
func (ob *object) maps() map[string]string {
	first := map[string]string{}
	for _, m := range ob.members {
		if o := find(m.node).object; o != nil && o.value != nil {
			if kind := plainKind(o.value); kind != "" && first[kind] == "" {
				first[kind] = m.key
			}
		}
	}
	return first
}

// mapLike says why a member, whose node is c, is a map as another one is, or
// nothing: beside are the maps beside it, by the kind of their values.
func (s *shaper) mapLike(m *member, c *node, beside map[string]string, elsewhere *node) string {
	kind := c.object.scalar()
	if kind == "" || !c.object.open(m.key) {
		return ""
	}
	if key, ok := beside[kind]; ok {
		return fmt.Sprintf("its values are %ss as those of %s beside it, which is a map", kind, shorten(key))
	}
	if elsewhere == nil || elsewhere == c {
		return ""
	}
	switch value := elsewhere.object.value; {
	case value == nil:
		return fmt.Sprintf("its values are %ss, and %s, whose objects have no keys, is a map", kind, s.places[elsewhere].path)
	case plainKind(value) == kind:
		return fmt.Sprintf("its values are %ss as those of %s, which is a map", kind, s.places[elsewhere].path)
	}
	return ""
}

// scalar returns the kind of all values of a struct when they are of one, and
// neither objects nor lists.
func (ob *object) scalar() (kind string) {
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

// scalarKind is plainKind for a node of which the user said nothing.
func scalarKind(n *node) string {
	if find(n).force != nil {
		return ""
	}
	return plainKind(n)
}

// plainKind returns the kind of a node's values, when it is one, and they are
// neither objects nor lists.
func plainKind(n *node) string {
	n = find(n)
	if k := n.kinds(); len(k) == 1 && n.object == nil && n.list == nil {
		return k[0]
	}
	return ""
}

// severalKeys is how many keys look like those of a map by being there now and then.
const severalKeys = 5

// open reports whether the keys of a struct look as if others could come: the
// struct's own key says so, or one has signs that names have not, or they are several and
// not always there. A few are the fields of an author whose email is not always known.
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

// openName reports whether a key is what people call objects with keys of their
// users.
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
