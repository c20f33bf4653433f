// Package schema describes the shape of data in a way that is neutral to every
// serialization format: messages with numbered fields, and the kinds of value
// that a field can hold.
//
// A schema is what a workload is made of and what every contender's emitter
// reads. It has a readable text form in TOML: package schema/text reads and
// writes it.
package schema

// A Schema is a set of messages, some of which are documents of their own.
type Schema struct {
	// Name is lower-case letters, digits and underscores, starting with a
	// letter. It becomes a Go package name and a protobuf package name.
	Name string
	// Doc says what the data is, in a sentence or two.
	Doc string
	// Roots are the names of the messages that are encoded as whole documents.
	Roots []string
	// Unescaped says that JSON has <, > and & in texts as they are. The JSON
	// contenders that escape them for HTML unless they are told are told. False:
	// each does as it does by itself.
	Unescaped bool
	// Messages are in the order of the text form.
	Messages []*Message
	// Enums are in the order of the text form.
	Enums []*Enum
}

// A Message is a struct: an ordered list of numbered fields.
type Message struct {
	// Name is letters, digits and underscores, begins with an upper-case letter
	// and is one that GoName leaves as it is.
	Name string
	Doc  string
	// Bare marks a message that is nothing but its single list or map field.
	// The neutral Go model, and every format that can hold a list or a map
	// where it holds a struct (JSON, gob, YAML …), writes the list or map
	// itself; a format that cannot (protobuf, FlatBuffers, XML …) writes a
	// message with one field. Lists of lists and documents that are a list at
	// top level are bare messages.
	Bare bool
	// Wraps marks a message that a JSON sample does not write: where the message
	// stands, the sample has the value of its only field. Lists that hold nulls
	// and records that are a number are such messages. Who reads samples heeds
	// it, and so do the formats that can hold the bare value, null included
	// (JSON, MessagePack, CBOR, BSON, YAML); every other format writes the
	// message with its field.
	Wraps bool
	// Row marks a message that a JSON sample writes as a list: of the values of
	// its fields, in their order, each in its place. Who reads samples and the
	// JSON contenders heed it; every other format writes the message with its
	// fields.
	Row bool
	// Union marks a message of which exactly one field is set. Every field is an
	// optional message, a variant, and says with When which objects it is for. A
	// JSON sample has the object of the variant itself where the message stands.
	// Who reads samples and the JSON contenders heed it; a format that has unions
	// writes one, and every other format writes the message, in which formats that
	// write names leave out the variants that are not set.
	Union bool
	// Tag is the key by whose text the variants of a union are told apart: each
	// has a field of that text name. Empty: they are told by keys that are there.
	Tag    string
	Fields []*Field
}

// A Field is one member of a message.
type Field struct {
	// Name is snake_case: lower-case letters, digits and underscores.
	Name string
	// Number is the field's stable number, at least 1, unique in its message.
	// Formats that write numbers or slots use it; it never changes once data
	// was written.
	Number int
	Doc    string
	Type   Type
	// Text is the field's name in formats that write names. Empty means Name.
	Text string
	// OmitEmpty asks formats that write names to leave the field out when it is
	// absent, an empty list, map or string, 0 or false, as the json tag option
	// omitempty does. A value in it that is empty is the same as none.
	OmitEmpty bool
	// OmitZero asks the same for a list, map or bytes that are absent only: what
	// is empty is written, as with the json tag option omitzero.
	OmitZero bool
	// Null says that a list, map or bytes may be null in the data, which is not
	// the same as empty. A library that writes an empty list for a nil slice
	// unless it is told is told.
	Null bool
	// JSONText says that the field's string, or each string of its list or map,
	// is a JSON text, of a value that no other kind can hold. A JSON sample has
	// the value itself there, and the JSON contenders write it so; every other
	// format writes a string.
	JSONText bool
	// As says how a JSON sample writes the field's value, or each value of its list
	// or map, where that is not what the kind alone says. The formats that people
	// read (JSON, YAML, TOML, XML) write it so; every other format writes the kind.
	// A value with a spelling is never empty: one that may be absent is optional.
	As Spelling
	// When says which objects a variant of a union is for. With a tag it is the
	// texts that the tag has in them. Without, it is one key, and the object is of
	// the first variant whose key it has; the last variant may have none, and is
	// for all objects that are left.
	When []string
}

