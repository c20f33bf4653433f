// Package fbs lays out a schema as FlatBuffers and writes what flatc would write: the schema as
// .fbs text, and Go accessors and builder functions. It also writes functions that use them to
// pack the neutral model into a buffer, unpack a buffer into the model, and scan a buffer in
// place.
//
// # The mapping
//
// A message is a table. The field number minus one is the vtable slot, so that tables evolve as
// the schema's numbers promise. Unused numbers become deprecated fields. If the numbers of a
// table go beyond [MaxSparse] and leave gaps, slots are in the order of the numbers instead,
// because every slot costs space.
//
// A bare message is a table with one vector. A map is a vector of entry tables with a key
// attribute, sorted by key. A list of byte strings is a vector of tables with one byte string
// each, because FlatBuffers has no vectors of vectors. A timestamp is a struct of seconds and
// nanoseconds, and a duration is a long of nanoseconds. Optional numbers are "= null". A union
// message is a FlatBuffers union. A field with a union takes two slots, so the slots of its
// table are in the order of the field numbers.
//
// # What is absent
//
// A nil list, map or byte string is not written; an empty one is written. An empty string or
// zero number is not written, unless it is optional. Required messages and timestamps are
// always written. An absent value is read as the model's zero value. So nil and empty survive,
// with two exceptions. A pointer to a nil byte string comes back as a pointer to an empty one.
// A pointer to a union without a variant, which no valid value has, comes back as nil.
package fbs

import (
	"fmt"
	"slices"
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/schema"
)

// Library is the import path of the Go runtime library.
const Library = "github.com/google/flatbuffers/go"

// MaxSparse is the largest field number with which a table may have gaps and still use its
// numbers as slots.
const MaxSparse = 128

// maxSlots keeps a table within the 64 KiB that a vtable can address, even if all of its fields
// have the largest inline size, 16 bytes.
const maxSlots = 4000

// A Layout is a schema laid out as FlatBuffers.
type Layout struct {
	// Schema is the schema that was laid out.
	Schema *schema.Schema
	// Tables has one table for each message, in the schema's order. The tables of a message's
	// map entries follow it. The table of byte strings is the last.
	Tables []*Table
	// Stamp is the name of the struct that holds a timestamp; empty if the schema has none.
	Stamp string
	// Unions has one union for each union message, in the schema's order.
	Unions []*Union

	union  map[string]*Union // by message name
	boxed  *Table            // the table that holds one byte string, or nil
	create string            // the Go function that writes a timestamp
	values map[string]string // the Go constants of enum values, by value name
	top    names             // names taken at the top level of the generated package
}

// A Table is a FlatBuffers table.
type Table struct {
	Name string
	Doc  string
	// Message is the message that the table holds; nil for entries and boxed byte strings.
	Message *schema.Message
	// Fields are ordered by their slots.
	Fields []*Field
	// Slots is the number of slots, including those of deprecated fields.
	Slots int
	// Ranked says that slots follow the order of the field numbers and not the numbers. Choices
	// says that the reason is a field that takes two slots.
	Ranked, Choices bool

	start, end, root string // Go functions
	recursive        bool   // a value can contain another value of the same table
}

// A Field is a field of a table.
type Field struct {
	// Name is the name in the .fbs text.
	Name string
	Doc  string
	Slot int
	// Key says that vectors of the table are sorted by this field.
	Key bool
	Type
	// Of is the schema type of the field's value. For a field of an entry it is the map's key
	// or element type.
	Of schema.Type

	member                    string // Go name of the model's field
	get, length, bytes, byKey string // Go methods
	add, startVector          string // Go functions
	getType, addType          string // Go method and function of a union's type
	union                     *Union // the union that the field holds, or nil
	whole                     bool   // the field is the table's whole content
	table                     *Table // the table that the field or its elements hold, or nil
}

// A Form is the way in which a value is stored.
type Form int

// The forms. Scalar and Struct are stored inline in the table or vector, all others by offset.
// A Choice is a union, which also stores its type inline.
const (
	Scalar Form = iota
	Struct
	Text
	Bytes
	Nested
	Choice
)

// A Type is the type of a field.
type Type struct {
	// Form is the form of the value, or of a vector's elements. There are no vectors of Bytes.
	Form   Form
	Vector bool
	// Optional says that a Scalar may be null.
	Optional bool
	// Kind is the kind of a Scalar, and Ref is the name of its enum, if any.
	Kind schema.Kind
	Ref  string
}

// A scalar has the names of a kind in FlatBuffers and its Go library, and its size in bytes.
type scalar struct {
	fbs, goType, method, zero string
	size                      int
}

