package infer

import (
	"cmp"
	"fmt"
	"slices"
)

// families joins messages with the message of a tree that they look like, and reports whether it
// joined any. A tree is a message that holds itself. Other objects of its type stand under other
// keys or deeper, and have few of its fields: in a JSON schema, items with only a type stand beside
// properties that hold themselves. Such a message has hardly any field that the tree lacks, every
// field that the tree always has, and further evidence: see kin.
func (s *shaper) families(order []*node) (found bool) {
	trees := s.trees(order)
	for _, n := range order {
		if why := s.levelReason(n, trees); why != "" {
			s.makeMap(n, why)
			return true
		}
		if !s.candidate(n) {
			continue
		}
		for _, tree := range trees {
			tree = find(tree)
			if tree == n || !s.candidate(tree) || !kin(tree, n) || conflictInTree(tree, n) || s.clashesInTree(tree, n) {
				continue
			}
			called := tree.called
			s.merge(tree, n)
			if len(s.places[tree].path) == 0 {
				find(tree).called = called // the record has its own name
			}
			found = true
			break
		}
	}
	return found
}

// trees returns the messages that hold themselves, those with the most objects first, at most
// mostCompared of them.
func (s *shaper) trees(order []*node) (out []*node) {
	for _, n := range order {
		if s.candidate(n) && holdsItself(n) {
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b *node) int { return cmp.Compare(b.object.seen, a.object.seen) })
	return out[:min(len(out), mostCompared)]
}

// levelReason returns why the objects of a message are maps whose values are nodes of a tree, or "".
// All values must be nodes of one tree, and either the keys do not look like names of fields, or
// dictionary holds for the objects' own key.
func (s *shaper) levelReason(n *node, trees []*node) string {
	if !s.candidate(n) || len(n.kinds()) != 1 || slices.Contains(trees, n) {
		return ""
	}
	var tree *node
	odd := ""
	for _, m := range n.object.members {
		v := find(m.node)
		if v.aside != nil {
			v = find(v.aside)
		}
		if tree == nil && slices.ContainsFunc(trees, func(t *node) bool { return find(t) == v }) {
			tree = v
		}
		if v != tree || tree == nil {
			return ""
		}
		if odd == "" && (oddKey(m.key) || dataKey(m.key)) {
			odd = m.key
		}
	}
	switch key := s.places[n].key; {
	case odd != "":
		return fmt.Sprintf("its values are of one tree, and its keys do not look like names, such as %q", shorten(odd))
	case dictionary(key):
		return fmt.Sprintf("it is called %s, and its values are of one tree", shorten(key))
	}
	return ""
}

// holdsItself reports whether a member of a message is that message, directly or in lists and maps.
func holdsItself(n *node) bool {
	return slices.ContainsFunc(n.object.members, func(m *member) bool { return inner(m.node) == n })
}

// inTree reports whether a node is a message that contains itself, directly or in other messages.
func inTree(n *node) bool {
	met := map[*node]bool{}
	var leads func(at *node) bool
	leads = func(at *node) bool {
		return slices.ContainsFunc(at.object.members, func(m *member) bool {
			in := inner(m.node)
			if in == nil || met[in] {
				return false
			}
			met[in] = true
			return in == n || leads(in)
		})
	}
	return n.object != nil && n.object.value == nil && leads(n)
}

// inner returns the message of a value, or of the elements and values of its lists and maps; nil:
// there is none.
func inner(n *node) *node {
	for met := map[*node]bool{}; n != nil; {
		if n = find(n); met[n] {
			return nil
		}
		met[n] = true
		switch {
		case n.aside != nil:
			n = n.aside
		case n.object != nil && n.object.value != nil:
			n = n.object.value
		case n.object != nil:
			return n
		case n.list != nil && n.list.elem != nil && !n.list.isRow:
			n = n.list.elem
		default:
			return nil
		}
	}
	return nil
}

// kin reports whether a message likely has the type of a tree, and does not have the same fields by
// chance, as the owner of a folder has an id and a name too.
func kin(tree, n *node) bool {
	shared, _ := overlap(tree.object, n.object)
	if shared == 0 || shared*5 < min(len(tree.object.members), len(n.object.members))*4 {
		return false
	}
	telling := false
	for _, m := range tree.object.members {
		theirs := n.object.member(m.key)
		if theirs == nil {
			if m.count == tree.object.seen {
				return false // the tree always has it
			}
			continue
		}
		// Under one key, both hold themselves, or both hold the tree.
		if t := inner(m.node); t == tree {
			if of := inner(theirs.node); of == n || of == tree {
				return true
			}
		}
		telling = telling || !vague(m.key) || find(m.node).sameTexts(find(theirs.node), ofKinds(m.key))
	}
	return telling && shared == len(n.object.members)
}

// fewTexts is the least number of texts that must repeat earlier ones for texts to be names of
// kinds.
const fewTexts = 4

// sameTexts reports whether the values are texts of a small set, as names of kinds are, and at
// least half of the other's different texts are in that set. kinds says that ofKinds holds for
// their key; the set need not be small then.
func (n *node) sameTexts(other *node, kinds bool) bool {
	known, theirs := n.texts(), other.texts()
	if known == nil || theirs == nil || other.strings == 0 {
		return false
	}
	if !kinds && int64(len(known))+fewTexts > n.strings {
		return false
	}
	same := 0
	for _, t := range theirs {
		if slices.Contains(known, t) {
			same++
		}
	}
	return same > 0 && same*2 >= len(theirs)
}
