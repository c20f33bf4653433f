// Package protoform converts between messages of a user's .proto files and values of a schema
// that was made from these files. It writes messages in the neutral form (package neutral),
// makes messages from model values, and makes model values from messages. A Plan, which package
// protofile makes, maps the fields of messages to the fields of the schema.
//
// The package reads and sets messages through protoreflect. So it supports dynamic messages and
// the types of any generator that implements protoreflect. None of its work is timed.
package protoform

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"assay/schema"
)

// A Plan maps the messages of .proto files to the messages of a schema. It can be written as
// JSON and read back.
type Plan struct {
	// Root is the full name of the message of a record.
	Root string `json:"root"`
	// Messages has the messages by their full names, without the leading dot.
	Messages map[string]Message `json:"messages"`
}

// A Message maps one message to a message of the schema.
type Message struct {
	// Name is the name of the schema's message.
	Name   string  `json:"name"`
	Fields []Field `json:"fields"`
}

// A Field maps a field of the .proto file to a field of the schema.
type Field struct {
	// Number is the field's number in the .proto file and in the schema.
	Number int32 `json:"number"`
	// Extension says that the field is an extension of the message.
	Extension bool `json:"extension,omitempty"`
	// Path identifies the field in errors, as Message.field with the names of the .proto file.
	Path string `json:"path"`
	// Name is the schema's name of the field, and Text its name in neutral form.
	Name string `json:"name"`
	Text string `json:"text"`
	// Container is List or Map, or Invalid if the field has a single value.
	Container schema.Kind `json:"container,omitempty"`
	// Optional says that the schema tells absent from zero.
	Optional bool `json:"optional,omitempty"`
	// Kind is the kind of the value, or of the elements of the container.
	Kind schema.Kind `json:"kind"`
	// Unsigned says that a float -0 becomes 0: JSON and other formats that leave out zeros
	// leave out both.
	Unsigned bool `json:"unsigned,omitempty"`
	// There says that the schema represents a message without fields as a bool, which is true
	// if the message is present.
	There bool `json:"there,omitempty"`
	// Wrapped says that the value is field 1 of a wrapper message.
	Wrapped bool `json:"wrapped,omitempty"`
	// Message is the full name of the message if Kind is MessageKind.
	Message string `json:"message,omitempty"`
	// Values are the numbers of an enum, in ascending order.
	Values []int32 `json:"values,omitempty"`
}

// Extensions finds the type of an extension field. *protoregistry.Types implements it.
type Extensions interface {
	FindExtensionByNumber(message protoreflect.FullName, field protoreflect.FieldNumber) (protoreflect.ExtensionType, error)
}

// A Form is a plan that is bound to message descriptors.
type Form struct {
	root *message
}

type message struct {
	name   string // full name in the .proto file
	fields []*field
}

type field struct {
	Field
	start []byte // the key and a colon, as in a JSON object
	desc  protoreflect.FieldDescriptor
	inner *message // if Kind is MessageKind
	value protoreflect.FieldDescriptor
}

// Bind returns the form of messages with the given descriptor. It must be the descriptor of the
// plan's root; only a prefix of all names of its files may differ.
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

// field returns the descriptor of a field.
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
