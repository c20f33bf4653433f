package contender

import (
	"slices"

	"assay/result"
)

// WholeMode is the mode of whole values: a single encode, decode or convert of the default mode
// with everything in memory. It is measured separately and is not one of Contender.Modes. Every
// contender that both encodes and decodes has it.
const WholeMode = "session=whole"

// wholeAxis is the axis of WholeMode. It is not in Axes, because contenders need not declare
// it.
var wholeAxis = Axis{
	Name: WholeMode,
	Text: "encodes, decodes or converts the whole value of a size once, in memory, as the default mode does, in a process that does nothing else and has " +
		"the garbage collector on",
	GivesUp: "the precision of many operations: it is for values that are too large for the ordinary rows",
}

// Whole says whether a mode is WholeMode.
func Whole(mode string) bool { return mode == WholeMode }

// WholeOp says whether WholeMode has an op.
func WholeOp(op result.Op) bool {
	return op == result.Encode || op == result.Decode || op == result.Convert
}

// Alone says whether a mode is measured separately, in its own process for each op: WholeMode
// or a streams mode.
func Alone(mode string) bool { return Whole(mode) || Streams(mode) }

// HasWhole says whether assay can measure whole values of a contender: whether it is a library
// that both encodes and decodes.
func (c *Contender) HasWhole() bool {
	return c.Format != "none" && slices.Contains(c.Ops, result.Encode) && slices.Contains(c.Ops, result.Decode)
}
