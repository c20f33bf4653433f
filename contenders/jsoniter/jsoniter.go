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
	Title:   "JSON by coders that are prepared for each type",
	Text:    "Structs with json tags, Marshal and Unmarshal of ConfigCompatibleWithStandardLibrary, which is how the package's own documentation begins: its bytes are those of encoding/json. ConfigDefault, which jsoniter.Marshal uses, differs in that it does not sort maps; ConfigFastest keeps six decimals of a float and returns other values than it was given, so it is no mode. It refuses numbers beyond float64 in values that are kept as their JSON. No mode decodes into an old value: the package merges into what is there.",
	Choose:  "for code that uses it already",
	Format:  "json",
	Module:  "github.com/json-iterator/go",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.PureGo, contender.Unmaintained, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "One jsoniter.Stream whose buffer is reset for each message."},
		{Key: "config=fastest", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "Marshal and Unmarshal of a configuration that is ConfigFastest without MarshalFloatWith6Digits: nothing is escaped for HTML, maps are not sorted, and keys with escapes are not recognised."},
		{Key: "output=reuse,config=fastest", Ops: []result.Op{result.Encode}, Text: "One jsoniter.Stream of the configuration of config=fastest, whose buffer is reset for each message."},
		{Key: "output=reuse,session=stream", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "One Encoder writes all messages, each with a newline after it, into a bytes.Buffer that is reset between them; one Decoder reads them all."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into what is there: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "its pools are of streams and iterators, and the default mode uses them"},
		{Axis: "strings=alias", Reason: "the library copies strings always"},
		{Axis: "order=any", Reason: "on its own it is not offered: unsorted maps are part of config=fastest"},
		{Axis: "config=std", Reason: "ConfigCompatibleWithStandardLibrary is the default mode"},
	},
	Advice: contender.Advice{URL: "https://github.com/json-iterator/go#usage", Text: "ConfigCompatibleWithStandardLibrary in the place of encoding/json, as here"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "neither", Unmeasured: "Any, and iterators by hand"},
	Losses: []contender.Loss{contender.NaNInf, contender.BadUTF8, contender.TimeYears},
	Group:  "more",
	Stream: "One Encoder, which writes a newline after each message, and one Decoder: JSON Lines.",
	Emit:   emitPackage,
}
