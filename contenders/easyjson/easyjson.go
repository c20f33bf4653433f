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
	Text:    "Structs with json tags and the methods that the library's generator writes for all types, without MarshalJSON and UnmarshalJSON; easyjson.Marshal and easyjson.Unmarshal. The methods escape for HTML, as encoding/json does, and write map entries in any order. The generator inspects compiled types, so a new schema takes a compilation of its own. The generator does not support messages that JSON writes as lists; assay writes their methods, with the same names. No mode decodes into an old value, because the methods merge the message into it.",
	Choose:  "when JSON must be fast on every processor and a code generation step is acceptable",
	Format:  "json",
	Module:  "github.com/mailru/easyjson",
	License: "MIT",
	Traits:  []contender.Trait{contender.Codegen, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Evolvable, contender.Unsafe, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "A jwriter.Writer is dumped to a bytes.Buffer that is reset for each message, as easyjson.MarshalToWriter does, and assay also checks the writer's error. jwriter.Writer.BuildBytes would take a byte slice to reuse, but does not use it for messages of one chunk."},
		{Key: "config=fastest", Ops: []result.Op{result.Encode}, Text: "Does what easyjson.Marshal does, with NoEscapeHTML set in the jwriter.Writer: nothing is escaped for HTML.", Refuses: escapes},
		{Key: "output=reuse,config=fastest", Ops: []result.Op{result.Encode}, Text: "output=reuse and config=fastest together.", Refuses: escapes},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "Methods generated from fields with the tag option nocopy: strings without escapes point into the message.", Refuses: copies},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "the generated methods merge into the old value: fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "its pool holds buffers, and the default mode uses it"},
		{Axis: "session=stream", Reason: "it has neither an encoder nor a decoder for streams"},
		{Axis: "types=program", Reason: "the generator adds methods to the types that the program has, and nothing is converted"},
		{Axis: "order=sorted", Reason: "no option sorts maps"},
		{Axis: "config=std", Reason: "no setting makes it sort maps as encoding/json does"},
	},
	Advice: contender.Advice{URL: "https://github.com/mailru/easyjson#serialize", Text: "easyjson.Marshal and easyjson.Unmarshal, which use its pool of buffers"},
	Bias:   contender.Bias{Ours: "methods for a document that is a list, which the library's generator does not support", Favours: "neither", Unmeasured: "interning of strings (intern), and keeping unknown fields"},
	Losses: []contender.Loss{contender.NullAbsent, contender.NaNInf, contender.BadUTF8, contender.TimeYears},
	Group:  "more",
	Tools:  []string{generator},
	Stream: "JSON Lines: a new jwriter.Writer writes each message, a newline follows it, and easyjson.Unmarshal reads each line. The library has no encoder or decoder for many messages.",
	Emit:   emitPackage,
}
