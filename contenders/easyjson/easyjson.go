// Package easyjson describes the contender easyjson, a generator of JSON methods. It does not
// import the library.
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
		{Key: "config=fastest", Ops: []result.Op{result.Encode}, Text: "As easyjson.Marshal, with NoEscapeHTML set in the jwriter.Writer: nothing is escaped for HTML."},
		{Key: "output=reuse,config=fastest", Ops: []result.Op{result.Encode}, Text: "Both."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "Methods that were generated from fields with the tag option nocopy: strings without escapes are parts of the message."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "the generated methods merge into what is there: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "its pool is of buffers, and the default mode uses it"},
		{Axis: "session=stream", Reason: "it has neither an encoder nor a decoder of streams"},
		{Axis: "order=sorted", Reason: "no option sorts maps"},
		{Axis: "config=std", Reason: "no setting makes it sort maps, in which it differs from encoding/json"},
	},
	Advice: contender.Advice{URL: "https://github.com/mailru/easyjson#serialize", Text: "easyjson.Marshal and easyjson.Unmarshal, which use its pool of buffers"},
	Bias:   contender.Bias{Ours: "methods for a document that is a list, which its generator does not write", Favours: "neither", Unmeasured: "interning of strings (intern), and unknown fields that are kept"},
	Losses: []contender.Loss{contender.NullAbsent, contender.NaNInf, contender.BadUTF8, contender.TimeYears},
	Group:  "more",
	Tools:  []string{generator},
	Stream: "A jwriter.Writer for each message and a newline after it; easyjson.Unmarshal of each line: JSON Lines. The library has no encoder or decoder for many messages.",
	Emit:   emitPackage,
}
