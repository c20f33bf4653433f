// Package easyjson describes the contender easyjson, a generator of JSON
// methods. It does not import it.
package easyjson

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/mailru/easyjson.
var Contender = &contender.Contender{
	Name:    "easyjson",
	Title:   "JSON by generated methods",
	Text:    "Structs with json tags and the methods that its generator writes for all types, without MarshalJSON and UnmarshalJSON; easyjson.Marshal and easyjson.Unmarshal. It escapes for HTML, as encoding/json does, and writes map entries in any order. The generator looks at compiled types, so a new schema takes a compilation of its own. A message that JSON writes as a list, which the generator does not know, has methods of the same names written by hand. No mode decodes into an old value: the methods merge into what is there.",
	Choose:  "when JSON must be fast on any processor and a generate step is no trouble",
	Format:  "json",
	Module:  "github.com/mailru/easyjson",
	License: "MIT",
	Traits:  []contender.Trait{contender.Codegen, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Evolvable, contender.Unsafe, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "A jwriter.Writer is written out to a bytes.Buffer that is reset for each message, as easyjson.MarshalToWriter does, but the writer's error is looked at. The byte slice that jwriter.Writer.BuildBytes takes instead is not used for messages of one chunk."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "Methods that were generated from fields with the tag option nocopy: strings without escapes are parts of the message."},
	},
	Losses: []contender.Loss{contender.NaNInf, contender.BadUTF8, contender.TimeYears},
	Group:  "more",
	Tools:  []string{generator},
	Emit:   emitPackage,
}
