// Package twmbavro describes the contender twmb/avro. It does not import the library.
package twmbavro

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/twmb/avro.
var Contender = &contender.Contender{
	Name:  "twmb/avro",
	Title: "Avro by reflection, strict about its input",
	Text: "Structs with avro tags and a schema that is parsed once; its methods Encode and Decode. Messages are bare values: what is written has neither names nor the schema, and who reads must have it. Read by another schema, it needs that which it was written by as well. " +
		"The schema is one that both libraries of Avro here accept. There is no unsigned number of 64 bits, and this library refuses values that a long cannot hold, so a uint64 is held as the int64 of the same bits; a uint32 is a long. " +
		"A time is a long of nanoseconds since 1970 with the logical type timestamp-nanos, held as int64: as time.Time, the library refuses those outside the years 1678 to 2262, the zero time among them. A duration is a long, an enum an int, what is optional a union with null, and a map whose keys are not strings a list of entries. Objects of several kinds are a record with an optional field for each, since of the two libraries here only hamba/avro reads a union of records into structs: that is a byte for each kind, where a union takes one. " +
		"A list or map is written as one block. Lengths are checked against the bytes that are left, and nesting is limited to 1000 levels. It is not offered with target=reuse, because a map that is decoded into keeps its old entries.",
	Choose:  "when Avro is wanted, in a program that is new or reads input from anywhere",
	Format:  "avro",
	Module:  "github.com/twmb/avro",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "AppendEncode to a byte slice that is kept."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "Decode with the option AliasInput."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "a map that is decoded into keeps its old entries"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "session=stream", Reason: "values share nothing; object container files, which are a stream with their schema, are another format"},
		{Axis: "order=sorted", Reason: "no option sorts maps"},
	},
	Advice: contender.Advice{URL: "https://github.com/twmb/avro#performance", Text: "AliasInput for who owns the input and does not use it again (strings=alias)"},
	Bias:   contender.Bias{Ours: "the Avro schema", Favours: "for it: a time is a long, whose conversion shows in convert only", Unmeasured: "generic values, container files, schema resolution"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.TimeRange},
	Stream: "The writer and the reader of its package ocf: an Avro object container file without compression, in blocks of the library's default length.",
	Emit:   emitPackage,
}
