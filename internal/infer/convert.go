package infer

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assay/schema"
)

// A converter writes records in the neutral form (package neutral) of a schema.
type converter struct {
	result  *Result
	pass    *pass
	decoder *jsontext.Decoder
	buffer  bytes.Buffer
	record  Record
	out     []byte
	scratch []byte
	spans   []span // of the fields of the messages being read, the innermost message last
	depth   int
	heads   heads

	root     *target
	messages map[string]*shape
	dropped  map[drop]int64 // keys that the schema does not have
	drops    []drop         // in the order met
	further  int64          // members whose keys are not among them
}

// A target is the type that a value is converted to.
type target struct {
	kind     schema.Kind
	optional bool
	json     bool
	as       schema.Spelling
	message  *shape
	enum     *enumTarget
	key      schema.Kind
	elem     *target
	name     string // the name of its field, for errors
	// omitEmpty says that an empty value is the same as an absent one. If the value is not
	// optional, zero is its neutral form when it is absent.
	omitEmpty bool
	zero      string
	tag       *Tag // nil: the text does not tell the variants of a union apart
	many      bool // a value that is no list stands for a list with that one element
}

// A shape is a message that values are converted to.
type shape struct {
	name        string
	bare, wraps bool
	row         bool              // it may be a list in the sample
	only        bool              // it must be a list in the sample
	union       *schema.Message   // the union whose variants are its fields; nil: it is no union
	kinds       []schema.JSONKind // of value, by variant; nil: they do not tell the variants
	fields      []targetField
	index       map[string]int // of fields, by the key in the sample
	numbered    *numbered      // nil: no key needs it
}

// A targetField is a field of a shape.
type targetField struct {
	*target
	label []byte // the text before the value in the neutral form: "name":
	key   []byte // the key in the sample, quoted as most writers do
}

// An enumTarget is an enum that texts are converted to.
type enumTarget struct {
	name    string
	numbers map[string]int32 // by the folded text; see foldText
	known   map[int32]bool
}

// A span is where a field's value is in the output; end is 0 if the value is absent.
type span struct{ start, end int }

type drop struct{ message, key string }

// maxDrops bounds how many different keys missing from the schema are counted.
const maxDrops = 100

// convert reads all records and passes each, with its neutral form, to emit.
func (r *Result) convert(emit func(Record, []byte) error) (*converter, error) {
	c := r.newConverter()
	var err error
	c.pass, err = r.each(func(rec Record) error {
		header, err := c.accept(rec)
		switch {
		case err != nil:
			return err
		case header:
			return errHeader
		}
		return emit(rec, c.out)
	})
	return c, err
}

// mayName reports whether the first record of a source has the names of the columns, or may have them
// while that is not known.
func (r *Result) mayName(raw []byte) bool {
	if r.Schema == nil {
		return !r.noNames && columns(raw) != nil
	}
	return r.isHeader(raw)
}

// isHeader reports whether the first record of a source has the names of the columns.
func (r *Result) isHeader(raw []byte) bool {
	if r.keys != nil {
		return r.columns != nil && slices.Equal(columns(raw), r.columns)
	}
	m := r.Schema.Message(r.Root)
	if m.Bare || m.Wraps {
		return false
	}
	names := columns(raw)
	if len(names) != len(m.Fields) {
		return false
	}
	namer := newNamer()
	for i, n := range names {
		if namer.text(n) != m.Fields[i].TextName() {
			return false
		}
	}
	return true
}

// leftOut returns notes on the keys that the schema does not have.
func (c *converter) leftOut() (notes []string) {
	for _, d := range c.drops {
		notes = append(notes, fmt.Sprintf(leftOutKey+"%q, which %s has no field for, %s", shorten(d.key), d.message, plural(c.dropped[d], "time")))
	}
	if c.further > 0 {
		notes = append(notes, leftOutKey+"of "+plural(c.further, "more member")+", which the schema has no field for either")
	}
	return notes
}

