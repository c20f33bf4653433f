// Package easyproto describes the contender easyproto, building blocks for hand-written
// protobuf code. It does not import the library.
package easyproto

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/VictoriaMetrics/easyproto with code written by assay.
var Contender = &contender.Contender{
	Name:  "easyproto",
	Title: "Protocol Buffers by code that its user writes for structs of their own, out of small parts",
	Text: "The library has no generator and no types: its user writes, for any struct, a function that appends fields and one that reads them in a loop. Assay writes those as the documentation shows, for the model's own types, so there is no type to convert to. " +
		"Encode takes a Marshaler from a MarshalerPool, as recommended; strings and bytes are copied on decode unless the mode says otherwise. " +
		"Zero values are left out and lists of numbers are packed, as proto3 says. Strings are not checked to be UTF-8, unknown fields are dropped, and a message that comes twice replaces the first instead of being merged with it. " +
		"The library writes an int32 below zero in five bytes where others write ten, which they read nonetheless; its own Int32 refuses the ten, so that int32 and enum fields are read by Int64 here.",
	Choose:  "when a few message types are all there is, each must be read or written without an allocation, and somebody will maintain that code",
	Format:  "protobuf",
	Module:  "github.com/VictoriaMetrics/easyproto",
	License: "Apache-2.0",
	Traits:  []contender.Trait{contender.CrossLanguage, contender.Evolvable, contender.Unsafe, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "Marshal appends to a slice that is kept."},
		{Key: "target=reuse", Ops: []result.Op{result.Decode, result.Scan}, Text: "Decodes into the same struct: the decoding function begins by setting fields to zero, with lists cut to length zero and maps cleared, as the documentation's does. Elements of lists are made anew."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "String and Bytes of the library point into the message, and are kept as they are."},
		{Key: "target=reuse,strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "Both, which is how the documentation shows it: messages without pointers in them are then read without an allocation, but for lists of int32 and of enums, which come through one of int64."},
	},
	Lacks: []contender.Lack{
		{Axis: "pool=on", Reason: "its pools are of marshalers and parsers, and every mode uses them"},
		{Axis: "session=stream", Reason: "messages of protobuf do not say where they end, so a stream is the framing of whoever sends them"},
		{Axis: "order=sorted", Reason: "the caller writes the loop over a map, and the documentation shows none that sorts"},
	},
	Advice: contender.Advice{URL: "https://github.com/VictoriaMetrics/easyproto#marshaling", Text: "a pool of marshalers, a slice that is kept, and decoding into the same struct with strings of the message (target=reuse,strings=alias)"},
	Bias:   contender.Bias{Ours: "all code of the messages, after its documentation", Favours: "for it: the code is written for the model, so nothing is converted; against it: lists of int32 and of enums are read and written through another list", Unmeasured: "messages written by people who leave fields out that they do not need"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone},
	Group:  "more",
	Stream: "Marshal into a buffer that is kept, each message after its length as a varint, which is how protobuf's other libraries delimit messages. The library has no reader or writer of streams.",
	Emit:   emitPackage,
}
