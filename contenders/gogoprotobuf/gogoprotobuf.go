// Package gogoprotobuf describes the contender gogo/protobuf, a fork of the first protobuf
// library for Go. It does not import the library.
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
	Choose:  "when an existing code base is built on it; otherwise vtprotobuf generates such methods for Google's types",
	Format:  "protobuf",
	Module:  "github.com/gogo/protobuf",
	License: "BSD-3-Clause",
	Traits:  []contender.Trait{contender.Codegen, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.PureGo, contender.Unmaintained},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "Size, then MarshalToSizedBuffer into a slice that is kept and grows when it must."},
		{Key: "target=reuse", Ops: []result.Op{result.Decode, result.Scan}, Text: "Reset, which Unmarshal would otherwise merge into, then Unmarshal into the same message. Resetting drops whatever the message points to: only the struct of the root is kept."},
	},
	Lacks: []contender.Lack{
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "the generated code copies strings; no option of the generator changes that"},
		{Axis: "session=stream", Reason: "messages of protobuf do not say where they end, so a stream is the framing of whoever sends them"},
		{Axis: "order=sorted", Reason: "only by the option stable_marshaler in the .proto file, for which the generator writes another encoder; gogofaster leaves it off"},
	},
	Advice: contender.Advice{URL: "https://github.com/gogo/protobuf/blob/v1.3.2/Readme.md", Text: "gogofaster where speed matters most, as here"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "for it: strings are not checked, unknown fields are dropped, and encode starts from its own types", Unmeasured: "custom types, stable_marshaler"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.NegZero, contender.NegEnum},
	Tools:  []string{generator},
	Stream: "NewDelimitedWriter and NewDelimitedReader of its package io: each message after its length as a varint.",
	Emit:   emitPackage,
}
