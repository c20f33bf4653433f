// Package vtprotobuf describes the contender vtprotobuf, PlanetScale's code
// generator for Protocol Buffers. It does not import it.
package vtprotobuf

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/planetscale/vtprotobuf.
var Contender = &contender.Contender{
	Name:    "vtprotobuf",
	Title:   "Protocol Buffers by generated code, on the types of Google's library",
	Text:    "The types of protoc-gen-go, and beside them methods from protoc-gen-go-vtproto with the features marshal, unmarshal and size: MarshalVT and UnmarshalVT. They need no tables and no reflection. Unlike Google's library they do not check that strings are UTF-8, and leave negative zero out. Unknown fields are kept.",
	Choose:  "when you have Google's types already and want encoding and decoding several times faster without giving them up",
	Format:  "protobuf",
	Module:  "github.com/planetscale/vtprotobuf",
	License: "BSD-3-Clause",
	Traits:  []contender.Trait{contender.Codegen, contender.CrossLanguage, contender.Evolvable, contender.Unsafe, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "SizeVT, then MarshalToSizedBufferVT into a slice that is kept and grows when it must."},
	},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.NegZero},
	Tools:  []string{typesGenerator, codeGenerator},
	Emit:   emitPackage,
}
