// Package segmentiojson describes the contender segmentio/json, the JSON package of
// segmentio/encoding. It does not import the library.
package segmentiojson

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is github.com/segmentio/encoding/json.
var Contender = &contender.Contender{
	Name:    "segmentio/json",
	Title:   "JSON by reflection, with encoding/json's interface and an appending one",
	Text:    "Structs with json tags, json.Unmarshal, and json.Marshal, which writes the same bytes as encoding/json. The other modes use what the package adds to encoding/json: json.Append, json.Parse and their flags. Durations are held as int64, because the package writes a time.Duration as text like 1.5s, which no other package of the format reads. No mode decodes into an old value, because the package merges into it, as encoding/json does.",
	Choose:  "when you want a package with the interface of encoding/json that also appends to a byte slice",
	Format:  "json",
	Module:  "github.com/segmentio/encoding",
	License: "MIT",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "json.Append to a reused byte slice, with the flags of json.Marshal: EscapeHTML and SortMapKeys."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "json.Parse with ZeroCopy: strings without escapes are parts of the message.", Refuses: emit.AliasesStrings},
		{Key: "config=fastest", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "What json.Marshal does, with only the flag TrustRawMessage: json.Append to a buffer of a pool, and a copy. Nothing is escaped for HTML, and maps are not sorted, except in types with a MarshalJSON (unions and rows), which calls json.Marshal. json.Parse with DontMatchCaseInsensitiveStructFields. Strings are still copied."},
		{Key: "output=reuse,strings=alias,config=fastest", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "json.Append to a reused byte slice, with only the flag TrustRawMessage; json.Parse with ZeroCopy and DontMatchCaseInsensitiveStructFields."},
		{Key: "output=reuse,session=stream", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "One Encoder writes all messages, each with a newline after it, into a bytes.Buffer that is reset between them; one Decoder reads them all."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "it merges into the old value: map entries and fields that the message leaves out stay"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "order=any", Reason: "assay offers unsorted maps only as a part of config=fastest"},
		{Axis: "config=std", Reason: "its defaults are those of encoding/json"},
	},
	Advice: contender.Advice{URL: "https://pkg.go.dev/github.com/segmentio/encoding/json#ParseFlags", Text: "ZeroCopy in handlers that keep nothing of a request (strings=alias), TrustRawMessage for JSON that is known to be valid (config=fastest)"},
	Bias:   contender.Bias{Ours: "in config=fastest, and where nothing is escaped for HTML (assay try), the pool of buffers and the copy that json.Marshal has for its own flags only", Favours: "against it: durations are numbers instead of its text", Unmeasured: "Tokenizer, RawMessage"},
	Losses: []contender.Loss{contender.NaNInf, contender.BadUTF8, contender.TimeYears},
	Group:  "more",
	Stream: "One Encoder with SetAppendNewline(false), and one Decoder: concatenated JSON with nothing between the messages. The library writes JSON Lines by default, as the other JSON contenders do.",
	Emit:   emitPackage,
}
