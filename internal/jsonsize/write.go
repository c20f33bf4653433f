package jsonsize

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"assay/schema"
)

// A writer writes values in neutral form as encoding/json writes them with the types of the
// contender encoding/json. Only the order of map entries differs: it is that of the neutral
// form.
type writer struct {
	schema  *shapes
	decoder *jsontext.Decoder
	buffer  bytes.Buffer
}

// append appends the JSON of a neutral value.
func (w *writer) append(dst []byte, t schema.Type, neutral []byte) ([]byte, error) {
	w.buffer = *bytes.NewBuffer(neutral)
	if w.decoder == nil {
		w.decoder = jsontext.NewDecoder(&w.buffer)
	} else {
		w.decoder.Reset(&w.buffer)
	}
	return w.value(dst, t, leafForm{})
}

// A leafForm says how the leaves of a field are written.
type leafForm struct {
	jsonText bool
	as       schema.Spelling
	alone    bool // a list of one element is written as the element
}

func formOf(f *schema.Field) leafForm { return leafForm{f.JSONText, f.As, f.OneOrMany} }

// value writes the next value.
func (w *writer) value(dst []byte, t schema.Type, form leafForm) ([]byte, error) {
	if w.decoder.PeekKind() == 'n' {
		_, err := w.decoder.ReadToken()
		return append(dst, "null"...), err
	}
	switch t.Kind {
	case schema.MessageKind:
		return w.message(dst, w.schema.Message(t.Ref))
	case schema.List:
		begin, elems := len(dst), 0
		dst, err := w.sequence(dst, '[', ']', func(dst []byte) ([]byte, error) {
			elems++
			return w.value(dst, *t.Elem, form)
		})
		if form.alone && elems == 1 && err == nil {
			dst = append(dst[:begin], dst[begin+1:len(dst)-1]...)
		}
		return dst, err
	case schema.Map:
		return w.sequence(dst, '{', '}', func(dst []byte) ([]byte, error) {
			key, err := w.decoder.ReadValue()
			if err != nil {
				return dst, err
			}
			dst = append(w.appendText(dst, key), ':')
			return w.value(dst, *t.Elem, form)
		})
	}
	raw, err := w.decoder.ReadValue()
	if err != nil {
		return dst, err
	}
	if form.as != "" {
		return appendSpelled(dst, form.as, raw)
	}
	return w.appendLeaf(dst, t.Kind, raw, form.jsonText)
}

