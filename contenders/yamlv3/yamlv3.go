// Package yamlv3 describes the contender yaml.v3. It does not import it.
package yamlv3

import (
	"assay/contender"
	"assay/result"
)

// Contender is gopkg.in/yaml.v3.
var Contender = &contender.Contender{
	Name:    "yaml.v3",
	Title:   "YAML by reflection, the long-time standard choice",
	Text:    "Structs with yaml tags, yaml.Marshal and yaml.Unmarshal. The package writes a byte slice as a sequence of numbers, one line each; that is its default and it is left so.",
	Choose:  "for configuration that people write by hand, not for data",
	Format:  "yaml",
	Module:  "gopkg.in/yaml.v3",
	License: "MIT AND Apache-2.0",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Evolvable, contender.PureGo, contender.Unmaintained, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Losses:  []contender.Loss{contender.NilEmpty, contender.NegZero, contender.TimeYears, contender.Newline, contender.Syntax},
	Emit:    emitPackage,
}
