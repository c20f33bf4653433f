// Package msgp describes the contender msgp, the code generator for MessagePack. It does not
// import the library.
package msgp

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/tinylib/msgp.
var Contender = &contender.Contender{
	Name:    "msgp",
	Title:   "MessagePack by generated code",
	Text:    "Structs with msg tags, MarshalMsg and UnmarshalMsg as msgp generates them: structs are maps by field name. Its own format of times and its maps without numeric keys are left for what other MessagePack libraries read: the directives newtime, timezone utc and maps binkeys. For the same reason lists, maps and bytes have the option allownil: nil is written as nil. It does not reach the elements of lists and maps nor a document that is itself a list or map: there nil is written as empty, and read from others it is an error. Where the schema says that a list or map that is an element may be null, it is of a type with methods of ours, which write and read nil and leave all else to the generated ones. A list, map or bytes that is left out when absent and written when empty is of a type with a method IsZero, which the option omitzero asks. The generated code makes room for as many elements as a message says there are; the directive limit, which bounds that, is not set.",
	Choose:  "when MessagePack is the format and a generate step is no obstacle",
	Format:  "msgpack",
	Module:  "github.com/tinylib/msgp",
	License: "MIT",
	Traits:  []contender.Trait{contender.Codegen, contender.SchemaFree, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.PureGo, contender.Unbounded},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "MarshalMsg appends to a slice that is kept."},
		{Key: "target=reuse", Ops: []result.Op{result.Decode, result.Scan}, Text: "UnmarshalMsg into the same value, which keeps its slices, maps and pointers. The code is that of the directive clearomitted, without which fields that are left out of a message would keep what they held."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "Byte fields have the option zerocopy and point into the message. Strings are still copied: the library has no such option for them."},
		{Key: "layout=array", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "The code of the directive tuple."},
	},
	Lacks: []contender.Lack{
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes; its pools of readers and writers are for streams"},
		{Axis: "session=stream", Reason: "messages share nothing; its Reader and Writer are buffers for io.Reader and io.Writer"},
		{Axis: "order=sorted", Reason: "no directive of the generator sorts maps"},
		{Axis: "ints=compact", Reason: "integers take the fewest bytes by default"},
	},
	Advice: contender.Advice{URL: "https://github.com/tinylib/msgp#use", Text: "generated methods, and for no allocations MarshalMsg to a kept slice and UnmarshalMsg into a kept value (output=reuse, target=reuse)"},
	Bias:   contender.Bias{Ours: "methods for nil in the place of a list or map that is an element, which the option allownil does not reach", Favours: "for it: its directive limit is not set, so that nothing is compared with a limit", Unmeasured: "Raw, and reading from streams"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone},
	Tools:  []string{generator},
	Stream: "MarshalMsg into a buffer that is kept, one message after another; msgp.Reader cuts the next message out, and UnmarshalMsg reads it: a sequence of MessagePack objects.",
	Emit:   emitPackage,
}
