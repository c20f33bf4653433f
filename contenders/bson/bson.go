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
	Text:    "Structs with bson tags, bson.Marshal and bson.Unmarshal. A document cannot be a list, so bare messages are structs of one field. There is no unsigned integer of 64 bits, and the library refuses those that int64 cannot hold, so they are held as the int64 of the same bits; map keys are text and need not be. Times are whole milliseconds. A map key with a NUL is refused. It is not offered with target=reuse, because all that the Decoder offers to remove old content, ZeroStructs, removes what could be reused.",
	Choose:  "when the data is MongoDB's",
	Format:  "bson",
	Module:  "go.mongodb.org/mongo-driver/v2",
	License: "Apache-2.0",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "One Encoder writes to a bytes.Buffer that is reset for each message."},
		{Key: "output=reuse,ints=compact", Ops: []result.Op{result.Encode}, Text: "The same Encoder, with IntMinSize."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "ZeroStructs of the Decoder, which removes old content, removes what could be kept too"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "the library copies strings and bytes always"},
		{Axis: "session=stream", Reason: "documents share nothing; the Encoder that is kept is output=reuse, and Unmarshal takes its Decoder from a pool"},
		{Axis: "order=sorted", Reason: "no option sorts maps"},
	},
	Advice: contender.Advice{URL: "https://pkg.go.dev/go.mongodb.org/mongo-driver/v2/bson", Text: "Marshal and Unmarshal with structs for documents whose form is known, as here"},
	Bias:   contender.Bias{Ours: "nothing but the conversion of what BSON has no type for", Favours: "for it: times are whole milliseconds, and an unsigned number of 64 bits is held as a signed one", Unmeasured: "bson.Raw and D, with which many programs read parts of documents"},
	Losses: []contender.Loss{contender.TimeZone, contender.TimeMillis, contender.NUL},
	Stream: "One Encoder and one Decoder: documents one after another, each of which begins with its length, as mongodump writes them.",
	Emit:   emitPackage,
}
