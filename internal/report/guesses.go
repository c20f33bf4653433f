package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// An effect is what a guess can do to the result. The first is the largest.
type effect int

const (
	onText   effect = iota // values are kept as the text of their JSON, which no format packs
	onShape                // values are left out, written as null, or lost by some formats
	onMap                  // objects are a map, a struct or a union
	onSaving               // another type would hold the values in fewer bytes
	onType                 // values have another type
	onName                 // objects share a type, which changes no bytes
)

// effects say what guesses of each effect are about.
var effects = map[effect]string{
	onText:   "text of JSON",
	onShape:  "what is left out, null or lost",
	onMap:    "maps, structs and unions",
	onSaving: "types that would save bytes",
	onType:   "other types",
	onName:   "shared types, which change no bytes",
}

// effect returns what a guess can do to the result.
func (g TryGuess) effect() effect {
	switch {
	case strings.HasPrefix(g.Decision, "one type with"):
		return onName
	case strings.Contains(g.Decision, "JSON"):
		return onText
	case strings.Contains(g.Decision, "left out"), strings.HasPrefix(g.Decision, "null where"), strings.Contains(g.Reason, "(assay explain "):
		return onShape
	case strings.Contains(g.Decision, "map"), strings.Contains(g.Overrule, "--struct"), strings.Contains(g.Overrule, "--map"):
		return onMap
	case strings.Contains(g.Decision, "less"): // what another type would save
		return onSaving
	}
	return onType
}

// ByEffect returns guesses in the order of what they can do to the result, and those
// of one effect in the order of how many values they are about.
func ByEffect(guesses []TryGuess) []TryGuess {
	sorted := slices.Clone(guesses)
	slices.SortStableFunc(sorted, func(x, y TryGuess) int {
		return cmp.Or(cmp.Compare(x.effect(), y.effect()), cmp.Compare(y.Values, x.Values))
	})
	return sorted
}

// mostListed is how many guesses are listed where all of them would hide those that
// matter.
const mostListed = 20

// ListedGuesses returns the guesses to list, the largest effect first, and how many
// others there are of each effect, in words; empty: there are none.
func ListedGuesses(all []TryGuess) (listed []TryGuess, others string) {
	sorted := ByEffect(all)
	if len(sorted) <= mostListed {
		return sorted, ""
	}
	count := map[effect]int{}
	for _, g := range sorted[mostListed:] {
		count[g.effect()]++
	}
	var parts []string
	for e := onText; e <= onName; e++ {
		if count[e] > 0 {
			parts = append(parts, fmt.Sprintf("%d of %s", count[e], effects[e]))
		}
	}
	more := "guesses"
	if len(sorted) == mostListed+1 {
		more = "guess"
	}
	return sorted[:mostListed], fmt.Sprintf("%d more %s: %s", len(sorted)-mostListed, more, strings.Join(parts, ", "))
}
