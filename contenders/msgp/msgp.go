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
	Text:    "Structs with msg tags, and the methods MarshalMsg and UnmarshalMsg that msgp generates: structs are maps by field name. The directives newtime, timezone utc and maps binkeys make the code write times and numeric map keys in the way that other MessagePack libraries read. For the same reason lists, maps and bytes have the option allownil, which writes nil as nil. The option does not reach the elements of lists and maps, nor a document that is itself a list or map: there the code writes nil as empty, and refuses nil that other libraries wrote. If the schema says that a list or map that is an element may be null, assay gives it a type with its own methods, which write and read nil and leave all other values to the generated methods. A list, map or bytes that is left out when absent and written when empty has a type with a method IsZero, which the option omitzero calls. The generated code allocates memory for as many elements as a message claims to have. The directive limit would bound this number; assay does not set it.",
	Choose:  "when MessagePack is the format and a generate step is no obstacle",
	Format:  "msgpack",
	Module:  "github.com/tinylib/msgp",
	License: "MIT",
	Traits:  []contender.Trait{contender.Codegen, contender.SchemaFree, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.PureGo, contender.Unbounded},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "MarshalMsg appends to a reused slice."},
		{Key: "target=reuse", Ops: []result.Op{result.Decode, result.Scan}, Text: "UnmarshalMsg decodes into the same value, which keeps its slices, maps and pointers. Values of maps that are pointers are allocated again, and so are lists and maps that a message left out. The code is generated with the directive clearomitted; without it, fields that a message leaves out would keep their old values."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "Byte fields have the option zerocopy and point into the message. Strings are still copied: the library has no such option for them. So are optional bytes, which are pointers.", Refuses: copies},
		{Key: "layout=array", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "The code is generated with the directive tuple."},
		{Key: "output=reuse,layout=array", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "MarshalMsg of layout=array appends to a reused slice. Decode is that of layout=array."},
	},
	Lacks: []contender.Lack{
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes; its pools of readers and writers are for streams"},
		{Axis: "session=stream", Reason: "messages share nothing; its Reader and Writer are buffers for io.Reader and io.Writer"},
		{Axis: "types=program", Reason: "the generator adds methods to the types that the program has, and nothing is converted"},
		{Axis: "order=sorted", Reason: "no directive of the generator sorts maps"},
		{Axis: "ints=compact", Reason: "integers take the fewest bytes by default"},
	},
	Advice: contender.Advice{URL: "https://github.com/tinylib/msgp#use", Text: "generated methods; to avoid allocations, MarshalMsg to a reused slice and UnmarshalMsg into a reused value (output=reuse, target=reuse)"},
	Bias:   contender.Bias{Ours: "methods for elements that are nil lists or maps, which the option allownil does not reach", Favours: "for it: its directive limit is not set, so the code does not check sizes against a limit; against it: stream=file walks over a message twice, to cut it out and to read it", Unmeasured: "EncodeMsg and DecodeMsg, its methods for streams"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone},
	Tools:  []string{generator},
	Stream: "MarshalMsg writes each message into a reused buffer. msgp.Reader cuts out the next message, and UnmarshalMsg reads it. The file is a sequence of MessagePack objects.",
	Emit:   emitPackage,
}
