package workloadtest

import (
	"fmt"
	"math/bits"
	"reflect"
	"time"

	"assay/schema"
	"assay/workload"
)

// ProtoSize returns the encoded size of a message in the protobuf wire format, in bytes. It
// computes the size without a protobuf library, to check the values and, in other packages,
// the libraries. It follows proto3: zero scalars are left out unless they are optional, lists
// of numbers are packed, and map entries and messages by value are always written.
func ProtoSize(s *schema.Schema, message string, value workload.Model) int {
	return protoMessage(s, s.Message(message), reflect.ValueOf(value).Elem())
}

func protoMessage(s *schema.Schema, m *schema.Message, v reflect.Value) int {
	n := 0
	for i, f := range m.Fields {
		field := v
		if !m.Bare {
			field = v.Field(i)
		}
		n += protoField(s, f.Number, f.Type, field)
	}
	return n
}

// protoField returns the size of a field including its tags.
func protoField(s *schema.Schema, number int, t schema.Type, v reflect.Value) int {
	tag := varint(uint64(number) << 3)
	switch t.Kind {
	case schema.List:
		n, packed := 0, 0
		for i := range v.Len() {
			size, delimited := protoValue(s, *t.Elem, v.Index(i))
			if delimited {
				n += tag + varint(uint64(size)) + size
			} else {
				packed += size
			}
		}
		if packed > 0 {
			n += tag + varint(uint64(packed)) + packed
		}
		return n
	case schema.Map:
		n := 0
		for it := v.MapRange(); it.Next(); {
			entry := always(s, schema.Type{Kind: t.Key}, it.Key()) + always(s, *t.Elem, it.Value())
			n += tag + varint(uint64(entry)) + entry
		}
		return n
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return 0
		}
	} else if t.Kind != schema.MessageKind && t.Kind != schema.Timestamp && v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 {
		return 0
	}
	return tag - 1 + always(s, t, v)
}

// always returns the size of a value, zero or not, with a tag of one byte.
func always(s *schema.Schema, t schema.Type, v reflect.Value) int {
	size, delimited := protoValue(s, t, v)
	if delimited {
		size += varint(uint64(size))
	}
	return 1 + size
}

// protoValue returns the size of a single value, and whether its length precedes it.
func protoValue(s *schema.Schema, t schema.Type, v reflect.Value) (size int, delimited bool) {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch t.Kind {
	case schema.Bool:
		return 1, false
	case schema.Int32, schema.Int64:
		return varint(uint64(v.Int())), false
	case schema.Uint32, schema.Uint64:
		return varint(v.Uint()), false
	case schema.Float64:
		return 8, false
	case schema.String, schema.Bytes:
		return v.Len(), true
	case schema.Timestamp:
		at := v.Interface().(time.Time)
		if sec := at.Unix(); sec != 0 {
			size += 1 + varint(uint64(sec))
		}
		if nsec := at.Nanosecond(); nsec != 0 {
			size += 1 + varint(uint64(nsec))
		}
		return size, true
	case schema.MessageKind:
		return protoMessage(s, s.Message(t.Ref), v), true
	}
	panic(fmt.Sprintf("no built-in workload has a field of kind %d", t.Kind))
}

// varint returns the length of n as a varint in bytes: one for each seven bits.
func varint(n uint64) int { return (bits.Len64(n|1) + 6) / 7 }
