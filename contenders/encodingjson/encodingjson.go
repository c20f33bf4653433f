// Package encodingjson describes the contender encoding/json, the JSON package
// of the standard library. It does not import it.
package encodingjson

import (
	"assay/contender"
	"assay/result"
)

// Contender is encoding/json.
var Contender = &contender.Contender{
	Name:    "encoding/json",
	Title:   "JSON by reflection, from the standard library",
	Text:    "Structs with json tags, json.Marshal and json.Unmarshal. Byte strings are base64, timestamps RFC 3339, map keys are sorted and <, > and & are escaped: the package's own defaults.",
	Choose:  "when people or other languages must read the data and its cost does not matter yet",
	Format:  "json",
	License: "BSD-3-Clause",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.PureGo, contender.Standard, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "json.Encoder writes into a bytes.Buffer that is reset for each message; it appends a newline, which is cut off."},
		{Key: "output=reuse,session=stream", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "One Encoder writes all messages, each with a newline after it, into a bytes.Buffer that is reset between them; one Decoder reads them all."},
	},
	Losses: []contender.Loss{contender.NaNInf, contender.BadUTF8, contender.TimeYears},
	Emit:   emitPackage,
}
