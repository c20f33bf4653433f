package infer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/internal/guess"
)

// A column is the reason for holding the whole numbers at a place as float64: another place, with
// numbers of the same sort, has fractions.
type column struct {
	other path   // the other place
	found int64  // how many numbers there have fractions
	why   string // how the other place is related to this one
}

// numberColumns finds the places whose numbers are likely whole by chance: a latitude beside a
// longitude with fractions, or numbers that have fractions under the same key of another parent
// whose name has the same last word.
func numberColumns(places map[*node]place) map[*node]column {
	out := map[*node]column{}
	byKey := map[string][]*node{}
	for _, n := range inOrder(places) {
		if n.object != nil && n.object.value == nil {
			coordinates(n, places, out)
		}
		if at := places[n].path; n.numbers() > 0 && len(at) >= 2 && at[len(at)-1].kind == inKey {
			if w := words(keyOf(at[:len(at)-1])); len(w) > 0 && !vague(w[len(w)-1]) {
				key := w[len(w)-1] + "\x00" + at[len(at)-1].key
				byKey[key] = append(byKey[key], n)
			}
		}
	}
	for _, same := range byKey {
		i := slices.IndexFunc(same, hasFractions)
		for _, n := range same {
			if i >= 0 && mayHaveFractions(n, fewNumbers) {
				other := column{places[same[i]].path, same[i].floats, "which has the same key"}
				if slices.Equal(other.other, places[n].path) {
					other.why = "in objects of another kind"
				}
				out[n] = other
			}
		}
	}
	return out
}

// inOrder returns the nodes in the order of their paths. Nodes with one path, such as the kinds of a
// union, are in the order of the walk.
func inOrder(places map[*node]place) []*node {
	var all []*node
	for n := range places {
		all = append(all, n)
	}
	slices.SortFunc(all, func(a, b *node) int {
		return cmp.Or(slices.CompareFunc(places[a].path, places[b].path, func(x, y step) int {
			return cmp.Or(cmp.Compare(x.kind, y.kind), strings.Compare(x.key, y.key))
		}), cmp.Compare(places[a].nth, places[b].nth))
	})
	return all
}

// axes returns the group to which a key of a coordinate or the like belongs, or "". Keys of one
// group have numbers of the same sort in one object.
func axes(key string) string {
	switch strings.ToLower(key) {
	case "lat", "lon", "lng", "long", "latitude", "longitude":
		return "degrees"
	case "x", "y", "z":
		return "axes"
	case "min", "max", "mean", "avg", "average", "median":
		return "range"
	case "open", "high", "low", "close":
		return "prices"
	}
	return ""
}

// coordinates finds whole numbers in an object for which another key of the same group, see axes,
// has fractions.
func coordinates(n *node, places map[*node]place, out map[*node]column) {
	for _, m := range n.object.members {
		v, kind := find(m.node), axes(m.key)
		if kind == "" || !mayHaveFractions(v, 1<<62) {
			continue
		}
		for _, other := range n.object.members {
			if o := find(other.node); axes(other.key) == kind && hasFractions(o) {
				out[v] = column{places[o].path, o.floats, "beside it"}
				break
			}
		}
	}
}

// hasFractions reports whether a node's values are numbers that float64 holds, some with fractions.
func hasFractions(n *node) bool {
	return n.floats > 0 && n.beyond == 0 && len(n.kinds()) == 1 && n.force == nil
}

// mayHaveFractions reports whether a node's values are whole numbers that float64 holds exactly, and
// there are fewer of them than fewer.
func mayHaveFractions(n *node, fewer int64) bool {
	return n.ints > 0 && n.ints < fewer && n.floats == 0 && n.beyond == 0 && n.inexact == 0 && len(n.kinds()) == 1 && n.force == nil
}

// guessColumn records the guess that whole numbers are held as float64.
func (b *builder) guessColumn(n *node, at path) {
	c := b.columns[n]
	b.guess(guess.Type, at, "int64", "float64", "%s whole, and %s, %s, has %s with a fraction", each(n.ints, "number"), c.other, c.why, plural(c.found, "number"))
}

// maxLists is how deep lists may be nested. The bound exists because in most formats each level is
// a type of its own, whose name contains those of the levels around it.
const maxLists = 16

// ragged returns why lists are kept as the text of their JSON, or "". They are if they are nested
// deeper than maxLists, or to several depths, which means that the elements at some depth are lists
// and other values. Elements that are a union are an exception if the kinds beside the lists differ
// from the kinds in them: ["a", ["b", {}]] has names, and names with options.
func (n *node) ragged() string {
	depth := 1
	for l := n.list; l != nil && !l.isRow && l.elem != nil; depth++ {
		if depth > maxLists {
			return fmt.Sprintf("lists are nested more than %d deep", maxLists)
		}
		e := find(l.elem)
		kinds := e.kinds()
		switch {
		case len(kinds) > 1 && slices.Contains(kinds, listKind):
			rest := slices.DeleteFunc(kinds, func(k valueKind) bool { return k == listKind })
			if e.byKind() && !slices.Equal(rest, e.list.kinds()) {
				return ""
			}
			return "lists are nested to several depths"
		case len(kinds) != 1 || kinds[0] != listKind || e.force != nil:
			return ""
		}
		l = e.list
	}
	return ""
}
