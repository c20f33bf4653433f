// Package capnp lays out a schema as Cap'n Proto. It writes the schema as .capnp text and
// determines the place of each field, as the capnp compiler would. It also writes Go functions
// that use the accessors of capnpc-go for that layout: they pack the neutral model into a
// message, unpack a message into the model, and scan a message in place.
//
// # The mapping
//
// A message is a struct. Ordinals must have no gaps, so fields get ordinals in the order of
// their field numbers. A bare message is a struct with one list. A map is an unordered list of
// entry structs. A timestamp is a struct of seconds and nanoseconds, and a duration is an Int64
// of nanoseconds. An enum is an Int32, because Cap'n Proto numbers the values of its own enums
// from 0 without gaps. A union is a struct with a union of the structs of its variants. If no
// variant is set, the first one is null.
//
// # What is absent
//
// A null pointer means absent: for nil lists, maps, byte strings and optional messages. An
// empty optional string is written as an empty text, which is not null. Optional numbers have
// an additional Bool that says whether they are present.
package capnp

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/schema"
)

// Library is the import path of the Go runtime library.
const Library = "capnproto.org/go/capnp/v3"

// maxFields keeps the sections of a struct far below their limit of 64 Ki words.
const maxFields = 10_000

// A Layout is a schema laid out as Cap'n Proto.
type Layout struct {
	// Schema is the schema that was laid out.
	Schema *schema.Schema
	// Package is the import path of the Go package.
	Package string
	// ID is the ID of the file.
	ID uint64
	// Structs has one struct for each message, in the schema's order. The structs of a
	// message's map entries follow it. The struct of timestamps is the last.
	Structs []*Struct

	stamp  *Struct
	byName map[string]*Struct // by the message's name
	top    map[string]bool    // Go names that are taken
}

// A Struct is a Cap'n Proto struct.
type Struct struct {
	// Name is the name of the struct and of its Go type.
	Name string
	Doc  string
	ID   uint64
	// Fields are ordered by their ordinals.
	Fields []*Field
	// DataWords and Pointers are the sizes of the data and the pointer section, in words.
	DataWords, Pointers int
	// Union says that all fields are in a union. They share the first pointer, and the first 16
	// bits of the data section hold the index of the field that is set.
	Union bool

	message *schema.Message // nil for entries and timestamps
}

// A Field is a field of a struct.
type Field struct {
	// Name begins with a lower-case letter. The Go methods have the same name with an
	// upper-case letter.
	Name string
	Doc  string
	Type
	// Offset is the field's place: an index in the pointer section, or in the data section in
	// multiples of the field's size.
	Offset int

	of     schema.Type // type of the value; for a list, of its elements
	member string      // Go name of the model's field
	flag   *Field      // the field that says whether this field is present
	flags  bool        // this field is such a flag
	isMap  bool
}

// A Type is the type of a field. If List is set, it describes the list's elements.
type Type struct {
	// Kind is Bool, a number, String for Text, Bytes for Data, or MessageKind for a struct.
	Kind   schema.Kind
	Struct *Struct
	List   bool
}

// A builtin has the names of a kind in Cap'n Proto and its Go library.
type builtin struct {
	name string
	bits int // 0 for pointers
}

var builtins = map[schema.Kind]builtin{
	schema.Bool:    {"Bool", 1},
	schema.Int32:   {"Int32", 32},
	schema.Int64:   {"Int64", 64},
	schema.Uint32:  {"UInt32", 32},
	schema.Uint64:  {"UInt64", 64},
	schema.Float32: {"Float32", 32},
	schema.Float64: {"Float64", 64},
	schema.String:  {"Text", 0},
	schema.Bytes:   {"Data", 0},
}

// reserved are names that no struct may have, besides those of generated variables: those of the
// text's import of go.capnp, and of the language's types. A struct named Text would hide the
// language's type, so that a field of type Text would hold the struct.
var reserved = []string{
	"Go", "Void", "Bool", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64",
	"Text", "Data", "List", "AnyPointer", "AnyStruct", "AnyList", "Capability",
}

