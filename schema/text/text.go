// Package text reads and writes the text form of a schema: TOML that people
// write, review and edit.
//
//	name = "tick"
//	doc = "One tick of a quorum of computors."
//	roots = ["TickData"]
//
//	[[messages]]
//	name = "TickData"
//	fields = [
//	  { number = 1, name = "computor_index", type = "uint32", text = "computorIndex" },
//	  { number = 2, name = "ids",            type = "[]string" },
//	]
//
//	[[enums]]
//	name = "Color"
//	values = [
//	  { number = 0, name = "COLOR_UNKNOWN" },
//	  { number = 1, name = "COLOR_RED" },
//	]
//
// The keys are the members of the types in package schema, in lower case. A
// type is written as in Go: bool, int32, int64, uint32, uint64, float32,
// float64, string, bytes, timestamp, duration, or the name of a message or an
// enum; *T is an optional T; []T and []*T are lists; map[K]T and map[K]*T are
// maps.
package text

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"assay/schema"
)

// An Error is one thing that is wrong with a text, and where.
type Error struct {
	// File is the name that Parse was given.
	File string
	// Line and Col count from 1. Col counts bytes, as compilers do.
	Line, Col int
	// Reason says what is wrong and what to do about it.
	Reason string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Reason)
}

// Parse reads the text form of a schema. The name is that of the file, for
// errors. The schema it returns is valid. The error is an errors.Join of
// *Error in the order of the text: all that is wrong, or the first thing that
// is no TOML.
//
// Nothing is taken silently: an unknown key is an error, and so is a value of
// another type than the key's.
func Parse(name string, data []byte) (*schema.Schema, error) {
	src := string(bytes.TrimPrefix(data, []byte("\ufeff")))
	r := &reader{file: name, src: src, tables: map[string]*node{}}
	if i := invalidUTF8(src); i >= 0 {
		r.fail(i, "the text is not valid UTF-8")
		return nil, r.err()
	}
	var tree map[string]any
	if _, err := toml.Decode(src, &tree); err != nil {
		return nil, errors.Join(syntaxError(name, err))
	}
	s := r.schema(table{r, tree, locate(src)})
	if len(r.errs) == 0 {
		r.validate(s)
	}
	if len(r.errs) > 0 {
		return nil, r.err()
	}
	return s, nil
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(s string) int {
	for i, c := range s {
		if c == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return -1
}

// syntaxError turns an error of the TOML library into ours.
func syntaxError(file string, err error) *Error {
	e := &Error{File: file, Line: 1, Col: 1, Reason: err.Error()}
	var p toml.ParseError
	if errors.As(err, &p) {
		e.Line, e.Col, e.Reason = max(p.Position.Line, 1), max(p.Position.Col, 1), p.Message
	}
	return e
}

// A reader turns a TOML tree into a schema and collects what is wrong.
type reader struct {
	file, src string
	errs      []located
	refs      []ref            // type names to be looked up
	tables    map[string]*node // path of a schema.Error → its table
}

// A located error is an error at an offset of the source.
type located struct {
	offset int
	reason string
}

// A ref is a type name that may be a message or an enum: which of them is
// known once the whole text was read.
type ref struct {
	typ    *schema.Type
	offset int
}

func (r *reader) fail(offset int, format string, args ...any) {
	r.errs = append(r.errs, located{offset, fmt.Sprintf(format, args...)})
}

// err returns what was collected, in the order of the text.
func (r *reader) err() error {
	slices.SortStableFunc(r.errs, func(a, b located) int { return cmp.Compare(a.offset, b.offset) })
	var list []error
	for _, e := range r.errs {
		before := r.src[:min(e.offset, len(r.src))]
		list = append(list, &Error{
			File:   r.file,
			Line:   1 + strings.Count(before, "\n"),
			Col:    len(before) - strings.LastIndexByte(before, '\n'),
			Reason: e.reason,
		})
	}
	return errors.Join(list...)
}

// validate maps what the schema's own rules say to places in the text.
func (r *reader) validate(s *schema.Schema) {
	joined, ok := s.Validate().(interface{ Unwrap() []error })
	if !ok {
		return
	}
	for _, err := range joined.Unwrap() {
		offset := 0
		var e *schema.Error
		if errors.As(err, &e) {
			if n := r.tables[e.Path]; n != nil {
				offset = n.child(e.Part).value
			}
		}
		r.fail(offset, "%v", err)
	}
}

func (r *reader) schema(t table) *schema.Schema {
	t.only("name", "doc", "roots", "messages", "enums")
	r.tables[""] = t.node
	s := &schema.Schema{Name: t.str("name"), Doc: t.str("doc")}
	roots := t.list("roots")
	for _, e := range roots {
		root, ok := e.value.(string)
		if !ok {
			r.fail(e.node.value, "a root must be a string, the name of a message")
		}
		s.Roots = append(s.Roots, root)
	}
	for i, m := range t.tables("messages") {
		s.Messages = append(s.Messages, r.message(m, i))
	}
	for i, e := range t.tables("enums") {
		s.Enums = append(s.Enums, r.enum(e, i))
	}
	r.resolve(s)
	for i, e := range roots {
		if root := s.Roots[i]; root != "" && s.Message(root) == nil {
			r.fail(e.node.value, "the root %q is not a message of the schema%s", root, suggest(root, messageNames(s)))
		}
	}
	return s
}

func (r *reader) message(t table, i int) *schema.Message {
	t.only("name", "doc", "bare", "fields")
	m := &schema.Message{Name: t.str("name"), Doc: t.str("doc"), Bare: t.boolean("bare")}
	path := orAt(m.Name, "messages", i)
	r.tables[path] = t.node
	for i, f := range t.tables("fields") {
		field := r.field(f)
		r.tables[path+"."+orAt(field.Name, "fields", i)] = f.node
		m.Fields = append(m.Fields, field)
	}
	return m
}

func (r *reader) field(t table) *schema.Field {
	t.only("number", "name", "type", "text", "omitempty", "doc")
	t.need("number", "name", "type")
	f := &schema.Field{
		Name:      t.str("name"),
		Number:    int(t.integer("number", 1, 1<<29-1)),
		Doc:       t.str("doc"),
		Text:      t.str("text"),
		OmitEmpty: t.boolean("omitempty"),
	}
	if expr, ok := t.values["type"].(string); ok {
		r.typ(f, t, expr)
	} else if t.values["type"] != nil {
		t.wrong("type", "a string")
	}
	return f
}

// typ sets the type of a field.
func (r *reader) typ(f *schema.Field, t table, expr string) {
	// An offset within the value is one within the source when the value is a
	// plain string, which it is unless someone hides it in escapes.
	start, inside := t.node.child("type").value, 0
	if strings.HasPrefix(r.src[min(start+1, len(r.src)):], expr) {
		start, inside = start+1, 1
	}
	p := typeParser{expr: expr}
	typ := p.parse()
	if p.err != "" {
		r.fail(start+p.pos*inside, "type %q: %s", expr, p.err)
		return
	}
	f.Type = typ
	if p.ref >= 0 {
		inner := &f.Type
		for inner.Elem != nil {
			inner = inner.Elem
		}
		r.refs = append(r.refs, ref{inner, start + p.ref*inside})
	}
}

func (r *reader) enum(t table, i int) *schema.Enum {
	t.only("name", "doc", "values")
	e := &schema.Enum{Name: t.str("name"), Doc: t.str("doc")}
	path := orAt(e.Name, "enums", i)
	r.tables[path] = t.node
	for i, v := range t.tables("values") {
		v.only("number", "name")
		v.need("number", "name")
		value := schema.EnumValue{Name: v.str("name"), Number: int32(v.integer("number", math.MinInt32, math.MaxInt32))}
		r.tables[path+"."+orAt(value.Name, "values", i)] = v.node
		e.Values = append(e.Values, value)
	}
	return e
}

// resolve finds out which type names are messages and which are enums.
func (r *reader) resolve(s *schema.Schema) {
	for _, ref := range r.refs {
		name := ref.typ.Ref
		switch {
		case s.Message(name) != nil:
			ref.typ.Kind = schema.MessageKind
		case s.Enum(name) != nil:
			ref.typ.Kind = schema.EnumKind
		default:
			known := messageNames(s)
			for _, e := range s.Enums {
				known = append(known, e.Name)
			}
			for k := schema.Bool; k <= schema.Duration; k++ {
				known = append(known, kindNames[k])
			}
			r.fail(ref.offset, "there is no type, message or enum %q%s", name, suggest(name, known))
		}
	}
}

func messageNames(s *schema.Schema) []string {
	var names []string
	for _, m := range s.Messages {
		names = append(names, m.Name)
	}
	return names
}

// orAt names an element as schema.Error does: by its name or, when it has
// none, by its place.
func orAt(name, list string, i int) string {
	if name != "" {
		return name
	}
	return fmt.Sprintf("%s[%d]", list, i)
}
