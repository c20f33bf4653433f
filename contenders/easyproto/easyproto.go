// Package easyproto describes the contender easyproto, building blocks for hand-written
// protobuf code. It does not import the library.
package easyproto

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is github.com/VictoriaMetrics/easyproto with code written by assay.
var Contender = &contender.Contender{
	Name:  "easyproto",
	Title: "Protocol Buffers by code that users write by hand for their own structs, from building blocks",
	Text: "The library has no generator and no types: for each struct, its user writes a function that appends the fields and a function that reads them in a loop. Assay writes these functions for the model's own types, in the form that the documentation shows, so there is no type to convert to. " +
		"Encode takes a Marshaler from a MarshalerPool, as recommended; strings and bytes are copied on decode unless the mode says otherwise. " +
		"Zero values are left out, as other libraries do for proto3; the functions in the documentation append every field. Lists of numbers are packed, as proto3 requires. Strings are not checked to be UTF-8, and unknown fields are dropped. If a message field occurs twice, the second value replaces the first instead of being merged with it. " +
		"The library writes a negative int32 in five bytes; other libraries write ten bytes but also read five. The library's Int32 refuses ten bytes, so assay reads int32 and enum fields with Int64.",
	Choose:  "when there are only a few message types, each must be read or written without an allocation, and somebody will maintain the hand-written code",
	Format:  "protobuf",
	Module:  "github.com/VictoriaMetrics/easyproto",
	License: "Apache-2.0",
	Traits:  []contender.Trait{contender.CrossLanguage, contender.Evolvable, contender.Unsafe, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "Marshal appends to a slice that is kept."},
		{Key: "target=reuse", Ops: []result.Op{result.Decode, result.Scan}, Text: "Decodes into the same struct. As in the documentation, the decoding function first sets fields to zero, cuts lists to length zero and clears maps. Elements of lists that are structs keep their memory too; elements that are pointers and values of maps are allocated again."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "The library's String and Bytes point into the message, and the struct keeps them without a copy.", Refuses: emit.AliasesBoth},
		{Key: "target=reuse,strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "target=reuse and strings=alias together, as the documentation shows. Messages without pointers are then read without an allocation, except for lists of int32 and of enums, which are read through a list of int64, and for lists within values of maps.", Refuses: emit.AliasesBoth},
	},
	Lacks: []contender.Lack{
		{Axis: "pool=on", Reason: "its only pool holds marshalers, and every mode that encodes uses it"},
		{Axis: "profile=on", Reason: "the caller writes the parser by hand"},
		{Axis: "session=stream", Reason: "protobuf messages do not say where they end, so the sender must frame the messages of a stream"},
		{Axis: "order=sorted", Reason: "the caller writes the loop over a map, and the documentation shows none that sorts"},
	},
	Advice: contender.Advice{URL: "https://github.com/VictoriaMetrics/easyproto#marshaling", Text: "a pool of marshalers, a slice that is kept, and decoding into the same struct with strings that point into the message (target=reuse,strings=alias)"},
	Bias:   contender.Bias{Ours: "all encoding and decoding code, in the form that the documentation shows", Favours: "for it: the code is written for the model, so nothing is converted, and it leaves out zeros, which the code in the documentation writes; against it: lists of int32 and of enums are read, and lists of enums written, through another list", Unmeasured: "hand-written code that leaves out fields that its users do not need"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone},
	Group:  "more",
	Stream: "Marshal into a buffer that is kept. A varint length precedes each message, as in the delimited messages of other protobuf libraries. The library has no reader or writer of streams. Its MarshalWithLen writes such a length, but nothing for an empty message.",
	Emit:   emitPackage,
}