// bits returns the size in bits of a value in the data section, or 0 for a pointer.
func (t Type) bits() int {
	if t.List {
		return 0
	}
	return builtins[t.Kind].bits
}

// New lays out a valid schema for a Go package. It returns a *contender.Unsupported if a struct
// would have too many fields.
func New(s *schema.Schema, pkg string) (*Layout, error) {
	l := &Layout{Schema: s, Package: pkg, byName: map[string]*Struct{}, top: map[string]bool{}}
	take(l.top, schema.GeneratedNames())
	take(l.top, reserved)
	l.ID = l.id("")
	for _, m := range s.Messages {
		if len(m.Fields) > maxFields {
			return nil, &contender.Unsupported{
				Field:  m.Name + "." + m.Fields[maxFields].Name,
				Reason: fmt.Sprintf("a Cap'n Proto struct holds at most %d fields here; split the message", maxFields),
			}
		}
		l.byName[m.Name] = l.declare(m.Name, m.Doc)
		l.byName[m.Name].message, l.byName[m.Name].Union = m, m.ByContent()
	}
	for _, m := range s.Messages {
		l.message(l.byName[m.Name])
	}
	if l.stamp != nil {
		l.Structs = append(l.Structs, l.stamp)
	}
	for _, st := range l.Structs {
		st.place()
	}
	return l, nil
}

// id returns the ID of the named part of the package. The topmost bit of an ID is always set.
func (l *Layout) id(name string) uint64 {
	sum := sha256.Sum256([]byte(l.Package + "\x00" + name))
	return binary.LittleEndian.Uint64(sum[:]) | 1<<63
}

// declare returns a new struct with a unique name.
func (l *Layout) declare(name, doc string) *Struct {
	name = unique(strings.ReplaceAll(name, "_", ""), "Struct", func(name string) bool {
		derived := []string{name, name + "_TypeID", "New" + name, "NewRoot" + name, "ReadRoot" + name, name + "_List", "New" + name + "_List"}
		return take(l.top, derived)
	})
	return &Struct{Name: name, Doc: doc, ID: l.id(name)}
}

// unique returns the first free name among name, name plus suffix, and name plus suffix plus a
// number. Cap'n Proto names must have no underscores, so underscores cannot make a name unique.
func unique(name, suffix string, free func(string) bool) string {
	try := name
	for n := 2; !free(try); n++ {
		try = name + suffix
		if n > 2 {
			try = fmt.Sprint(name, suffix, n)
		}
	}
	return try
}

// take marks all names as taken, if all of them are free.
func take(taken map[string]bool, names []string) bool {
	if slices.ContainsFunc(names, func(n string) bool { return taken[n] }) {
		return false
	}
	for _, n := range names {
		taken[n] = true
	}
	return true
}

// methods are the methods of every generated struct. capnpc-go renames fields that clash with
// some of them.
var methods = []string{"IsValid", "Segment", "String", "Message", "Which", "ToPtr", "EncodeAsPtr", "DecodeFromPtr"}

// message lays out the struct of a message and the structs of its map entries.
func (l *Layout) message(st *Struct) {
	l.Structs = append(l.Structs, st)
	taken := map[string]bool{}
	take(taken, methods)
	fields := slices.SortedFunc(slices.Values(st.message.Fields), func(a, b *schema.Field) int { return a.Number - b.Number })
	for _, sf := range fields {
		name := fieldName(taken, sf.Name)
		f := &Field{Name: name, Doc: sf.Doc, of: sf.Type, member: schema.GoName(sf.Name)}
		switch sf.Type.Kind {
		case schema.List:
			f.of = *sf.Type.Elem
			f.Type = l.typeOf(f.of)
			f.List = true
		case schema.Map:
			f.of = *sf.Type.Elem
			f.Type = Type{Kind: schema.MessageKind, Struct: l.entry(st.message, sf), List: true}
			f.isMap = true
		default:
			f.Type = l.typeOf(sf.Type)
		}
		st.Fields = append(st.Fields, f)
		if sf.Type.Optional && f.bits() > 0 {
			f.flag = &Field{
				Name:  fieldName(taken, sf.Name+"_is_set"),
				Doc:   "Whether " + name + " is present.",
				Type:  Type{Kind: schema.Bool},
				flags: true,
			}
			st.Fields = append(st.Fields, f.flag)
		}
	}
}

