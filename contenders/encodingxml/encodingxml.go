// Package encodingxml describes the contender encoding/xml, from the standard
// library. It does not import it.
package encodingxml

import (
	"assay/contender"
	"assay/result"
)

// Contender is encoding/xml.
var Contender = &contender.Contender{
	Name:    "encoding/xml",
	Title:   "XML by reflection, from the standard library",
	Text:    "Structs with xml tags, xml.Marshal and xml.Unmarshal. XML has no maps and the package no byte strings, so maps become lists of key and value elements, and bytes a type that writes base64; the package alone would write bytes as text and lose those that are not. A document that is a list gets a root element of its own: xml.Marshal of a slice writes one root for each element, and xml.Unmarshal then reads the first and says nothing of the others.",
	Choose:  "when the other end speaks XML",
	Format:  "xml",
	License: "BSD-3-Clause",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.PureGo, contender.Standard, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "One xml.Encoder writes into a bytes.Buffer that is reset for each message."},
	},
	Losses: []contender.Loss{contender.NilEmpty, contender.BadUTF8, contender.NUL, contender.TimeYears},
	Emit:   emitPackage,
}