var scalars = map[schema.Kind]scalar{
	schema.Bool:     {"bool", "bool", "Bool", "false", 1},
	schema.Int32:    {"int", "int32", "Int32", "0", 4},
	schema.Int64:    {"long", "int64", "Int64", "0", 8},
	schema.Uint32:   {"uint", "uint32", "Uint32", "0", 4},
	schema.Uint64:   {"ulong", "uint64", "Uint64", "0", 8},
	schema.Float32:  {"float", "float32", "Float32", "0.0", 4},
	schema.Float64:  {"double", "float64", "Float64", "0.0", 8},
	schema.Duration: {"long", "int64", "Int64", "0", 8},
	schema.EnumKind: {"int", "int32", "Int32", "0", 4},
}

// stampSize is the size of the timestamp struct: a long, an int and padding.
const stampSize = 16

// size returns the number of bytes that a value takes in a table or vector.
func (t *Type) size() int {
	switch t.Form {
	case Scalar:
		return scalars[t.Kind].size
	case Struct:
		return stampSize
	}
	return 4
}

// names are the names taken in one scope.
type names map[string]bool

// take returns name with as many underscores appended as make it free, and marks the result as
// taken. flatc leaves such clashes to the compiler.
func (n names) take(name string) string {
	for n[name] {
		name += "_"
	}
	n[name] = true
	return name
}

// New lays out a valid schema. It returns a *contender.Unsupported if a table would have too
// many fields, or if a message has the name of the function that reads a root.
func New(s *schema.Schema) (*Layout, error) {
	l := &Layout{Schema: s, top: names{}, values: map[string]string{}}
	for _, name := range schema.GeneratedNames() {
		l.top.take(name)
	}
	for _, m := range s.Messages {
		l.top.take(m.Name)
	}
	for _, e := range s.Enums {
		l.top.take(e.Name)
	}
	byName := map[string]*Table{}
	for _, m := range s.Messages {
		byName[m.Name] = &Table{Name: m.Name, Doc: m.Doc, Message: m}
	}
	if err := l.unions(byName); err != nil {
		return nil, err
	}
	for _, m := range s.Messages {
		switch {
		case !m.ByContent():
			if err := l.message(byName, byName[m.Name]); err != nil {
				return nil, err
			}
		case l.boxes(m):
			l.unionTable(byName[m.Name])
		}
	}
	if l.boxed != nil {
		l.Tables = append(l.Tables, l.boxed)
	}
	if l.Stamp != "" {
		l.create = l.top.take("Create" + l.Stamp)
	}
	for _, e := range s.Enums {
		for _, v := range e.Values {
			l.values[v.Name] = l.top.take(e.Name + v.Name)
		}
	}
	for _, u := range l.Unions {
		l.nameUnion(u)
	}
	for _, t := range l.Tables {
		l.name(t)
	}
	for _, root := range s.Roots {
		// The bindings call the function by its plain name.
		if name := "GetRootAs" + root; byName[root].root != name {
			return nil, &contender.Unsupported{Field: name, Reason: "the package has a function of this name; rename the type"}
		}
	}
	for _, t := range l.Tables {
		t.recursive = reaches(t, t, map[*Table]bool{})
	}
	return l, nil
}

// message lays out the table of a message and the tables of its map entries.
func (l *Layout) message(byName map[string]*Table, t *Table) error {
	fields := slices.SortedFunc(slices.Values(t.Message.Fields), func(a, b *schema.Field) int { return a.Number - b.Number })
	if n := len(fields); n > 0 {
		t.Slots = fields[n-1].Number
		t.Ranked = t.Slots > MaxSparse && t.Slots != n
		if t.Ranked {
			t.Slots = n
		}
		for _, f := range fields {
			if l.inlines(f) != nil {
				t.Ranked, t.Choices = true, true
				n++
				t.Slots = n
			}
		}
		if t.Slots > maxSlots {
			return &contender.Unsupported{
				Field:  t.Name + "." + fields[min(maxSlots, len(fields)-1)].Name,
				Reason: fmt.Sprintf("a FlatBuffers table holds at most %d fields here; split the message", maxSlots),
			}
		}
	}
	l.Tables = append(l.Tables, t)
	next := 0
	for _, f := range fields {
		slot := f.Number - 1
		if l.inlines(f) != nil {
			next++
		}
		if t.Ranked {
			slot = next
		}
		next++
		field := &Field{Name: f.Name, Doc: f.Doc, Slot: slot, Of: f.Type, member: schema.GoName(f.Name)}
		switch f.Type.Kind {
		case schema.Map:
			field.table = l.entry(byName, t.Message, f)
			field.Type = Type{Form: Nested, Vector: true}
		case schema.List:
			l.fill(byName, field, *f.Type.Elem)
			field.Vector = true
			if field.Form == Bytes {
				field.Form, field.table = Nested, l.box()
			}
		case schema.MessageKind:
			if field.union = l.inlines(f); field.union != nil {
				field.Form = Choice
				break
			}
			l.fill(byName, field, f.Type)
		default:
			l.fill(byName, field, f.Type)
		}
		t.Fields = append(t.Fields, field)
	}
	t.rename()
	return nil
}

