// Package yamlv3 describes the contender yaml.v3. It does not import the library.
package yamlv3

import (
	"assay/contender"
	"assay/result"
)

// Contender is gopkg.in/yaml.v3.
var Contender = &contender.Contender{
	Name:    "yaml.v3",
	Title:   "YAML by reflection, the long-time standard choice",
	Text:    "Structs with yaml tags, yaml.Marshal and yaml.Unmarshal. The package writes a byte slice as a sequence of numbers, one line each; that is its default, and assay does not change it.",
	Choose:  "for configuration that people write by hand, not for data",
	Format:  "yaml",
	Module:  "gopkg.in/yaml.v3",
	License: "MIT AND Apache-2.0",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.PureGo, contender.Unmaintained, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "A new yaml.Encoder for each message, closed after it, writes into a reused bytes.Buffer."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into the old value: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "it parses into a tree of nodes first, whose strings are copies"},
		{Axis: "session=stream", Reason: "a reader knows where a document ends only from the beginning of the next"},
		{Axis: "order=any", Reason: "the library always sorts maps"},
	},
	Advice: contender.Advice{URL: "https://github.com/go-yaml/yaml/blob/v3.0.1/README.md", Text: "Marshal and Unmarshal, as here"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "against it: bytes are lists of numbers, its default", Unmeasured: "nodes, comments, aliases"},
	Losses: []contender.Loss{contender.NilEmpty, contender.NegZero, contender.TimeYears, contender.Newline, contender.Syntax},
	Stream: "One Encoder and one Decoder: YAML documents with --- between them. The Encoder keeps the events of all documents until it is closed, so writing takes more memory the longer the stream is: 5,000 transactions took more than 5 GB.",
	Emit:   emitPackage,
}
