// Package text reads and writes the text form of a schema: TOML for people to write, review and
// edit.
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
// The keys are the members of the types in package schema, in lower case; one_or_many and
// json_text stand for OneOrMany and JSONText. A field has at most one of three keys that say
// what happens to an absent value:
//
//	omitempty = true   it is left out; if not optional, also if empty, 0 or false
//	omitzero = true    a list, map or bytes is left out, and written if empty
//	null = true        a list, map or bytes is null, and written if empty
//
// Without these keys, an optional value is null if absent, and an absent list, map or bytes is
// what a library writes for a nil one. A message has four keys that say how a JSON sample
// writes it:
//
//	bare = true        as the value of its only field, a list or a map
//	wraps = true       as the value of its only field, which may be null
//	row = true         as a list of the values of its fields
//	union = true       as the value of its only field that is set
//
// A tag or keys tell the variants of a union apart: the text at the tag, tag = "kind", or the
// keys that an object has. Each variant has when = ["push"], which lists the texts of the tag,
// or one key. Without a tag, the last variant may have no when; it takes the remaining objects.
// If there is no tag and no when, the kinds of the JSON values tell the variants apart.
//
// A schema may have unescaped = true, which says that JSON has <, > and & in texts unescaped,
// where encoding/json would escape them for HTML.
//
// A field may have as, its spelling: how a JSON sample writes bytes, a timestamp or an int64 if
// that differs from the usual form of the kind, for example as = "uuid" or as = "decimal:2".
// Package schema lists the spellings.
//
// A type is written as in Go: bool, int32, int64, uint32, uint64, float32,
// float64, string, bytes, timestamp, duration, or the name of a message or an
// enum; *T is an optional T; []T and []*T are lists; map[K]T and map[K]*T are
// maps.
package text

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"assay/internal/tomldoc"
	"assay/schema"
)

// An Error is one mistake in a text, with its place.
type Error = tomldoc.Error

// Parse reads the text form of a schema. name is the name of the file, for errors. The returned
// schema is valid. The error is an errors.Join of *Error in the order of the text: all mistakes
// or, if the text is not TOML, the first syntax error.
//
// Parse ignores nothing: an unknown key is an error, and so is a value whose type does not
// match its key.
func Parse(name string, data []byte) (*schema.Schema, error) {
	t, err := tomldoc.Parse(name, data)
	if err != nil {
		return nil, err
	}
	r := &reader{Doc: t.Doc, tables: map[string]tomldoc.Table{}}
	s := r.schema(t)
	if !r.Failed() {
		r.validate(s)
	}
	if r.Failed() {
		return nil, r.Err()
	}
	return s, nil
}

// A reader turns a TOML tree into a schema and collects the mistakes.
type reader struct {
	*tomldoc.Doc
	refs   []ref                    // type names to be looked up
	tables map[string]tomldoc.Table // by the path of a schema.Error
}

// A ref is a type name that may be a message or an enum. Which of them is known after the whole
// text was read.
type ref struct {
	typ    *schema.Type
	offset int
}

// validate adds the errors of schema.Validate, each at its place in the text.
func (r *reader) validate(s *schema.Schema) {
	joined, ok := s.Validate().(interface{ Unwrap() []error })
	if !ok {
		return
	}
	for _, err := range joined.Unwrap() {
		offset := 0
		var e *schema.Error
		if errors.As(err, &e) {
			if t, ok := r.tables[e.Path]; ok {
				offset = t.At(e.Part)
			}
		}
		r.Fail(offset, "%v", err)
	}
}

func (r *reader) schema(t tomldoc.Table) *schema.Schema {
	t.Only("name", "doc", "roots", "unescaped", "messages", "enums")
	r.tables[""] = t
	s := &schema.Schema{Name: t.String("name"), Doc: t.String("doc"), Unescaped: t.Bool("unescaped")}
	roots := t.List("roots")
	for _, e := range roots {
		root, ok := e.Value.(string)
		if !ok {
			r.Fail(e.Offset, "a root must be a string, the name of a message")
		}
		s.Roots = append(s.Roots, root)
	}
	for i, m := range t.Tables("messages") {
		s.Messages = append(s.Messages, r.message(m, i))
	}
	for i, e := range t.Tables("enums") {
		s.Enums = append(s.Enums, r.enum(e, i))
	}
	r.resolve(s)
	for i, e := range roots {
		if root := s.Roots[i]; root != "" && s.Message(root) == nil {
			r.Fail(e.Offset, "the root %q is not a message of the schema%s", root, tomldoc.Suggest(root, messageNames(s)))
		}
	}
	return s
}

func (r *reader) message(t tomldoc.Table, i int) *schema.Message {
	t.Only("name", "doc", "bare", "wraps", "row", "union", "tag", "fields")
	m := &schema.Message{Name: t.String("name"), Doc: t.String("doc"), Bare: t.Bool("bare"), Wraps: t.Bool("wraps"), Row: t.Bool("row"), Union: t.Bool("union"), Tag: t.String("tag")}
	path := orAt(m.Name, "messages", i)
	r.tables[path] = t
	for i, f := range t.Tables("fields") {
		field := r.field(f)
		r.tables[path+"."+orAt(field.Name, "fields", i)] = f
		m.Fields = append(m.Fields, field)
	}
	return m
}

func (r *reader) field(t tomldoc.Table) *schema.Field {
	t.Only("number", "name", "type", "text", "omitempty", "omitzero", "null", "one_or_many", "json_text", "as", "when", "doc")
	t.Need("number", "name", "type")
	f := &schema.Field{
		Name:      t.String("name"),
		Number:    int(t.Integer("number", 1, 1<<29-1)),
		Doc:       t.String("doc"),
		Text:      t.String("text"),
		OmitEmpty: t.Bool("omitempty"),
		OmitZero:  t.Bool("omitzero"),
		Null:      t.Bool("null"),
		OneOrMany: t.Bool("one_or_many"),
		JSONText:  t.Bool("json_text"),
		As:        schema.Spelling(t.String("as")),
		When:      t.Strings("when"),
	}
	if expr, ok := t.Lookup("type"); ok {
		r.typ(f, t, expr)
	}
	return f
}

// typ sets the type of a field.
func (r *reader) typ(f *schema.Field, t tomldoc.Table, expr string) {
	// An offset within the value is an offset within the source if the value is a plain string
	// without escapes.
	start, inside := t.At("type"), 0
	if strings.HasPrefix(r.Source()[min(start+1, len(r.Source())):], expr) {
		start, inside = start+1, 1
	}
	p := typeParser{expr: expr}
	typ := p.parse()
	if p.err != "" {
		r.Fail(start+p.pos*inside, "type %q: %s", short(expr), p.err)
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

func (r *reader) enum(t tomldoc.Table, i int) *schema.Enum {
	t.Only("name", "doc", "values")
	e := &schema.Enum{Name: t.String("name"), Doc: t.String("doc")}
	path := orAt(e.Name, "enums", i)
	r.tables[path] = t
	for i, v := range t.Tables("values") {
		v.Only("number", "name")
		v.Need("number", "name")
		value := schema.EnumValue{Name: v.String("name"), Number: int32(v.Integer("number", math.MinInt32, math.MaxInt32))}
		r.tables[path+"."+orAt(value.Name, "values", i)] = v
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
			r.Fail(ref.offset, "there is no type, message or enum %q%s", name, tomldoc.Suggest(name, known))
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

// orAt returns the name of an element as schema.Error does: its name, or its index in the list
// if it has none.
func orAt(name, list string, i int) string {
	if name != "" {
		return name
	}
	return fmt.Sprintf("%s[%d]", list, i)
}
