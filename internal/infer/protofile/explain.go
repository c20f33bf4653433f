package protofile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"assay/internal/nearest"
	"assay/schema"
	"assay/schema/protoform"
)

// A misfit is the first value of a JSON record that is not valid for its field in protobuf's JSON.
type misfit struct {
	offset int64
	reason string
	// foreign says that the JSON does not look as if a protobuf library had written it.
	foreign bool
}

// misfit explains a decoder's error about a JSON record: where it is, what is wrong in terms of the
// .proto files, and what to do. The decoder itself names only a token. skip says what SkipBad would
// do about it.
func (r *Result) misfit(err error, raw []byte) (offset int64, why, skip string) {
	if lacks := (*requiredError)(nil); errors.As(err, &lacks) {
		return r.beginning(raw, lacks.path), err.Error(), orLeaveOut
	}
	found := r.explainJSON(raw)
	switch {
	case found == nil:
		if offset, why = position(err, raw); !errors.As(err, new(*protoform.EnumError)) {
			why += "; correct it"
		}
		return offset, why, orLeaveOut
	case found.foreign:
		return found.offset, fmt.Sprintf("%s; this is not the JSON that protobuf writes of %s: give that, or messages in binary or text form, or try the file without the .proto", found.reason, r.Message), ""
	}
	return found.offset, found.reason + "; correct it", orLeaveOut
}

// explainJSON returns the first value of a JSON record that does not fit the message; nil: it finds
// none.
func (r *Result) explainJSON(raw []byte) *misfit {
	e := r.explainer(raw)
	e.message("", r.desc)
	return e.found
}

// beginning returns the offset of the object that lacks the required field with a path.
func (r *Result) beginning(raw []byte, path string) int64 {
	e := r.explainer(raw)
	e.lacks = path
	e.message("", r.desc)
	return e.around
}

func (r *Result) explainer(raw []byte) *explainer {
	return &explainer{
		types: r.decoder.resolver, decoder: jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true)), raw: raw,
	}
}

// An explainer walks through a JSON value and the descriptor of its message together. It stops at the
// first misfit and at invalid JSON.
type explainer struct {
	types   protoregistry.MessageTypeResolver
	decoder *jsontext.Decoder
	raw     []byte
	found   *misfit
	stopped bool
	// lacks is the path of a missing field, and around the offset of the object that should have
	// it.
	lacks  string
	around int64
}

// at returns the offset of the next value.
func (e *explainer) at() int64 {
	offset := e.decoder.InputOffset()
	rest := e.raw[offset:]
	return offset + int64(len(rest)-len(bytes.TrimLeft(rest, " \t\r\n,:")))
}

// fail records a misfit of the next value. want describes what protobuf's JSON has there.
func (e *explainer) fail(path, want string) {
	if e.found != nil || e.stopped {
		return
	}
	at := e.at()
	foreign := e.decoder.PeekKind() != 'n'
	if shown := e.shown(); !e.stopped {
		e.found = &misfit{at, what(path) + " is " + shown + ", where protobuf's JSON has " + want, foreign}
	}
}

// what names the value at a path.
func what(path string) string {
	if path == "" {
		return "the record"
	}
	return path
}

// shown returns the next value in the form for an error.
func (e *explainer) shown() string {
	switch e.decoder.PeekKind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 'n':
		return "null"
	}
	v, err := e.decoder.ReadValue()
	if err != nil {
		e.stopped = true
	}
	return short(v)
}

// done reports whether the walk is over.
func (e *explainer) done() bool { return e.found != nil || e.stopped }

// skip passes over the next value.
func (e *explainer) skip() {
	if err := e.decoder.SkipValue(); err != nil {
		e.stopped = true
	}
}

// token passes over a bracket.
func (e *explainer) token() {
	if _, err := e.decoder.ReadToken(); err != nil {
		e.stopped = true
	}
}

