package infer

import (
	"fmt"
	"slices"
)

const (
	// fewestNames is the least number of different keys that objects under one key must have to be
	// maps. rareName is the greatest share of these keys that one object may have on average.
	fewestNames = 8
	rareName    = 0.35
)

// treeMaps turns objects that are levels of a tree into maps, and reports whether there were any. In a
// JSON schema, for example, objects called properties are in many places and within one another,
// each with its own keys, and all values are schemas.
func (s *shaper) treeMaps(order []*node) (any bool) {
	levels := map[string][]*node{}
	var keys []string
	for _, n := range order {
		if find(n) != n || n.object == nil {
			continue
		}
		for _, m := range n.object.members {
			c := find(m.node)
			if !s.candidate(c) || len(c.kinds()) != 1 || slices.Contains(levels[m.key], c) {
				continue
			}
			if levels[m.key] == nil {
				keys = append(keys, m.key)
			}
			levels[m.key] = append(levels[m.key], c)
		}
	}
	for _, key := range keys {
		level := ofObjects(remaining(levels[key]))
		why := treeReason(key, level)
		if why == "" {
			continue
		}
		for _, n := range level {
			if n = find(n); n.object != nil && n.object.value == nil {
				s.makeMap(n, why)
				any = true
			}
		}
	}
	return any
}

// remaining returns the nodes that are still messages of their own. A map made from other nodes may
// have joined some.
func remaining(all []*node) (out []*node) {
	for _, n := range all {
		if n = find(n); n.object != nil && n.object.value == nil && len(n.kinds()) == 1 && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// fewOthers is the divisor for how many objects under a key may have values that are no objects: one
// in ten. An object called properties may be no level of the tree: in a JSON schema, it may describe
// a property of that name.
const fewOthers = 10

// ofObjects returns the nodes whose values are objects. It returns all nodes if too many have other
// values: see fewOthers.
func ofObjects(all []*node) (out []*node) {
	var others, seen int64
	for _, n := range all {
		seen += n.object.seen
		if n.object.objectValues() {
			out = append(out, n)
		} else {
			others += n.object.seen
		}
	}
	if others*fewOthers > seen {
		return all
	}
	return out
}

// objectValues reports whether the values of each key are objects, not maps, and the user gave no
// answer for them.
func (ob *object) objectValues() bool {
	return !slices.ContainsFunc(ob.members, func(m *member) bool {
		v := find(m.node)
		return v.object == nil || len(v.kinds()) != 1 || v.object.value != nil || v.force != nil
	})
}

// treeReason returns why the objects under a key are maps, or "". Their values must be objects. Some
// of these values must have the key themselves, and at least half must share some key. Each object
// under the key must have only a few of all keys that are used there.
func treeReason(key string, level []*node) string {
	names, common := map[string]bool{}, map[string]int64{}
	var seen, filled, values int64
	within := false
	for _, n := range level {
		seen += n.object.seen
		filled += n.object.filled
		if !n.object.objectValues() {
			return ""
		}
		for _, m := range n.object.members {
			names[m.key] = true
			v := find(m.node)
			within = within || v.object.member(key) != nil
			values += v.object.seen
			for _, inner := range v.object.members {
				common[inner.key] += inner.count
			}
		}
	}
	most := int64(0)
	for _, n := range common {
		most = max(most, n)
	}
	each := float64(filled) / float64(max(seen, 1))
	if !within || seen < 3 || len(names) < fewestNames || each > rareName*float64(len(names)) || 2*most < values {
		return ""
	}
	return fmt.Sprintf("objects called %s are within one another, and of their %d keys one has %.1f on average", shorten(key), len(names), each)
}
