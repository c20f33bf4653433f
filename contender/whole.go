package contender

import (
	"slices"

	"assay/result"
)

// WholeMode is the mode of whole values: encode, decode or convert of the default mode, once,
// with everything in memory. It is measured by itself and is none of Contender.Modes, and every
// contender has it that offers both ops.
const WholeMode = "session=whole"

// wholeAxis is the axis of WholeMode. It is none of Axes, since no contender has to be
// asked for it.
var wholeAxis = Axis{
	Name: WholeMode,
	Text: "encodes, decodes or converts the whole value of a size once, in memory, as the default mode does, in a process that does nothing else and has " +
		"the garbage collector on",
	GivesUp: "the precision of many operations: it is for values that are too large for the ordinary rows",
}

// Whole says whether a mode is that of whole values.
func Whole(mode string) bool { return mode == WholeMode }

// WholeOp says whether whole values have an op.
func WholeOp(op result.Op) bool {
	return op == result.Encode || op == result.Decode || op == result.Convert
}

// Alone says whether a mode is measured by itself, in a process for each op: that of
// whole values, or one of streams.
func Alone(mode string) bool { return Whole(mode) || Streams(mode) }

// HasWhole says whether whole values of a contender can be measured: whether it is a
// library that both encodes and decodes.
func (c *Contender) HasWhole() bool {
	return c.Format != "none" && slices.Contains(c.Ops, result.Encode) && slices.Contains(c.Ops, result.Decode)
}
