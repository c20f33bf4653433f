// Package schema describes the shape of data without favouring a serialization
// format: messages with numbered fields, and the kinds of value that a field can hold.
//
// A [Schema] has messages and enums. A [Message] has fields, a [Field] has a [Type],
// and a Type is a [Kind] with what the kind needs: the name of a message or enum, the
// element of a list or map, the key of a map. Types refer to messages and enums by
// name, so a schema is a plain tree that can be copied and compared. [Schema.Message]
// and [Schema.Enum] look a name up.
//
// Nothing checks a schema while it is put together. [Schema.Validate] checks the whole
// of it and returns every mistake with its place; all other functions of this package
// take a schema that has passed.
//
// A workload has one schema, and each contender's emitter turns it into Go code. Formats differ
// in what they can hold. So a schema says what is in the data, and it also says how formats
// represent it where they differ: names in other spellings ([Field.Text]), absent values
// ([Field.OmitEmpty], [Field.OmitZero], [Field.Null]), values that JSON spells in another way
// ([Field.As]), and messages that JSON writes without braces ([Message.Bare], [Message.Wraps],
// [Message.Row], [Message.Union]).
//
// Package assay/schema/text reads and writes schemas as TOML. Package assay/schema/neutral
// writes values of a schema as JSON without any loss.
package schema

import "slices"

// A Schema is a set of messages. Some of them, the roots, are whole documents.
type Schema struct {
	// Name is lower-case letters, digits and underscores, starting with a
	// letter. It becomes a Go package name and a protobuf package name.
	Name string
	// Doc says what the data is, in a sentence or two.
	Doc string
	// Roots are the names of the messages that are encoded as whole documents.
	Roots []string
	// Unescaped says that JSON has <, > and & in texts unescaped. JSON contenders that escape
	// them for HTML by default are then told not to. If it is false, each contender keeps its
	// default.
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
	// Doc says what the message is; it may be empty. It becomes a comment in generated code.
	Doc string
	// Bare marks a message that has only a single list or map field. The neutral Go model, and
	// every format that can hold a list or a map in place of a struct (JSON, gob, YAML …),
	// writes the list or map itself. A format that cannot (protobuf, FlatBuffers, XML …) writes
	// a message with one field. Lists of lists and documents that are a list at top level are
	// bare messages.
	Bare bool
	// Wraps marks a message that a JSON sample does not write: in place of the message, the
	// sample has the value of its only field. Elements of lists that hold nulls, and records
	// that are a number, are such messages. Formats that can hold the value itself, including
	// null (JSON, MessagePack, CBOR, BSON, YAML), write the value if Transparent reports true.
	// Every other format writes the message with its field.
	Wraps bool
	// Row marks a message that a JSON sample writes as a list: the values of its fields, in the
	// order of the fields. JSON contenders write the list; every other format writes the
	// message with its fields.
	Row bool
	// Union marks a message of which exactly one field is set. The fields are called variants.
	// There are two forms. In the first, each variant is an optional message, and its When says
	// which JSON objects are of that variant. In the second, no field has a When and there is
	// no Tag, and the variants are optional values of different kinds in JSON: see ByKind. In
	// place of the message, JSON samples and JSON contenders have the variant's value itself. A
	// format that has unions writes one. Every other format writes the message; formats that
	// write names leave out the variants that are not set.
	Union bool
	// Tag is the key whose text tells the variants of a union apart: every variant has a field
	// with that text name. If it is empty, the keys of an object or the kinds of the values
	// tell the variants apart.
	Tag string
	// Fields are in the order of the text form.
	Fields []*Field
}

// A Field is one member of a message.
type Field struct {
	// Name is snake_case: lower-case letters, digits and underscores.
	Name string
	// Number is the field's stable number, at least 1, unique in its message. Formats that
	// write numbers or slots use it. It never changes once data was written.
	Number int
	// Doc says what the field is; it may be empty.
	Doc  string
	Type Type
	// Text is the field's name in formats that write names. Empty means Name.
	Text string
	// OmitEmpty asks formats that write names to leave the field out if it is absent, an empty
	// list, map or string, 0 or false, like the json tag option omitempty. The data then cannot
	// tell an empty value from an absent one.
	OmitEmpty bool
	// OmitZero asks formats that write names to leave out a list, map or bytes if they are
	// absent, and to write them if they are empty, like the json tag option omitzero.
	OmitZero bool
	// Null says that a list, map or bytes may be null in the data, and that null differs from
	// empty. A library that writes an empty list for a nil slice by default is then told to
	// write null.
	Null bool
	// OneOrMany says that a JSON sample writes a list of one element as the element alone. JSON
	// contenders write and read this form; every other format writes the list.
	OneOrMany bool
	// JSONText says that the field's string, or each string of its list or map, is the JSON
	// text of a value that no other kind can hold. JSON samples and JSON contenders have the
	// value itself; every other format writes the string.
	JSONText bool
	// As says how a JSON sample writes the field's value, or each value of its list or map, if
	// that differs from the usual form of the kind. The formats that people read (JSON, YAML,
	// TOML, XML) use this spelling; every other format writes the kind. A value with a spelling
	// is never empty, so a value that may be absent is optional.
	As Spelling
	// When says which objects are of this variant of a union. In a union with a Tag, it lists
	// the texts that the tag has in these objects. In a union without a Tag, it is one key, and
	// an object is of the first variant whose key it has. The last variant may have no key; it
	// takes the objects that no other variant takes.
	When []string
}

