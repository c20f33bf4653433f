// Package protoform relates messages of a user's .proto files to the values of a
// schema that was made of them: it writes messages in the neutral form (package
// neutral), makes messages of model values, and model values of messages. Which
// field is which is said by a Plan, which package protofile makes.
//
// It reads and sets messages through protoreflect, and so serves dynamic messages
// and the types of any generator that has it. Nothing of it is timed.
package protoform

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"assay/schema"
)

// A Plan says how the messages of .proto files are those of a schema. It can be
// written as JSON and read again.
type Plan struct {
	// Root is the full name of the message of the records.
	Root string `json:"root"`
	// Messages are by their full names, without the leading dot.
	Messages map[string]Message `json:"messages"`
}

// A Message is how one message is that of a schema.
type Message struct {
	// Name is the schema's.
	Name   string  `json:"name"`
	Fields []Field `json:"fields"`
}

// A Field is a field of the .proto file as the schema has it.
type Field struct {
	// Number is the same in both.
	Number int32 `json:"number"`
	// Extension says that the field is an extension of the message.
	Extension bool `json:"extension,omitempty"`
	// Path names it in errors, as Message.field in the words of the .proto file.
	Path string `json:"path"`
	// Name is the schema's name of the field, and Text its name in neutral form.
	Name string `json:"name"`
	Text string `json:"text"`
	// Container is List or Map, or Invalid where there is one value.
	Container schema.Kind `json:"container,omitempty"`
	// Optional says that the schema tells absent from zero.
	Optional bool `json:"optional,omitempty"`
	// Kind is that of the value, or of the elements of the container.
	Kind schema.Kind `json:"kind"`
	// Unsigned says that a float that is -0 is kept as 0: JSON and other formats
	// that leave out what is zero leave out both.
	Unsigned bool `json:"unsigned,omitempty"`
	// There says that a message without fields is a bool, true where it is.
	There bool `json:"there,omitempty"`
	// Wrapped says that the value is field 1 of a message, a wrapper.
	Wrapped bool `json:"wrapped,omitempty"`
	// Message is the full name of the message of kind MessageKind.
	Message string `json:"message,omitempty"`
	// Values are the numbers of an enum, in ascending order.
	Values []int32 `json:"values,omitempty"`
}

// Extensions find the type of an extension field.
type Extensions interface {
	FindExtensionByNumber(message protoreflect.FullName, field protoreflect.FieldNumber) (protoreflect.ExtensionType, error)
}

// A Form is a plan for messages of certain descriptors.
type Form struct {
	root *message
}

type message struct {
	name   string // of the .proto file, in full
	fields []*field
}

type field struct {
	Field
	start []byte // the key and a colon, as a JSON object has them
	desc  protoreflect.FieldDescriptor
	inner *message // of kind MessageKind
	value protoreflect.FieldDescriptor
}

// Bind returns the form of messages of a descriptor, which must be that of the
// plan's root but for a prefix of all names of its files.
func (p *Plan) Bind(root protoreflect.MessageDescriptor, find Extensions) (*Form, error) {
	b := binder{plan: p, find: find, known: map[string]*message{}}
	m, err := b.message(p.Root, root)
	if err != nil {
		return nil, err
	}
	return &Form{m}, nil
}

type binder struct {
	plan  *Plan
	find  Extensions
	known map[string]*message
}

func (b *binder) message(name string, desc protoreflect.MessageDescriptor) (*message, error) {
	if m := b.known[name]; m != nil {
		return m, nil
	}
	p, ok := b.plan.Messages[name]
	if !ok {
		return nil, fmt.Errorf("the plan has no message %s", name)
	}
	m := &message{name: name}
	b.known[name] = m
	for _, f := range p.Fields {
		one := &field{Field: f, start: key(f.Text)}
		var err error
		if one.desc, err = b.field(desc, f); err != nil {
			return nil, err
		}
		one.value = one.desc
		if one.desc.IsMap() {
			one.value = one.desc.MapValue()
		}
		if f.Kind == schema.MessageKind {
			if one.value.Message() == nil {
				return nil, fmt.Errorf("%s is no message", f.Path)
			}
			if one.inner, err = b.message(f.Message, one.value.Message()); err != nil {
				return nil, err
			}
		}
		m.fields = append(m.fields, one)
	}
	return m, nil
}

// field finds the descriptor of a field.
func (b *binder) field(m protoreflect.MessageDescriptor, f Field) (protoreflect.FieldDescriptor, error) {
	number := protoreflect.FieldNumber(f.Number)
	if !f.Extension {
		if d := m.Fields().ByNumber(number); d != nil {
			return d, nil
		}
		return nil, fmt.Errorf("%s has no field %d", m.FullName(), number)
	}
	x, err := b.find.FindExtensionByNumber(m.FullName(), number)
	if err != nil {
		return nil, fmt.Errorf("extension %d of %s: %w", number, m.FullName(), err)
	}
	return x.TypeDescriptor(), nil
}

// has reports whether an enum has a number.
func (f *field) has(number int32) bool {
	_, ok := slices.BinarySearch(f.Values, number)
	return ok
}

var _ Extensions = (*protoregistry.Types)(nil)
