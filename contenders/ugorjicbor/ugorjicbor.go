// Package ugorjicbor describes the contender ugorji/cbor. It does not import it.
package ugorjicbor

import (
	"assay/contender"
	"assay/contender/emit/ugorji"
)

// Contender is github.com/ugorji/go/codec with its handle for CBOR.
var Contender = &contender.Contender{
	Name:    "ugorji/cbor",
	Title:   "CBOR by reflection, from a library of several formats",
	Text:    "Structs with codec tags. A CborHandle with TimeRFC3339: by default times are seconds as a float64. Either way the library rounds them to microseconds as it reads them. By default each message has an Encoder or Decoder of its own, which costs more than a small message does: the modes with session=stream keep them. The zero time is written as null, and a pointer to it comes back nil. It is not offered with target=reuse, because a value that is decoded into keeps old map entries and the fields that a message leaves out.",
	Choose:  "when one library shall speak CBOR and other formats too",
	Format:  "cbor",
	Module:  ugorji.Module,
	License: ugorji.License,
	Traits:  ugorji.Traits,
	Ops:     ugorji.Ops,
	Modes:   ugorji.Modes,
	Losses:  []contender.Loss{contender.TimeZone, contender.TimeMicros, contender.ZeroPointer, contender.TimeYears},
	Group:   ugorji.Group,
	Emit:    emitPackage,
}
