// Package ugorjimsgpack describes the contender ugorji/msgpack. It does not import the library.
package ugorjimsgpack

import (
	"assay/contender"
	"assay/contender/emit/ugorji"
)

// Contender is github.com/ugorji/go/codec with its handle for MessagePack.
var Contender = &contender.Contender{
	Name:    "ugorji/msgpack",
	Title:   "MessagePack by reflection, from a library of several formats",
	Text:    "Structs with codec tags. The MsgpackHandle has WriteExt set; without it, bytes are written as strings and times as bytes, as in the first version of MessagePack. In the modes without session=stream each message has its own Encoder or Decoder, which costs more than a small message; the modes with session=stream keep one Encoder and one Decoder. The zero time is written as nil, which other libraries may not read, and a pointer to the zero time comes back nil. It is not offered with target=reuse, because decoding into an old value keeps map entries and fields that the message leaves out.",
	Choose:  "when one library should handle MessagePack and other formats too",
	Format:  "msgpack",
	Module:  ugorji.Module,
	License: ugorji.License,
	Traits:  ugorji.Traits,
	Ops:     ugorji.Ops,
	Modes:   ugorji.ModesWith(compact),
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into the old value: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "its pools are for extensions; session=stream keeps an Encoder"},
	},
	Advice: contender.Advice{URL: "https://github.com/ugorji/go/blob/codec/v1.3.2/codec/README.md#usage", Text: "an Encoder and a Decoder that are kept and Reset for each message (session=stream, alone or with another axis)"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "against it: the default mode and the others without session=stream make an Encoder or Decoder for each message, which costs more than small messages do", Unmeasured: "extensions, and structs whose keys are numbers"},
	Losses: []contender.Loss{contender.TimeZone, contender.ZeroPointer},
	Group:  ugorji.Group,
	Stream: ugorji.StreamText,
	Emit:   emitPackage,
}
