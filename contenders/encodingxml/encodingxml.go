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
	Text:    "Structs with xml tags, xml.Marshal and xml.Unmarshal. XML has no maps, so maps become lists of key and value elements. The package has no byte strings, so bytes have a type that writes base64; the package alone would write bytes as text and lose bytes that are not text. A document that is a list gets a root element, because xml.Marshal of a slice writes one root for each element, and xml.Unmarshal then reads the first root and silently ignores the others. The conversion sorts the entries of a map by key, so that equal maps have equal bytes.",
	Choose:  "when the other end uses XML",
	Format:  "xml",
	License: "BSD-3-Clause",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.PureGo, contender.Standard, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "One xml.Encoder writes into a bytes.Buffer that is reset for each message."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it appends to the lists of the old value"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "a Decoder reads from an io.Reader and copies strings"},
		{Axis: "session=stream", Reason: "a stream of documents is not XML; output=reuse keeps the Encoder"},
		{Axis: "order=any", Reason: "the package has no maps: assay uses lists, which the conversion sorts by key"},
	},
	Advice: contender.Advice{URL: "https://pkg.go.dev/encoding/xml#Marshal", Text: "Marshal and Unmarshal for documents, as assay does"},
	Bias:   contender.Bias{Ours: "types for maps and bytes", Favours: "for it: decode ends at lists of entries, and only convert sorts entries and makes maps of them; against it: the elements of these lists make messages longer", Unmeasured: "attributes, namespaces"},
	Losses: []contender.Loss{contender.NilEmpty, contender.BadUTF8, contender.NUL, contender.TimeYears},
	Stream: "One xml.Encoder and one xml.Decoder, which reads tokens: elements follow one another, without an enclosing element.",
	Emit:   emitPackage,
}