// sequence writes the elements of a list or the members of an object, with commas between.
func (w *writer) sequence(dst []byte, open, end byte, one func([]byte) ([]byte, error)) ([]byte, error) {
	if _, err := w.decoder.ReadToken(); err != nil {
		return dst, err
	}
	dst = append(dst, open)
	for first := true; w.decoder.PeekKind() != jsontext.Kind(end); first = false {
		if !first {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = one(dst); err != nil {
			return dst, err
		}
	}
	_, err := w.decoder.ReadToken()
	return append(dst, end), err
}

// message writes a message. encoding/json writes the values of some messages without an
// object around them: these messages have only one field, or are rows, which are lists.
func (w *writer) message(dst []byte, m *schema.Message) ([]byte, error) {
	if m.Bare {
		return w.value(dst, m.Fields[0].Type, formOf(m.Fields[0]))
	}
	if m.Union {
		return w.union(dst, m)
	}
	if _, err := w.decoder.ReadToken(); err != nil {
		return dst, err
	}
	named := !m.Row && !w.schema.Transparent(m) && !w.schema.Tristate(m)
	switch {
	case m.Row:
		dst = append(dst, '[')
	case named:
		dst = append(dst, '{')
	}
	first := true
	for _, f := range m.Fields {
		key, err := w.decoder.ReadValue()
		if err != nil {
			return dst, err
		}
		start := len(dst)
		if !first && (m.Row || named) {
			dst = append(dst, ',')
		}
		if named {
			dst = append(w.appendText(dst, key), ':')
		}
		begin, none := len(dst), w.decoder.PeekKind() == 'n'
		if dst, err = w.value(dst, f.Type, formOf(f)); err != nil {
			return dst, err
		}
		if named && omitted(f, dst[begin:], none) {
			dst = dst[:start]
			continue
		}
		first = false
	}
	switch {
	case m.Row:
		dst = append(dst, ']')
	case named:
		dst = append(dst, '}')
	}
	_, err := w.decoder.ReadToken()
	return dst, err
}

// union writes the variant that is set, or null.
func (w *writer) union(dst []byte, m *schema.Message) ([]byte, error) {
	if _, err := w.decoder.ReadToken(); err != nil {
		return dst, err
	}
	start := len(dst)
	for _, f := range m.Fields {
		if _, err := w.decoder.ReadValue(); err != nil { // skips the key
			return dst, err
		}
		if w.decoder.PeekKind() == 'n' {
			if err := w.decoder.SkipValue(); err != nil {
				return dst, err
			}
			continue
		}
		var err error
		if dst, err = w.value(dst, f.Type, leafForm{}); err != nil {
			return dst, err
		}
	}
	if len(dst) == start {
		dst = append(dst, "null"...)
	}
	_, err := w.decoder.ReadToken()
	return dst, err
}

// omitted reports whether a field with this JSON is left out. none says that its value is
// absent. A field that tells null from absent has the JSON null if its value is null.
func omitted(f *schema.Field, value []byte, none bool) bool {
	switch {
	case !f.Omits():
		return false
	case none:
		return true
	case f.OmitZero || f.Type.Optional:
		return false
	case f.JSONText && f.Type.Kind == schema.String:
		return len(value) == 0 // encoding/json treats it as a list of bytes
	}
	switch f.Type.Kind {
	case schema.Timestamp, schema.MessageKind:
		return false
	}
	if f.OneOrMany {
		return string(value) == "[]" || string(value) == "null"
	}
	return hollow(value)
}

func (w *writer) appendLeaf(dst []byte, kind schema.Kind, raw []byte, jsonText bool) ([]byte, error) {
	switch kind {
	case schema.String:
		if !jsonText {
			return w.appendText(dst, raw), nil
		}
		text, err := jsontext.AppendUnquote(nil, raw)
		if err != nil {
			return dst, err
		}
		if w.schema.Unescaped {
			return append(dst, text...), nil
		}
		var escaped bytes.Buffer
		json.HTMLEscape(&escaped, text)
		return append(dst, escaped.Bytes()...), nil
	case schema.Float32:
		return appendFloat(dst, raw, 32)
	case schema.Float64:
		return appendFloat(dst, raw, 64)
	case schema.Timestamp:
		if raw[0] == '"' {
			return append(dst, raw...), nil
		}
		var t struct{ Unix, Nanos, Offset int64 }
		if err := json.Unmarshal(raw, &t); err != nil {
			return dst, err
		}
		text, err := time.Unix(t.Unix, t.Nanos).In(time.FixedZone("", int(t.Offset))).MarshalJSON()
		return append(dst, text...), err
	}
	return append(dst, raw...), nil
}

// appendSpelled appends a value in its spelling.
func appendSpelled(dst []byte, as schema.Spelling, raw []byte) ([]byte, error) {
	var err error
	if !as.Number() {
		dst = append(dst, '"')
	}
	switch as.Kind() {
	case schema.Bytes:
		var v []byte
		err = json.Unmarshal(raw, &v)
		dst = as.AppendBytes(dst, v)
	case schema.Timestamp:
		var v time.Time
		err = json.Unmarshal(raw, &v)
		dst = as.AppendTime(dst, v)
	default:
		var v int64
		err = json.Unmarshal(raw, &v)
		dst = as.AppendInt(dst, v)
	}
	if !as.Number() {
		dst = append(dst, '"')
	}
	return dst, err
}

// appendFloat appends a number with the given number of bits as encoding/json does.
func appendFloat(dst, raw []byte, bits int) ([]byte, error) {
	v, err := strconv.ParseFloat(string(raw), bits)
	if err != nil {
		return dst, fmt.Errorf("JSON cannot write %s", raw)
	}
	format := byte('f')
	if a := math.Abs(v); a != 0 && (bits == 64 && (a < 1e-6 || a >= 1e21) || bits == 32 && (float32(a) < 1e-6 || float32(a) >= 1e21)) {
		format = 'e'
	}
	text := strconv.FormatFloat(v, format, -1, bits)
	if before, after, ok := strings.Cut(text, "e-0"); ok { // strconv writes at least two digits
		text = before + "e-" + after
	}
	return append(dst, text...), nil
}

// appendText appends a string as encoding/json does. raw is a string in neutral form, which
// is an object if the string is not valid UTF-8.
func (w *writer) appendText(dst, raw []byte) []byte {
	if raw[0] == '"' && w.plainText(raw) {
		return append(dst, raw...)
	}
	text, err := unquoted(raw)
	if err != nil {
		return append(dst, raw...)
	}
	var quoted bytes.Buffer
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(!w.schema.Unescaped)
	if err := e.Encode(text); err != nil {
		panic(err) // a string is always JSON
	}
	return append(dst, bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))...)
}

// plainText reports whether a string is written unchanged.
func (w *writer) plainText(raw []byte) bool {
	for _, c := range raw {
		switch c {
		case '\\', 0xE2: // 0xE2 begins U+2028
			return false
		case '<', '>', '&':
			if !w.schema.Unescaped {
				return false
			}
		}
	}
	return true
}

func unquoted(raw []byte) (string, error) {
	if raw[0] == '"' {
		text, err := jsontext.AppendUnquote(nil, raw)
		return string(text), err
	}
	var object struct{ Base64 *string }
	if err := json.Unmarshal(raw, &object); err != nil || object.Base64 == nil {
		return "", errors.New("neither a string nor what stands for one")
	}
	text, err := base64.StdEncoding.DecodeString(*object.Base64)
	return string(text), err
}
