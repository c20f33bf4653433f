package emit

import (
	"strings"

	"assay/contender"
	"assay/result"
)

// ProgramMode is the mode in which a contender whose generator writes the types serves a program
// that has types of its own. [Program] returns its usage.
var ProgramMode = contender.Mode{
	Key:  "types=program",
	Ops:  []result.Op{result.Encode, result.Decode},
	Text: "Encode sets a new message from the program's value, as the first half of op convert does, and calls the library as by default. Decode does the reverse, into a new value.",
}

// Program returns the usage of [ProgramMode] for a contender with the given default usage. The
// binder must be neither Direct nor Fallible.
func Program(u Usage) Usage {
	u.Mode, u.Only, u.Program = ProgramMode.Key, ProgramMode.Ops, true
	// The message is a variable of the loop, so that the codec keeps no message alive.
	u.Encode = "own := new($T)\nfrom$R(own, &src[i])\n" + strings.ReplaceAll(u.Encode, "in[i]", "own")
	u.Decode = "var v *$T\n" + u.Decode + "\nif err != nil {\nreturn sum, err\n}\nback = new($M)\nto$R(back, v)"
	return u
}
