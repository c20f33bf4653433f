package infer

import (
	"cmp"
	"fmt"
	"slices"
)

// families joins messages with those of a tree that they look like, and reports whether
// there were any. A tree is known by a message that holds itself. What else is of its type
// stands under other keys, or deeper, and has few of its fields: of a JSON schema, items
// with a type only, beside properties that hold themselves. Such messages have hardly
// any field that the tree has not, all that the tree always has, and something besides
// that speaks for it: see kin.
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

// trees are the messages that hold themselves, those of most objects first; no more than
// each message is to be compared with.
func (s *shaper) trees(order []*node) (out []*node) {
	for _, n := range order {
		if s.candidate(n) && holdsItself(n) {
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b *node) int { return cmp.Compare(b.object.seen, a.object.seen) })
	return out[:min(len(out), most)]
}

// levelReason says why the objects of a message are maps of a tree, or nothing: all values
// are of it, and its keys are no names of fields, or its own key is one of dictionaries.
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
		return fmt.Sprintf("its values are of one tree, and its keys are no names, such as %q", shorten(odd))
	case dictionary(key):
		return fmt.Sprintf("it is called %s, and its values are of one tree", shorten(key))
	}
	return ""
}

// holdsItself reports whether a member of a message leads to it, by way of lists and maps.
func holdsItself(n *node) bool {
	return slices.ContainsFunc(n.object.members, func(m *member) bool { return inner(m.node) == n })
}

// inTree reports whether a node is a message that leads to itself, also by way of others.
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

// inner is the message that a value is, or that is in its lists and maps; nil: there
// is none.
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

// kin reports whether a message is rather one of a tree's than another that has the same
// fields by chance: the owner of a folder has an id and a name too.
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
		// Both hold what they are, or the same, under one key.
		if t := inner(m.node); t == tree {
			if of := inner(theirs.node); of == n || of == tree {
				return true
			}
		}
		telling = telling || !vague(m.key) || find(m.node).sameTexts(find(theirs.node), ofKinds(m.key))
	}
	return telling && shared == len(n.object.members)
}

// fewTexts is how many texts have to repeat some that were there before for them to be
// names of kinds.
const fewTexts = 4

// sameTexts reports whether the values are texts of a small set, as those that name kinds
// are, and most of the other's are of that set. kinds says that their key is one of kinds.
func (n *node) sameTexts(other *node, kinds bool) bool {
	if n.distinct == nil || other.distinct == nil || other.strings == 0 {
		return false
	}
	known, theirs := n.distinct.order, other.distinct.order
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
