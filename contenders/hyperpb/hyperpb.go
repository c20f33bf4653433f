// Package hyperpb describes the contender hyperpb, Buf's parser of Protocol
// Buffers that is compiled at run time. It does not import it.
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
		"Open is the parse: unlike that of formats that are read in place it goes over the whole message and checks it, UTF-8 included, but makes no Go values. Scan is the parse and a reading of every leaf. Decode is the parse and a conversion to the model, which is what it takes to get structs: compare it with what others decode. " +
		"Parsing copies the message once and strings point into that copy. Its compiling with a profile, the remaining option for speed, is no mode: in v0.1.3 it puts empty strings before those of a list (bufbuild/hyperpb-go#39, corrected since). " +
		"That version also refuses strings with characters above U+7FFFF, among them those for private use (bufbuild/hyperpb-go#41, corrected since). The library runs on amd64 and arm64 only, links a few lines of assembly, and is declared experimental.",
	Choose:  "when message types are known only at run time, or a generic service reads a few fields of many messages",
	Format:  "protobuf",
	Module:  "buf.build/go/hyperpb",
	License: "Apache-2.0",
	Traits:  []contender.Trait{contender.CrossLanguage, contender.Evolvable, contender.Unsafe},
	Ops:     reads,
	Modes: []contender.Mode{
		{Key: "strings=alias", Ops: reads, Text: "The option WithAllowAlias: the message is not copied, and strings point into it."},
		{Key: "pool=on", Ops: reads, Text: "Messages come from a Shared, and its Free lets the next use their memory. Decode copies strings and bytes before that, so that what was decoded stays valid."},
		{Key: "strings=alias,pool=on", Ops: []result.Op{result.Open, result.Scan}, Text: "Both. Nothing of a message can be kept, so there is no decode."},
	},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.BadUTF8},
	Group:  "hyperpb",
	Tools:  []string{generator},
	Emit:   emitPackage,
}

var reads = []result.Op{result.Decode, result.Open, result.Scan}
