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
	Text: "Structs with avro tags and a schema that is parsed once; Marshal and Unmarshal of a frozen Config. Messages are bare values: they contain neither names nor the schema, so the reader must have the schema. A reader with a different schema also needs the writer's schema. " +
		"Both Avro libraries in assay accept the schema. Avro has no unsigned integer of 64 bits, and this library refuses a uint64 as long, so a uint64 is held as the int64 with the same bits; a uint32 is a long. " +
		"A time is a long of nanoseconds since 1970 with the logical type timestamp-nanos, held as int64, because this library supports only milliseconds and microseconds. A duration is a long, an enum is an int, an optional value is a union with null, and a map whose keys are not strings is a list of entries. Objects of several kinds are a record with an optional field for each kind, because of the two libraries only hamba/avro reads a union of records into structs. That costs one byte for each kind, where a union takes one byte. " +
		"Lists and maps are written in blocks of 100 elements, each after its number of elements and its size in bytes. That is the library's default, which can be switched off; twmb/avro writes one block without its size. By default, damaged input can make the library request all memory, so assay sets MaxSliceAllocSize to 1<<21 elements. It raises MaxByteSliceSize from 1 MiB, which real data exceeds, to 256 MiB. " +
		"Unmarshal takes the end of the input for zeros wherever it expects an integer, a length or the index of a union (v2.31.0): a message that is cut there is no error, unless a boolean or a float is still to be read. " +
		"Short strings and bytes, even of several messages, share 1 KiB blocks of memory, and each of them keeps its whole block alive. Its README has said since January 2026 that the project is no longer maintained. There is no target=reuse, because decoding into an old value keeps list elements and map entries that the message does not have.",
	Choose:  "when you must use Avro, and the program uses this library already",
	Format:  "avro",
	Module:  "github.com/hamba/avro/v2",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.Unmaintained, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "One Writer is Reset for each message, and its buffer is the encoded message."},
		{Key: "output=reuse,session=stream", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "One Encoder writes all messages into a bytes.Buffer that is reset between them; one Decoder reads them all."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "decoding into an old value keeps list elements and map entries that the message does not have"},
		{Axis: "pool=on", Reason: "its pools hold readers and writers, and the default mode uses them"},
		{Axis: "strings=alias", Reason: "the library copies strings and bytes into shared blocks of memory"},
		{Axis: "order=sorted", Reason: "no option sorts maps"},
		{Axis: contender.StreamMode, Reason: "its object container files need another module, for a codec that assay does not use"},
	},
	Advice: contender.Advice{URL: "https://github.com/hamba/avro#usage", Text: "a schema that is parsed once, Marshal and Unmarshal, and limits for untrusted input, which assay sets"},
	Bias:   contender.Bias{Ours: "the Avro schema, and the structs, which its generator avrogen could write", Favours: "for it: a time is held as a long, and only convert includes its conversion; against it: each block of a list or map begins with its size, as by default, which takes bytes and a second copy of the block", Unmeasured: "generic values, container files, schema resolution"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.TimeRange},
	Emit:   emitPackage,
}
