// Package floor describes the contender floor: the least work that a machine can do for a case,
// with which every library is compared.
package floor

import (
	"assay/contender"
	"assay/result"
)

// Contender is the floor.
var Contender = &contender.Contender{
	Name:    "floor",
	Title:   "the least work that a machine can do for a case, without a format",
	Text:    "Encode copies the bytes of all leaves, laid end to end beforehand without any framing, into a buffer. Decode makes a deep copy of the value in the fewest allocations: one for all text, one for each kind of element. Scan walks over the value where it lies; open does nothing. The floor carries no information from one process to another, so a real library should not beat it by much. Its numbers also include the remaining cost of the measuring loop.",
	Choose:  "never: it only serves for comparison",
	Format:  "none",
	License: "Apache-2.0",
	Traits:  []contender.Trait{contender.Codegen, contender.Unsafe, contender.PureGo, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Open, result.Scan},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "The copy goes into a buffer that is kept."},
	},
	Bias: contender.Bias{Ours: "everything: it is not a library", Favours: "neither: it has no rank", Unmeasured: "nothing"},
	Emit: emitPackage,
}