// rename changes field names that flatc refuses because it derives the same name from another
// field.
func (t *Table) rename() {
	taken, derived := names{}, map[string]bool{}
	for _, f := range t.Fields {
		taken.take(f.Name)
		if f.Vector || f.Form == Bytes {
			derived[f.Name+"_length"] = true
		} else if f.Form == Text {
			derived[f.Name+"_byte_vector"] = true
		} else if f.Form == Choice {
			derived[f.Name+"_type"] = true
		}
	}
	for _, f := range t.Fields {
		if derived[f.Name] {
			f.Name = taken.take(f.Name)
		}
	}
}

// fill sets the type of a field that holds one value of type t, or a list of them.
func (l *Layout) fill(byName map[string]*Table, f *Field, t schema.Type) {
	switch t.Kind {
	case schema.String:
		f.Form = Text
	case schema.Bytes:
		f.Form = Bytes
	case schema.MessageKind:
		f.Form, f.table = Nested, byName[t.Ref]
	case schema.Timestamp:
		f.Form = Struct
		if l.Stamp == "" {
			l.Stamp = l.top.take("Timestamp")
		}
	default:
		f.Type = Type{Form: Scalar, Kind: t.Kind, Ref: t.Ref, Optional: t.Optional}
	}
}

// entry returns the table for the entries of a map.
func (l *Layout) entry(byName map[string]*Table, m *schema.Message, f *schema.Field) *Table {
	key := &Field{Name: "key", member: "Key", Key: true, Of: schema.Type{Kind: f.Type.Key}}
	value := &Field{Name: "value", member: "Value", Slot: 1, Of: *f.Type.Elem}
	l.fill(byName, key, key.Of)
	l.fill(byName, value, value.Of)
	t := &Table{
		Name:   l.top.take(emit.EntryName(l.Schema, m, f)),
		Doc:    fmt.Sprintf("One entry of %s.%s.", m.Name, f.Name),
		Fields: []*Field{key, value},
		Slots:  2,
	}
	l.Tables = append(l.Tables, t)
	return t
}

// box returns the table that holds one byte string.
func (l *Layout) box() *Table {
	if l.boxed == nil {
		l.boxed = &Table{
			Name:   l.top.take("ByteString"),
			Doc:    "One element of a list of byte strings.",
			Fields: []*Field{{Name: "value", member: "Value", Type: Type{Form: Bytes}, Of: schema.Type{Kind: schema.Bytes}}},
			Slots:  1,
		}
	}
	return l.boxed
}

// name chooses the Go names of a table. Fields get their names before any derived names.
func (l *Layout) name(t *Table) {
	t.root = l.top.take("GetRootAs" + t.Name)
	t.start = l.top.take(t.Name + "Start")
	t.end = l.top.take(t.Name + "End")
	methods := names{"Init": true, "Table": true, "LookupByKey": true}
	for _, f := range t.Fields {
		f.get = methods.take(f.member)
	}
	for _, f := range t.Fields {
		f.length = methods.take(f.get + "Length")
		f.bytes = methods.take(f.get + "Bytes")
		f.byKey = methods.take(f.get + "ByKey")
		if f.Form == Choice {
			f.getType = methods.take(f.get + "Type")
			f.addType = l.top.take(t.Name + "Add" + f.get + "Type")
		}
		f.add = l.top.take(t.Name + "Add" + f.get)
		f.startVector = l.top.take(t.Name + "Start" + f.get + "Vector")
	}
}

// reaches reports whether a value of table from can contain a value of table to.
func reaches(from, to *Table, seen map[*Table]bool) bool {
	for _, f := range from.Fields {
		for _, next := range f.tables() {
			if next == to {
				return true
			}
			if seen[next] {
				continue
			}
			seen[next] = true
			if reaches(next, to, seen) {
				return true
			}
		}
	}
	return false
}

// tables returns the tables that a field may hold.
func (f *Field) tables() (all []*Table) {
	switch {
	case f.union != nil:
		for _, v := range f.union.Variants {
			all = append(all, v.table)
		}
	case f.table != nil:
		all = append(all, f.table)
	}
	return all
}

// key returns the field by which vectors of the table are sorted, or nil.
func (t *Table) key() *Field {
	for _, f := range t.Fields {
		if f.Key {
			return f
		}
	}
	return nil
}

// lines returns a doc as lines without control characters, which neither flatc nor Go accepts
// in comments.
func lines(doc string) []string {
	if doc == "" {
		return nil
	}
	var out []string
	for line := range strings.SplitSeq(doc, "\n") {
		out = append(out, strings.TrimSpace(strings.Map(func(r rune) rune {
			if r < ' ' || r == 0x7f {
				return ' '
			}
			return r
		}, line)))
	}
	return out
}
