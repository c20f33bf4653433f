package workload

import (
	"bytes"
	"strings"
)

// unescaped replaces the escapes that are needed only in HTML or JavaScript by their
// characters. It skips escaped backslashes, so that the second backslash of one does not
// begin an escape.
var unescaped = strings.NewReplacer(`\\`, `\\`, `\u003c`, "<", `\u003C`, "<", `\u003e`, ">", `\u003E`, ">", `\u0026`, "&", `\u2028`, "\u2028", `\u2029`, "\u2029")

// PlainJSON returns a JSON text in which <, >, &, U+2028 and U+2029 are not escaped.
// encoding/json and libraries like it escape these characters in JSON text that is passed
// through. PlainJSON makes the text before and after such a round trip equal. An empty text
// becomes null.
func PlainJSON[T ~string | ~[]byte](text T) string {
	if len(text) == 0 {
		return "null"
	}
	return unescaped.Replace(string(text))
}

// LeafJSON returns LeafText(PlainJSON(text)).
func LeafJSON[T ~[]byte](text T) uint64 {
	if len(text) > 0 && bytes.IndexByte(text, '\\') < 0 {
		return LeafText(text)
	}
	return LeafText(PlainJSON(text))
}
