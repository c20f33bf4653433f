// Package yamlv4 describes the contender yaml/v4. It does not import it.
package yamlv4

import (
	"assay/contender"
	"assay/result"
)

// Contender is go.yaml.in/yaml/v4.
var Contender = &contender.Contender{
	Name:    "yaml/v4",
	Title:   "YAML by reflection, the successor of yaml.v3 and still a release candidate",
	Text:    "Structs with yaml tags, yaml.Dump and yaml.Load, the functions that version 4 recommends to new code, with their defaults: Marshal and Unmarshal are those of version 3. The package writes a byte slice as a sequence of numbers, one line each; that is its default and it is left so. There is no stream: where a document ends, a reader only knows from the beginning of the next.",
	Choose:  "for configuration that people write by hand, in new code",
	Format:  "yaml",
	Module:  "go.yaml.in/yaml/v4",
	License: "Apache-2.0",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Evolvable, contender.PureGo, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "A new yaml.Dumper for each message writes into a bytes.Buffer that is kept."},
	},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeYears, contender.Newline},
	Emit:   emitPackage,
}
