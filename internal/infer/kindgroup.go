package infer

import (
	"fmt"
	"slices"

	"assay/internal/guess"
	"assay/schema"
)

// A group is the union of the kinds of several places. Places that have nearly the same kinds share
// one group, because a place for any statement may have had only a few kinds of statements.
type group struct {
	node  *node          // the first place
	kinds map[*node]bool // nodes of kinds
}

// collect makes the groups of a grammar's places, which it finds among the messages in order.
func (g *grammar) collect(order []*node) {
	var all []*group
	for _, n := range order {
		if n.union != g.union || len(n.object.members) < 2 {
			continue
		}
		one := &group{node: n, kinds: map[*node]bool{}}
		for _, m := range n.object.members {
			one.kinds[find(m.node)] = true
		}
		all = append(all, one)
	}
	slices.SortStableFunc(all, func(a, b *group) int { return len(b.kinds) - len(a.kinds) })
	for joined := true; joined; {
		joined = false
		g.groups = nil
		for _, one := range all {
			best, share := (*group)(nil), 0.5
			for _, other := range g.groups {
				if s := one.shared(other); s > share {
					best, share = other, s
				}
			}
			if best == nil {
				g.groups = append(g.groups, one)
				continue
			}
			joined = true
			for k := range one.kinds {
				best.kinds[k] = true
			}
		}
		all = g.groups
	}
}

// shared returns the share of the smaller group's kinds that are in both groups.
func (a *group) shared(b *group) float64 {
	both := 0
	for k := range a.kinds {
		if b.kinds[k] {
			both++
		}
	}
	return float64(both) / float64(min(len(a.kinds), len(b.kinds)))
}

// of returns the group of a place with several kinds.
func (g *grammar) of(n *node) *group {
	i := slices.IndexFunc(g.groups, func(one *group) bool {
		return !slices.ContainsFunc(n.object.members, func(m *member) bool { return !one.kinds[find(m.node)] })
	})
	return g.groups[i]
}

// kindUnion returns the type of a place whose objects are of the kinds of a grammar: the message of
// its only kind, or the union of its group.
func (b *builder) kindUnion(n *node, at path) schema.Type {
	g := b.grammar
	if len(n.object.members) == 1 {
		t, _ := b.object(find(n.object.members[0].node), at)
		return t
	}
	of := g.of(n)
	m, isNew := b.make(role{of.node, "group"}, at)
	if !isNew {
		return b.ref(m)
	}
	m.Union, m.Tag, m.own, m.union = true, g.union.how.Tag, true, g.union
	first := n.origin()
	b.guess(guess.Structure, first, "struct", fmt.Sprintf("a union of %d kinds", len(of.kinds)), "%s", g.union.why)
	if g.union.kinds == 0 {
		g.union.path = first
	}
	g.union.kinds = max(g.union.kinds, int64(len(of.kinds)))
	var texts []string
	names := newNamer()
	for i, v := range g.union.how.Fields {
		one := g.kinds[i]
		if one == nil || !of.kinds[find(one)] {
			continue
		}
		texts = append(texts, v.Name)
		t, _ := b.object(find(one), at)
		f := b.field(m, names, v.Name, t, false)
		f.Type.Optional, f.OmitEmpty, f.When = true, true, slices.Clone(v.When)
	}
	m.called = []string{groupName(texts)}
	return b.ref(m)
}

// groupName names a union of kinds: by the last word that most of them share, such as expression,
// by both names if there are two kinds, and otherwise "node".
func groupName(texts []string) string {
	count := map[string]int{}
	for _, t := range texts {
		if w := words(t); len(w) > 1 {
			last := w[len(w)-1]
			if count[last]++; 2*count[last] > len(texts) {
				return last
			}
		}
	}
	if len(texts) == 2 {
		return texts[0] + "_or_" + texts[1]
	}
	return "node"
}
