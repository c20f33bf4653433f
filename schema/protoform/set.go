package protoform

import (
	"fmt"
	"reflect"
	"strconv"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"

	"assay/schema"
)

// Set sets dst, an empty message of the root, to the content of a model value. v is a struct of
// the model, or a pointer to one.
func (f *Form) Set(dst protoreflect.Message, v any) error {
	value := reflect.ValueOf(v)
	for value.Kind() == reflect.Pointer {
		if value.IsNil() {
			return fmt.Errorf("a nil %T is no value", v)
		}
		value = value.Elem()
	}
	return setMessage(dst, f.root, value)
}

func setMessage(dst protoreflect.Message, m *message, v reflect.Value) error {
	for _, f := range m.fields {
		src := v.FieldByName(schema.GoName(f.Name))
		if !src.IsValid() {
			return fmt.Errorf("%s: the model has no field %s", f.Path, schema.GoName(f.Name))
		}
		if err := setField(dst, f, src); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return nil
}

func setField(dst protoreflect.Message, f *field, src reflect.Value) error {
	switch f.Container {
	case schema.List:
		if src.Len() == 0 {
			return nil
		}
		list := dst.Mutable(f.desc).List()
		for i := range src.Len() {
			x, err := f.from(list.NewElement, src.Index(i))
			if err != nil {
				return err
			}
			list.Append(x)
		}
		return nil
	case schema.Map:
		if src.Len() == 0 {
			return nil
		}
		return setMap(dst.Mutable(f.desc).Map(), f, src)
	}
	switch {
	case f.There:
		if !src.Bool() {
			return nil
		}
	case f.Optional:
		if src.IsNil() {
			return nil
		}
		src = src.Elem()
	case f.Kind == schema.Bytes && src.IsNil() && f.desc.Cardinality() != protoreflect.Required:
		return nil
	}
	x, err := f.from(func() protoreflect.Value { return dst.NewField(f.desc) }, src)
	if err == nil {
		dst.Set(f.desc, x)
	}
	return err
}

func setMap(dst protoreflect.Map, f *field, src reflect.Value) error {
	for it := src.MapRange(); it.Next(); {
		k, err := mapKey(f.desc.MapKey().Kind(), it.Key())
		if err != nil {
			return err
		}
		x, err := f.from(dst.NewValue, it.Value())
		if err != nil {
			return err
		}
		dst.Set(k, x)
	}
	return nil
}

// mapKey converts a map key of the model to a map key of protobuf.
func mapKey(kind protoreflect.Kind, v reflect.Value) (protoreflect.MapKey, error) {
	if kind == protoreflect.BoolKind {
		b, err := strconv.ParseBool(v.String())
		return protoreflect.ValueOfBool(b).MapKey(), err
	}
	x, err := scalar(kind, v)
	if err != nil {
		return protoreflect.MapKey{}, err
	}
	return x.MapKey(), nil
}

// from converts one value of the field to protobuf. empty makes a new message for fields of a
// message type.
func (f *field) from(empty func() protoreflect.Value, src reflect.Value) (protoreflect.Value, error) {
	if f.value.Message() == nil {
		return scalar(f.value.Kind(), src)
	}
	x := empty()
	m := x.Message()
	fields := m.Descriptor().Fields()
	switch {
	case f.There:
	case f.Wrapped:
		one := fields.ByNumber(1)
		inner, err := scalar(one.Kind(), src)
		if err != nil {
			return x, err
		}
		m.Set(one, inner)
	case f.Kind == schema.Timestamp:
		t, ok := src.Interface().(time.Time)
		if !ok {
			return x, fmt.Errorf("a %s is no time", src.Type())
		}
		setParts(m, t.Unix(), int32(t.Nanosecond()))
	case f.Kind == schema.Duration:
		setParts(m, src.Int()/1e9, int32(src.Int()%1e9))
	default:
		for src.Kind() == reflect.Pointer {
			src = src.Elem()
		}
		return x, setMessage(m, f.inner, src)
	}
	return x, nil
}

// setParts sets the seconds and nanos of a timestamp or a duration.
func setParts(m protoreflect.Message, seconds int64, nanos int32) {
	d := m.Descriptor().Fields()
	m.Set(d.ByNumber(1), protoreflect.ValueOfInt64(seconds))
	m.Set(d.ByNumber(2), protoreflect.ValueOfInt32(nanos))
}

// scalar converts a value of the model to a value of a protobuf kind.
func scalar(kind protoreflect.Kind, v reflect.Value) (protoreflect.Value, error) {
	switch kind {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(v.Bool()), nil
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(v.Int())), nil
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(v.Int()), nil
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(v.Uint())), nil
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(v.Uint()), nil
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(v.Float())), nil
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(v.Float()), nil
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(v.String()), nil
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(append([]byte{}, v.Bytes()...)), nil
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(v.Int())), nil
	}
	return protoreflect.Value{}, fmt.Errorf("a value of kind %s cannot be set", kind)
}
