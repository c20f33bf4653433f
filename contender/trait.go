package contender

import "slices"

// A Trait is a property of a contender that a user may require or avoid. Traits explains each.
type Trait string

// The traits.
const (
	Codegen       Trait = "codegen"
	Reflection    Trait = "reflection"
	SchemaFree    Trait = "schema-free"
	CrossLanguage Trait = "cross-language"
	HumanReadable Trait = "human-readable"
	Streaming     Trait = "streaming"
	Evolvable     Trait = "evolvable"
	Lazy          Trait = "lazy"
	Unsafe        Trait = "unsafe"
	PureGo        Trait = "pure-go"
	Deterministic Trait = "deterministic"
	Standard      Trait = "standard"
	Panics        Trait = "panics"
	Unbounded     Trait = "unbounded"
	Unmaintained  Trait = "unmaintained"
)

// A Word is a name that flags accept and reports use, with its meaning.
type Word struct {
	Name string
	// Short is the predicate of a sentence about a contender: "needs a generate step".
	Short string
	// Text is a sentence that explains the name. Rule is a sentence that says how assay finds
	// out whether it applies to a contender.
	Text, Rule string
}

// A TraitWord explains a trait.
type TraitWord struct {
	Trait Trait
	// Wanted says that a contender without the trait gives something up. Unwanted says that a
	// contender with it does. Traits about how a library works inside are neither.
	Wanted, Unwanted bool
	// Without is the counterpart of Short for contenders without the trait.
	Without string
	Short   string
	Text    string
	Rule    string
}

// Rules that several traits share.
const (
	declared = "It is declared in the contender's description."
	probed   = "It is declared in the contender's description, and every contender's test fails if the declaration is wrong."
)

// Traits are all traits, in the order in which reports name them.
var Traits = []TraitWord{{
	Trait: HumanReadable, Wanted: true, Short: "text that people can read", Without: "not text that people can read",
	Text: "Its bytes are text that people can read and edit.", Rule: declared,
}, {
	Trait: SchemaFree, Wanted: true, Short: "readable without the schema", Without: "not readable without the schema",
	Text: "Its bytes name their fields, so that they can be read without the schema.", Rule: declared,
}, {
	Trait: CrossLanguage, Wanted: true, Short: "has libraries in other languages", Without: "no libraries in other languages",
	Text: "Other languages have libraries that read and write its format.", Rule: declared,
}, {
	Trait: Evolvable, Wanted: true, Short: "tolerates new and missing fields", Without: "does not tolerate new or missing fields",
	Text: "Old readers tolerate new fields, and new readers tolerate old data.", Rule: declared,
}, {
	Trait: Streaming, Wanted: true, Short: "writes and reads a sequence value by value", Without: "holds a sequence of values whole",
	Text: "It writes and reads a sequence of values without holding it whole.", Rule: declared,
}, {
	Trait: Deterministic, Wanted: true, Short: "equal values have equal bytes", Without: "equal values may have different bytes",
	Text: "By default equal values have equal bytes, maps included, also in another build of the program.", Rule: probed,
}, {
	Trait: PureGo, Wanted: true, Short: "no assembly and no cgo", Without: "has assembly or cgo",
	Text: "It contains no assembly and no cgo.", Rule: declared,
}, {
	Trait: Standard, Wanted: true, Short: "part of the standard library", Without: "not part of the standard library",
	Text: "It is part of the Go standard library.", Rule: declared,
}, {
	Trait: Codegen, Unwanted: true, Short: "needs a generate step", Without: "needs no generate step",
	Text: "Its code is generated, and generated again each time the types change.", Rule: declared,
}, {
	Trait: Unsafe, Unwanted: true, Short: "uses package unsafe", Without: "does not use package unsafe",
	Text: "It uses package unsafe, so that the compiler does not check all of its memory accesses. Whether it is safe with damaged input is another question: see panics and safe.",
	Rule: declared,
}, {
	Trait: Panics, Unwanted: true, Short: "damaged input can make it panic", Without: "damaged input does not make it panic",
	Text: "Damaged input can make it panic, so that its caller must recover.",
	Rule: "Every contender's tests decode messages that are cut or have a changed byte, and a contender that panics must declare it. The tests do not try messages that are nested very deeply.",
}, {
	Trait: Unbounded, Unwanted: true, Short: "a few damaged bytes can exhaust memory", Without: "a few damaged bytes are not known to exhaust memory",
	Text: "It allocates memory for as many elements as a message claims to have, so that a few damaged bytes can ask for all memory, which ends the program.",
	Rule: "The tests of every MessagePack and CBOR contender decode lists and maps that claim to have 33 million elements, and a contender that allocates memory for so many must declare it. For other formats it is declared if it is known.",
}, {
	Trait: Unmaintained, Unwanted: true, Short: "is no longer maintained", Without: "is maintained",
	Text: "It had no release for more than three years, or says itself that it is not maintained.", Rule: declared,
}, {
	Trait: Reflection, Short: "finds fields by reflection", Without: "does not use reflection",
	Text: "It finds the fields of Go types at run time.", Rule: declared,
}, {
	Trait: Lazy, Short: "can be read in place", Without: "is decoded before it is read",
	Text: "Fields can be read in place, without decoding the message first.", Rule: declared,
}}

// In returns the explanation of the trait. For an unknown trait, the texts are empty.
func (t Trait) In() TraitWord {
	i := slices.IndexFunc(Traits, func(w TraitWord) bool { return w.Trait == t })
	if i < 0 {
		return TraitWord{Trait: t}
	}
	return Traits[i]
}

// Word returns the trait's name with its meaning.
func (w TraitWord) Word() Word { return Word{string(w.Trait), w.Short, w.Text, w.Rule} }

// Is says whether the contender has the trait.
func (c *Contender) Is(t Trait) bool { return c != nil && slices.Contains(c.Traits, t) }
