// Package hyperpb describes the contender hyperpb, Buf's parser of Protocol Buffers that is
// compiled at run time. It does not import the library.
package hyperpb

import (
	"assay/contender"
	"assay/result"
)

// Contender is buf.build/go/hyperpb.
var Contender = &contender.Contender{
	Name:  "hyperpb",
	Title: "Protocol Buffers parsed by tables that are compiled at run time, for reading only",
	Text: "Assay compiles a parser once for each message type and keeps it. Message.Unmarshal parses messages, and assay reads them through protoreflect, with field descriptors that it looked up once. The library has no other access and no encoder. " +
		"Google's library writes the messages that hyperpb reads; that time is not measured. " +
		"Decode ends at the library's own message, as for every contender: the parse goes over all of the input and checks it, including UTF-8. Each access through protoreflect costs more than reading a struct field. So compare hyperpb by scan, which parses a message and reads every leaf, as its users do. " +
		"There is no open, because nothing can be read before the whole message is parsed. " +
		"Parsing copies the message once, and strings point into that copy. " +
		"The authors recommend a profile of messages for speed, as in profile=on. Schemas with a list of strings or bytes have no such mode: in v0.1.3, the newest release, such a list then comes back with empty elements before its own (bufbuild/hyperpb-go#39, corrected since). A test in assay confirms that the fault is still there. " +
		"That release also refuses strings with characters above U+7FFFF, among them those for private use (bufbuild/hyperpb-go#41, corrected since). The library runs on amd64 and arm64 only, links a few lines of assembly, and is declared experimental.",
	Choose:  "when message types are known only at run time, or a generic service reads a few fields of many messages",
	Format:  "protobuf",
	Module:  "buf.build/go/hyperpb",
	License: "Apache-2.0",
	Traits:  []contender.Trait{contender.CrossLanguage, contender.Evolvable, contender.Unsafe},
	Ops:     reads,
	Modes: []contender.Mode{
		{Key: "strings=alias", Ops: reads, Text: "The option WithAllowAlias: the message is not copied, and strings point into it."},
		{Key: "pool=on", Ops: reads, Text: "A Shared creates the messages, and its Free lets the next message use their memory."},
		{Key: "strings=alias,pool=on", Ops: reads, Text: "strings=alias and pool=on together, as in the authors' measurements without a profile."},
		{Key: "profile=on", Ops: reads, Text: "Before anything is timed, each message is parsed once with WithRecordProfile, and Recompile compiles the parser again with this profile. So the profile is of the very messages that are measured, as in the authors' measurements: the best case. The parser takes memory for the median number of elements at once, in maps and in lists of messages, and looks last for fields that never occurred if their numbers are above 15. The new type keeps the profile, which is 32 KiB for each field that occurred.", Refuses: unprofiled},
		{Key: "strings=alias,pool=on,profile=on", Ops: reads, Text: "strings=alias, pool=on and profile=on together, as in the authors' measurements with a profile.", Refuses: unprofiled},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "a message can be parsed into only once; pool=on reuses its memory"},
		{Axis: "session=stream", Reason: "protobuf messages do not say where they end, so the sender must frame the messages of a stream"},
		{Axis: contender.StreamMode, Reason: "the library only reads, and has no framing"},
	},
	Advice: contender.Advice{URL: "https://github.com/bufbuild/hyperpb-go#advanced-usage", Text: "compiled types that are kept, a Shared for memory (pool=on), WithAllowAlias (strings=alias), and a profile of messages (profile=on)"},
	Bias:   contender.Bias{Ours: "the code that reads messages through protoreflect", Favours: "for it: decode ends at its message, whose fields cost more to read than those of a struct (compare by scan), and every mode calls Message.Unmarshal, which takes some nanoseconds less than proto.Unmarshal, the call that its documentation shows first; profile=on has its profile from the messages that it then reads, and has parsed them before the first call that cold-time counts", Unmeasured: "a profile of other messages than those that are read, recording one, reading only a few fields"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.BadUTF8},
	Group:  "hyperpb",
	Tools:  []string{generator},
	Emit:   emitPackage,
}

var reads = []result.Op{result.Decode, result.Scan}
