// Package segmentiojson describes the contender segmentio/json, the JSON package of
// segmentio/encoding. It does not import the library.
package segmentiojson

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/segmentio/encoding/json.
var Contender = &contender.Contender{
	Name:    "segmentio/json",
	Title:   "JSON by reflection, with encoding/json's interface and an appending one",
	Text:    "Structs with json tags, json.Marshal and json.Unmarshal, whose bytes are those of encoding/json. The other modes use what the package adds to it, json.Append and json.Parse and their flags. Durations are held as int64: a time.Duration it writes as text like 1.5s, which no other package of the format reads. No mode decodes into an old value: the package merges into what is there, as encoding/json does.",
	Choose:  "when a package with the interface of encoding/json is wanted that also appends to a byte slice",
	Format:  "json",
	Module:  "github.com/segmentio/encoding",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "json.Append to a byte slice that is kept, with the flags of json.Marshal, EscapeHTML and SortMapKeys."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "json.Parse with ZeroCopy: strings without escapes are parts of the message."},
		{Key: "config=fastest", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "json.Append to a new byte slice with TrustRawMessage alone, so that nothing is escaped for HTML and maps are not sorted; json.Parse with DontMatchCaseInsensitiveStructFields. Strings are still copied."},
		{Key: "output=reuse,strings=alias,config=fastest", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "json.Append to a byte slice that is kept, with TrustRawMessage alone; json.Parse with ZeroCopy and DontMatchCaseInsensitiveStructFields."},
		{Key: "output=reuse,session=stream", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "One Encoder writes all messages, each with a newline after it, into a bytes.Buffer that is reset between them; one Decoder reads them all."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into what is there: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "order=any", Reason: "on its own it is not offered: unsorted maps are part of config=fastest"},
		{Axis: "config=std", Reason: "its defaults are those of encoding/json"},
	},
	Advice: contender.Advice{URL: "https://pkg.go.dev/github.com/segmentio/encoding/json#ParseFlags", Text: "ZeroCopy in handlers that keep nothing of a request (strings=alias), TrustRawMessage for JSON that is known to be valid (config=fastest)"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "against it: durations are numbers, not its text, and config=fastest appends to a new slice, where Marshal has a pool; without escapes for HTML (assay try) an Encoder and its bytes.Buffer are made for each message", Unmeasured: "Tokenizer, RawMessage"},
	Losses: []contender.Loss{contender.NaNInf, contender.BadUTF8, contender.TimeYears},
	Group:  "more",
	Stream: "One Encoder with SetAppendNewline(false), and one Decoder: concatenated JSON, nothing between the messages. The library writes JSON Lines by default, as the other JSON contenders do.",
	Emit:   emitPackage,
}
