package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The guesses that do most come first, and of these the ones about most values. Where
// there are very many the others are counted.
func TestListedGuesses(t *testing.T) {
	all := []TryGuess{
		{Path: "name", Decision: "one type with a, A", Values: 900},
		{Path: "type", Decision: "timestamp", Values: 5},
		{Path: "id", Decision: "a string that uuid would hold in 20 bytes less", Values: 9},
		{Path: "few", Decision: "a string with the value's JSON", Values: 1},
		{Path: "map", Decision: "map[string]int64", Values: 70},
		{Path: "far", Decision: "timestamp", Reason: "each is a time, 2 of which are lost (assay explain time-range)", Values: 1},
		{Path: "out", Decision: "left out where it is null too", Values: 2},
		{Path: "many", Decision: "a string with the value's JSON", Values: 8},
		{Path: "more", Decision: "timestamp", Values: 6},
	}
	paths := func(guesses []TryGuess) string {
		var out []string
		for _, g := range guesses {
			out = append(out, g.Path)
		}
		return strings.Join(out, " ")
	}
	const want = "many few out far map id more type name"
	listed, others := ListedGuesses(all)
	if got := paths(listed); got != want || others != "" {
		t.Errorf("listed are %s, others %q; want %s", got, others, want)
	}
	for i := range 30 {
		all = append(all, TryGuess{Path: fmt.Sprint(i), Decision: "one type with a, A"})
	}
	slices.Reverse(all)
	listed, others = ListedGuesses(all)
	if got := paths(listed[:9]); got != want || len(listed) != mostListed || others != "19 more guesses: 19 of shared types, which change no bytes" {
		t.Errorf("listed are %s, others %q", paths(listed), others)
	}
	if _, others = ListedGuesses(all[:21]); !strings.HasPrefix(others, "1 more guess: ") {
		t.Errorf("others are %q", others)
	}
}