// An Enum is a closed set of named int32 values.
type Enum struct {
	// Name is letters, digits and underscores, begins with an upper-case letter
	// and is one that GoName leaves as it is.
	Name string
	Doc  string
	// Values are in the order of the text form. The first has number 0, which
	// is the value of an unset field, as protobuf demands.
	Values []EnumValue
}

// An EnumValue is one member of an enum.
type EnumValue struct {
	// Name is UPPER_SNAKE_CASE and unique in its schema, because protobuf puts
	// enum values in the scope that encloses the enum.
	Name   string
	Number int32
}

// A Kind is the kind of a value.
type Kind int

// The kinds. Timestamp is a point in time with nanoseconds; Duration is a
// signed number of nanoseconds. Enum and Message name their type in Type.Ref;
// List and Map have an element in Type.Elem.
const (
	Invalid Kind = iota
	Bool
	Int32
	Int64
	Uint32
	Uint64
	Float32
	Float64
	String
	Bytes
	Timestamp
	Duration
	EnumKind
	MessageKind
	List
	Map
)

// A Type is the type of a field or of an element.
type Type struct {
	Kind Kind
	// Ref is the name of the enum or message, for those kinds.
	Ref string
	// Optional says that the value may be absent. In Go it is a pointer. On a
	// list or map element of a message kind it means that the elements are held
	// by pointer ([]*T, map[K]*T); such elements are never nil in our data,
	// because most formats cannot write that. Elements of other kinds and
	// lists and maps themselves are never optional.
	Optional bool
	// Key is the kind of a map's key: String, Int32, Int64, Uint32 or Uint64.
	Key Kind
	// Elem is the element of a list or map. It is not itself a list or map:
	// a nested container is a bare message.
	Elem *Type
}

// Omits reports whether the field is left out where it is absent.
func (f *Field) Omits() bool { return f.OmitEmpty || f.OmitZero }

// TextName returns the field's name in formats that write names.
func (f *Field) TextName() string {
	if f.Text != "" {
		return f.Text
	}
	return f.Name
}

// Message returns the message of that name, or nil.
func (s *Schema) Message(name string) *Message {
	for _, m := range s.Messages {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// Transparent reports whether a message that wraps can be written as the value
// of its field wherever it is, null included: the value is no list, no map and no
// message that wraps, and nowhere is the message optional whose value may be
// absent itself, since there two things would be null.
func (s *Schema) Transparent(m *Message) bool {
	if !m.Wraps {
		return false
	}
	inner := m.Fields[0].Type
	nullable := inner.Optional || inner.Kind == Bytes
	switch inner.Kind {
	case List, Map:
		return false
	case MessageKind:
		of := s.Message(inner.Ref)
		if of.Wraps {
			return false
		}
		nullable = nullable || of.Bare
	}
	if !nullable {
		return true
	}
	for _, other := range s.Messages {
		for _, f := range other.Fields {
			t := &f.Type
			if t.Elem != nil {
				t = t.Elem
			}
			if t.Ref == m.Name && t.Optional {
				return false
			}
		}
	}
	return true
}

// Enum returns the enum of that name, or nil.
func (s *Schema) Enum(name string) *Enum {
	for _, e := range s.Enums {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// GoName returns the Go name of a snake_case name by the rule that
// protoc-gen-go uses: each letter after an underscore, and the first, becomes
// upper-case and the underscore goes ("tx_id" is TxId). One rule for every
// contender keeps their generated types alike.
func GoName(name string) string {
	out := make([]byte, 0, len(name))
	up := true
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c == '_' && i+1 < len(name) && 'a' <= name[i+1] && name[i+1] <= 'z':
			up = true
			continue
		case '0' <= c && c <= '9':
			out = append(out, c)
			up = true
			continue
		case up && 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		out = append(out, c)
		up = false
	}
	return string(out)
}
