// Package yamlv4 describes the contender yaml/v4. It does not import the library.
package yamlv4

import (
	"assay/contender"
	"assay/result"
)

// Contender is go.yaml.in/yaml/v4.
var Contender = &contender.Contender{
	Name:    "yaml/v4",
	Title:   "YAML by reflection, the successor of yaml.v3 and still a release candidate",
	Text:    "Structs with yaml tags, yaml.Dump and yaml.Load with their defaults. Version 4 recommends these functions for new code; its Marshal and Unmarshal behave as in version 3. The package writes a byte slice as a sequence of numbers, one line each; that is its default, and assay does not change it.",
	Choose:  "for configuration that people write by hand, in new code",
	Format:  "yaml",
	Module:  "go.yaml.in/yaml/v4",
	License: "MIT AND Apache-2.0",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.PureGo, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "A new yaml.Dumper for each message writes into a reused bytes.Buffer."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into the old value: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "it parses into a tree of nodes first, whose strings are copies"},
		{Axis: "session=stream", Reason: "a reader knows where a document ends only from the beginning of the next"},
		{Axis: "order=any", Reason: "the library always sorts maps"},
	},
	Advice: contender.Advice{URL: "https://github.com/yaml/go-yaml/blob/v4.0.0-rc.6/docs/options.md", Text: "Load and Dump, with Loader and Dumper for several documents"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "against it: bytes are lists of numbers, its default", Unmeasured: "nodes, comments, aliases"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeYears, contender.Newline},
	Stream: "One Dumper and one Loader: YAML documents with --- between them. The Dumper keeps the events of all documents until it is closed, so writing takes more memory the longer the stream is: 5,000 transactions took more than 5 GB.",
	Emit:   emitPackage,
}