// message walks through the next value, which is a message.
func (e *explainer) message(path string, m protoreflect.MessageDescriptor) {
	if e.lacks != "" && path == e.lacks[:max(0, strings.LastIndexByte(e.lacks, '.'))] {
		e.around = e.at()
	}
	if e.known(path, m) {
		return
	}
	if e.decoder.PeekKind() != '{' {
		e.fail(path, fmt.Sprintf("an object of type %s", m.FullName()))
		return
	}
	e.token()
	for !e.done() && e.decoder.PeekKind() != '}' {
		at := e.at()
		key, err := e.decoder.ReadToken()
		if err != nil {
			e.stopped = true
			return
		}
		name := key.String()
		f := fieldOf(m, name)
		switch {
		case strings.HasPrefix(name, "["): // an extension
			e.skip()
		case f == nil:
			e.found = unknown(at, path, name, m)
		default:
			if e.lacks != "" {
				name = f.JSONName() // as in the path of the missing field
			}
			e.field(within(path, name), f)
		}
	}
	if !e.done() {
		e.token()
	}
}

// within returns the path of a member of the object at a path.
func within(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// fieldOf returns the field for a key in JSON; nil: there is none.
func fieldOf(m protoreflect.MessageDescriptor, key string) protoreflect.FieldDescriptor {
	if f := m.Fields().ByJSONName(key); f != nil {
		return f
	}
	return m.Fields().ByTextName(key)
}

// unknown returns the misfit for a key for which a message has no field. The record is foreign
// unless a field has a similar name.
func unknown(at int64, path, key string, m protoreflect.MessageDescriptor) *misfit {
	var names []string
	for i := range m.Fields().Len() {
		names = append(names, m.Fields().Get(i).JSONName())
	}
	reason := fmt.Sprintf("unknown field %q, which %s does not have", key, m.FullName())
	if path != "" {
		reason = path + ": " + reason
	}
	near := nearest.Name(key, names)
	if i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, key) }); i >= 0 {
		near = names[i]
	}
	if near == "" {
		return &misfit{at, reason, true}
	}
	return &misfit{at, reason + " (near it is " + near + ")", false}
}

// field walks through the next value, which is the value of a field.
func (e *explainer) field(path string, f protoreflect.FieldDescriptor) {
	kind := e.decoder.PeekKind()
	switch {
	case kind == 'n' && (f.IsList() || f.IsMap() || !takesNull(f)):
		e.skip()
	case f.IsMap():
		if kind != '{' {
			e.fail(path, "an object, as for any map")
			return
		}
		e.entries(path, f)
	case f.IsList():
		if kind != '[' {
			e.fail(path, "a list")
			return
		}
		e.token()
		for i := 0; !e.done() && e.decoder.PeekKind() != ']'; i++ {
			e.value(fmt.Sprintf("%s[%d]", path, i), f)
		}
		if !e.done() {
			e.token()
		}
	default:
		e.value(path, f)
	}
}

// takesNull reports whether null is a value of a field, and does not mean that it is absent.
func takesNull(f protoreflect.FieldDescriptor) bool {
	return f.Message() != nil && f.Message().FullName() == "google.protobuf.Value" ||
		f.Enum() != nil && f.Enum().FullName() == "google.protobuf.NullValue"
}

// entries walks through the entries of a map.
func (e *explainer) entries(path string, f protoreflect.FieldDescriptor) {
	e.token()
	for !e.done() && e.decoder.PeekKind() != '}' {
		at := e.at()
		key, err := e.decoder.ReadToken()
		if err != nil {
			e.stopped = true
			return
		}
		name := key.String()
		if !keyFits(f.MapKey().Kind(), name) {
			e.found = &misfit{at, fmt.Sprintf("%s has the key %q, which is not of type %s", path, name, f.MapKey().Kind()), false}
			return
		}
		e.value(fmt.Sprintf("%s[%q]", path, name), f.MapValue())
	}
	if !e.done() {
		e.token()
	}
}

