// Package goccygojson describes the contender goccy/go-json, a drop-in replacement of
// encoding/json. It does not import the library.
package goccygojson

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is github.com/goccy/go-json.
var Contender = &contender.Contender{
	Name:    "goccy/go-json",
	Title:   "JSON by a small virtual machine that encodes and by decoders, both prepared for each type",
	Text:    "Structs with json tags, json.Marshal and json.Unmarshal, with the same defaults and the same bytes as encoding/json. Assay passes values by pointer, for which the authors advise Marshal rather than MarshalOf. No mode decodes into an old value, because the package merges the message into it, as encoding/json does.",
	Choose:  "to replace encoding/json when the encoded bytes must stay the same",
	Format:  "json",
	Module:  "github.com/goccy/go-json",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "One Encoder writes into a bytes.Buffer that is reset for each message; assay cuts off the newline that the Encoder appends."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "json.UnmarshalWithOption with DecodeNoCopyString: strings without escapes point into the message.", Refuses: emit.AliasesStrings},
		{Key: "config=fastest", Ops: []result.Op{result.Encode}, Text: "json.MarshalWithOption with UnorderedMap, DisableHTMLEscape, DisableNormalizeUTF8 and OptimizeFieldOrder, which may change the order of an object's fields. In types with a MarshalJSON (unions and rows), that method calls json.Marshal without these options; only where the texts of the sample are not escaped for HTML, it has DisableHTMLEscape. The only option of decoding for speed, DecodeFieldPriorityFirstWin, skips the rest of an object after its last known field; messages here have nothing to skip, and it would only count the fields."},
		{Key: "output=reuse,config=fastest", Ops: []result.Op{result.Encode}, Text: "Encoder.EncodeWithOption of one Encoder into a bytes.Buffer that is reset for each message, with the options of config=fastest."},
		{Key: "output=reuse,session=stream", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "One Encoder writes all messages, each with a newline after it, into a bytes.Buffer that is reset between them; one Decoder reads them all."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into the old value: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "order=any", Reason: "assay uses UnorderedMap only as a part of config=fastest"},
		{Axis: "config=std", Reason: "its defaults are already those of encoding/json"},
	},
	Advice: contender.Advice{URL: "https://github.com/goccy/go-json#encode-a-value-without-copying-it-to-the-heap-by-marshalof", Text: "Marshal for values behind a pointer, as assay does; MarshalNoEscape is deprecated and the same as Marshal"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "neither", Unmeasured: "github.com/goccy/go-json/v2, its own implementation of encoding/json/v2; Path, and encoding with a context"},
	Losses: []contender.Loss{contender.NaNInf, contender.BadUTF8, contender.TimeYears, contender.FloatRange},
	Stream: "One Encoder, which writes a newline after each message, and one Decoder: JSON Lines.",
	Emit:   emitPackage,
}
