// Package protojson describes the contender protojson, the JSON mapping of Protocol Buffers in
// Google's library for Go. It does not import the library.
package protojson

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is google.golang.org/protobuf with its JSON mapping.
var Contender = &contender.Contender{
	Name:        "protojson",
	Title:       "Protocol Buffers' JSON mapping, Google's library for Go",
	Text:        "Types from protoc-gen-go, protojson.Marshal and protojson.Unmarshal. The JSON differs from that of encoding/json: names are in lowerCamelCase, 64-bit integers are strings, fields that are zero are left out, NaN and infinities are strings. Timestamps must lie in the years 1 to 9999. By default Unmarshal refuses unknown fields. A hash of the program's file decides whether the library puts a space after each comma, so that nobody relies on its exact bytes: sizes differ from one link of the same source to the next.",
	Choose:      "when protobuf messages must be shown to people or to clients that only speak JSON, and their cost does not matter",
	Format:      "protojson",
	Module:      "google.golang.org/protobuf",
	License:     "BSD-3-Clause",
	GoogleTypes: true,
	Traits:      []contender.Trait{contender.Codegen, contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Unsafe, contender.PureGo},
	Ops:         []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "protojson.MarshalOptions{}.MarshalAppend appends to a reused slice."},
		{Key: "target=reuse", Ops: []result.Op{result.Decode, result.Scan}, Text: "protojson.Unmarshal into the same message, which it resets first. The reset drops everything that the message points to: only the root struct is reused."},
		emit.ProgramMode,
	},
	Lacks: []contender.Lack{
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "no option; strings are copied out of the text"},
		{Axis: "session=stream", Reason: "the package has neither an encoder nor a decoder of streams"},
		{Axis: "order=sorted", Reason: "maps are sorted by default; only spaces differ from build to build"},
		{Axis: contender.StreamMode, Reason: "it has neither an encoder nor a decoder of streams"},
	},
	Advice:     contender.Advice{URL: "https://pkg.go.dev/google.golang.org/protobuf/encoding/protojson#Marshal", Text: "Marshal and Unmarshal, and not to rely on the exact bytes"},
	Bias:       contender.Bias{Ours: "nothing", Favours: "for it: encode starts from its own types, and the default mode leaves out conversion; against it: sizes differ from build to build", Unmeasured: "Any, unknown fields"},
	SpacesVary: true,
	Losses:     []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.BadUTF8, contender.TimeYears},
	Tools:      []string{generator},
	Emit:       emitPackage,
}
