// Package protobuf describes the contender protobuf, Google's own protobuf library for Go. It
// does not import the library.
package protobuf

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is google.golang.org/protobuf with its binary format.
var Contender = &contender.Contender{
	Name:        "protobuf",
	Title:       "Protocol Buffers, Google's library for Go",
	Text:        "A proto3 schema, types from protoc-gen-go (open structs), proto.Marshal and proto.Unmarshal. The generated code holds only types and descriptors: the library encodes and decodes by tables that it builds on first use. By default the library checks in both directions that strings are UTF-8, keeps unknown fields, and writes maps in random order.",
	Choose:      "when other languages read the data, the schema must evolve for years, and an official, maintained library matters more than speed",
	Format:      "protobuf",
	Module:      "google.golang.org/protobuf",
	License:     "BSD-3-Clause",
	GoogleTypes: true,
	Traits:      []contender.Trait{contender.Codegen, contender.Reflection, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.PureGo},
	Ops:         []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "proto.MarshalOptions{}.MarshalAppend appends to a reused slice."},
		{Key: "target=reuse", Ops: []result.Op{result.Decode, result.Scan}, Text: "proto.Unmarshal into the same message, which it resets first. The reset drops everything that the message points to: only the root struct is reused."},
		{Key: "order=sorted", Ops: []result.Op{result.Encode}, Text: "proto.MarshalOptions{Deterministic: true}. The library promises equal bytes only within one version of a program.", Refuses: emit.NeedsMaps},
		emit.ProgramMode,
	},
	Lacks: []contender.Lack{
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "the library always copies strings and bytes: only fields marked lazy heed the exported flag protoiface.UnmarshalAliasBuffer"},
		{Axis: "profile=on", Reason: "the library makes its tables from the message type alone, and takes no profile"},
		{Axis: "session=stream", Reason: "protodelim frames messages, which share nothing"},
	},
	Advice: contender.Advice{URL: "https://pkg.go.dev/google.golang.org/protobuf/proto", Text: "proto.Marshal and proto.Unmarshal; MarshalAppend to write into a reused buffer (output=reuse)"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "for it: encode starts from its own types, and the default mode leaves out conversion", Unmeasured: "lazy fields, extensions"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.BadUTF8},
	Tools:  []string{generator},
	Stream: "protodelim.MarshalTo and UnmarshalFrom: the length of each message, as a varint, precedes the message.",
	Emit:   emitPackage,
}
