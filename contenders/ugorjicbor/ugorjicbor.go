// Package ugorjicbor describes the contender ugorji/cbor. It does not import the library.
package ugorjicbor

import (
	"assay/contender"
	"assay/contender/emit/ugorji"
)

// Contender is github.com/ugorji/go/codec with its handle for CBOR.
var Contender = &contender.Contender{
	Name:    "ugorji/cbor",
	Title:   "CBOR by reflection, from a library of several formats",
	Text:    "Structs with codec tags. The CborHandle has TimeRFC3339 set, so that times are text with their nanoseconds. By default a time is a number of seconds: an integer if it is whole seconds, and a float64 otherwise (time=unix). In both forms the library rounds times to microseconds as it reads them. In the modes without session=stream each message has its own Encoder or Decoder, which costs more than a small message; the modes with session=stream keep one Encoder and one Decoder. The zero time is written as null, and a pointer to the zero time comes back nil. It is not offered with target=reuse, because decoding into an old value keeps map entries and fields that the message leaves out.",
	Choose:  "when one library should handle CBOR and other formats too",
	Format:  "cbor",
	Module:  ugorji.Module,
	License: ugorji.License,
	Traits:  ugorji.Traits,
	Ops:     ugorji.Ops,
	Modes:   ugorji.ModesWith(unix),
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into the old value: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "its pools are for extensions; session=stream keeps an Encoder"},
		{Axis: "ints=compact", Reason: "integers take the fewest bytes by default"},
	},
	Advice: contender.Advice{URL: "https://github.com/ugorji/go/blob/codec/v1.3.2/codec/README.md#usage", Text: "an Encoder and a Decoder that are kept and Reset for each message (session=stream, alone or with another axis)"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "against it: the default mode and the others without session=stream make an Encoder or Decoder for each message, which costs more than small messages do, and times are text, where its default is a number", Unmeasured: "extensions, and structs whose keys are numbers"},
	Losses: []contender.Loss{contender.TimeZone, contender.TimeMicros, contender.ZeroPointer, contender.TimeYears},
	Group:  ugorji.Group,
	Stream: ugorji.StreamText,
	Emit:   emitPackage,
}
