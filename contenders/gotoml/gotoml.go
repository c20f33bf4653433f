// Package gotoml describes the contender go-toml. It does not import the library.
package gotoml

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/pelletier/go-toml/v2.
var Contender = &contender.Contender{
	Name:    "go-toml",
	Title:   "TOML by reflection",
	Text:    "Structs with toml tags, toml.Marshal and toml.Unmarshal. A TOML document is a table, so a document that is a list is written as a table with one key. TOML has no null, so absent values are left out. Integers are signed and have 64 bits, so a uint64 is held as the int64 with the same bits, and values from 1<<63 on are written as negative numbers; as uint64, the package would refuse them. Byte slices are arrays of numbers, which is the package's default. There is no stream, because nothing marks the end of a TOML document.",
	Choose:  "for small configuration files that people write by hand",
	Format:  "toml",
	Module:  "github.com/pelletier/go-toml/v2",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Evolvable, contender.PureGo, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "One toml.Encoder writes into a bytes.Buffer that is reset for each message."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into the old value: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "the library always copies strings"},
		{Axis: "session=stream", Reason: "nothing marks the end of a TOML document"},
		{Axis: "order=any", Reason: "the library always sorts maps"},
		{Axis: contender.StreamMode, Reason: "a TOML file is one document"},
	},
	Advice: contender.Advice{URL: "https://github.com/pelletier/go-toml#getting-started", Text: "Marshal and Unmarshal, as assay does"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "against it: bytes are lists of numbers, which is its default", Unmeasured: "comments, local times"},
	Losses: []contender.Loss{contender.NilEmpty, contender.BadUTF8, contender.TimeYears, contender.FloatRange},
	Group:  "more",
	Emit:   emitPackage,
}
