package infer

import "bytes"

// htmlSeen records how the sample writes <, > and &, which encoding/json and libraries like it
// escape for HTML.
type htmlSeen struct {
	plain, escaped bool
	forced         *Overrule // the user says that they are escaped
}

// text looks at a string of JSON, with its quotes.
func (h *htmlSeen) text(raw []byte) {
	if !h.plain {
		h.plain = bytes.ContainsAny(raw, "<>&")
	}
	if h.escaped || bytes.IndexByte(raw, '\\') < 0 {
		return
	}
	for i := 0; i+5 < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if raw[i+1] == 'u' {
			switch string(bytes.ToLower(raw[i+2 : i+6])) {
			case "003c", "003e", "0026":
				h.escaped = true
				return
			}
		}
		i++ // the escaped character may be a backslash
	}
}

// unescaped reports whether the writer of the sample does not escape these characters. If the
// sample has both forms, they may come from two writers, and the result is false.
func (h *htmlSeen) unescaped() bool { return h.forced == nil && h.plain && !h.escaped }
