// Package gogoprotobuf describes the contender gogo/protobuf, a fork of the
// first protobuf library for Go. It does not import it.
package gogoprotobuf

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/gogo/protobuf.
var Contender = &contender.Contender{
	Name:    "gogo/protobuf",
	Title:   "Protocol Buffers by generated code, an older fork with types of its own",
	Text:    "Types and methods from protoc-gen-gogofaster: Marshal and Unmarshal are generated and need no reflection. Strings are not checked to be UTF-8, negative zero is left out, and unknown fields are dropped, because gogofaster's structs have no room for them. The generator predates optional fields of proto3 and writes each as a oneof with one member, a wrapper struct behind an interface. It writes lists of enums that hold negative numbers wrongly. The last release is of January 2021 and the project is deprecated.",
	Choose:  "when an existing code base is built on it; otherwise vtprotobuf gives the same speed on Google's types",
	Format:  "protobuf",
	Module:  "github.com/gogo/protobuf",
	License: "BSD-3-Clause",
	Traits:  []contender.Trait{contender.Codegen, contender.CrossLanguage, contender.Evolvable, contender.Unsafe, contender.PureGo, contender.Unmaintained},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "Size, then MarshalToSizedBuffer into a slice that is kept and grows when it must."},
	},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.NegZero, contender.NegEnum},
	Tools:  []string{generator},
	Emit:   emitPackage,
}