// An Enum is a closed set of named int32 values.
type Enum struct {
	// Name is letters, digits and underscores, begins with an upper-case letter
	// and is one that GoName leaves as it is.
	Name string
	// Doc says what the enum is; it may be empty.
	Doc string
	// Values are in the order of the text form. The first has number 0, which is the value of
	// an unset field, as protobuf requires.
	Values []EnumValue
}

// An EnumValue is one member of an enum.
type EnumValue struct {
	// Name is UPPER_SNAKE_CASE and unique in its schema, because protobuf puts
	// enum values in the scope that encloses the enum.
	Name string
	// Number is unique in the enum.
	Number int32
}

// A Kind is the kind of a value. Its zero value is Invalid.
type Kind int

// The kinds, with the type that a value has in the neutral Go model.
const (
	Invalid     Kind = iota // no kind
	Bool                    // bool
	Int32                   // int32
	Int64                   // int64
	Uint32                  // uint32
	Uint64                  // uint64
	Float32                 // float32
	Float64                 // float64
	String                  // string
	Bytes                   // []byte
	Timestamp               // time.Time in UTC, with nanoseconds
	Duration                // time.Duration, in nanoseconds
	EnumKind                // an int32 type; Type.Ref names the enum
	MessageKind             // a struct; Type.Ref names the message
	List                    // a slice of Type.Elem
	Map                     // a map from Type.Key to Type.Elem
)

// A Type is the type of a field, or of the elements of a list or map.
type Type struct {
	Kind Kind
	// Ref is the name of the enum or message, for those kinds.
	Ref string
	// Optional says that the value may be absent. In Go it is a pointer. On a list or map
	// element of a message kind, it means that the elements are held by pointer ([]*T,
	// map[K]*T). Such elements are never nil in assay's data, because most formats cannot write
	// nil elements. Elements of other kinds, lists and maps are never optional.
	Optional bool
	// Key is the kind of a map's key: String, Int32, Int64, Uint32 or Uint64.
	Key Kind
	// Elem is the element of a list or map. It cannot be a list or map; a nested container is a
	// bare message.
	Elem *Type
}

// Omits reports whether formats that write names leave the field out if it is absent.
func (f *Field) Omits() bool { return f.OmitEmpty || f.OmitZero }

// TextName returns the field's name in formats that write names.
func (f *Field) TextName() string {
	if f.Text != "" {
		return f.Text
	}
	return f.Name
}

// Has reports whether any field, element or map key of the schema is of kind k.
func (s *Schema) Has(k Kind) bool {
	for _, m := range s.Messages {
		for _, f := range m.Fields {
			for t := &f.Type; t != nil; t = t.Elem {
				if t.Kind == k || t.Kind == Map && t.Key == k {
					return true
				}
			}
		}
	}
	return false
}

// Message returns the message with the given name, or nil. It searches the messages in turn.
func (s *Schema) Message(name string) *Message {
	for _, m := range s.Messages {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// Transparent reports whether a message with Wraps can be written as the value of its field,
// including null, wherever it stands. It cannot if the value is a list, a map or another
// message with Wraps. It also cannot if the value may be null and the message itself is
// optional somewhere, because null would then have two meanings.
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

// Tristate reports whether a message with Wraps tells null from absent. This requires that
// every reference to it is an optional field with OmitEmpty, and that its value may be null.
// JSON writes the value, or null, in place of the message.
func (s *Schema) Tristate(m *Message) bool {
	if !m.Wraps || s.Transparent(m) || slices.Contains(s.Roots, m.Name) {
		return false
	}
	switch inner := m.Fields[0].Type; inner.Kind {
	case List, Map, Bytes:
	case MessageKind:
		if of := s.Message(inner.Ref); of.Wraps || !inner.Optional && !of.Bare {
			return false
		}
	default:
		if !inner.Optional {
			return false
		}
	}
	met := false
	for _, other := range s.Messages {
		for _, f := range other.Fields {
			switch {
			case f.Type.Elem != nil && f.Type.Elem.Ref == m.Name:
				return false
			case f.Type.Ref == m.Name && !(f.Type.Optional && f.OmitEmpty):
				return false
			case f.Type.Ref == m.Name:
				met = true
			}
		}
	}
	return met
}

// Enum returns the enum with the given name, or nil.
func (s *Schema) Enum(name string) *Enum {
	for _, e := range s.Enums {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// GoName returns the Go name of a snake_case name by the rule of protoc-gen-go. A letter
// becomes upper-case if it is the first one or follows a digit or an underscore, and an
// underscore before a letter is removed ("tx_id" is TxId). The same rule for every contender
// keeps their generated types alike.
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
