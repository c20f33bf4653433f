package protofile

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/reflect/protoreflect"

	"assay/schema"
)

// known walks through the next value if its message has a form of its own in protobuf's JSON, rather
// than an object with its fields. It reports whether that is so.
func (e *explainer) known(path string, m protoreflect.MessageDescriptor) bool {
	switch full := m.FullName(); full {
	case "google.protobuf.Timestamp":
		e.text(path, `a google.protobuf.Timestamp, a string as in "2024-05-01T12:30:00Z"`, func(s string) bool {
			_, err := time.Parse(time.RFC3339Nano, s)
			return err == nil
		})
	case "google.protobuf.Duration":
		e.text(path, `a google.protobuf.Duration, a string of seconds as in "1.5s"`, func(s string) bool {
			s, ok := strings.CutSuffix(s, "s")
			_, err := strconv.ParseFloat(s, 64)
			return ok && err == nil
		})
	case "google.protobuf.FieldMask":
		e.text(path, `a google.protobuf.FieldMask, a string as in "user.name,user.id"`, func(string) bool { return true })
	case "google.protobuf.Struct":
		e.kind(path, '{', "a google.protobuf.Struct, an object")
	case "google.protobuf.ListValue":
		e.kind(path, '[', "a google.protobuf.ListValue, a list")
	case "google.protobuf.Value":
		e.skip()
	case "google.protobuf.Any":
		e.any(path, m)
	default:
		if full.Parent() != "google.protobuf" || !isWrapper(m) {
			return false
		}
		f := m.Fields().ByNumber(1)
		e.scalar(path, f.Kind(), f.Enum())
	}
	return true
}

// text walks through a value that should be a string for which fits holds.
func (e *explainer) text(path, want string, fits func(string) bool) {
	if e.decoder.PeekKind() != '"' {
		e.fail(path, want)
		return
	}
	at := e.at()
	raw, err := e.decoder.ReadValue()
	if err != nil {
		e.stopped = true
		return
	}
	if !fits(unquoted(raw)) {
		e.found = &misfit{at, what(path) + " is " + short(raw) + ", where protobuf's JSON has " + want, false}
	}
}

// kind passes over a value that should begin with a bracket.
func (e *explainer) kind(path string, bracket jsontext.Kind, want string) {
	if e.decoder.PeekKind() != bracket {
		e.fail(path, want)
		return
	}
	e.skip()
}

// any walks through a google.protobuf.Any. The .proto files must declare its type.
func (e *explainer) any(path string, m protoreflect.MessageDescriptor) {
	const want = `a google.protobuf.Any, an object with "@type"`
	if e.decoder.PeekKind() != '{' {
		e.fail(path, want)
		return
	}
	at := e.at()
	raw, err := e.decoder.ReadValue()
	if err != nil {
		e.stopped = true
		return
	}
	url, ok := typeURL(raw)
	if !ok {
		e.found = &misfit{at, what(path) + " has no \"@type\", where protobuf's JSON has " + want, true}
		return
	}
	if _, err := e.types.FindMessageByURL(url); err != nil && url != "" {
		e.found = &misfit{at, fmt.Sprintf("%s is a %q, a message that the .proto files do not declare (name the file that does, too)", what(path), url), false}
	}
}

// typeURL returns the member @type of an object. ok is false if it is missing or no string.
func typeURL(object jsontext.Value) (url string, ok bool) {
	d := jsontext.NewDecoder(strings.NewReader(string(object)), jsontext.AllowDuplicateNames(true))
	if _, err := d.ReadToken(); err != nil {
		return "", false
	}
	for d.PeekKind() == '"' {
		key, err := d.ReadToken()
		if err != nil {
			return "", false
		}
		name := key.String()
		v, err := d.ReadValue()
		if err != nil {
			return "", false
		}
		if name == "@type" {
			return unquoted(v), v.Kind() == '"'
		}
	}
	return "", false
}

// short returns a value in the form for an error, cut to 60 bytes.
func short(raw jsontext.Value) string {
	const most = 60
	if len(raw) > most {
		return strings.ToValidUTF8(string(raw[:most]), "") + "…"
	}
	return string(raw)
}

// isBase64 reports whether a text is base64 in one of the forms that protobuf's JSON accepts.
func isBase64(s string) bool {
	s = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
	_, err := base64.RawStdEncoding.DecodeString(s)
	return err == nil
}

// wholeFits reports whether a text is a number that an integer of a kind holds. Protobuf's JSON also
// accepts 1.0 and 1e3.
func wholeFits(kind protoreflect.Kind, text string) bool {
	bits := 64
	switch scalars[kind] {
	case schema.Int32, schema.Uint32:
		bits = 32
	}
	var err error
	unsigned := scalars[kind] == schema.Uint32 || scalars[kind] == schema.Uint64
	if unsigned {
		_, err = strconv.ParseUint(text, 10, bits)
	} else {
		_, err = strconv.ParseInt(text, 10, bits)
	}
	if err == nil || !strings.ContainsAny(text, ".eE") {
		return err == nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v != math.Trunc(v) {
		return false
	}
	if unsigned {
		return v >= 0 && v < math.Exp2(float64(bits))
	}
	limit := math.Exp2(float64(bits - 1))
	return v >= -limit && v < limit
}

// floatFits reports whether a text is a number that a float of a kind holds.
func floatFits(kind protoreflect.Kind, text string) bool {
	switch text {
	case "NaN", "Infinity", "-Infinity":
		return true
	}
	bits := 64
	if kind == protoreflect.FloatKind {
		bits = 32
	}
	_, err := strconv.ParseFloat(text, bits)
	return err == nil && !strings.ContainsAny(text, "xXpP_nNiI")
}
