// Package fxamackercbor describes the contender fxamacker/cbor. It does not
// import it.
package fxamackercbor

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/fxamacker/cbor.
var Contender = &contender.Contender{
	Name:    "fxamacker/cbor",
	Title:   "CBOR by reflection, strict about its input",
	Text:    "Structs with cbor tags, and modes that are made once, as the library recommends. Its default settings but for three: times are RFC 3339 with nanoseconds and their tag, where the default is whole seconds; omitempty leaves out what encoding/json would, where the default looks at the encoded value and so takes a pointer to an empty struct for empty; and lists and maps may have any number of entries, where the default allows 131,072. Nesting stays limited to 32 levels. The zero time is written as null, and a pointer to it comes back nil. It is not offered with target=reuse, because a value that is decoded into keeps old map entries and the fields that a message leaves out.",
	Choose:  "when small messages from anywhere must be read with limits, or by other languages",
	Format:  "cbor",
	Module:  "github.com/fxamacker/cbor/v2",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "MarshalToBuffer to a bytes.Buffer that is reset for each message."},
		{Key: "order=sorted", Ops: []result.Op{result.Encode}, Text: "The preset for core deterministic encoding of RFC 8949, which also writes each float in the fewest bytes that keep its value."},
	},
	Losses: []contender.Loss{contender.ZeroPointer, contender.BadUTF8, contender.TimeYears, contender.Depth},
	Emit:   emitPackage,
}
