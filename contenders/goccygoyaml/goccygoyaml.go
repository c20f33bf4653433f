// Package goccygoyaml describes the contender goccy/go-yaml. It does not import
// it.
package goccygoyaml

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/goccy/go-yaml.
var Contender = &contender.Contender{
	Name:    "goccy/go-yaml",
	Title:   "YAML by reflection, written from scratch, with errors that show the place",
	Text:    "Structs with yaml tags, yaml.Marshal and yaml.Unmarshal. Control characters in strings are written as they are, which YAML forbids: some do not come back, and other libraries refuse the document. There is no stream: where a document ends, a reader only knows from the beginning of the next.",
	Choose:  "for configuration that people write by hand, when its errors must be understood",
	Format:  "yaml",
	Module:  "github.com/goccy/go-yaml",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Evolvable, contender.PureGo, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "A new yaml.Encoder for each message writes into a bytes.Buffer that is kept."},
	},
	Losses: []contender.Loss{contender.NilEmpty, contender.BadUTF8, contender.NUL, contender.TimeYears, contender.Newline, contender.Syntax},
	Group:  "more",
	Emit:   emitPackage,
}
