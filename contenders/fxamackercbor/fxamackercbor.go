// Package fxamackercbor describes the contender fxamacker/cbor. It does not import the library.
package fxamackercbor

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is github.com/fxamacker/cbor.
var Contender = &contender.Contender{
	Name:    "fxamacker/cbor",
	Title:   "CBOR by reflection, with limits on its input",
	Text:    "Structs with cbor tags, and encoding and decoding modes that are created once, as the library recommends. Three settings differ from the defaults. Times are RFC 3339 with nanoseconds and their tag, where the default is whole seconds. omitempty leaves out what encoding/json would, where the default looks at the encoded value and so also leaves out a pointer to an empty struct. Lists and maps may have any number of entries, where the default allows 131,072. Nesting stays limited to 32 levels. The zero time is written as null, and a pointer to it comes back nil. There is no target=reuse, because decoding into an old value keeps its map entries and the fields that the message leaves out.",
	Choose:  "when small messages from untrusted senders must be read with limits, or by other languages",
	Format:  "cbor",
	Module:  "github.com/fxamacker/cbor/v2",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "MarshalToBuffer to a bytes.Buffer that is reset for each message."},
		{Key: "order=sorted", Ops: []result.Op{result.Encode}, Text: "The preset for the core deterministic encoding of RFC 8949, which also writes each float in the fewest bytes that keep its value.", Refuses: sorts},
		{Key: "time=unix", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "TimeUnixDynamic: a time is a number of seconds since 1970, an integer if they are whole and otherwise a float64 rounded to microseconds, with the CBOR tag for such numbers. Times come back in the machine's time zone.", Losses: []contender.Loss{contender.TimeZone, contender.TimeLocal, contender.TimeFloat}, Refuses: emit.NeedsTimes},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into the old value: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "the library always copies strings and bytes"},
		{Axis: "session=stream", Reason: "data items share nothing, and its authors show Encoder and Decoder for io.Writer and io.Reader only"},
		{Axis: "layout=array", Reason: "only the struct tag toarray does it, which belongs to the types and not to the call, like the tag keyasint"},
		{Axis: "ints=compact", Reason: "integers take the fewest bytes by default, as the format recommends"},
	},
	Advice: contender.Advice{URL: "https://github.com/fxamacker/cbor#user-specified-buffer-for-encoding-v270", Text: "encoding modes that are created once, and MarshalToBuffer with a buffer that is kept (output=reuse)"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "against it: times are text with nanoseconds, where its default is whole seconds", Unmeasured: "keyasint and toarray, with which its users make messages smaller"},
	Losses: []contender.Loss{contender.ZeroPointer, contender.BadUTF8, contender.TimeYears, contender.Depth},
	Stream: "One Encoder and one Decoder: a CBOR sequence (RFC 8742).",
	Emit:   emitPackage,
}
