package protoform

import (
	"encoding/json"
	"fmt"
	"reflect"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"assay/schema"
	"assay/schema/neutral"
)

// Values convert between protobuf messages and values of the neutral model.
type Values struct {
	form    *Form
	neutral neutral.Form
	empty   protoreflect.MessageType
}

// Open returns Values for messages of a generated type. plan is the JSON of a Plan, and s is
// the schema of the model's values.
func Open(plan string, s *schema.Schema, t protoreflect.MessageType) (*Values, error) {
	return open(plan, s, func(string) (protoreflect.MessageType, Extensions, error) { return t, protoregistry.GlobalTypes, nil })
}

// OpenBytes is Open for types without reflection, which are converted through their encoded
// form. files is an encoded google.protobuf.FileDescriptorSet with every message that the plan
// names.
func OpenBytes(plan string, s *schema.Schema, files string) (*Values, error) {
	return open(plan, s, func(root string) (protoreflect.MessageType, Extensions, error) {
		var set descriptorpb.FileDescriptorSet
		if err := proto.Unmarshal([]byte(files), &set); err != nil {
			return nil, nil, fmt.Errorf("reading the descriptors: %w", err)
		}
		registry, err := protodesc.NewFiles(&set)
		if err != nil {
			return nil, nil, fmt.Errorf("reading the descriptors: %w", err)
		}
		types := dynamicpb.NewTypes(registry)
		t, err := types.FindMessageByName(protoreflect.FullName(root))
		return t, types, err
	})
}

func open(plan string, s *schema.Schema, root func(name string) (protoreflect.MessageType, Extensions, error)) (*Values, error) {
	var p Plan
	if err := json.Unmarshal([]byte(plan), &p); err != nil {
		return nil, fmt.Errorf("reading the plan: %w", err)
	}
	t, find, err := root(p.Root)
	if err != nil {
		return nil, err
	}
	v := &Values{empty: t}
	if v.form, err = p.Bind(t.Descriptor(), find); err != nil {
		return nil, err
	}
	v.neutral, err = neutral.Of(s, p.Messages[p.Root].Name)
	return v, err
}

// Set sets dst, an empty message, to the content of a model value.
func (v *Values) Set(dst protoreflect.Message, model any) error { return v.form.Set(dst, model) }

// Get replaces the value that model points to by the content of a message.
func (v *Values) Get(model any, src protoreflect.Message) error {
	line, err := v.form.Append(nil, src, nil)
	if err != nil {
		return err
	}
	reflect.ValueOf(model).Elem().SetZero()
	return v.neutral.Parse(line, model)
}

// Encode returns the encoded message of a model value.
func (v *Values) Encode(model any) ([]byte, error) {
	m := v.empty.New()
	if err := v.Set(m, model); err != nil {
		return nil, err
	}
	return proto.Marshal(m.Interface())
}

// Decode is Get for an encoded message.
func (v *Values) Decode(model any, data []byte) error {
	m := v.empty.New()
	if err := proto.Unmarshal(data, m.Interface()); err != nil {
		return err
	}
	return v.Get(model, m)
}
