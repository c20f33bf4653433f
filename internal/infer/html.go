package infer

import "bytes"

// htmlSeen is how texts are written that have characters which encoding/json, and
// others after it, escape for HTML.
type htmlSeen struct {
	plain, escaped bool
	forced         *Overrule // the user says that they are escaped
}

// text notes a string of JSON, in its quotes.
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
		i++ // what is escaped may be a backslash
	}
}

// unescaped reports whether who wrote the texts leaves such characters as they
// are. Texts of two writers are not known to be of either.
func (h *htmlSeen) unescaped() bool { return h.forced == nil && h.plain && !h.escaped }
