// Package protojson describes the contender protojson, the JSON mapping of
// Protocol Buffers in Google's library for Go. It does not import it.
package protojson

import (
	"assay/contender"
	"assay/result"
)

// Contender is google.golang.org/protobuf with its JSON mapping.
var Contender = &contender.Contender{
	Name:    "protojson",
	Title:   "Protocol Buffers' JSON mapping, Google's library for Go",
	Text:    "The types of protoc-gen-go, protojson.Marshal and protojson.Unmarshal. Not the JSON that encoding/json writes: names are in lowerCamelCase, 64-bit integers are strings, fields that are zero are left out, NaN and infinities are strings. Timestamps must lie in the years 1 to 9999. Unmarshal refuses unknown fields, its default. The library puts a space after each comma or puts none, by a hash of the program's file, so that nobody relies on its exact bytes: sizes differ from one link of the same source to the next.",
	Choose:  "when protobuf messages must be shown to people or to clients that only speak JSON, and their cost does not matter",
	Format:  "protojson",
	Module:  "google.golang.org/protobuf",
	License: "BSD-3-Clause",
	Traits:  []contender.Trait{contender.Codegen, contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Unsafe, contender.PureGo, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "protojson.MarshalOptions{}.MarshalAppend writes into a slice that is kept."},
	},
	SpacesVary: true,
	Losses:     []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.BadUTF8, contender.TimeYears},
	Tools:      []string{generator},
	Emit:       emitPackage,
}
