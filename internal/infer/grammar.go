package infer

import (
	"cmp"
	"fmt"
	"slices"

	"assay/schema"
)

// A grammar is a tree whose objects say with a text what they are, as the nodes of a
// syntax tree do: a call, a block, a name. Each kind is one message wherever its objects
// are. A place has the message of its kind, or a union of the kinds that it has. By paths
// alone such a tree has no end: what is in an argument of a call is in any other.
//
// A survey of the sample finds it, and the sample is then read again with one node for
// each kind. The nodes of its places have the grammar's union, and have the kinds as members.
type grammar struct {
	union *union
	kinds []*node // by the union's field; nil: none was met
	// broken says that a place had objects of kinds and others too, which the survey of the
	// sample did not show.
	broken bool
	groups []*group
}

const (
	// fewestKinds is how many kinds a grammar has at least, and fewestNested how many of them
	// are within themselves, by way of others or without. There may be as few as leastKinds and
	// leastNested where the kinds have fields of their own: see apart. fewestOfKind is how many objects it
	// has for each kind, and deepest how many such objects are within one another.
	fewestKinds, fewestNested, fewestOfKind, deepest = 8, 4, 3, 3
	leastKinds, leastNested                          = 3, 2
	// mostKinds is how many kinds there are at most.
	mostKinds = 256
	// wellKnown is the share of the fields of the kinds that have to be there on average, and
	// farBetter how much of that one struct may have at most.
	wellKnown, farBetter = 0.75, 0.5
	// fewKept is the share of the objects that may stand where values of other kinds of JSON are
	// too: such places keep the text of their JSON when they have objects of several kinds.
	fewKept = 0.02
)

// learn looks for a grammar once. The error is errAgain when there is one. whole says that all
// records were merged, and not only those until there were too many fields.
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
	case err == errAgain: // it is known that there is none
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

// unlearn gives the grammar up. The sample is then read again without it.
func (in *inference) unlearn() error {
	in.grammar = nil
	return errAgain
}

// ofKind counts an object at a place whose objects are of the kinds of a grammar, and returns
// the node of the i-th kind, which it is of.
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
			one = &node{rules: n.rules, up: n, inner: true, isKind: true, inKind: true, distinct: &texts{}}
			g.kinds[i] = one
		} else {
			o.leadOn(one, n.rules, true)
		}
		m = n.object.members[n.object.add(name, one)]
	}
	m.count++
	return m.node
}

// kindAt returns the index of the kind of the object that is read next, or -1.
func (o *observer) kindAt() int {
	text := o.heads.text(o.grammar.union.how.Tag, Record{Raw: o.raw}.After(o.decoder.InputOffset()))
	if text == "" {
		return -1
	}
	return slices.IndexFunc(o.grammar.union.how.Fields, func(f *schema.Field) bool { return f.Name == text })
}

// settled reports whether the objects at a place are of kinds, so that an answer which comes by
// another path to it cannot make them one struct or map any more.
func (o *observer) settled(n *node, of *Overrule) bool {
	return o.grammar != nil && n.union == o.grammar.union && structural(of.Type) && kindOf(of.Type) == "object" && of.Type != "union"
}

// check returns an error for what the user said of the objects of kinds and cannot be followed,
// because others of the kind are elsewhere too.
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

// A lateAnswer is one that came to a place when it was settled what its objects are.
type lateAnswer struct {
	of   *Overrule
	node *node
}

// named reports whether the user did not say of a place what its objects are, so that they
// are of their kinds there.
func (n *node) named() bool { return n.force == nil || n.force.Type == "union" }

// reached are the nodes that a path leads to, through all kinds that its places have.
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

// inside are the node, or the nodes of its kinds when it has some, and what it has aside.
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
