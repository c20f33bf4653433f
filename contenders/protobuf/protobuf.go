// Package protobuf describes the contender protobuf, Google's own protobuf library for Go. It
// does not import the library.
package protobuf

import (
	"assay/contender"
	"assay/result"
)

// Contender is google.golang.org/protobuf with its binary format.
var Contender = &contender.Contender{
	Name:        "protobuf",
	Title:       "Protocol Buffers, Google's library for Go",
	Text:        "A proto3 schema, types from protoc-gen-go (open structs), proto.Marshal and proto.Unmarshal. The generated code holds types and descriptors only: encoding and decoding are driven by tables that the library builds on first use. Strings are checked to be UTF-8 in both directions, unknown fields are kept, and maps are written in random order: the library's own defaults.",
	Choose:      "when other languages read the data, the schema must evolve for years, and an official, maintained library matters more than speed",
	Format:      "protobuf",
	Module:      "google.golang.org/protobuf",
	License:     "BSD-3-Clause",
	GoogleTypes: true,
	Traits:      []contender.Trait{contender.Codegen, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.PureGo},
	Ops:         []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "proto.MarshalOptions{}.MarshalAppend writes into a slice that is kept."},
		{Key: "target=reuse", Ops: []result.Op{result.Decode, result.Scan}, Text: "proto.Unmarshal into the same message, which it resets first. Resetting drops whatever the message points to: only the struct of the root is kept."},
		{Key: "order=sorted", Ops: []result.Op{result.Encode}, Text: "proto.MarshalOptions{Deterministic: true}. The library promises the same bytes for one version of a program only."},
	},
	Lacks: []contender.Lack{
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "no public option; AliasBuffer is internal"},
		{Axis: "session=stream", Reason: "protodelim frames messages, which share nothing"},
	},
	Advice: contender.Advice{URL: "https://pkg.go.dev/google.golang.org/protobuf/proto", Text: "proto.Marshal and proto.Unmarshal; MarshalAppend to write into a kept buffer (output=reuse)"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "for it: encode starts from its own types, and conversion shows in convert only", Unmeasured: "lazy fields, extensions"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.BadUTF8},
	Tools:  []string{generator},
	Stream: "protodelim.MarshalTo and UnmarshalFrom: each message after its length as a varint.",
	Emit:   emitPackage,
}
