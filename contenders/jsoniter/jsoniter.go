// Package jsoniter describes the contender jsoniter, json-iterator/go. It does not import the
// library.
package jsoniter

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/json-iterator/go.
var Contender = &contender.Contender{
	Name:    "jsoniter",
	Title:   "JSON by encoders and decoders that are prepared for each type",
	Text:    "Structs with json tags, Marshal and Unmarshal of ConfigCompatibleWithStandardLibrary, which the package's own documentation shows first: its bytes are those of encoding/json, but an exponent has two digits (1e-07), and backspace and form feed are \\u0008 and \\u000c. ConfigDefault, which jsoniter.Marshal uses, does not sort maps and does not validate json.RawMessage. ConfigFastest keeps only six decimals of a float, so values change in a round trip, and assay has no mode for it. The package refuses numbers outside the range of float64 in values that are held as json.RawMessage. No mode decodes into an old value, because the package merges the message into it.",
	Choose:  "for code that uses it already",
	Format:  "json",
	Module:  "github.com/json-iterator/go",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.PureGo, contender.Unmaintained, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "One jsoniter.Stream whose buffer is reset for each message."},
		{Key: "config=fastest", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "Marshal and Unmarshal of ConfigFastest without MarshalFloatWith6Digits: nothing is escaped for HTML, maps are not sorted, and keys with escapes are not recognised."},
		{Key: "output=reuse,config=fastest", Ops: []result.Op{result.Encode}, Text: "One jsoniter.Stream with the configuration of config=fastest, whose buffer is reset for each message."},
		{Key: "output=reuse,session=stream", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "One Encoder writes all messages, each with a newline after it, into a bytes.Buffer that is reset between them; one Decoder reads them all."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into the old value: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "its pools hold streams and iterators, and the default mode uses them"},
		{Axis: "strings=alias", Reason: "the library always copies strings"},
		{Axis: "order=any", Reason: "assay offers unsorted maps only as a part of config=fastest"},
		{Axis: "config=std", Reason: "ConfigCompatibleWithStandardLibrary is the default mode"},
	},
	Advice: contender.Advice{URL: "https://github.com/json-iterator/go#usage", Text: "ConfigCompatibleWithStandardLibrary in place of encoding/json, as assay does"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "neither", Unmeasured: "ConfigDefault, which its functions Marshal and Unmarshal use; Any, and direct use of iterators"},
	Losses: []contender.Loss{contender.NaNInf, contender.BadUTF8, contender.TimeYears},
	Group:  "more",
	Stream: "One Encoder, which writes a newline after each message, and one Decoder: JSON Lines.",
	Emit:   emitPackage,
}
