// Package bson describes the contender bson, MongoDB's format as written by its driver. It does
// not import the driver.
package bson

import (
	"assay/contender"
	"assay/result"
)

// Contender is package bson of go.mongodb.org/mongo-driver.
var Contender = &contender.Contender{
	Name:    "bson",
	Title:   "BSON by reflection, from MongoDB's driver",
	Text:    "Structs with bson tags, bson.Marshal and bson.Unmarshal. A document cannot be a list, so bare messages are structs of one field. BSON has no unsigned integer of 64 bits, and the library refuses values that int64 cannot hold, so a uint64 is held as the int64 with the same bits. The library writes map keys as text, so Go map keys need not be strings. Times are whole milliseconds. The library refuses a map key with a NUL. There is no target=reuse, because ZeroStructs, the Decoder's option that removes the fields of old content, also removes the memory that could be reused; its option ZeroMaps empties maps only.",
	Choose:  "when MongoDB stores the data",
	Format:  "bson",
	Module:  "go.mongodb.org/mongo-driver/v2",
	License: "Apache-2.0",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "One Encoder writes to a bytes.Buffer that is reset for each message."},
		{Key: "output=reuse,ints=compact", Ops: []result.Op{result.Encode}, Text: "One Encoder as in output=reuse, with IntMinSize."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "the Decoder's option ZeroStructs, which removes old fields, also removes the memory that could be reused, and ZeroMaps empties maps only"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "the library always copies strings and bytes"},
		{Axis: "session=stream", Reason: "documents share nothing; output=reuse keeps the Encoder, and Unmarshal takes its Decoder from a pool"},
		{Axis: "order=sorted", Reason: "no option sorts maps"},
	},
	Advice: contender.Advice{URL: "https://pkg.go.dev/go.mongodb.org/mongo-driver/v2/bson", Text: "Marshal and Unmarshal with structs for documents of a known form, as assay does"},
	Bias:   contender.Bias{Ours: "only the conversion of values that BSON has no type for", Favours: "for it: times are whole milliseconds, and an unsigned integer of 64 bits is held as a signed one", Unmeasured: "bson.Raw and D, with which many programs read parts of documents"},
	Losses: []contender.Loss{contender.TimeZone, contender.TimeMillis, contender.NUL},
	Stream: "One Encoder and one Decoder: documents follow one another, and each begins with its length, as in the files of mongodump.",
	Emit:   emitPackage,
}
