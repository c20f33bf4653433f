// Package nesting tells texts that are nested too deep to be given to a parser
// which calls itself for each bracket.
package nesting

import "bytes"

// Max is how deep brackets and dotted names may be nested in what people write by
// hand.
const Max = 200

// TooDeep returns the offset at which the brackets of a text are nested deeper
// than Max, or a name has more parts than that with dots between them;
// -1: nowhere. What is in comments and strings is not counted. The text is TOML
// or, with slashes, a .proto file, whose comments and strings are others.
func TooDeep(text []byte, slashes bool) int {
	depth, dots := 0, 0
	for i := 0; i < len(text); {
		n := 1
		switch c := text[i]; {
		case c == '"' || c == '\'':
			n = quoted(text[i:], slashes)
		case slashes && bytes.HasPrefix(text[i:], []byte("//")), !slashes && c == '#':
			n = upTo(text[i:], "\n")
		case slashes && bytes.HasPrefix(text[i:], []byte("/*")):
			n = 2 + upTo(text[i+2:], "*/")
		case bytes.IndexByte([]byte("{[(<"), c) >= 0:
			depth, dots = depth+1, 0
		case bytes.IndexByte([]byte("}])>"), c) >= 0:
			depth, dots = max(0, depth-1), 0
		case bytes.IndexByte([]byte("\n=,;:"), c) >= 0:
			dots = 0
		case c == '.':
			dots++
		}
		if depth > Max || dots > Max {
			return i
		}
		i += n
	}
	return -1
}

// upTo is how far it is to the end of the next part that is the text end.
func upTo(text []byte, end string) int {
	if i := bytes.Index(text, []byte(end)); i >= 0 {
		return i + len(end)
	}
	return len(text)
}

// quoted is how long the string is that begins a text. One without an end, which
// is an error of the text, is as long as its line, so that it hides nothing else.
func quoted(text []byte, slashes bool) int {
	quote := text[:1]
	escapes := slashes || quote[0] == '"'
	end := quote
	if triple := bytes.Repeat(quote, 3); !slashes && bytes.HasPrefix(text, triple) {
		end = triple
	}
	for i := len(end); i < len(text); i++ {
		switch {
		case escapes && text[i] == '\\':
			i++
		case bytes.HasPrefix(text[i:], end):
			return i + len(end)
		case len(end) == 1 && text[i] == '\n':
			return i
		}
	}
	return len(text)
}
