// Package protobufgolite describes the contender protobuf-go-lite, a code generator for
// Protocol Buffers that needs no reflection. It does not import the library.
package protobufgolite

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is github.com/aperturerobotics/protobuf-go-lite.
var Contender = &contender.Contender{
	Name:    "protobuf-go-lite",
	Title:   "Protocol Buffers by generated code, without Google's library and without reflection",
	Text:    "Types and methods from protoc-gen-go-lite, a fork of protoc-gen-go joined with vtprotobuf, with the features marshal, unmarshal, unmarshal_unsafe and size. There are no descriptors and no registry: programs stay small, but no code can inspect a message without knowing its type. For proto3, as here, the methods do not check that strings are UTF-8; if a file uses an edition, the decoding methods check it. They leave out negative zero. They keep unknown fields.",
	Choose:  "when a program must stay small, or runs where reflection is missing, and the bytes must be Protocol Buffers",
	Format:  "protobuf",
	Module:  "github.com/aperturerobotics/protobuf-go-lite",
	License: "BSD-3-Clause",
	Traits:  []contender.Trait{contender.Codegen, contender.CrossLanguage, contender.Evolvable, contender.Unsafe, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "SizeVT, then MarshalToSizedBufferVT into a reused slice, which grows when necessary."},
		{Key: "target=reuse", Ops: []result.Op{result.Decode, result.Scan}, Text: "Reset, then UnmarshalVT into the same message, because UnmarshalVT alone merges into it. The reset drops everything that the message points to: only the root struct is reused."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "UnmarshalVTUnsafe, which the feature unmarshal_unsafe generates.", Refuses: emit.AliasesBoth},
		emit.ProgramMode,
	},
	Lacks: []contender.Lack{
		{Axis: "pool=on", Reason: "the generator has no pools: the fork left out this feature of vtprotobuf"},
		{Axis: "profile=on", Reason: "the parser is generated code, and the generator takes no profile of messages"},
		{Axis: "session=stream", Reason: "protobuf messages do not say where they end, so the sender must frame the messages of a stream"},
		{Axis: "order=sorted", Reason: "the generator contains code that sorts, but no feature turns it on"},
	},
	Advice: contender.Advice{URL: "https://github.com/aperturerobotics/protobuf-go-lite#usage", Text: "generated methods such as MarshalVT, as here"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "for it: strings are not checked, and encode starts from its own types", Unmeasured: "its JSON and text formats, programs for TinyGo"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.NegZero},
	Group:  "more",
	Tools:  []string{generator},
	Stream: "MarshalToSizedBufferVT writes into a reused buffer, and UnmarshalVT reads from another. The length of each message, as a varint, precedes the message, as in protobuf's other libraries. The library has no reader or writer of streams.",
	Emit:   emitPackage,
}
