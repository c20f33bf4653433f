package protofile

import (
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"

	"assay/schema"
)

// An enum is an enum of the .proto files and its form in the schema.
type enum struct {
	desc    protoreflect.EnumDescriptor
	out     *schema.Enum
	numbers map[int32]bool
}

// enum returns the enum of a descriptor. Its values get their final names when all enums are known.
func (b *builder) enum(desc protoreflect.EnumDescriptor) *enum {
	full := desc.FullName()
	if e := b.enums[full]; e != nil {
		return e
	}
	e := &enum{desc: desc, out: &schema.Enum{Name: b.typeName(desc), Doc: b.doc(desc)}, numbers: map[int32]bool{}}
	b.enums[full] = e
	b.schema.Enums = append(b.schema.Enums, e.out)
	list := desc.Values()
	for i := range list.Len() {
		v := list.Get(i)
		n := int32(v.Number())
		if e.numbers[n] {
			b.notes.add(noteAlias, fmt.Sprintf("%s.%s", desc.Name(), v.Name()))
			continue
		}
		e.numbers[n] = true
		one := schema.EnumValue{Name: string(v.Name()), Number: n}
		if n == 0 { // a schema needs the value 0 first
			e.out.Values = append([]schema.EnumValue{one}, e.out.Values...)
			continue
		}
		e.out.Values = append(e.out.Values, one)
	}
	if !e.numbers[0] {
		zero := schema.EnumValue{Name: string(desc.Name()) + "_UNSET"}
		e.out.Values = append([]schema.EnumValue{zero}, e.out.Values...)
		b.notes.add(noteZero, string(desc.FullName()))
	}
	return e
}
