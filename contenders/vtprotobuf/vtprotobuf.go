// Package vtprotobuf describes the contender vtprotobuf, PlanetScale's code generator for
// Protocol Buffers. It does not import the library.
package vtprotobuf

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is github.com/planetscale/vtprotobuf.
var Contender = &contender.Contender{
	Name:        "vtprotobuf",
	Title:       "Protocol Buffers by generated code, on the types of Google's library",
	Text:        "protoc-gen-go generates the types. protoc-gen-go-vtproto adds the methods MarshalVT and UnmarshalVT, with the features marshal, unmarshal, unmarshal_unsafe and size. These methods need no tables and no reflection. Unlike Google's library, they do not check that strings are UTF-8, and they leave out negative zero. They keep unknown fields.",
	Choose:      "when you already have Google's types, want to keep them, and can add generated methods to them",
	Format:      "protobuf",
	Module:      "github.com/planetscale/vtprotobuf",
	License:     "BSD-3-Clause",
	GoogleTypes: true,
	Traits:      []contender.Trait{contender.Codegen, contender.CrossLanguage, contender.Evolvable, contender.Unsafe, contender.PureGo},
	Ops:         []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "SizeVT, then MarshalToSizedBufferVT into a reused slice, which grows when necessary."},
		{Key: "target=reuse", Ops: []result.Op{result.Decode, result.Scan}, Text: "Reset, then UnmarshalVT into the same message, because UnmarshalVT alone merges into it. The reset drops everything that the message points to: only the root struct is reused."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "UnmarshalVTUnsafe, which the feature unmarshal_unsafe generates.", Refuses: emit.AliasesBoth},
		{Key: "pool=on", Ops: []result.Op{result.Decode, result.Scan}, Text: "The feature pool generates this code for every message: ReturnToVTPool returns the last message, FromVTPool takes a message, and UnmarshalVT decodes into it. Messages keep their slices and byte fields, and lists keep their messages, times and durations. Strings, maps, optional numbers, and times and durations outside of lists are allocated again. The reset of this feature leaves optional bytes present, so assay does not pool messages that have such a field."},
		{Key: "strings=alias,pool=on", Ops: []result.Op{result.Decode, result.Scan}, Text: "As in pool=on, with the features pool and unmarshal_unsafe, whose code has pools of its own, and UnmarshalVTUnsafe. Messages in a pool have empty byte fields, and lists of strings and bytes, that still point into earlier messages, which stay in memory. Nothing writes there.", Refuses: emit.AliasesBoth},
		emit.ProgramMode,
	},
	Lacks: []contender.Lack{
		{Axis: "profile=on", Reason: "the parser is generated code, and the generator takes no profile of messages"},
		{Axis: "session=stream", Reason: "protobuf messages do not say where they end, so the sender must frame the messages of a stream"},
		{Axis: "order=sorted", Reason: "the generator contains code that sorts, but no feature turns it on"},
	},
	Advice: contender.Advice{URL: "https://github.com/planetscale/vtprotobuf#available-features", Text: "MarshalToSizedBufferVT with a reused buffer (output=reuse), and pools for messages (pool=on, and strings=alias,pool=on)"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "for it: strings are not checked, and encode starts from its own types; against it: programs of assay buildcost have its decoding code four times, for the modes with strings=alias and pool=on", Unmeasured: "its features clone and equal, programs that also use Google's reflection"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.NegZero},
	Tools:  []string{typesGenerator, codeGenerator, poolGenerator},
	Stream: "MarshalToSizedBufferVT writes into a reused buffer, and UnmarshalVT reads from another. The length of each message, as a varint, precedes the message, as in protobuf's other libraries. The library has no reader or writer of streams.",
	Emit:   emitPackage,
}
