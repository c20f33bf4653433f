package workload

import (
	"bytes"
	"strings"
)

// unescaped puts the characters that are escaped for HTML or JavaScript only in
// the place of their escapes. A backslash that is escaped itself begins none.
var unescaped = strings.NewReplacer(`\\`, `\\`, `\u003c`, "<", `\u003C`, "<", `\u003e`, ">", `\u003E`, ">", `\u0026`, "&", `\u2028`, "\u2028", `\u2029`, "\u2029")

// PlainJSON returns a JSON text with <, >, &, U+2028 and U+2029 as themselves
// where they are escaped. These are what encoding/json, and who follows it,
// escapes in a text that it is given as it is, so that what was written and read
// again compares equal. No text is null.
func PlainJSON[T ~string | ~[]byte](text T) string {
	if len(text) == 0 {
		return "null"
	}
	return unescaped.Replace(string(text))
}

// LeafJSON returns what LeafText does of the JSON text that PlainJSON returns.
func LeafJSON[T ~[]byte](text T) uint64 {
	if len(text) > 0 && bytes.IndexByte(text, '\\') < 0 {
		return LeafText(text)
	}
	return LeafText(PlainJSON(text))
}
