// Package goccygoyaml describes the contender goccy/go-yaml. It does not import the library.
package goccygoyaml

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/goccy/go-yaml.
var Contender = &contender.Contender{
	Name:    "goccy/go-yaml",
	Title:   "YAML by reflection, written from scratch, with errors that show the place in the input",
	Text:    "Structs with yaml tags, yaml.Marshal and yaml.Unmarshal. The library writes a byte slice as a list of numbers; that is its default. It writes control characters in strings without escapes, which YAML forbids. Some of them do not come back, and other libraries refuse the document. There is no stream: the library's decoder reads the whole input before the first document.",
	Choose:  "for configuration that people write by hand, when they must understand the library's errors",
	Format:  "yaml",
	Module:  "github.com/goccy/go-yaml",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Evolvable, contender.PureGo, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "A new yaml.Encoder for each message writes into a bytes.Buffer that is kept."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "fields that the message leaves out keep what they held"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "it first parses the input into a tree of tokens, whose strings are copies"},
		{Axis: "session=stream", Reason: "a reader knows the end of a document only from the beginning of the next one"},
		{Axis: "order=any", Reason: "the library always sorts maps"},
		{Axis: contender.StreamMode, Reason: "its decoder reads the whole input before the first document"},
	},
	Advice: contender.Advice{URL: "https://github.com/goccy/go-yaml#1-simple-encodedecode", Text: "Marshal and Unmarshal, as assay does"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "against it: bytes are lists of numbers, its default", Unmeasured: "comments, anchors, paths"},
	Losses: []contender.Loss{contender.NilEmpty, contender.BadUTF8, contender.NUL, contender.TimeYears, contender.Newline, contender.Syntax},
	Group:  "more",
	Emit:   emitPackage,
}
