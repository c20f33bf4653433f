// Package gojsonexperiment describes the contender go-json-experiment, the module in which
// encoding/json/v2 is developed. It does not import the module.
package gojsonexperiment

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/go-json-experiment/json.
var Contender = &contender.Contender{
	Name:    "go-json-experiment",
	Title:   "JSON by reflection, as encoding/json/v2 of the standard library will be",
	Text:    "Structs with json tags, json.Marshal and json.Unmarshal with the semantics of version 2: names are matched exactly, duplicate names and invalid UTF-8 are errors, nil lists and maps are written as [] and {}, nothing is escaped for HTML, and map entries are in any order. A field that may be left out is tagged omitempty if it is a string, list or map and omitzero otherwise, which the package's notes on migration recommend. Durations need an option, jsonv1.FormatDurationAsNano, and get it when the schema has any. Where the data has null for a list, map or bytes, FormatNilSliceAsNull and FormatNilMapAsNull are set. No mode decodes into an old value: the package merges into what is there.",
	Choose:  "when you want correct JSON by the standard and will move to encoding/json/v2 anyway",
	Format:  "json",
	Module:  "github.com/go-json-experiment/json",
	License: "BSD-3-Clause",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "json.MarshalWrite writes into a bytes.Buffer that is reset for each message; the package appends to its memory directly."},
		{Key: "order=sorted", Ops: []result.Op{result.Encode}, Text: "json.Marshal with json.Deterministic(true)."},
		{Key: "config=std", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "json.Marshal and json.Unmarshal with jsonv1.DefaultOptionsV1, all options under which the package behaves as encoding/json does."},
		{Key: "output=reuse,session=stream", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "One jsontext.Encoder writes all messages, each with a newline after it, into a bytes.Buffer that is reset between them; one jsontext.Decoder reads them all. json.MarshalEncode and json.UnmarshalDecode."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into what is there: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "the package copies strings, and keeps those that are frequent, by its own rules"},
		{Axis: "config=fastest", Reason: "its options AllowInvalidUTF8 and AllowDuplicateNames leave checks out, and the package is there to make them"},
	},
	Advice: contender.Advice{URL: "https://go.dev/blog/jsonv2-exp", Text: "Marshal and Unmarshal, and MarshalWrite to write to a buffer directly (output=reuse)"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "neither", Unmeasured: "Encoder and Decoder of jsontext, token by token"},
	Losses: []contender.Loss{contender.NilEmpty, contender.NaNInf, contender.BadUTF8, contender.TimeYears},
	Stream: "json.MarshalEncode on one jsontext.Encoder, which writes a newline after each message, and json.UnmarshalDecode on one jsontext.Decoder: JSON Lines.",
	Emit:   emitPackage,
}