// shape returns the shape of a message.
func (c *converter) shape(name string) *shape {
	if s := c.messages[name]; s != nil {
		return s
	}
	m := c.result.Schema.Message(name)
	s := &shape{name: name, bare: m.Bare, wraps: m.Wraps, row: true, index: map[string]int{}}
	c.messages[name] = s
	if m.Union {
		s.union, s.kinds = m, c.result.Schema.VariantKinds(m)
	}
	if c.result.keys != nil {
		s.row, s.only = m.Row, m.Row
	}
	for i, f := range m.Fields {
		t := c.target(f.Type, m.Name+"."+f.Name, f.JSONText)
		if f.As != "" {
			t.spell(f.As)
		}
		t.many = f.OneOrMany
		if f.OmitEmpty && !m.Bare {
			t.leaveOut()
		}
		label, _ := jsontext.AppendQuote(nil, f.TextName())
		key := f.TextName()
		if c.result.keys != nil {
			key = c.result.keys[name][i]
		} else if renamed, ok := c.result.renamed[t.name]; ok {
			key = renamed
		}
		quoted, _ := jsontext.AppendQuote(nil, key)
		s.fields = append(s.fields, targetField{t, append(label, ':'), quoted})
		s.index[key] = i
	}
	return s
}

func (c *converter) target(t schema.Type, name string, json bool) *target {
	out := &target{kind: t.Kind, optional: t.Optional, key: t.Key, name: name}
	switch t.Kind {
	case schema.MessageKind:
		out.message = c.shape(t.Ref)
	case schema.EnumKind:
		out.enum = enumOf(c.result.Schema.Enum(t.Ref))
	case schema.List, schema.Map:
		out.elem = c.target(*t.Elem, name, json)
	default:
		out.json = json
	}
	return out
}

// zeros has the neutral forms of the zero values of scalars.
var zeros = map[schema.Kind]string{
	schema.Bool: "false", schema.Int32: "0", schema.Int64: "0", schema.Uint32: "0", schema.Uint64: "0", schema.Duration: "0",
	schema.EnumKind: "0", schema.Float32: "0.0", schema.Float64: "0.0", schema.String: `""`,
}

// leaveOut makes an empty value the same as an absent one, because a library that leaves empty
// values out reads them back as absent. Times, messages and JSON texts are never empty.
func (t *target) leaveOut() {
	t.omitEmpty = true
	if !t.optional && !t.json {
		t.zero = zeros[t.kind]
	}
}

// emptied replaces the value at c.out[begin:] by the form of an absent value, if it is empty and
// would be read back as absent.
func (c *converter) emptied(t *target, begin int) {
	if !t.omitEmpty || t.optional {
		return
	}
	switch text := string(c.out[begin:]); {
	case t.elem != nil && (text == "[]" || text == "{}"), t.kind == schema.Bytes && text == `""`:
		c.out = append(c.out[:begin], "null"...)
	case t.zero == "0.0" && text == "-0.0":
		c.out = append(c.out[:begin], t.zero...)
	}
}

// fieldOf returns the index of the field for a key of the sample, or -1.
func (s *shape) fieldOf(key string) int {
	if i, ok := s.index[key]; ok {
		return i
	}
	return -1
}

// folds reports whether a key that is of no field differs from that of a field in case only. encoding/json
// would take its value for that field.
func (s *shape) folds(key string) bool {
	for other := range s.index {
		if strings.EqualFold(other, key) {
			return true
		}
	}
	return false
}

// convert writes the neutral form of a record to c.out.
func (c *converter) convert(rec Record) error {
	c.record, c.depth = rec, 0
	c.out, c.spans = c.out[:0], c.spans[:0]
	c.buffer = *bytes.NewBuffer(rec.Raw)
	c.decoder.Reset(&c.buffer)
	err := c.value(c.root)
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		why, skip := syntaxReason(syntax, nil, nextLine)
		return rec.fail(syntax.ByteOffset, "%s", why).Or(skip)
	}
	return err
}

