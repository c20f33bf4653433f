package infer

import (
	"cmp"
	"fmt"
	"slices"

	"assay/schema"
)

// A grammar is a tree in which a text in each object says what the object is, as in the nodes of a
// syntax tree: a call, a block, a name. Each kind is one message wherever its objects are. A place
// has the message of its only kind, or a union of its kinds. Paths alone could not describe such a
// tree, because it has no end: an argument of a call can hold whatever other nodes hold.
//
// A survey of the sample finds the grammar. The sample is then read again with one node for each
// kind. A node for a place of the tree has the grammar's union, and the kinds as members.
type grammar struct {
	union *union
	kinds []*node // by the union's field; nil: no object of the kind was read
	// broken says that a place had both objects of kinds and other objects, although the survey
	// of the sample did not show that.
	broken bool
	groups []*group
}

const (
	// fewestKinds is the least number of kinds of a grammar, and fewestNested of kinds that contain
	// themselves, directly or in other kinds. leastKinds and leastNested are enough if the kinds
	// have fields of their own: see apart. fewestOfKind is the least average number of objects of a
	// kind, and deepest the least number of such objects that are nested in one another.
	fewestKinds, fewestNested, fewestOfKind, deepest = 8, 4, 3, 3
	leastKinds, leastNested                          = 3, 2
	// mostKinds is the greatest number of kinds.
	mostKinds = 256
	// wellKnown is the least average share of its kind's fields that an object must have. farBetter
	// bounds the same share for one struct of all kinds, relative to that of the kinds.
	wellKnown, farBetter = 0.75, 0.5
	// fewKept is the greatest share of the objects at places that also have values other than
	// objects. If such a place has objects of several kinds, it keeps the text of their JSON.
	fewKept = 0.02
)

// learn looks for a grammar, once for an inference. The error is errAgain if there is one. whole
// says that all records were merged; otherwise merging stopped because of too many fields.
func (in *inference) learn(whole bool) error {
	if in.learned || in.result.columns != nil {
		return nil
	}
	in.learned = true
	key := in.observer.kindKey()
	if key == "" {
		return nil
	}
	s := &kindSurvey{key: key, kinds: map[string]*kindSeen{}, keys: map[string]bool{}}
	p, err := in.again(s.record)
	switch {
	case err == errAgain: // there is no grammar
		return nil
	case err == nil && whole:
		err = in.unchanged(p)
	}
	if err != nil {
		return err
	}
	if in.grammar = s.decide(); in.grammar != nil {
		return errAgain
	}
	return nil
}

// unlearn drops the grammar, so that the sample is read again without it.
func (in *inference) unlearn() error {
	in.grammar = nil
	return errAgain
}

// ofKind counts an object of the i-th kind of the grammar at the place n, and returns the node of
// the kind.
func (o *observer) ofKind(n *node, i int) *node {
	g := o.grammar
	if n.union == nil {
		if n.object != nil {
			g.broken = true
			return n
		}
		n.union, n.object = g.union, &object{}
	}
	n.object.seen++
	n.object.filled++
	name := g.union.how.Fields[i].Name
	m := n.object.member(name)
	if m == nil {
		one := g.kinds[i]
		if one == nil {
			o.nodes++
			one = &node{rules: n.rules, up: n, inner: true, isKind: true, inKind: true, distinct: o.texts()}
			g.kinds[i] = one
		} else {
			o.leadOn(one, n.rules, true)
		}
		m = n.object.members[n.object.add(name, one)]
	}
	m.count++
	return m.node
}

// kindAt returns the index of the kind of the next object, or -1.
func (o *observer) kindAt() int {
	text := o.heads.text(o.grammar.union.how.Tag, Record{Raw: o.raw}.After(o.decoder.InputOffset()))
	if text == "" {
		return -1
	}
	return slices.IndexFunc(o.grammar.union.how.Fields, func(f *schema.Field) bool { return f.Name == text })
}

// settled reports whether an answer comes too late for a place: it asks for a struct or a map, but
// the objects there are already of the kinds of the grammar.
func (o *observer) settled(n *node, of *Overrule) bool {
	return o.grammar != nil && n.union == o.grammar.union && structural(of.Type) && kindOf(of.Type) == objectKind && of.Type != "union"
}

// check returns an error for an answer that cannot be followed because it is about objects of a
// kind, and other places have objects of the kind too.
func (o *observer) check(places map[*node]place) error {
	for _, late := range o.late {
		if of := late.of; !o.used[of] {
			return fmt.Errorf("%s: other places have objects of this kind too; say %s, which covers them all", *of, Overrule{late.node.origin().String(), of.Type})
		}
	}
	for _, n := range inOrder(places) {
		switch f := n.force; {
		case n.isKind:
			m := n.object.member(o.grammar.union.how.Tag)
			if of := cmp.Or(find(m.node).force, m.node.keep); of != nil {
				return fmt.Errorf("%s: the texts at %s tell the kinds of a tree's objects apart, and stay as they are", *of, m.node.origin())
			}
		case f != nil && f.Type == "union" && n.union == nil && n.inKind:
			return fmt.Errorf("%s: %s cannot be made a union: it is within objects of a kind that are in several places", *f, n.origin())
		}
	}
	return nil
}

// A lateAnswer is an answer that came too late for a place: see settled.
type lateAnswer struct {
	of   *Overrule
	node *node
}

// named reports whether no answer of the user prevents the objects at a place from being of the
// kinds of a grammar.
func (n *node) named() bool { return n.force == nil || n.force.Type == "union" }

// reached returns the nodes that a path leads to, through all kinds of the places on the way.
func reached(root *node, at path) []*node {
	from := []*node{find(root)}
	for _, s := range at {
		var next []*node
		add := func(n *node) {
			if n = find(n); !slices.Contains(next, n) {
				next = append(next, n)
			}
		}
		for _, n := range from {
			for _, n := range n.inside() {
				switch ob := n.object; {
				case n.union != nil: // its kinds are inside too
				case s.kind == inList && n.list != nil:
					for _, e := range n.list.elems() {
						add(e)
					}
				case s.kind == inList || ob == nil:
				case ob.value != nil:
					add(ob.value)
				case s.kind == inKey && ob.member(s.key) != nil:
					add(ob.member(s.key).node)
				}
			}
		}
		from = next
	}
	return from
}

// inside returns the node, the node that it has set aside, and the nodes of their kinds.
func (n *node) inside() (all []*node) {
	all = []*node{n}
	if n.aside != nil {
		all = append(all, find(n.aside))
	}
	if of := all[len(all)-1]; of.union != nil && of.object != nil {
		for _, m := range of.object.members {
			all = append(all, find(m.node))
		}
	}
	return all
}
