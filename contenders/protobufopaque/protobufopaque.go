// Package protobufopaque describes the contender protobuf-opaque, Google's protobuf library for
// Go with its newer generated code. It does not import the library.
package protobufopaque

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is google.golang.org/protobuf with its opaque API.
var Contender = &contender.Contender{
	Name:        "protobuf-opaque",
	Title:       "Protocol Buffers, Google's library for Go with its opaque API",
	Text:        "The same library and calls as protobuf, with other types. protoc-gen-go generates them with default_api_level=API_OPAQUE. Its documentation gives this option for schemas that are not of edition 2024; in edition 2024 the opaque API is the default. Fields are hidden behind Get, Set and Has. Optional numbers and bools are values with a presence bit instead of pointers, so that decoding allocates less if there are many. The conversions and the scan call Get, Set and Has. No field is marked lazy.",
	Choose:      "for new code on Google's library, above all with many optional numbers",
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
	Advice: contender.Advice{URL: "https://protobuf.dev/reference/go/opaque-faq/", Text: "the opaque API for new code, as here"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "for it: encode starts from its own types, and the default mode leaves out conversion", Unmeasured: "lazy fields, extensions"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.BadUTF8},
	Group:  "more",
	Tools:  []string{generator},
	Stream: "protodelim.MarshalTo and UnmarshalFrom: the length of each message, as a varint, precedes the message.",
	Emit:   emitPackage,
}
