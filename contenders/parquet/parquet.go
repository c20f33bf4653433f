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
	Text: "Structs with parquet tags, and the library's defaults: no compression, plain encoding except for strings and bytes, which have the encoding DELTA_LENGTH_BYTE_ARRAY, and statistics of each page. The library sorts the entries of maps by key; only maps with bool keys, which schemas do not have, are in any order. A message is a whole file, with its schema, indexes and metadata, so assay offers it only for documents that are lists of records, with one row for each record. A file for each record would be nearly all metadata, and its figures would say nothing. " +
		"Lists have the tag list, because other readers expect it, and because without it an absent pointer field of a list element comes back as a zero. Lists of lists are groups of one field. A time is an int64 of nanoseconds since 1970 with the logical type TIMESTAMP. A message must not contain itself, because Parquet's columns are the leaves of a tree. " +
		"Encode is parquet.Write to a new bytes.Buffer. Decode does what parquet.Read does, after two checks that assay adds because four damaged bytes can make the library ask for 4 GiB: the metadata must be shorter than the file, and the file must have at most 1<<21 rows. After these checks the library still trusts the metadata, and damaged metadata can make it panic. The checksums of pages are verified. " +
		"It is not offered with target=reuse: each message is a separate file, which needs a new reader.",
	Choose:  "when many records are stored at once and analysed by column",
	Format:  "parquet",
	Module:  "github.com/parquet-go/parquet-go",
	License: "Apache-2.0",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.Deterministic, contender.Panics},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "parquet.Write to a bytes.Buffer that is reset for each message. Each message has a new writer: after Reset of a GenericWriter, the columns of its next file have no names in the metadata (v0.32.0)."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "each message is a separate file, which needs a new reader"},
		{Axis: "pool=on", Reason: "the library pools only pages and buffers, and every mode uses these pools"},
		{Axis: "strings=alias", Reason: "the reader copies values out of pages and reuses the memory of the pages"},
		{Axis: "session=stream", Reason: "each file is complete in itself: its metadata is at its end"},
		{Axis: "order=any", Reason: "the library always sorts maps by key"},
	},
	Advice: contender.Advice{URL: "https://github.com/parquet-go/parquet-go#optimizations", Text: "large files of many rows, read and written in batches or by column; a message here is not such a file"},
	Bias:   contender.Bias{Ours: "two checks before reading", Favours: "for it: a time is held as an int64, and only convert includes its conversion; against it: a message is a small file, whose metadata take more space than its data", Unmeasured: "its main uses: many rows, reading single columns, compression"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.TimeRange},
	Group:  "parquet",
	Stream: "One GenericWriter, flushed as soon as its row group has 64 MiB, and one GenericReader, which seeks in the file. The file is a Parquet file with one row for each message.",
	Emit:   emitPackage,
}
