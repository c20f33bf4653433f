package emit

import (
	"strings"

	"assay/contender"
	"assay/result"
)

// ProgramMode is the mode in which a contender that works on types made for it, such as generated
// ones, serves a program that has types of its own. [Program] returns its usage.
var ProgramMode = contender.Mode{
	Key:  "types=program",
	Ops:  []result.Op{result.Encode, result.Decode},
	Text: "Encode converts the program's value to a new one of the types that the contender works on, as the first half of op convert does, and then makes the default call. Decode makes the default call, and then converts its result to a new value of the program's.",
}

// Program returns the usage of [ProgramMode] for a contender with the given default usage. The
// binder must be neither Direct nor Fallible.
func Program(u Usage) Usage {
	u.Mode, u.Only, u.Program = ProgramMode.Key, ProgramMode.Ops, true
	// The message is a variable of the loop, so that the codec keeps no message alive.
	u.Encode = "own := new($T)\nfrom$R(own, in[i])\n" + strings.ReplaceAll(u.Encode, "in[i]", "own")
	u.Decode = "var back *$M\n{\nvar v *$T\n" + u.Decode + "\nif err == nil {\nback = new($M)\nto$R(back, v)\n}\n}\nv = back"
	return u
}