// fail returns an error about the value that was read last. raw is its text.
func (c *converter) fail(raw []byte, format string, args ...any) *Error {
	return c.record.fail(c.decoder.InputOffset()-int64(len(raw)), format, args...)
}

// ahead returns an error about the next value.
func (c *converter) ahead(format string, args ...any) *Error {
	return c.record.fail(c.record.next(c.decoder.InputOffset()), format, args...)
}

// value converts the next value.
func (c *converter) value(t *target) error {
	kind := c.decoder.PeekKind()
	if kind == 'n' && t.optional && !t.tristate() {
		return c.null()
	}
	if t.json {
		return c.text()
	}
	if kind == '"' && t.standsForNone() || kind == '[' && t.listForNone() {
		return c.blank(t)
	}
	switch t.kind {
	case schema.MessageKind:
		return c.message(t, kind)
	case schema.List:
		return c.items(t, kind)
	case schema.Map:
		return c.entries(t, kind)
	}
	if kind == 'n' {
		switch {
		case t.kind == schema.Bytes && t.as == "":
			return c.null()
		case t.zero != "":
			_, err := c.decoder.ReadToken()
			c.out = append(c.out, t.zero...)
			return err
		}
		return c.ahead("%s is null here, and in the schema it is never absent; make its type optional, with a * before it", c.where(t, true))
	}
	if kind == '{' || kind == '[' {
		return c.wrong(t, kind)
	}
	raw, err := c.decoder.ReadValue()
	if err != nil {
		return err
	}
	return c.scalar(t, raw)
}

func (c *converter) null() error {
	_, err := c.decoder.ReadToken()
	c.out = append(c.out, "null"...)
	return err
}

// text appends the JSON of the next value as a string.
func (c *converter) text() error {
	raw, err := c.decoder.ReadValue()
	if err != nil {
		return err
	}
	c.scratch, err = jsontext.AppendFormat(c.scratch[:0], raw)
	if err != nil {
		return err
	}
	c.out, err = jsontext.AppendQuote(c.out, c.scratch)
	return err
}

// deeper counts one more level of nesting. The error is about a list or object that is too deep.
func (c *converter) deeper() error {
	if c.depth++; c.depth > c.result.options.MaxDepth {
		return c.ahead("the record is nested more than %d deep here", c.result.options.MaxDepth).Or(leftOut)
	}
	return nil
}

func (c *converter) message(t *target, kind jsontext.Kind) error {
	s := t.message
	switch {
	case s.wraps:
		return c.wrapped(s)
	case s.bare:
		return c.value(s.fields[0].target)
	case s.kinds != nil:
		return c.ofKind(t, kind)
	case s.union != nil && kind == '{':
		return c.variant(s)
	case s.union != nil && kind == '[':
		return c.wrong(t, kind)
	case kind == '{' && !s.only:
		return c.object(s)
	case kind == '[' && s.row:
		return c.row(t)
	case kind == 'n':
		return c.ahead("%s is null here, and in the schema it is never absent; make its type optional, with a * before it", c.where(t, true))
	}
	return c.wrong(t, kind)
}

func (c *converter) wrapped(s *shape) error {
	c.out = append(append(c.out, '{'), s.fields[0].label...)
	if err := c.value(s.fields[0].target); err != nil {
		return err
	}
	c.out = append(c.out, '}')
	return nil
}

