package guess

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestListed checks that the guesses with the largest effects come first, within an effect those
// about most values, and that Listed counts the guesses beyond mostListed.
func TestListed(t *testing.T) {
	all := []Guess{
		{Path: "name", Effect: Name, Values: 900},
		{Path: "type", Effect: Type, Values: 5},
		{Path: "id", Effect: Saving, Values: 9},
		{Path: "few", Effect: Text, Values: 1},
		{Path: "map", Effect: Structure, Values: 70},
		{Path: "far", Effect: Presence, Values: 1},
		{Path: "out", Effect: Presence, Values: 2},
		{Path: "many", Effect: Text, Values: 8},
		{Path: "older", Values: 4}, // from a run that stored no effects
		{Path: "more", Effect: Type, Values: 6},
	}
	paths := func(guesses []Guess) string {
		var out []string
		for _, g := range guesses {
			out = append(out, g.Path)
		}
		return strings.Join(out, " ")
	}
	const want = "many few out far map id more type older name"
	listed, others := Listed(all)
	if got := paths(listed); got != want || others != "" {
		t.Errorf("listed are %s, others %q; want %s", got, others, want)
	}
	for i := range 30 {
		all = append(all, Guess{Path: fmt.Sprint(i), Effect: Name})
	}
	slices.Reverse(all)
	listed, others = Listed(all)
	if got := paths(listed[:10]); got != want || len(listed) != mostListed || others != "20 more guesses: 20 of shared types, which change no bytes" {
		t.Errorf("listed are %s, others %q", paths(listed), others)
	}
	if _, others = Listed(all[:21]); !strings.HasPrefix(others, "1 more guess: 1 of ") {
		t.Errorf("others are %q", others)
	}
	if listed, others = Listed(all[:20]); len(listed) != 20 || others != "" {
		t.Errorf("of 20 guesses %d are listed, others are %q", len(listed), others)
	}
}

func TestString(t *testing.T) {
	for want, g := range map[string]Guess{
		"timestamp: 3 texts are times; otherwise --type at=string":    {Decision: "timestamp", Reason: "3 texts are times", Overrule: "--type at=string"},
		"a string: there are only nulls; --type x=none leaves it out": {Decision: "a string", Reason: "there are only nulls", Overrule: "--type x=none"},
		"enum E: it has 3 constants":                                  {Decision: "enum E", Reason: "it has 3 constants"},
	} {
		if got := g.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
