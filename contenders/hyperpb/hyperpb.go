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
	Text: "A parser is compiled once for each message type and kept; messages are parsed by Message.Unmarshal and read through protoreflect, with field descriptors that were looked up once: there is no other access, and no encoding. " +
		"What it reads is written by Google's library, untimed and to no credit. " +
		"Decode ends at its own message, as that of every contender does: the parse goes over all of the input and checks it, UTF-8 included. Each access by protoreflect costs more than a field of a struct does, so compare it by scan, which is the parse and a reading of every leaf, and what its users do. " +
		"There is no open, because nothing can be read before the whole message was parsed. " +
		"Parsing copies the message once and strings point into that copy. " +
		"Compiling with a profile of messages, which its authors recommend for speed, is no mode: in v0.1.3, its newest release, a list of strings then comes back with empty strings before its own (bufbuild/hyperpb-go#39, corrected since), and a test of ours sees that it still does. " +
		"That release also refuses strings with characters above U+7FFFF, among them those for private use (bufbuild/hyperpb-go#41, corrected since). The library runs on amd64 and arm64 only, links a few lines of assembly, and is declared experimental.",
	Choose:  "when message types are known only at run time, or a generic service reads a few fields of many messages",
	Format:  "protobuf",
	Module:  "buf.build/go/hyperpb",
	License: "Apache-2.0",
	Traits:  []contender.Trait{contender.CrossLanguage, contender.Evolvable, contender.Unsafe},
	Ops:     reads,
	Modes: []contender.Mode{
		{Key: "strings=alias", Ops: reads, Text: "The option WithAllowAlias: the message is not copied, and strings point into it."},
		{Key: "pool=on", Ops: reads, Text: "Messages come from a Shared, and its Free lets the next use their memory."},
		{Key: "strings=alias,pool=on", Ops: reads, Text: "Both, which is what its authors measure without a profile."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "a message is parsed into once; pool=on is how its memory is used again"},
		{Axis: "session=stream", Reason: "messages of protobuf do not say where they end, so a stream is the framing of whoever sends them"},
		{Axis: contender.StreamMode, Reason: "it only reads, and frames nothing"},
	},
	Advice: contender.Advice{URL: "https://github.com/bufbuild/hyperpb-go#advanced-usage", Text: "compiled types that are kept, a Shared for memory (pool=on), WithAllowAlias (strings=alias), and a profile, which is no mode for the fault above"},
	Bias:   contender.Bias{Ours: "what reads messages by protoreflect", Favours: "for it: decode ends at its message, whose fields are then dearer to read than those of a struct; compare by scan", Unmeasured: "a profile, lazy use of few fields"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.BadUTF8},
	Group:  "hyperpb",
	Tools:  []string{generator},
	Emit:   emitPackage,
}

var reads = []result.Op{result.Decode, result.Scan}
