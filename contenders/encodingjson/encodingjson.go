// Package encodingjson describes the contender encoding/json, the JSON package of the standard
// library. It does not import encoding/json.
package encodingjson

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is encoding/json.
var Contender = &contender.Contender{
	Name:    "encoding/json",
	Title:   "JSON by reflection, from the standard library",
	Text:    "Structs with json tags, json.Marshal and json.Unmarshal. Byte strings are base64, timestamps RFC 3339, map keys are sorted and <, > and & are escaped: the package's own defaults.",
	Choose:  "when people or other languages must read the data and the cost of JSON does not matter yet",
	Format:  "json",
	License: "BSD-3-Clause",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.PureGo, contender.Standard, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "A json.Encoder writes into a bytes.Buffer that is reset for each message; assay cuts off the newline that the Encoder appends."},
		{Key: "output=reuse,session=stream", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "One Encoder writes all messages, each with a newline after it, into a bytes.Buffer that is reset between them; one Decoder reads them all."},
		// Types with tags can be the program's own, so no other contender that works by reflection
		// has this mode. The reference has it, so that those of generated types have a counterpart.
		emit.ProgramMode,
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into the old value: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "the package always copies strings"},
		{Axis: "order=any", Reason: "the package always sorts maps"},
		{Axis: "config=std", Reason: "encoding/json itself is the standard of this axis"},
		{Axis: "config=fastest", Reason: "the package has no settings for speed; SetEscapeHTML(false) only leaves <, > and & as they are"},
	},
	Advice: contender.Advice{URL: "https://go.dev/blog/json", Text: "Marshal and Unmarshal for values, Encoder and Decoder for streams"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "for it: ratios are relative to it, and it is a few per cent faster in the ordinary link layout", Unmeasured: "Decoder.Token, RawMessage"},
	Losses: []contender.Loss{contender.NaNInf, contender.BadUTF8, contender.TimeYears},
	Stream: "One Encoder, which writes a newline after each message, and one Decoder: JSON Lines.",
	Emit:   emitPackage,
}
