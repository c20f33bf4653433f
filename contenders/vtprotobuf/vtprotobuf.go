// Package vtprotobuf describes the contender vtprotobuf, PlanetScale's code generator for
// Protocol Buffers. It does not import the library.
package vtprotobuf

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/planetscale/vtprotobuf.
var Contender = &contender.Contender{
	Name:        "vtprotobuf",
	Title:       "Protocol Buffers by generated code, on the types of Google's library",
	Text:        "The types of protoc-gen-go, and beside them methods from protoc-gen-go-vtproto with the features marshal, unmarshal, unmarshal_unsafe and size: MarshalVT and UnmarshalVT. They need no tables and no reflection. Unlike Google's library they do not check that strings are UTF-8, and leave negative zero out. Unknown fields are kept.",
	Choose:      "when you have Google's types already, want to keep them, and generated methods beside them are no trouble",
	Format:      "protobuf",
	Module:      "github.com/planetscale/vtprotobuf",
	License:     "BSD-3-Clause",
	GoogleTypes: true,
	Traits:      []contender.Trait{contender.Codegen, contender.CrossLanguage, contender.Evolvable, contender.Unsafe, contender.PureGo},
	Ops:         []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "SizeVT, then MarshalToSizedBufferVT into a slice that is kept and grows when it must."},
		{Key: "target=reuse", Ops: []result.Op{result.Decode, result.Scan}, Text: "Reset, which UnmarshalVT would otherwise merge into, then UnmarshalVT into the same message. Resetting drops whatever the message points to: only the struct of the root is kept."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "UnmarshalVTUnsafe of the feature unmarshal_unsafe."},
		{Key: "pool=on", Ops: []result.Op{result.Decode, result.Scan}, Text: "The code of the feature pool, for every message: ReturnToVTPool with the last message, FromVTPool, and UnmarshalVT into that. Messages keep their slices and byte fields, and lists keep their messages; strings, maps and optional numbers are made anew. The reset of that feature leaves optional bytes present, so messages that have such a field are not pooled."},
	},
	Lacks: []contender.Lack{
		{Axis: "session=stream", Reason: "messages of protobuf do not say where they end, so a stream is the framing of whoever sends them"},
		{Axis: "order=sorted", Reason: "the code that sorts is in the generator, and no feature switches it on"},
	},
	Advice: contender.Advice{URL: "https://github.com/planetscale/vtprotobuf#available-features", Text: "MarshalToSizedBufferVT with a kept buffer (output=reuse), and pools for messages (pool=on)"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "for it: strings are not checked, and encode starts from its own types", Unmeasured: "clone and equal, programs with Google's reflection beside it"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.NegZero},
	Tools:  []string{typesGenerator, codeGenerator, poolGenerator},
	Stream: "MarshalToSizedBufferVT into a buffer that is kept, and UnmarshalVT from another; each message after its length as a varint, which is how protobuf's other libraries delimit messages. The library has no reader or writer of streams.",
	Emit:   emitPackage,
}
