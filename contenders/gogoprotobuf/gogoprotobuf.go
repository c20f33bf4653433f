// Package gogoprotobuf describes the contender gogo/protobuf, a fork of the first protobuf
// library for Go. It does not import the library.
package gogoprotobuf

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is github.com/gogo/protobuf.
var Contender = &contender.Contender{
	Name:    "gogo/protobuf",
	Title:   "Protocol Buffers by generated code, an older fork with types of its own",
	Text:    "Types and methods from protoc-gen-gogofaster: Marshal and Unmarshal are generated and need no reflection. Strings are not checked to be UTF-8, negative zero is left out, and unknown fields are dropped, because gogofaster's structs have no room for them. The generator is older than optional fields of proto3, and implements each as a oneof with one member: a wrapper struct behind an interface. protoc refuses the generator for a file with such fields, because the generator does not declare support for them; assay calls the generator without protoc. The generated code encodes a list of enums wrongly if it holds negative numbers. The last release is from January 2021, and the project is deprecated.",
	Choose:  "when an existing code base is built on it; otherwise vtprotobuf generates such methods for Google's types",
	Format:  "protobuf",
	Module:  "github.com/gogo/protobuf",
	License: "BSD-3-Clause",
	Traits:  []contender.Trait{contender.Codegen, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.PureGo, contender.Unmaintained},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "Calls Size, then MarshalToSizedBuffer into a slice that is kept and grows when necessary."},
		{Key: "target=reuse", Ops: []result.Op{result.Decode, result.Scan}, Text: "Calls Reset on the same message, because Unmarshal would merge into its old content, then Unmarshal. Reset drops everything that the message points to: only the struct of the root is reused."},
		emit.ProgramMode,
	},
	Lacks: []contender.Lack{
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "the generated code copies strings; no option of the generator changes that"},
		{Axis: "profile=on", Reason: "the parser is generated code, and the generator takes no profile of messages"},
		{Axis: "session=stream", Reason: "protobuf messages do not say where they end, so the sender must frame the messages of a stream"},
		{Axis: "order=sorted", Reason: "only the option stable_marshaler in the .proto file sorts maps, by a different generated encoder; gogofaster leaves it off"},
	},
	Advice: contender.Advice{URL: "https://github.com/gogo/protobuf/blob/v1.3.2/Readme.md", Text: "gogofaster for more speed, as assay uses it; for the most speed, protoc-gen-gogo with its extensions in the .proto file, which assay does not use"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "for it: strings are not checked, unknown fields are dropped, and encode starts from its own types", Unmeasured: "nullable=false, custom types and its other extensions of the .proto file"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.NegZero, contender.NegEnum},
	Tools:  []string{generator},
	Stream: "NewDelimitedWriter and NewDelimitedReader of the library's package io: a varint length precedes each message.",
	Emit:   emitPackage,
}
