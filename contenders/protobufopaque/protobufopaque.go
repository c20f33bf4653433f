// Package protobufopaque describes the contender protobuf-opaque, Google's protobuf library for
// Go with its newer generated code. It does not import the library.
package protobufopaque

import (
	"assay/contender"
	"assay/result"
)

// Contender is google.golang.org/protobuf with its opaque API.
var Contender = &contender.Contender{
	Name:        "protobuf-opaque",
	Title:       "Protocol Buffers, Google's library for Go with its opaque API",
	Text:        "The library and the calls of protobuf, on other types: protoc-gen-go with default_api_level=API_OPAQUE, which its documentation gives for schemas that are not of edition 2024, where it is the default. Fields are hidden behind Get, Set and Has; optional numbers and bools are held by value with a bit for their presence, instead of behind pointers, so that decoding allocates less where there are many. The conversions and the scan go through those methods. No field is marked lazy.",
	Choose:      "for new code on Google's library, above all with many optional numbers",
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
	Advice: contender.Advice{URL: "https://protobuf.dev/reference/go/opaque-faq/", Text: "the opaque API for new code, as here"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "for it: encode starts from its own types, and conversion shows in convert only", Unmeasured: "lazy fields, extensions"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.BadUTF8},
	Group:  "more",
	Tools:  []string{generator},
	Stream: "protodelim.MarshalTo and UnmarshalFrom: each message after its length as a varint.",
	Emit:   emitPackage,
}
