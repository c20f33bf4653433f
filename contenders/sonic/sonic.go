// Package sonic describes the contender sonic, a JSON library that, on amd64, compiles coders at run
// time.
// It does not import the library.
package sonic

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/bytedance/sonic.
var Contender = &contender.Contender{
	Name:    "sonic",
	Title:   "JSON with vector instructions and, on amd64, code that is compiled for each type at run time",
	Text:    "Structs with json tags, sonic.Marshal and sonic.Unmarshal, which use ConfigDefault: nothing is escaped for HTML, map entries are in any order, strings are not validated, and decoded strings share one copy of the whole message, which stays in memory as long as any of them. If the library has no code for the processor or the Go release, it is only a thin layer over encoding/json. The bindings then return an error, because the numbers would not be this library's. On amd64 the library compiles a type to machine code on its first use, which a cold start shows; assay does not call Pretouch, which compiles types beforehand. On arm64 it compiles no machine code: it interprets the encoders and decoders that it prepares for each type. No mode decodes into an old value, because the package merges into it.",
	Choose:  "when JSON is the bottleneck on amd64 or arm64 and the processes live long",
	Format:  "json",
	Module:  "github.com/bytedance/sonic",
	License: "Apache-2.0",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.Unsafe},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "encoder.EncodeInto, with the options of ConfigDefault, appends to a reused byte slice."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "sonic.UnmarshalString reads the message as a string without a copy, as the package advises for messages that will not change."},
		{Key: "order=sorted", Ops: []result.Op{result.Encode}, Text: "encoder.Encode with SortMapKeys as its only option.", Refuses: sorts},
		{Key: "config=std", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "ConfigStd escapes for HTML, sorts keys, validates strings, and copies each decoded string. It replaces invalid UTF-8, which the default mode keeps.", Losses: []contender.Loss{contender.BadUTF8}, Refuses: unsorted},
		{Key: "config=fastest", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "ConfigFastest is like the default, but validates neither skipped values nor the JSON that a type's own method returns, such as that of time.Time."},
		{Key: "output=reuse,strings=alias,config=fastest", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "encoder.EncodeInto with the option of ConfigFastest, NoValidateJSONMarshaler, appends to a reused byte slice; ConfigFastest.UnmarshalFromString reads the message without a copy."},
		{Key: "output=reuse,session=stream", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "One Encoder of ConfigDefault writes all messages, each with a newline after it, into a bytes.Buffer that is reset between them; one Decoder reads them all."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into the old value: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "the library pools only buffers and stacks, and the default mode uses these pools"},
	},
	Advice: contender.Advice{URL: "https://github.com/bytedance/sonic#tips", Text: "UnmarshalString if the message is a string or will not change (strings=alias), and Pretouch, which assay does not call"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "for it: types are compiled before anything is timed", Unmeasured: "first uses, which cold-time shows; ast.Node, Pretouch"},
	Losses: []contender.Loss{contender.NegZero, contender.NaNInf, contender.TimeYears},
	Stream: "One Encoder of ConfigDefault, which writes a newline after each message, and one Decoder: JSON Lines.",
	Emit:   emitPackage,
}