// keyFits reports whether a text is a valid key of a kind.
func keyFits(kind protoreflect.Kind, key string) bool {
	switch kind {
	case protoreflect.StringKind:
		return true
	case protoreflect.BoolKind:
		return key == "true" || key == "false"
	}
	return wholeFits(kind, key)
}

// value walks through one value of a field.
func (e *explainer) value(path string, f protoreflect.FieldDescriptor) {
	if m := f.Message(); m != nil {
		e.message(path, m)
		return
	}
	e.scalar(path, f.Kind(), f.Enum())
}

// scalar walks through a value that is no message.
func (e *explainer) scalar(path string, kind protoreflect.Kind, enum protoreflect.EnumDescriptor) {
	var raw jsontext.Value
	next := e.decoder.PeekKind()
	if next == '{' || next == '[' || next == 'n' && kind != protoreflect.EnumKind {
		e.fail(path, scalarText(kind, enum))
		return
	}
	at := e.at()
	raw, err := e.decoder.ReadValue()
	if err != nil {
		e.stopped = true
		return
	}
	if !scalarFits(kind, enum, raw) {
		e.found = &misfit{at, what(path) + " is " + short(raw) + ", where protobuf's JSON has " + scalarText(kind, enum), false}
	}
}

// unquoted returns the text of a JSON string, or the JSON of anything else.
func unquoted(raw jsontext.Value) string {
	if raw.Kind() != '"' {
		return string(raw)
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return string(raw)
	}
	return string(text)
}

// scalarFits reports whether a value is valid for a kind in protobuf's JSON.
func scalarFits(kind protoreflect.Kind, enum protoreflect.EnumDescriptor, raw jsontext.Value) bool {
	text, quoted := unquoted(raw), raw.Kind() == '"'
	switch kind {
	case protoreflect.BoolKind:
		return raw.Kind() == 't' || raw.Kind() == 'f'
	case protoreflect.StringKind:
		return quoted
	case protoreflect.BytesKind:
		return quoted && isBase64(text)
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		return (quoted || raw.Kind() == '0') && floatFits(kind, text)
	case protoreflect.EnumKind:
		switch raw.Kind() {
		case '"':
			return enum.Values().ByName(protoreflect.Name(text)) != nil
		case 'n':
			return enum.FullName() == "google.protobuf.NullValue"
		}
		return raw.Kind() == '0' && wholeFits(protoreflect.Int32Kind, text)
	}
	return (quoted || raw.Kind() == '0') && wholeFits(kind, text)
}

// scalarText describes the values of a kind in protobuf's JSON.
func scalarText(kind protoreflect.Kind, enum protoreflect.EnumDescriptor) string {
	switch kind {
	case protoreflect.BoolKind:
		return "true or false"
	case protoreflect.StringKind:
		return "a string"
	case protoreflect.BytesKind:
		return "type bytes, a string in base64"
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		return fmt.Sprintf("type %s, a number or %q, %q, %q", kind, "NaN", "Infinity", "-Infinity")
	case protoreflect.EnumKind:
		var names []string
		for i := range enum.Values().Len() {
			names = append(names, string(enum.Values().Get(i).Name()))
		}
		return fmt.Sprintf("a value of the enum %s (%s)", enum.FullName(), some(names))
	}
	lo, hi := bounds(kind)
	return fmt.Sprintf("type %s, a whole number from %s to %s", kind, lo, hi)
}

// bounds returns the least and the greatest number of a kind of integer.
func bounds(kind protoreflect.Kind) (lo, hi string) {
	switch scalars[kind] {
	case schema.Int32:
		return fmt.Sprint(math.MinInt32), fmt.Sprint(math.MaxInt32)
	case schema.Uint32:
		return "0", fmt.Sprint(uint32(math.MaxUint32))
	case schema.Uint64:
		return "0", fmt.Sprint(uint64(math.MaxUint64))
	}
	return fmt.Sprint(int64(math.MinInt64)), fmt.Sprint(int64(math.MaxInt64))
}
