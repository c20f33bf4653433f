package answer

import (
	"fmt"
	"slices"
	"strings"

	"assay/contender"
)

// A Must is a condition that --must may put: a property that a recommended
// contender has to have.
type Must struct {
	contender.Word
	// met returns why a candidate is not so; empty: it is.
	met func(*Candidate) string
}

// Musts are all of them.
var Musts = append([]Must{{
	Word: contender.Word{
		Name: "safe", Short: "safe with damaged input, and yours to keep",
		Text: "Damaged input cannot make it panic, and the bytes and values that it returns stay good whatever is called next.",
		Rule: "It holds for a contender without the trait panics, in a mode that neither reuses nor aliases anything, whose decoded values were not seen to point into the message. The answer's fastest is always safe.",
	},
	met: func(c *Candidate) string { return strings.Join(c.Unsafe, ", ") },
}, {
	Word: contender.Word{
		Name: "no-codegen", Short: contender.Codegen.In().Without,
		Text: "It is used as it is, without code that is generated from the schema or the types.",
		Rule: "It holds for a contender without the trait codegen.",
	},
	met: func(c *Candidate) string { return has(c, contender.Codegen) },
}, {
	Word: contender.Word{
		Name: "maintained", Short: contender.Unmaintained.In().Without,
		Text: "It had a release in the last three years, and does not say itself that it is no longer maintained.",
		Rule: "It holds for a contender without the trait unmaintained.",
	},
	met: func(c *Candidate) string { return has(c, contender.Unmaintained) },
}, {
	Word: contender.Word{
		Name: "lossless", Short: "gives back these records as they were",
		Text: "Every record comes back as it was, and nothing had to be forgiven because it is declared as lost.",
		Rule: "Verification sends every record through the contender and keeps which of its declared losses the records suffered; it holds where there are none.",
	},
	met: func(c *Candidate) string {
		var texts []string
		for _, l := range c.Losses {
			texts = append(texts, l.In().Text)
		}
		return strings.Join(texts, ", ")
	},
}}, traits()...)

// traits are the conditions that a contender has a trait. Those that nobody wants
// are none, and whether a library reflects is no property of what it does.
func traits() []Must {
	var musts []Must
	for _, w := range contender.Traits {
		if w.Unwanted || w.Trait == contender.Reflection {
			continue
		}
		musts = append(musts, Must{Word: w.Word(), met: func(c *Candidate) string {
			if c.About.Is(w.Trait) {
				return ""
			}
			return w.Without
		}})
	}
	return musts
}

// has returns an unwanted trait in words where the contender has it.
func has(c *Candidate, t contender.Trait) string {
	if c.About.Is(t) {
		return t.In().Short
	}
	return ""
}

// MustNames are the names of Musts.
func MustNames() []string {
	var names []string
	for _, m := range Musts {
		names = append(names, m.Name)
	}
	return names
}

// Terms are the other words that an answer uses.
var Terms = []contender.Word{{
	Name: "round-trip", Short: "encode and decode",
	Text: "A round trip is one encode and one decode of a record.",
	Rule: "The ratio of two round trips is that of their encodes and of their decodes, which are paired round by round, weighted by what each op is of the second's time.",
}, {
	Name: "told-apart", Short: "different by more than 2%",
	Text: "Two contenders are told apart when the printed interval of their ratio lies beyond 2% of no difference, and tied when it lies within 2%. In between they are not told apart yet, and a longer budget may do it.",
	Rule: "The intervals of all pairs of a table have one confidence, at least 95%, which is such that of the differences called at most 5% are expected to be false.",
}, {
	Name: "tied", Short: "not different by 2%",
	Text: "Two contenders are tied when the interval of their ratio lies within 2% of no difference. The answer lists with its first all that are tied with it or not told apart from it.",
	Rule: "Of those the first is one that is maintained, then the one in use, then one that needs no generate step, then one of the standard library, then the first by time.",
}, {
	Name: "pareto-front", Short: "not beaten in both time and size",
	Text: "The Pareto front of time and size are the contenders than which no other is better in both. One beats another when it is clearly smaller, by 1% or more, and shown not to be slower by more than 2%; or when it is told apart as faster and is not clearly larger.",
	Rule: "Only what is safe, and what --must asks for, is on the front or beats another. A row that might still be beaten, as far as the intervals can say, is called not shown to be beaten.",
}, {
	Name: "worth", Short: "what the choice is worth",
	Text: "The choice is worth what the cheapest contender costs less in a month than the one in use, at the rate and the prices that are given, and sent and kept as --codec and --batch say. The CPU that compressing takes is not in it.",
	Rule: "It matters where that is 20 dollars a month or more, or where the fastest takes a twentieth of a CPU core less.",
}, {
	Name: "union", Short: "objects of several kinds",
	Text: "A union is a place whose objects are of several kinds, each with fields of its own, as events are. Protobuf writes a oneof, JSON the object itself, and every other format a message of which one field is set.",
	Rule: "A text in or beside the objects, or their keys, tell the kinds apart. --struct PATH makes a union one struct, --union PATH asks for one, and --only PATH=VALUE measures the records of one kind.",
}}

// CheckMust returns the names, each once, or an error that names the one that is
// none.
func CheckMust(names []string, hint func(name string, known []string) string) ([]string, error) {
	var out []string
	for _, n := range names {
		if n = strings.TrimSpace(n); n == "" || slices.Contains(out, n) {
			continue
		}
		if !slices.Contains(MustNames(), n) {
			return nil, fmt.Errorf("there is no condition %q%s", n, hint(n, MustNames()))
		}
		out = append(out, n)
	}
	return out, nil
}
