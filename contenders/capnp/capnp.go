// Package capnp describes the contender capnp, Cap'n Proto's library for Go. It does not import
// the library.
package capnp

import (
	"assay/contender"
	"assay/result"
)

// Contender is capnproto.org/go/capnp/v3 with code of its own generator.
var Contender = &contender.Contender{
	Name:  "capnp",
	Title: "Cap'n Proto: structs that are read in place, by generated accessors",
	Text: "Assay writes the .capnp schema, which stands beside the generated code, and hands it to the library's own generator, capnpc-go, as the capnp compiler would. " +
		"Encode builds a message of one segment straight from the model and calls Marshal; decode is Unmarshal and a copy of everything into the model, so there is no type of its own to convert to. " +
		"Open is Unmarshal and the root: it reads the frame and one pointer. Scan reads every leaf through the accessors, strings as bytes in place. " +
		"A message is not released after use, as the library's documentation leaves optional; mode pool=on does. " +
		"Optional numbers have a Bool beside them, a map is a list of entries, a timestamp is a struct of seconds and nanoseconds, an enum an Int32. " +
		"The library stops reading after 64 MiB, or 64 structs deep, because a small message can refer to the same bytes over and over: each decode and scan reads a new Message, and for large ones the limit is raised to twice their size. The depth is left as it is; both limits can be set. " +
		"The module's newest release is an alpha, and the last that is none is of 2022.",
	Choose:  "when readers touch little of large messages and other languages take part, or its RPC is wanted",
	Format:  "capnp",
	Module:  "capnproto.org/go/capnp/v3",
	License: "MIT",
	Traits:  []contender.Trait{contender.Codegen, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Lazy, contender.Unsafe, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Open, result.Scan},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "One Message is Reset for each, which returns its memory to the library's pool, and an Encoder writes it into a bytes.Buffer that is kept."},
		{Key: "target=reuse", Ops: []result.Op{result.Decode}, Text: "Reads into the same value after it was set to zero. What it points to is made anew: only the struct of the root is kept."},
		{Key: "pool=on", Ops: []result.Op{result.Encode, result.Decode, result.Open, result.Scan}, Text: "Message.Release once a message was marshalled or read: its arena goes back to the library's pool. What was decoded is a copy and stays valid."},
		{Key: "packing=packed", Ops: []result.Op{result.Encode, result.Decode, result.Open, result.Scan}, Text: "MarshalPacked and UnmarshalPacked: Cap'n Proto's own compression of zero bytes. Open has to unpack all of the message."},
	},
	Lacks: []contender.Lack{
		{Axis: "strings=alias", Reason: "Text of the generated accessors copies; strings are read in place in op scan"},
		{Axis: "session=stream", Reason: "messages share nothing; the Encoder that is kept is output=reuse"},
		{Axis: "order=sorted", Reason: "the format has no maps: ours are lists of entries, in the order in which their writer adds them"},
	},
	Advice: contender.Advice{URL: "https://github.com/capnproto/go-capnp/blob/v3.1.0-alpha.1/docs/Working-with-Capn-Proto-Types.md", Text: "Marshal for single objects, an Encoder for streams, MarshalPacked to compress (packing=packed); nothing there releases a message"},
	Bias:   contender.Bias{Ours: "what packs and reads messages by the generated accessors", Favours: "for it: encode starts from the model, not from a message built before; against it: decode copies everything, which its users avoid, and every op that reads asks for the message's size first, for the limit", Unmeasured: "RPC, capabilities, messages of several segments"},
	Losses: []contender.Loss{contender.TimeZone, contender.Depth},
	Tools:  []string{generator},
	Stream: "capnp.NewEncoder and NewDecoder: messages one after another, each with its table of segments, which is Cap'n Proto's serialisation of streams.",
	Emit:   emitPackage,
}
