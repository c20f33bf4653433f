package anonymize

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"assay/internal/infer"
	"assay/schema"
)

// A replacer gets the parts of records that are data, as JSON, and appends their replacements to out.
type replacer interface {
	key(out, raw []byte) []byte
	scalar(out, raw []byte, at infer.Place) []byte
}

// A walker walks through records and their schema together.
type walker struct {
	replacer
	decoder *jsontext.Decoder
	raw     []byte // the record
	out     []byte
}

// record appends the replacement of a record to w.out.
func (w *walker) record(at infer.Place, raw []byte) error {
	w.raw = raw
	w.decoder = jsontext.NewDecoder(bytes.NewBuffer(raw))
	return w.value(at)
}

func (w *walker) value(at infer.Place) error {
	kind := w.decoder.PeekKind()
	at = at.OfKind(kind)
	switch kind {
	case '{':
		return w.members(at.Alone().Of(infer.Record{Raw: w.raw}.After(w.decoder.InputOffset())))
	case '[':
		return w.elements(at)
	}
	raw, err := w.decoder.ReadValue()
	if err != nil {
		return err
	}
	switch raw[0] {
	case 'n', 't', 'f':
		w.out = append(w.out, raw...)
	default:
		w.out = w.scalar(w.out, raw, at.Alone())
	}
	return nil
}

func (w *walker) members(at infer.Place) error {
	if _, err := w.decoder.ReadToken(); err != nil {
		return err
	}
	fields := at.Kind() == schema.MessageKind
	w.out = append(w.out, '{')
	for i := 0; w.decoder.PeekKind() != '}'; i++ {
		raw, err := w.decoder.ReadValue()
		if err != nil {
			return err
		}
		if i > 0 {
			w.out = append(w.out, ',')
		}
		name := unquote(raw)
		inner := at.Member(name)
		if fields && !at.Foreign(name) {
			w.out = append(w.out, raw...)
		} else {
			w.out = w.key(w.out, raw)
		}
		w.out = append(w.out, ':')
		if err := w.value(inner); err != nil {
			return err
		}
	}
	w.out = append(w.out, '}')
	_, err := w.decoder.ReadToken()
	return err
}

func (w *walker) elements(at infer.Place) error {
	if _, err := w.decoder.ReadToken(); err != nil {
		return err
	}
	w.out = append(w.out, '[')
	for i := 0; w.decoder.PeekKind() != ']'; i++ {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if err := w.value(at.Elem(i)); err != nil {
			return err
		}
	}
	w.out = append(w.out, ']')
	_, err := w.decoder.ReadToken()
	return err
}

func unquote(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	out, _ := jsontext.AppendUnquote(nil, raw)
	return string(out)
}

func compact(raw *[]byte) error { return (*jsontext.Value)(raw).Compact() }

// numeric reports whether values of a kind are numbers, even if the sample writes them as texts.
func numeric(k schema.Kind) bool {
	switch k {
	case schema.Int32, schema.Int64, schema.Uint32, schema.Uint64, schema.Float32, schema.Float64:
		return true
	}
	return false
}

// spaced splits off the spaces around a text, because a number in quotes may have some.
func spaced(s string) (before, text, after string) {
	const spaces = " \t\r\n"
	text = strings.TrimLeft(s, spaces)
	before = s[:len(s)-len(text)]
	text = strings.TrimRight(text, spaces)
	return before, text, s[len(before)+len(text):]
}

// timely reports whether texts of a kind that are times are replaced by times.
func timely(k schema.Kind) bool {
	return k == schema.Timestamp || k == schema.String || k == schema.Invalid
}

// A measurer is a replacer that only finds the ranges of places.
type measurer struct{ *Sample }

func (m *measurer) key(out, _ []byte) []byte { return out }

func (m *measurer) scalar(out, raw []byte, at infer.Place) []byte {
	kind := at.Kind()
	if raw[0] != '"' {
		m.at(at).addNumber(raw, kind)
		return out
	}
	switch as := at.Spelling(); {
	case as != "":
		if t, err := as.ParseTime([]byte(unquote(raw))); err == nil && as.Kind() == schema.Timestamp {
			m.at(at).times.add(t)
		}
	case numeric(kind):
		_, number, _ := spaced(unquote(raw))
		m.at(at).addNumber([]byte(number), kind)
	case timely(kind) && len(raw) > whole:
		if s := unquote(raw); infer.IsTime(s) {
			t, _ := parseInstant(s)
			m.at(at).times.add(t.Time)
		}
	}
	return out
}

// An anonymizer is the replacer that replaces data.
type anonymizer struct {
	sample   *Sample
	permuter *permuter
	texts    *texts
}

func (a *anonymizer) key(out, raw []byte) []byte {
	return quote(out, raw, a.texts.plain(unquote(raw)))
}

func (a *anonymizer) scalar(out, raw []byte, at infer.Place) []byte {
	kind := at.Kind()
	if kind == schema.EnumKind || kind == schema.Bool {
		return append(out, raw...)
	}
	if raw[0] != '"' {
		return a.number(out, raw, a.sample.at(at), kind)
	}
	s := unquote(raw)
	switch as := at.Spelling(); {
	case at.Tag() != nil:
		s = a.tag(at.Tag(), s)
	case as != "":
		s = a.spelled(as, s, a.sample.at(at))
	case numeric(kind):
		before, number, after := spaced(s)
		s = before + string(a.number(nil, []byte(number), a.sample.at(at), kind)) + after
	case timely(kind) && infer.IsTime(s):
		s = a.time(s, a.sample.at(at))
	case kind == schema.Bytes:
		s = a.texts.replace(s, asBase64, infer.Look{}, func(string) bool { return true })
	case kind == schema.Duration:
		s = a.texts.replace(s, asUnits, infer.Look{}, func(s string) bool {
			_, err := time.ParseDuration(s)
			return err == nil
		})
	default:
		s = a.texts.plain(s)
	}
	return quote(out, raw, s)
}

// tag replaces a text that tells the variants of a union apart, unless it is a word of the schema. The
// replacement is never such a word.
func (a *anonymizer) tag(t *infer.Tag, s string) string {
	if t.Keeps(s) {
		return s
	}
	for {
		if s = a.texts.plain(s); !t.Keeps(s) {
			return s
		}
	}
}

// quote appends a text as JSON. It escapes the characters that are escaped in raw, which has as many
// characters.
func quote(out, raw []byte, s string) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return append(append(append(out, '"'), s...), '"')
	}
	out = append(out, '"')
	raw = raw[1 : len(raw)-1]
	for _, r := range s {
		switch {
		case raw[0] != '\\':
			_, n := utf8.DecodeRune(raw)
			raw = raw[n:]
			out = utf8.AppendRune(out, r)
		case raw[1] != 'u':
			out, raw = append(out, raw[:2]...), raw[2:]
		default:
			n := 6
			if r > 0xffff {
				n = 12
			}
			out, raw = escape(out, r), raw[n:]
		}
	}
	return append(out, '"')
}

// escape appends a character as \u escapes of its UTF-16.
func escape(out []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	unit := func(u rune) {
		out = append(out, '\\', 'u', hex[u>>12&15], hex[u>>8&15], hex[u>>4&15], hex[u&15])
	}
	if r > 0xffff {
		r -= 0x10000
		unit(0xd800 + r>>10)
		unit(0xdc00 + r&0x3ff)
	} else {
		unit(r)
	}
	return out
}
