// Package ugorjimsgpack describes the contender ugorji/msgpack. It does not import it.
package ugorjimsgpack

import (
	"assay/contender"
	"assay/contender/emit/ugorji"
)

// Contender is github.com/ugorji/go/codec with its handle for MessagePack.
var Contender = &contender.Contender{
	Name:    "ugorji/msgpack",
	Title:   "MessagePack by reflection, from a library of several formats",
	Text:    "Structs with codec tags. A MsgpackHandle with WriteExt, without which bytes are written as strings and times as bytes, as in the first MessagePack. By default each message has an Encoder or Decoder of its own, which costs more than a small message does: the modes with session=stream keep them. The zero time is written as nil, which other libraries may not read, and a pointer to it comes back nil. It is not offered with target=reuse, because a value that is decoded into keeps old map entries and the fields that a message leaves out.",
	Choose:  "when one library shall speak MessagePack and other formats too",
	Format:  "msgpack",
	Module:  ugorji.Module,
	License: ugorji.License,
	Traits:  ugorji.Traits,
	Ops:     ugorji.Ops,
	Modes:   ugorji.Modes,
	Losses:  []contender.Loss{contender.TimeZone, contender.ZeroPointer},
	Group:   ugorji.Group,
	Emit:    emitPackage,
}