// object converts an object to a message. Members are usually in the order of the fields, and are
// then written as they come; for any other order they are reordered at the end.
func (c *converter) object(s *shape) error {
	if err := c.deeper(); err != nil {
		return err
	}
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	start, base := len(c.out), len(c.spans)
	c.spans = append(c.spans, make([]span, len(s.fields))...)
	c.out = append(c.out, '{')
	next, ordered := 0, true
	for c.decoder.PeekKind() != '}' {
		i, err := c.fieldHere(s, next)
		if err != nil {
			return err
		}
		if i < 0 {
			if err := c.decoder.SkipValue(); err != nil {
				return err
			}
			continue
		}
		if c.spans[base+i].end > 0 {
			return c.ahead("there is a second value for the field %s: two keys have its name in a struct tag", s.fields[i].name)
		}
		if i < next {
			ordered = false
		}
		for ; next < i; next++ {
			if c.spans[base+next].end == 0 {
				c.absent(s.fields[next])
			}
		}
		next = max(next, i+1)
		c.out = append(c.out, s.fields[i].label...)
		begin := len(c.out)
		if err := c.value(s.fields[i].target); err != nil {
			return err
		}
		c.emptied(s.fields[i].target, begin)
		c.spans[base+i] = span{begin, len(c.out)}
		c.out = append(c.out, ',')
	}
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	for i, f := range s.fields {
		if c.spans[base+i].end > 0 {
			continue
		}
		if !f.nullable() {
			return c.fail([]byte{'}'}, "%s is missing in the object that ends here, and in the schema it is never absent; make its type optional, with a * before it", c.whereMissing(f))
		}
		if i >= next {
			c.absent(f)
		}
	}
	if !ordered {
		c.reorder(s, start, c.spans[base:])
	}
	c.close('}')
	c.spans = c.spans[:base]
	c.depth--
	return nil
}

// close ends a list or an object. Each part was written with a comma after it.
func (c *converter) close(end byte) {
	if last := len(c.out) - 1; c.out[last] == ',' {
		c.out[last] = end
		return
	}
	c.out = append(c.out, end)
}

func (c *converter) absent(f targetField) {
	c.out = append(c.out, f.label...)
	if f.zero != "" {
		c.out = append(append(c.out, f.zero...), ',')
		return
	}
	c.out = append(c.out, "null,"...)
}

// reorder rewrites the members of the object that begins at start in the order of the fields.
func (c *converter) reorder(s *shape, start int, spans []span) {
	c.scratch = append(c.scratch[:0], c.out[start:]...)
	c.out = append(c.out[:start], '{')
	for i, f := range s.fields {
		if sp := spans[i]; sp.end > 0 {
			c.out = append(c.out, f.label...)
			c.out = append(c.out, c.scratch[sp.start-start:sp.end-start]...)
			c.out = append(c.out, ',')
		} else {
			c.absent(f)
		}
	}
}

// nullable reports whether null stands for an absent value.
func (t *target) nullable() bool {
	switch t.kind {
	case schema.List, schema.Map:
		return true
	case schema.Bytes:
		return t.optional || t.as == ""
	case schema.MessageKind:
		if t.message.bare && !t.optional {
			return true
		}
	}
	return t.optional || t.zero != ""
}

// fieldHere reads a key and returns the index of its field, or -1. next is the most likely index.
func (c *converter) fieldHere(s *shape, next int) (int, error) {
	raw, err := c.decoder.ReadValue()
	if err != nil {
		return 0, err
	}
	if next < len(s.fields) && bytes.Equal(s.fields[next].key, raw) {
		return next, nil
	}
	key := raw[1 : len(raw)-1]
	if bytes.IndexByte(key, '\\') >= 0 {
		c.scratch, _ = jsontext.AppendUnquote(c.scratch[:0], raw)
		key = c.scratch
	}
	if i, ok := s.index[string(key)]; ok {
		return i, nil
	}
	d := drop{s.name, string(key)}
	i, err := c.named(s, d.key)
	if i >= 0 || err != nil {
		return i, err
	}
	switch {
	case c.result.keys != nil:
	case c.dropped[d] > 0:
		c.dropped[d]++
		return i, nil
	case len(c.drops) < maxDrops:
		c.dropped[d] = 1
		c.drops = append(c.drops, d)
	default:
		c.further++
	}
	if s.folds(d.key) {
		c.result.loose = true
	}
	return i, nil
}

// wrong returns an error that says that the next value is of another kind than the schema's.
func (c *converter) wrong(t *target, kind jsontext.Kind) error {
	if kind == 0 {
		_, err := c.decoder.ReadToken()
		return err
	}
	return c.ahead("%s is %s here, and in the schema it is %s", c.where(t, true), kindName(kind), t.what())
}
