package infer

import (
	"fmt"
	"slices"
	"strings"

	"assay/internal/guess"
	"assay/internal/phrase"
)

// guess records a decision. overrule is the type that the user can ask for at the path instead.
func (b *builder) guess(effect guess.Effect, at path, overrule, decision, reason string, args ...any) {
	if len(args) > 0 {
		reason = fmt.Sprintf(reason, args...)
	}
	b.guessAt(effect, at, Overrule{at.String(), overrule}, decision, "%s", reason)
}

// guessAt records a decision and the overrule that changes it. The overrule's path may differ from the
// decision's.
func (b *builder) guessAt(effect guess.Effect, at path, of Overrule, decision, reason string, args ...any) {
	b.result.Guesses = append(b.result.Guesses, guess.Guess{
		Path: at.String(), Decision: decision, Reason: fmt.Sprintf(reason, args...), Overrule: of.String(), Effect: effect,
	})
}

// guessTime records the guess that texts are held as times.
func (b *builder) guessTime(n *node, at path) {
	more, effect := "", guess.Type
	if n.zoned > 0 {
		more = fmt.Sprintf(", %s with an offset from UTC", phrase.Grouped(n.zoned))
	}
	if n.far > 0 {
		effect = guess.Presence
		more += fmt.Sprintf(", %s outside of the years 1678 to 2261, which formats that count nanoseconds lose (assay explain time-range)", phrase.Grouped(n.far))
	}
	b.guess(effect, at, "string", "timestamp", "%s a time by RFC 3339%s", each(n.strings, "text"), more)
}

// weigh counts the values that each guess is about.
func (b *builder) weigh() {
	for i, g := range b.result.Guesses {
		for _, n := range b.nodesAt(g.Path) {
			b.result.Guesses[i].Values += n.values()
		}
	}
}

// guessText records what other type texts could have: a number or an enum.
func (b *builder) guessText(n *node, at path) {
	if n.numeric == n.strings && n.strings > 1 && n.sample != "" {
		if other := b.numeric(at); other != "" {
			b.guess(guess.Type, at, other, "string", "%s a number in quotes, such as %q", each(n.strings, "text"), n.sample)
		}
		return
	}
	if len(n.texts()) < 2 || b.enumAt[at.String()] {
		return
	}
	count, texts := n.strings, slices.Clip(n.texts())
	for _, other := range b.about(at) { // each kind of a union has its own node at the path
		if other = find(other); other == find(n) {
			continue
		}
		if other.strings != other.values() || other.strings > 0 && other.texts() == nil {
			return
		}
		count += other.strings
		for _, t := range other.texts() {
			if !slices.Contains(texts, t) {
				texts = append(texts, t)
			}
		}
	}
	if len(texts) > choices || count < 20 || count < 10*int64(len(texts)) {
		return
	}
	words, err := enumWords(texts)
	if err != nil || slices.ContainsFunc(words, func(w string) bool { return len(w) > 40 }) {
		return
	}
	if b.enumAt == nil {
		b.enumAt = map[string]bool{}
	}
	b.enumAt[at.String()] = true
	b.guess(guess.Type, at, "enum", "string", "%s are one of %d, such as %q", plural(count, "text"), len(texts), texts[0])
}

// texts returns the different texts that were seen, or nil if there were too many for a guess.
func (n *node) texts() []string {
	if n.distinct == nil || len(n.distinct.order) > choices {
		return nil
	}
	return n.distinct.order
}

// numeric returns the type of number that holds all texts at a path, or "" if some are no numbers.
// It looks at all nodes there, because each kind of a union has one and a flag is about all of them.
// Versions do not count as numbers: 1.10 comes after 1.9.
func (b *builder) numeric(at path) string {
	if key := words(keyOf(at)); len(key) > 0 && key[len(key)-1] == "version" {
		return ""
	}
	var all node
	for _, n := range b.about(at) {
		if n.numeric != n.values() {
			return ""
		}
		all.numeric += n.numeric
		all.whole += n.whole
		all.large += n.large
		all.below += n.below
	}
	switch {
	case all.whole == all.numeric && all.large == 0:
		return "int64"
	case all.whole == all.numeric && all.below == 0:
		return "uint64"
	}
	return "float64"
}

// about returns the nodes with values to which an answer for a path applies.
func (b *builder) about(at path) []*node {
	if b.grammar != nil {
		if all := reached(b.observer.root, at); len(all) > 0 {
			return slices.DeleteFunc(all, func(n *node) bool { return n.values() == 0 })
		}
	}
	return b.nodesAt(at.String())
}

// nodesAt returns the nodes with values whose first place has the path.
func (b *builder) nodesAt(at string) []*node {
	if b.byPath == nil {
		b.byPath = map[string][]*node{}
		for n, p := range b.places {
			if n = find(n); n.values() > 0 {
				b.byPath[p.path.String()] = append(b.byPath[p.path.String()], n)
			}
		}
	}
	return b.byPath[at]
}

// each begins a sentence about each of n things, as in "each of the 3 texts is".
func each(n int64, what string) string {
	if n == 1 {
		return "the only " + what + " is"
	}
	return "each of the " + plural(n, what) + " is"
}

// be begins a sentence about n things, as in "3 texts are".
func be(n int64, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return plural(n, what) + " are"
}

// enumWords returns, for each text, the last part of the name of its enum value. The error says
// that two texts would have one name.
func enumWords(texts []string) ([]string, error) {
	var out []string
	seen := map[string]string{}
	for _, t := range texts {
		w := words(t)
		if len(w) == 0 {
			w = []string{"empty"}
		}
		folded := strings.Join(w, "")
		if other, ok := seen[folded]; ok {
			return nil, fmt.Errorf("the texts %q and %q would have one name", shorten(other), shorten(t))
		}
		seen[folded] = t
		out = append(out, strings.ToUpper(strings.Join(w, "_")))
	}
	return out, nil
}
