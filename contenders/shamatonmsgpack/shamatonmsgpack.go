// Package shamatonmsgpack describes the contender shamaton/msgpack. It does not import the
// library.
package shamatonmsgpack

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is github.com/shamaton/msgpack.
var Contender = &contender.Contender{
	Name:    "shamaton/msgpack",
	Title:   "MessagePack by reflection, in two walks over the value",
	Text:    "Structs with msgpack tags, msgpack.Marshal and msgpack.Unmarshal. Marshal walks over the value twice: the first walk finds the size, the second one writes. Unmarshal lets byte slices point into the message, so the default mode passes it a copy of the message if the schema has byte slices. Unmarshal does not check everything that it reads: damaged input can make it panic. It is not offered with target=reuse, because Unmarshal into an old value keeps map entries and fields that the message leaves out.",
	Choose:  "when MessagePack is the format, you want no generated code, and the input is trusted",
	Format:  "msgpack",
	Module:  "github.com/shamaton/msgpack/v3",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.Evolvable, contender.Unsafe, contender.PureGo, contender.Panics},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "MarshalWrite writes in one walk to a bytes.Buffer that is reset for each message."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "Unmarshal gets the message itself, not a copy, and byte slices point into it. Strings are still copied.", Refuses: emit.AliasesBytes},
		{Key: "layout=array", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "MarshalAsArray and UnmarshalAsArray."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into the old value: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "the library pools only encoders and decoders, and the default mode uses these pools"},
		{Axis: "session=stream", Reason: "messages share nothing; a call of MarshalWrite or UnmarshalRead is for one message"},
		{Axis: "order=sorted", Reason: "no option sorts maps"},
		{Axis: "ints=compact", Reason: "integers take the fewest bytes by default"},
		{Axis: contender.StreamMode, Reason: "UnmarshalRead assumes that one call of Read returns all bytes it asked for, so it reads wrong values where a buffer ends (v3.1.0)"},
	},
	Advice: contender.Advice{URL: "https://github.com/shamaton/msgpack#quick-start", Text: "Marshal and Unmarshal, as here"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "against it: a message with bytes is copied before it is read", Unmeasured: "its generator, extensions"},
	Losses: []contender.Loss{contender.TimeZone},
	Group:  "more",
	Emit:   emitPackage,
}
