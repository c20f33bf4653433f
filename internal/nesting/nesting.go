// Package nesting recognizes texts that are nested too deep for a recursive parser.
package nesting

import "bytes"

// Max is the largest permitted depth of brackets and number of dots in a name, for texts that
// people write by hand.
const Max = 200

// TooDeep returns the first offset at which brackets are nested deeper than Max, or at which a
// name has more than Max dots; -1 if there is none. It ignores comments and strings. The text is
// TOML or, if slashes is set, a .proto file, which has other comments and strings.
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

// upTo returns the offset after the next occurrence of end, or the length of the text if there is
// none.
func upTo(text []byte, end string) int {
	if i := bytes.Index(text, []byte(end)); i >= 0 {
		return i + len(end)
	}
	return len(text)
}

// quoted returns the length of the string at the start of a text. A string without an end, which
// is a syntax error, is as long as its line, so that it hides no brackets on later lines.
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
