// Package parquet describes the contender parquet. It does not import its
// library.
package parquet

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/parquet-go/parquet-go.
var Contender = &contender.Contender{
	Name:  "parquet",
	Title: "Parquet by reflection: whole files of columns, for lists of records",
	Text: "Structs with parquet tags, and the library's defaults: no compression, plain encoding, statistics of each page. A message is a whole file, with its schema, indexes and metadata, so it is offered only for documents that are lists of records, one row each; a file for each record would be nearly all metadata, and its figures would say nothing. " +
		"Lists have the tag list, because other readers expect it, and because without it an absent field of a list element that is held by pointer comes back as a zero. Lists of lists are groups of one field. A time is an int64 of nanoseconds since 1970 with the logical type TIMESTAMP. A message must not contain itself, because Parquet's columns are the leaves of a tree. " +
		"Encode is parquet.Write to a new bytes.Buffer, and decode is parquet.Read with two checks of its own, because four damaged bytes can make the library ask for 4 GiB: the metadata must be shorter than the file, and the rows at most 1<<21. Past these checks it still trusts its metadata, and damaged ones can make it panic. The checksums of pages are verified. " +
		"It is not offered with target=reuse: each message is a file of its own, with a reader of its own.",
	Choose:  "when many records are stored at once and analysed by column",
	Format:  "parquet",
	Module:  "github.com/parquet-go/parquet-go",
	License: "Apache-2.0",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.Panics},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "parquet.Write to a bytes.Buffer that is reset for each message. The writer is a new one: when a GenericWriter is Reset, the columns of its next file have no names in the metadata (v0.32.0)."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "a message is a file of its own, with a reader of its own"},
		{Axis: "pool=on", Reason: "its pools are of pages and buffers, and every mode uses them"},
		{Axis: "strings=alias", Reason: "the reader copies values out of pages, whose memory it uses again"},
		{Axis: "session=stream", Reason: "a file is whole by itself: its metadata is at its end"},
		{Axis: "order=sorted", Reason: "maps are written in the order in which Go gives them; sorting is of rows"},
	},
	Advice: contender.Advice{URL: "https://github.com/parquet-go/parquet-go#optimizations", Text: "large files of many rows, read and written in batches or by column, which a message is not"},
	Bias:   contender.Bias{Ours: "two checks before reading", Favours: "against it: a message is a small file, whose metadata outweigh it", Unmeasured: "what it is for: many rows, columns read alone, compression"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.TimeRange},
	Group:  "parquet",
	Stream: "One GenericWriter, whose row group is flushed from 64 MiB on, and one GenericReader of the file, which seeks in it: a Parquet file, a message a row.",
	Emit:   emitPackage,
}
