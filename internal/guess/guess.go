// Package guess holds the decisions about a schema that assay made without asking: the decision,
// its reason, its effect on the result, and the flag that overrules it.
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
	// Path is the place in the sample's own keys: statuses[].user.id. A * stands for any key of a
	// map, and . for the record.
	Path string `json:"path"`
	// Decision is the decision: a type, such as map[string]int64 or timestamp, or that the value
	// is left out.
	Decision string `json:"decision"`
	// Reason is the evidence in the sample.
	Reason string `json:"reason"`
	// Overrule is the flag that decides otherwise, or empty if there is none.
	Overrule string `json:"overrule"`
	// Effect is the possible effect on the result. It is empty in runs that were stored before the
	// field existed.
	Effect Effect `json:"effect,omitempty"`
	// Values is the number of affected values; 0: unknown.
	Values int64 `json:"values,omitempty"`
}

// Otherwise returns the end of a sentence that says how to decide otherwise, or the empty string
// if there is no flag.
func (g Guess) Otherwise() string {
	switch {
	case g.Overrule == "":
		return ""
	case strings.HasSuffix(g.Overrule, "=none"):
		return "; " + g.Overrule + " leaves it out"
	}
	return "; otherwise " + g.Overrule
}

// String returns the decision, its reason, and how to decide otherwise.
func (g Guess) String() string { return g.Decision + ": " + g.Reason + g.Otherwise() }

// An Effect is a kind of effect of a guess on the result.
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

// An about is an effect with a description of its guesses.
type about struct {
	effect Effect
	text   string
}

// effects are all effects, largest first.
var effects = []about{
	{Text, "text of JSON"},
	{Presence, "what is left out, null or lost"},
	{Structure, "maps, lists, structs and unions"},
	{Saving, "types that would save bytes"},
	{Type, "other types"},
	{Name, "shared types, which change no bytes"},
}

// rank returns the index of an effect in effects. An unknown effect has the rank of Type.
func (e Effect) rank() int {
	at := func(e Effect) int { return slices.IndexFunc(effects, func(a about) bool { return a.effect == e }) }
	if i := at(e); i >= 0 {
		return i
	}
	return at(Type)
}

// ByEffect returns the guesses sorted by effect, largest first, and within one effect by the
// number of values, largest first.
func ByEffect(guesses []Guess) []Guess {
	sorted := slices.Clone(guesses)
	slices.SortStableFunc(sorted, func(x, y Guess) int {
		return cmp.Or(cmp.Compare(x.Effect.rank(), y.Effect.rank()), cmp.Compare(y.Values, x.Values))
	})
	return sorted
}

// mostListed is the number of guesses to list if all of them would hide the important ones.
const mostListed = 20

// Listed returns the guesses to list, largest effect first, and a description of the number of
// other guesses of each effect. others is empty if all are listed.
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
