package answer

import (
	"fmt"
	"slices"
	"strings"

	"assay/contender"
)

// A Must is a condition of --must: a property that a recommended contender has to have.
type Must struct {
	contender.Word
	// met returns why a candidate does not meet the condition; empty if it does.
	met func(*Candidate) string
}

// Lossless is the name of the condition that depends on which records were verified.
const Lossless = "lossless"

// Musts are all conditions.
var Musts = append([]Must{{
	Word: contender.Word{
		Name: "safe", Short: "safe with damaged input, and yours to keep",
		Text: "Damaged input cannot make it panic or exhaust memory, as far as tests try, and the bytes and values that it returns stay valid, whatever you call next.",
		Rule: "This holds for a contender without the traits panics and unbounded, in a mode that neither reuses nor aliases anything, if no test found its decoded values pointing into the message. The fastest contender of the answer is always safe.",
	},
	met: func(c *Candidate) string { return strings.Join(c.Unsafe, ", ") },
}, {
	Word: contender.Word{
		Name: "no-codegen", Short: contender.Codegen.In().Without,
		Text: "You use it as it is, without code that is generated from the schema or the types.",
		Rule: "This holds for a contender without the trait codegen.",
	},
	met: func(c *Candidate) string { return has(c, contender.Codegen) },
}, {
	Word: contender.Word{
		Name: "maintained", Short: contender.Unmaintained.In().Without,
		Text: "It had a release in the last three years, and does not call itself unmaintained.",
		Rule: "This holds for a contender without the trait unmaintained.",
	},
	met: func(c *Candidate) string { return has(c, contender.Unmaintained) },
}, {
	Word: contender.Word{
		Name: Lossless, Short: "gives back these records unchanged",
		Text: "Every record that was verified comes back unchanged. Verification had to forgive none of the contender's declared losses.",
		Rule: "Verification sends the records through the contender and notes which of its declared losses they suffered. This holds if there are none. Of more than 4 MiB of records it sends as many as a third of the budget allows: the trust line and the answer say how many.",
	},
	met: func(c *Candidate) string {
		var texts []string
		for _, l := range c.Losses {
			texts = append(texts, l.In().Text)
		}
		return strings.Join(texts, ", ")
	},
}}, traits()...)

// traits returns a condition for each trait. It leaves out unwanted traits, and reflection, which
// says how a library works and not what it does.
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

// has returns an unwanted trait in words if the contender has it; empty otherwise.
func has(c *Candidate, t contender.Trait) string {
	if c.About.Is(t) {
		return t.In().Short
	}
	return ""
}

// MustNames returns the names of Musts.
func MustNames() []string {
	var names []string
	for _, m := range Musts {
		names = append(names, m.Name)
	}
	return names
}

// Terms explain the other words that an answer uses.
var Terms = []contender.Word{{
	Name: "round-trip", Short: "encode and decode",
	Text: "A round trip is one encode and one decode of a record.",
	Rule: "The ratio of two round trips is the mean of the ratios of their encodes and of their decodes. Both ratios are paired round by round, and weighted by how long each op takes: the geometric mean of the second contender's time and of the first one's time over the ratio, so that the ratio of a to b is the inverse of that of b to a.",
}, {
	Name: "told-apart", Short: "different by more than 2%",
	Text: "Two contenders are told apart when the printed interval of their ratio lies beyond 2% of no difference, and tied when it lies within 2%. In between they are not told apart yet; a longer budget may tell them apart.",
	Rule: "The intervals of all pairs of a table have one confidence, at least 95%. It is chosen so that at most 5% of the differences called are expected to be false.",
}, {
	Name: "tied", Short: "not different by 2%",
	Text: "Two contenders are tied when the interval of their ratio lies within 2% of no difference. The answer lists the contenders that are told apart neither from its first one nor from the one with the best time.",
	Rule: "First in a tie comes a maintained contender, then the one in use, then one without a generate step, then one of the standard library, then the first by time. None comes first if another one is told apart from it as faster.",
}, {
	Name: "pareto-front", Short: "not beaten in both time and size",
	Text: "The Pareto front of time and size has the contenders that no other contender beats. One beats another if it is clearly smaller (by 1% or more) and shown not to be slower by more than 2%, or if it is told apart as faster and is not clearly larger. A contender's default mode also beats its other modes that are not told apart from it as faster and not clearly smaller.",
	Rule: "Only contenders that are safe and meet --must are on the front or beat another. A row is not shown to be beaten if the intervals leave open whether another contender beats it. " +
		"The front that assay run prints is of means over workloads: all contenders may be on it, and one is clearly smaller by more than 2%.",
}, {
	Name: "worth", Short: "what the choice is worth",
	Text: "The choice is worth the monthly cost of the contender in use minus that of the cheapest one, at the given rate and prices, with records sent and stored as --codec and --batch say. The CPU time of compressing does not count.",
	Rule: "The choice matters if that is 20 dollars a month or more, or if the fastest needs a twentieth of a CPU core less.",
}, {
	Name: "union", Short: "objects of several kinds",
	Text: "A union is a place whose objects are of several kinds, each with fields of its own, such as events. Protobuf writes a oneof, JSON the object itself, and every other format a message with one field set.",
	Rule: "A text in or beside the objects, or their keys, tells the kinds apart. --struct PATH makes a union one struct, --union PATH asks for one, and --only PATH=VALUE measures the records of one kind.",
}}

// CheckMust returns the names without repetitions, or an error for an unknown name.
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