// fieldName returns the name of a field. Neither it nor the Go names derived from it are taken
// in the struct.
func fieldName(taken map[string]bool, name string) string {
	name = strings.ReplaceAll(schema.GoName(name), "_", "")
	name = unique(name, "Field", func(name string) bool {
		return take(taken, []string{name, name + "Bytes", "Has" + name, "Set" + name, "New" + name})
	})
	return lower(name)
}

// lower returns a name with its first letter in lower case, title with it in upper case.
func lower(name string) string { return strings.ToLower(name[:1]) + name[1:] }
func title(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// entry returns the struct for the entries of a map.
func (l *Layout) entry(m *schema.Message, f *schema.Field) *Struct {
	st := l.declare(emit.EntryName(l.Schema, m, f), fmt.Sprintf("One entry of %s.%s.", m.Name, f.Name))
	key := schema.Type{Kind: f.Type.Key}
	st.Fields = []*Field{
		{Name: "key", Type: l.typeOf(key), of: key},
		{Name: "value", Type: l.typeOf(*f.Type.Elem), of: *f.Type.Elem},
	}
	l.Structs = append(l.Structs, st)
	return st
}

// typeOf returns the type of a value other than a list or a map.
func (l *Layout) typeOf(t schema.Type) Type {
	switch t.Kind {
	case schema.MessageKind:
		return Type{Kind: t.Kind, Struct: l.byName[t.Ref]}
	case schema.Timestamp:
		return Type{Kind: schema.MessageKind, Struct: l.timestamp()}
	case schema.Duration:
		return Type{Kind: schema.Int64}
	case schema.EnumKind:
		return Type{Kind: schema.Int32}
	}
	return Type{Kind: t.Kind}
}

// timestamp returns the struct of timestamps.
func (l *Layout) timestamp() *Struct {
	if l.stamp == nil {
		l.stamp = l.declare("Timestamp", "A point in time, UTC.")
		l.stamp.Fields = []*Field{
			{Name: "seconds", Type: Type{Kind: schema.Int64}, Doc: "Since 1970."},
			{Name: "nanos", Type: Type{Kind: schema.Int32}, Doc: "Nanoseconds of the second."},
		}
	}
	return l.stamp
}

// place gives each field its offset, as the capnp compiler does: in the order of the ordinals,
// into the smallest hole that earlier fields left, or else into a new word.
func (st *Struct) place() {
	// holes[k] is the offset of a hole of 1<<k bits, in multiples of its size. 0 means none,
	// because no hole is at the start.
	var holes [6]int
	var fit func(k int) (int, bool)
	fit = func(k int) (int, bool) {
		if k == len(holes) {
			return 0, false
		}
		if at := holes[k]; at != 0 {
			holes[k] = 0
			return at, true
		}
		at, ok := fit(k + 1)
		if ok {
			holes[k] = 2*at + 1
		}
		return 2 * at, ok
	}
	if st.Union {
		st.DataWords, st.Pointers = 1, 1
		return
	}
	for _, f := range st.Fields {
		bits := f.bits()
		if bits == 0 {
			f.Offset = st.Pointers
			st.Pointers++
			continue
		}
		k := log2[bits]
		at, ok := fit(k)
		if !ok {
			at = st.DataWords << (6 - k)
			st.DataWords++
			for end := at + 1; k < len(holes); k++ {
				holes[k] = end
				end = (end + 1) / 2
			}
		}
		f.Offset = at
	}
}

var log2 = map[int]int{1: 0, 32: 5, 64: 6}
