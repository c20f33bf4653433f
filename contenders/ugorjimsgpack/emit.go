package ugorjimsgpack

import (
	"assay/contender"
	"assay/contender/emit/ugorji"
	"assay/result"
)

// compact makes positive integers unsigned ones, of which the library writes the shortest.
var compact = ugorji.Setting{
	Mode: contender.Mode{
		Key: "ints=compact", Ops: []result.Op{result.Encode},
		Text: "The handle's option PositiveIntUnsigned. By default a positive value of a signed Go type is written as a signed integer, which takes one byte more from 128 to 255, two more from 32,768 to 65,535, and four more from 1<<31 to 1<<32-1.",
	},
	Session: "session=stream,ints=compact", Handle: "compact", Sets: "h.PositiveIntUnsigned = true",
}

func emitPackage(req contender.Request) (contender.Output, error) {
	return ugorji.Emit(req, "MsgpackHandle", "h.WriteExt = true", compact)
}
