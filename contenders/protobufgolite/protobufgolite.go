// Package protobufgolite describes the contender protobuf-go-lite, a code generator for
// Protocol Buffers that needs no reflection. It does not import the library.
package protobufgolite

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/aperturerobotics/protobuf-go-lite.
var Contender = &contender.Contender{
	Name:    "protobuf-go-lite",
	Title:   "Protocol Buffers by generated code, without Google's library and without reflection",
	Text:    "Types and methods from protoc-gen-go-lite, a fork of protoc-gen-go joined with vtprotobuf, with the features marshal, unmarshal, unmarshal_unsafe and size. There are no descriptors and there is no registry: programs stay small, and nothing can look at a message without knowing its type. Strings are not checked to be UTF-8 and negative zero is left out. Unknown fields are kept.",
	Choose:  "when a program must stay small, or runs where reflection is missing, and the bytes must be Protocol Buffers",
	Format:  "protobuf",
	Module:  "github.com/aperturerobotics/protobuf-go-lite",
	License: "BSD-3-Clause",
	Traits:  []contender.Trait{contender.Codegen, contender.CrossLanguage, contender.Evolvable, contender.Unsafe, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "SizeVT, then MarshalToSizedBufferVT into a slice that is kept and grows when it must."},
		{Key: "target=reuse", Ops: []result.Op{result.Decode, result.Scan}, Text: "Reset, which UnmarshalVT would otherwise merge into, then UnmarshalVT into the same message. Resetting drops whatever the message points to: only the struct of the root is kept."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "UnmarshalVTUnsafe of the feature unmarshal_unsafe."},
	},
	Lacks: []contender.Lack{
		{Axis: "pool=on", Reason: "the generator has no pools: the fork left that feature of vtprotobuf out"},
		{Axis: "session=stream", Reason: "messages of protobuf do not say where they end, so a stream is the framing of whoever sends them"},
		{Axis: "order=sorted", Reason: "the code that sorts is in the generator, and no feature switches it on"},
	},
	Advice: contender.Advice{URL: "https://github.com/aperturerobotics/protobuf-go-lite#usage", Text: "generated methods such as MarshalVT, as here"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "for it: strings are not checked, and encode starts from its own types", Unmeasured: "its JSON and text, programs for TinyGo"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.NegZero},
	Group:  "more",
	Tools:  []string{generator},
	Stream: "MarshalToSizedBufferVT into a buffer that is kept, and UnmarshalVT from another; each message after its length as a varint, which is how protobuf's other libraries delimit messages. The library has no reader or writer of streams.",
	Emit:   emitPackage,
}
