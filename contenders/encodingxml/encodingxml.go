// Package encodingxml describes the contender encoding/xml from the standard library. It does
// not import encoding/xml.
package encodingxml

import (
	"assay/contender"
	"assay/result"
)

// Contender is encoding/xml.
var Contender = &contender.Contender{
	Name:    "encoding/xml",
	Title:   "XML by reflection, from the standard library",
	Text:    "Structs with xml tags, xml.Marshal and xml.Unmarshal. XML has no maps and the package no byte strings, so maps become lists of key and value elements, and bytes a type that writes base64; the package alone would write bytes as text and lose those that are not. A document that is a list gets a root element of its own: xml.Marshal of a slice writes one root for each element, and xml.Unmarshal then reads the first and says nothing of the others. The entries of a map have the order in which Go gave them when the value was converted: two conversions of one map have different bytes.",
	Choose:  "when the other end speaks XML",
	Format:  "xml",
	License: "BSD-3-Clause",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.PureGo, contender.Standard, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "One xml.Encoder writes into a bytes.Buffer that is reset for each message."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it appends to lists that are there"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "a Decoder reads from an io.Reader and copies strings"},
		{Axis: "session=stream", Reason: "a stream of documents is not XML; the Encoder that is kept is output=reuse"},
		{Axis: "order=any", Reason: "the package has no maps: ours are lists, which the conversion fills in the order in which Go gives the entries"},
	},
	Advice: contender.Advice{URL: "https://pkg.go.dev/encoding/xml#Marshal", Text: "Marshal and Unmarshal for documents, as here"},
	Bias:   contender.Bias{Ours: "types for maps and bytes", Favours: "for it: decode ends at lists of entries, and maps are made of them in convert only; against it: the elements of these lists make messages longer", Unmeasured: "attributes, name spaces"},
	Losses: []contender.Loss{contender.NilEmpty, contender.BadUTF8, contender.NUL, contender.TimeYears},
	Stream: "One xml.Encoder and one xml.Decoder, which read tokens: elements one after another, without one around them.",
	Emit:   emitPackage,
}
