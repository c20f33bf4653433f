// Package twmbavro describes the contender twmb/avro. It does not import the library.
package twmbavro

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is github.com/twmb/avro.
var Contender = &contender.Contender{
	Name:  "twmb/avro",
	Title: "Avro by reflection, with limits on its input",
	Text: "Structs with avro tags, and the methods Encode and Decode of a schema that is parsed once. Messages are bare values: they contain neither names nor the schema, so a reader must have the schema. A reader with another schema also needs the one that the message was written with. " +
		"Both Avro libraries here accept the schema. Avro has no unsigned number of 64 bits, and this library refuses values that a long cannot hold, so a uint64 is held as the int64 of the same bits; a uint32 is a long. " +
		"A time is a long of nanoseconds since 1970 with the logical type timestamp-nanos, held as int64, because the library refuses a time.Time outside the years 1678 to 2261, such as the zero time. A duration is a long, an enum is an int, an optional value is a union with null, and a map whose keys are not strings is a list of entries. Objects of several kinds are a record with an optional field for each kind, because of the two libraries here only hamba/avro reads a union of records into structs. Such a record takes a byte for each kind; a union takes one byte. " +
		"A list or map is written as one block. Lengths are checked against the bytes that are left, and nesting is limited to 1000 levels. " +
		"Short strings, even of several messages, share 1 KiB blocks of memory, and so do bytes that are values of a map; bytes in fields have memory of their own. The structs of a list of pointers share one array. Each such string or struct keeps its whole block or array alive. It is not offered with target=reuse, because decoding into an old map keeps its entries.",
	Choose:  "when you want Avro in a new program, or in one that reads input from anywhere",
	Format:  "avro",
	Module:  "github.com/twmb/avro",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "AppendEncode to a reused byte slice."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "Decode with the option AliasInput.", Refuses: emit.AliasesBoth},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "decoding into an old map keeps its entries; without maps it would be possible, and is not measured"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "session=stream", Reason: "values share nothing; object container files, which hold a stream and its schema, are another format"},
		{Axis: "order=sorted", Reason: "no option sorts maps"},
	},
	Advice: contender.Advice{URL: "https://github.com/twmb/avro#performance", Text: "AliasInput if you own the input and do not use it again (strings=alias)"},
	Bias:   contender.Bias{Ours: "the Avro schema", Favours: "for it: a time is a long, and only the op convert includes its conversion", Unmeasured: "generic values, container files, schema resolution"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.TimeRange},
	Stream: "The writer and the reader of its package ocf: an Avro object container file without compression, in blocks of the library's default length.",
	Emit:   emitPackage,
}
