// Package encodinggob describes the contender encoding/gob, Go's own format from the standard
// library. It does not import encoding/gob.
package encodinggob

import (
	"assay/contender"
	"assay/result"
)

// Contender is encoding/gob.
var Contender = &contender.Contender{
	Name:         "encoding/gob",
	Title:        "Go's own self-describing format, from the standard library",
	Text:         "The default mode makes a gob.Encoder and a gob.Decoder for each message, as code that stores or sends single messages does: each message contains the types, and the reader compiles them each time. The stream mode keeps one encoder and one decoder, so the types are sent once, and later messages contain only values.",
	Choose:       "when both ends are Go and long-lived streams connect them",
	Format:       "gob",
	License:      "BSD-3-Clause",
	Traits:       []contender.Trait{contender.Reflection, contender.SchemaFree, contender.Streaming, contender.Evolvable, contender.PureGo, contender.Standard},
	Ops:          []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	NumbersTypes: true,
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "A new gob.Encoder for each message writes into a bytes.Buffer that is kept."},
		{Key: "output=reuse,session=stream", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "One gob.Encoder writes all messages into a bytes.Buffer that is reset between them; one gob.Decoder reads them all."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "a Decoder does not change fields that are zero in the message, and merges into maps"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "a Decoder reads from an io.Reader and copies strings"},
		{Axis: "order=sorted", Reason: "no option sorts maps"},
	},
	Advice: contender.Advice{URL: "https://pkg.go.dev/encoding/gob", Text: "one Encoder for a stream of values, which they call most efficient (session=stream)"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "against it: the default mode sends types with each message, while gob is designed for streams", Unmeasured: "interfaces and GobEncoder"},
	Losses: []contender.Loss{contender.NilEmpty, contender.ZeroPointer, contender.NegZero},
	Stream: "One gob.Encoder and one gob.Decoder: the types are sent once, and a length precedes each message.",
	Emit:   emitPackage,
}
