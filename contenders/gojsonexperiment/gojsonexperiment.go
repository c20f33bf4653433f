// Package gojsonexperiment describes the contender go-json-experiment, the module that mirrors
// encoding/json/v2. It does not import the module.
package gojsonexperiment

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is github.com/go-json-experiment/json.
var Contender = &contender.Contender{
	Name:    "go-json-experiment",
	Title:   "JSON by reflection, a mirror of encoding/json/v2 of the standard library for older releases of Go",
	Text:    "Structs with json tags, json.Marshal and json.Unmarshal with the semantics of version 2 (encoding/json/v2 is stable from Go 1.27 on). With GOEXPERIMENT=jsonv2, the default from Go 1.27 on, the module's packages are aliases of those in the standard library, and the numbers are those of the release of Go. In version 2, names are matched exactly, duplicate names and invalid UTF-8 are errors, nil lists and maps are written as [] and {}, nothing is escaped for HTML, and map entries are in any order. A field that may be left out has the tag omitempty if it is a string, list or map, and omitzero otherwise, as the package's notes on migration recommend. If the schema has durations, assay sets the option that they need, jsonv1.FormatDurationAsNano. If the data has null for a list, map or bytes, it sets FormatNilSliceAsNull and FormatNilMapAsNull. No mode decodes into an old value, because the package merges the message into it.",
	Choose:  "when you want JSON that follows the standard strictly, in a program that must also build with Go 1.26",
	Format:  "json",
	Module:  "github.com/go-json-experiment/json",
	License: "BSD-3-Clause",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "json.MarshalWrite writes into a bytes.Buffer that is reset for each message; the package appends to the buffer's memory directly."},
		{Key: "order=sorted", Ops: []result.Op{result.Encode}, Text: "json.Marshal with json.Deterministic(true).", Refuses: emit.NeedsMaps},
		{Key: "config=std", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "json.Marshal and json.Unmarshal with jsonv1.DefaultOptionsV1, the set of options with which the package behaves as encoding/json does."},
		{Key: "output=reuse,session=stream", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "One jsontext.Encoder writes all messages, each with a newline after it, through json.MarshalEncode, into a bytes.Buffer that is reset between them; one jsontext.Decoder reads them all, through json.UnmarshalDecode."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into the old value: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "the package copies strings, and reuses some repeated ones from a cache of its own"},
		{Axis: "config=fastest", Reason: "AllowDuplicateNames and AllowInvalidUTF8 save next to nothing: by default the package keeps no table of names for structs and for maps with strings or integers as keys; a struct notes each field that it reads in one bit, and whatever the options, a map is searched for an old entry and a string for invalid UTF-8; with AllowInvalidUTF8 alone, maps with strings as keys get such a table"},
	},
	Advice: contender.Advice{URL: "https://go.dev/blog/jsonv2-exp", Text: "Marshal and Unmarshal, and MarshalWrite to write to a buffer directly (output=reuse)"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "neither", Unmeasured: "using Encoder and Decoder of jsontext token by token"},
	Losses: []contender.Loss{contender.NilEmpty, contender.NaNInf, contender.BadUTF8, contender.TimeYears},
	Stream: "json.MarshalEncode on one jsontext.Encoder, which writes a newline after each message, and json.UnmarshalDecode on one jsontext.Decoder: JSON Lines.",
	Emit:   emitPackage,
}
