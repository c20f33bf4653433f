// Package vmihailencomsgpack describes the contender vmihailenco/msgpack. It does not import
// the library.
package vmihailencomsgpack

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/vmihailenco/msgpack.
var Contender = &contender.Contender{
	Name:    "vmihailenco/msgpack",
	Title:   "MessagePack by reflection",
	Text:    "Structs with msgpack tags, msgpack.Marshal and msgpack.Unmarshal, which take their encoders and decoders from the library's pools. Integers of 64 bits take 9 bytes whatever their value, unless UseCompactInts is set. A nil in place of a time makes the library panic. The library allocates memory for as many structs as a message claims a list has: its limit has no effect there (vmihailenco/msgpack#393). SetSortMapKeys is not offered as order=sorted, because it sorts only maps of string to string, bool and any. target=reuse is not offered, because decoding into an old value keeps map entries and fields that the message leaves out.",
	Choose:  "when MessagePack is the format and you want no generated code",
	Format:  "msgpack",
	Module:  "github.com/vmihailenco/msgpack/v5",
	License: "BSD-2-Clause",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.PureGo, contender.Panics, contender.Unbounded, contender.Unmaintained},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "An Encoder from the library's pool, as in Marshal, writes into a bytes.Buffer that is reset for each message."},
		{Key: "ints=compact", Ops: []result.Op{result.Encode}, Text: "The calls of Marshal, with UseCompactInts."},
		{Key: "layout=array", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "The calls of Marshal, with UseArrayEncodedStructs. Unmarshal reads both layouts."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into the old value: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "GetEncoder and GetDecoder pool only encoders and decoders, and the default mode uses them"},
		{Axis: "strings=alias", Reason: "the library always copies strings and bytes"},
		{Axis: "session=stream", Reason: "messages share nothing; Marshal and Unmarshal already take their Encoder and Decoder from pools"},
		{Axis: "order=sorted", Reason: "SetSortMapKeys sorts only maps of string to string, bool and any"},
	},
	Advice: contender.Advice{URL: "https://github.com/vmihailenco/msgpack#quickstart", Text: "Marshal and Unmarshal, as here"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "neither", Unmeasured: "tags such as as_array and inline, extensions"},
	Losses: []contender.Loss{contender.TimeZone, contender.TimeLocal},
	Stream: "One Encoder and one Decoder: a sequence of MessagePack objects.",
	Emit:   emitPackage,
}
