// Package hambaavro describes the contender hamba/avro. It does not import the library.
package hambaavro

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/hamba/avro.
var Contender = &contender.Contender{
	Name:  "hamba/avro",
	Title: "Avro by reflection",
	Text: "Structs with avro tags and a schema that is parsed once; Marshal and Unmarshal of a frozen Config. Messages are bare values: what is written has neither names nor the schema, and who reads must have it. Read by another schema, it needs that which it was written by as well. " +
		"The schema is one that both libraries of Avro here accept. There is no unsigned number of 64 bits, and this library refuses a uint64 as long, so it is held as the int64 of the same bits; a uint32 is a long. " +
		"A time is a long of nanoseconds since 1970 with the logical type timestamp-nanos, held as int64: this library knows milliseconds and microseconds only. A duration is a long, an enum an int, what is optional a union with null, and a map whose keys are not strings a list of entries. Objects of several kinds are a record with an optional field for each, since of the two libraries here only hamba/avro reads a union of records into structs: that is a byte for each kind, where a union takes one. " +
		"By default damaged input can ask for as much memory as there is, so MaxSliceAllocSize is set, to 1<<21 elements; MaxByteSliceSize is raised from 1 MiB, which real data exceeds, to 256 MiB. " +
		"Short strings and bytes of one or several messages share pieces of memory of 1 KiB, and any of them keeps its piece alive. It is not offered with target=reuse, because a value that is decoded into keeps list elements and map entries that the message does not have.",
	Choose:  "when Avro is given, and the program uses this library already",
	Format:  "avro",
	Module:  "github.com/hamba/avro/v2",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "One Writer is Reset for each message, and its buffer is what was encoded."},
		{Key: "output=reuse,session=stream", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "One Encoder writes all messages into a bytes.Buffer that is reset between them; one Decoder reads them all."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "a value that is decoded into keeps list elements and map entries that the message does not have"},
		{Axis: "pool=on", Reason: "its pools are of readers and writers, and the default mode uses them"},
		{Axis: "strings=alias", Reason: "the library copies strings and bytes, into pieces of memory that several share"},
		{Axis: "order=sorted", Reason: "no option sorts maps"},
		{Axis: contender.StreamMode, Reason: "its object container files need a further module, for a codec that nobody here asks for"},
	},
	Advice: contender.Advice{URL: "https://github.com/hamba/avro#usage", Text: "a schema that is parsed once, Marshal and Unmarshal; limits for input from elsewhere, which are set here"},
	Bias:   contender.Bias{Ours: "the Avro schema", Favours: "for it: a time is a long, whose conversion shows in convert only", Unmeasured: "generic values, container files, schema resolution"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.TimeRange},
	Emit:   emitPackage,
}
