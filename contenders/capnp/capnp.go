// Package capnp describes the contender capnp, Cap'n Proto's library for Go. It does not import
// the library.
package capnp

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is capnproto.org/go/capnp/v3 with code of its own generator.
var Contender = &contender.Contender{
	Name:  "capnp",
	Title: "Cap'n Proto: structs that are read in place, by generated accessors",
	Text: "Assay writes the .capnp schema, which is stored beside the generated code, and passes it to the library's own generator, capnpc-go, as the capnp compiler would. " +
		"Encode builds a message of one segment directly from the model and calls Marshal. Decode calls Unmarshal and copies everything into the model. So the contender has no type of its own to convert to. " +
		"Open calls Unmarshal and gets the root: it reads the frame and one pointer. Scan reads every leaf through the accessors, and strings as bytes in place. " +
		"The accessors of Data return a part of the message; the default mode copies it, so that a value outlives its message, and strings=alias leaves it. " +
		"The default mode does not release a message after use, which the library's documentation leaves optional; mode pool=on does. " +
		"Optional numbers have a Bool beside them, a map is a list of entries, a timestamp is a struct of seconds and nanoseconds, and an enum is an Int32. " +
		"Because a small message can refer to the same bytes many times, the library stops reading after 64 MiB, or at a depth of 64 structs. Both limits can be set. Each op that reads has a new Message, or with target=reuse one whose count of bytes begins anew; for a large one, assay raises the read limit to twice its size and keeps the depth limit. " +
		"Every release of version 3 of the module is an alpha.",
	Choose:  "when readers need only a small part of large messages and other languages take part, or when you want its RPC",
	Format:  "capnp",
	Module:  "capnproto.org/go/capnp/v3",
	License: "MIT",
	Traits:  []contender.Trait{contender.Codegen, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Lazy, contender.Unsafe, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Open, result.Scan},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "One Message is Reset for each value, which returns the old memory to the library's pool. One Encoder writes it into a bytes.Buffer that is kept."},
		{Key: "target=reuse", Ops: []result.Op{result.Decode, result.Open, result.Scan}, Text: "Reads with one Message and one ReadOnlySingleSegment, which get the data of each message, as a benchmark of the library's authors does. Assay checks that the frame says one segment and fits the data; Unmarshal reads other messages. Decode also sets the same value to zero and reads into it. Everything that the value points to is allocated again: of the value, only the struct of the root is reused."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode}, Text: "Byte strings point into the message, as the generated accessors of Data return them. Strings are copied, as by the accessors of Text.", Refuses: emit.AliasesBytes},
		{Key: "pool=on", Ops: []result.Op{result.Encode, result.Decode, result.Open, result.Scan}, Text: "Calls Message.Release after a message is marshalled or read, which returns its arena to the library's pool. The decoded value is a copy and stays valid."},
		{Key: "packing=packed", Ops: []result.Op{result.Encode, result.Decode, result.Open, result.Scan}, Text: "MarshalPacked and UnmarshalPacked: Cap'n Proto's own compression of zero bytes. Open must unpack the whole message."},
	},
	Lacks: []contender.Lack{
		{Axis: "session=stream", Reason: "messages share nothing; output=reuse keeps the Encoder"},
		{Axis: "order=sorted", Reason: "the format has no maps: assay writes lists of entries, in the order in which Go gives the entries"},
	},
	Advice: contender.Advice{URL: "https://github.com/capnproto/go-capnp/blob/v3.1.0-alpha.1/docs/Working-with-Capn-Proto-Types.md", Text: "Marshal for single objects, an Encoder for streams, and MarshalPacked to compress (packing=packed); no example there releases a message"},
	Bias:   contender.Bias{Ours: "the code that packs and reads messages through the generated accessors, and with target=reuse the check of the frame", Favours: "for it: encode starts from the model, not from a message that is already built; against it: decode copies what its users read in place, with strings=alias all but byte strings, and every op that reads first asks for the message's size, to set the read limit", Unmeasured: "RPC, capabilities, messages of several segments"},
	Losses: []contender.Loss{contender.TimeZone, contender.Depth},
	Tools:  []string{generator},
	Stream: "capnp.NewEncoder and NewDecoder: messages follow one another, each with its segment table, which is Cap'n Proto's standard format for streams.",
	Emit:   emitPackage,
}
