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
	Text:    "Structs with toml tags, toml.Marshal and toml.Unmarshal. A TOML document is a table, so a document that is a list is a table with one key. There is no null: what is absent is left out. Integers have a sign and 64 bits, so a uint64 is held as the int64 of the same bits, and values from 1<<63 on are written as negative numbers; the package refuses them otherwise. Byte slices are arrays of numbers; that is its default and it is left so. There is no stream, because TOML has no end of a document.",
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
		{Axis: "target=reuse", Reason: "it merges into what is there: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "the library copies strings always"},
		{Axis: "session=stream", Reason: "TOML has no end of a document"},
		{Axis: "order=any", Reason: "the library sorts maps always"},
		{Axis: contender.StreamMode, Reason: "a TOML file is one document"},
	},
	Advice: contender.Advice{URL: "https://github.com/pelletier/go-toml#getting-started", Text: "Marshal and Unmarshal, as here"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "against it: bytes are lists of numbers, its default", Unmeasured: "comments, local times"},
	Losses: []contender.Loss{contender.NilEmpty, contender.BadUTF8, contender.TimeYears, contender.FloatRange},
	Group:  "more",
	Emit:   emitPackage,
}
