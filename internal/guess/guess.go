// Package guess holds what was decided of a schema without being asked: what, why, what
// that can do to the result, and the flag that decides otherwise.
package guess

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/internal/phrase"
)

// A Guess is a decision that the user may overrule.
type Guess struct {
	// Path is where, in the sample's own keys: statuses[].user.id. A * stands
	// for any key of a map, and . for the record.
	Path string `json:"path"`
	// Decision is what was decided: a type, as in map[string]int64 or
	// timestamp, or that the value is left out.
	Decision string `json:"decision"`
	// Reason is what in the sample speaks for it.
	Reason string `json:"reason"`
	// Overrule is the flag that decides otherwise; empty: there is none.
	Overrule string `json:"overrule"`
	// Effect is what it can do to the result. Of runs stored before it was, it is empty.
	Effect Effect `json:"effect,omitempty"`
	// Values is how many values it is about; 0: that is not known.
	Values int64 `json:"values,omitempty"`
}

// Otherwise says how to decide otherwise, as the end of a sentence; empty: there is no flag.
func (g Guess) Otherwise() string {
	switch {
	case g.Overrule == "":
		return ""
	case strings.HasSuffix(g.Overrule, "=none"):
		return "; " + g.Overrule + " leaves it out"
	}
	return "; otherwise " + g.Overrule
}

// String says what was decided, why, and how to decide otherwise.
func (g Guess) String() string { return g.Decision + ": " + g.Reason + g.Otherwise() }

// An Effect is what a guess can do to the result.
type Effect string

// The effects.
const (
	Text      Effect = "text"      // values are kept as the text of their JSON, which no format packs
	Presence  Effect = "presence"  // values are left out, written as null, or lost by some formats
	Structure Effect = "structure" // objects are a map, a struct or a union, and lists are rows or texts alone
	Saving    Effect = "saving"    // another type would hold the values in fewer bytes
	Type      Effect = "type"      // values have another type, or are written otherwise
	Name      Effect = "name"      // objects share a type, which changes no bytes
)

// An about is an effect, and what guesses with it are about.
type about struct {
	effect Effect
	text   string
}

// effects are all effects, the largest first.
var effects = []about{
	{Text, "text of JSON"},
	{Presence, "what is left out, null or lost"},
	{Structure, "maps, lists, structs and unions"},
	{Saving, "types that would save bytes"},
	{Type, "other types"},
	{Name, "shared types, which change no bytes"},
}

// rank is the place of an effect among all, the largest first. One that is not known is
// that of a type.
func (e Effect) rank() int {
	at := func(e Effect) int { return slices.IndexFunc(effects, func(a about) bool { return a.effect == e }) }
	if i := at(e); i >= 0 {
		return i
	}
	return at(Type)
}

// ByEffect returns guesses in the order of what they can do to the result, and those
// of one effect in the order of how many values they are about.
func ByEffect(guesses []Guess) []Guess {
	sorted := slices.Clone(guesses)
	slices.SortStableFunc(sorted, func(x, y Guess) int {
		return cmp.Or(cmp.Compare(x.Effect.rank(), y.Effect.rank()), cmp.Compare(y.Values, x.Values))
	})
	return sorted
}

// mostListed is how many guesses are listed where all of them would hide those that
// matter.
const mostListed = 20

// Listed returns the guesses to list, the largest effect first, and how many others there
// are of each effect, in words; empty: there are none.
func Listed(all []Guess) (listed []Guess, others string) {
	sorted := ByEffect(all)
	if len(sorted) <= mostListed {
		return sorted, ""
	}
	count := make([]int, len(effects))
	for _, g := range sorted[mostListed:] {
		count[g.Effect.rank()]++
	}
	var parts []string
	for i, n := range count {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d of %s", n, effects[i].text))
		}
	}
	n := len(sorted) - mostListed
	return sorted[:mostListed], fmt.Sprintf("%d more %s: %s", n, phrase.Things(int64(n), "guess"), strings.Join(parts, ", "))
}
