// Package goccygojson describes the contender goccy/go-json, a drop-in replacement of
// encoding/json. It does not import the library.
package goccygojson

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/goccy/go-json.
var Contender = &contender.Contender{
	Name:    "goccy/go-json",
	Title:   "JSON by instructions that are prepared for each type and run by a small machine",
	Text:    "Structs with json tags, json.Marshal and json.Unmarshal, with defaults that are those of encoding/json: the bytes are the same. Values are passed by pointer, for which its authors advise Marshal rather than MarshalOf. No mode decodes into an old value: the package merges into what is there, as encoding/json does.",
	Choose:  "when encoding/json is to be replaced and its bytes must stay the same",
	Format:  "json",
	Module:  "github.com/goccy/go-json",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "One Encoder writes into a bytes.Buffer that is reset for each message; it appends a newline, which is cut off."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "json.UnmarshalWithOption with DecodeNoCopyString: strings without escapes are parts of the message."},
		{Key: "config=fastest", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "json.MarshalWithOption with UnorderedMap, DisableHTMLEscape, DisableNormalizeUTF8 and OptimizeFieldOrder, which puts the fields of an object in another order; json.UnmarshalWithOption with DecodeFieldPriorityFirstWin, which takes the first of duplicate keys. Strings are still copied.", Refuses: folded},
		{Key: "output=reuse,strings=alias,config=fastest", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "Encoder.EncodeWithOption of one Encoder into a bytes.Buffer that is reset for each message, and json.UnmarshalWithOption with DecodeNoCopyString, both with the options of config=fastest.", Refuses: folded},
		{Key: "output=reuse,session=stream", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "One Encoder writes all messages, each with a newline after it, into a bytes.Buffer that is reset between them; one Decoder reads them all."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into what is there: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "order=any", Reason: "on its own it is not offered: UnorderedMap is part of config=fastest"},
		{Axis: "config=std", Reason: "its defaults are those of encoding/json"},
	},
	Advice: contender.Advice{URL: "https://github.com/goccy/go-json#encode-a-value-without-copying-it-to-the-heap-by-marshalof", Text: "Marshal for values behind a pointer, as here; MarshalNoEscape is deprecated and the same as Marshal"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "neither", Unmeasured: "Path, and contexts of encoding"},
	Losses: []contender.Loss{contender.NaNInf, contender.BadUTF8, contender.TimeYears, contender.FloatRange},
	Stream: "One Encoder, which writes a newline after each message, and one Decoder: JSON Lines.",
	Emit:   emitPackage,
}
