package workloadtest

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/workload"
)

var timeType = reflect.TypeFor[time.Time]()

// Hash returns the FNV-1a hash of a value's canonical form: fields in order, map entries in
// the order of their keys, the length before every string and list, and a mark that tells
// pointers and nil from the value pointed to.
func Hash(value any) uint64 {
	h := fnv.New64a()
	number := func(n uint64) { h.Write(binary.LittleEndian.AppendUint64(nil, n)) }
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		if v.Type() == timeType {
			t := v.Interface().(time.Time)
			number(uint64(t.Unix()))
			number(uint64(t.Nanosecond()))
			return
		}
		switch v.Kind() {
		case reflect.Bool, reflect.Int32, reflect.Int64, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
			number(scalar(v))
		case reflect.String:
			number(uint64(v.Len()))
			h.Write([]byte(v.String()))
		case reflect.Pointer:
			if v.IsNil() {
				number(0)
				return
			}
			number(1)
			walk(v.Elem())
		case reflect.Slice:
			number(length(v))
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Map:
			number(length(v))
			for _, k := range sortedKeys(v) {
				walk(k)
				walk(v.MapIndex(k))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		default:
			if v.Kind() != reflect.Uint8 {
				panic("no canonical form of a " + v.Type().String())
			}
			number(v.Uint())
		}
	}
	walk(reflect.ValueOf(value))
	return h.Sum64()
}

func scalar(v reflect.Value) uint64 {
	switch {
	case v.CanInt():
		return uint64(v.Int())
	case v.CanUint():
		return v.Uint()
	case v.CanFloat():
		return math.Float64bits(v.Float())
	}
	return workload.LeafBool(v.Bool())
}

// length returns the length of a list or map, or all ones if it is nil.
func length(v reflect.Value) uint64 {
	if v.IsNil() {
		return math.MaxUint64
	}
	return uint64(v.Len())
}

// sortedKeys returns the keys of a map of strings in order.
func sortedKeys(m reflect.Value) []reflect.Value {
	return slices.SortedFunc(slices.Values(m.MapKeys()), func(a, b reflect.Value) int {
		return strings.Compare(a.String(), b.String())
	})
}

// visit calls f for v and for every value that is reachable from v.
func visit(v reflect.Value, path string, f func(v reflect.Value, path string)) {
	f(v, path)
	if v.Type() == timeType {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			visit(v.Elem(), path, f)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			visit(v.Index(i), path+"[]", f)
		}
	case reflect.Map:
		for _, k := range sortedKeys(v) {
			visit(k, path+".key", f)
			visit(v.MapIndex(k), path+".value", f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			visit(v.Field(i), path+"."+v.Type().Field(i).Name, f)
		}
	}
}

// Separate checks that no two places in the values share writable memory, and that no list or
// map is empty without being nil.
func Separate(t *testing.T, values []workload.Model) {
	t.Helper()
	type memory struct {
		at  uintptr
		typ reflect.Type
	}
	seen := map[memory]string{}
	for _, value := range values {
		visit(reflect.ValueOf(value), "", func(v reflect.Value, path string) {
			switch v.Kind() {
			case reflect.Slice, reflect.Map, reflect.Pointer:
			default:
				return
			}
			if v.Type() == timeType || v.IsNil() {
				return
			}
			if v.Kind() != reflect.Pointer && v.Len() == 0 {
				t.Errorf("%s is empty and not nil", path)
				return
			}
			m := memory{v.Pointer(), v.Type()}
			if first, ok := seen[m]; ok {
				t.Errorf("%s and %s share memory", first, path)
			}
			seen[m] = path
		})
	}
}

// Filled checks that no leaf and no element of a list or map is a zero value, except at the
// given paths, such as ".Friends[].Friends".
func Filled(t *testing.T, values []workload.Model, except ...string) {
	t.Helper()
	reported := map[string]bool{}
	for i, value := range values {
		visit(reflect.ValueOf(value), "", func(v reflect.Value, path string) {
			if v.IsZero() && !slices.Contains(except, path) && !reported[path] {
				reported[path] = true
				t.Errorf("value %d: %s is zero", i, path)
			}
		})
	}
}

// DeepSize returns the approximate memory that a value reaches, in bytes. It ignores the
// rounding of allocations, and counts the slots of maps, used or not.
func DeepSize(value any) int64 {
	return held(reflect.ValueOf(value))
}

// held returns the bytes that a value reaches, without the value itself.
func held(v reflect.Value) int64 {
	if v.Type() == timeType {
		return 0
	}
	var n int64
	switch v.Kind() {
	case reflect.String:
		n = int64(v.Len())
	case reflect.Pointer:
		if !v.IsNil() {
			n = int64(v.Type().Elem().Size()) + held(v.Elem())
		}
	case reflect.Slice:
		n = int64(v.Cap()) * int64(v.Type().Elem().Size())
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return n
		}
		for i := range v.Len() {
			n += held(v.Index(i))
		}
	case reflect.Map:
		// The number of slots is a power of two from 8, with a control byte each. From 16 on,
		// at most 7/8 of the slots are used.
		slots := 8
		for slots < v.Len() || slots > 8 && slots*7/8 < v.Len() {
			slots *= 2
		}
		n = 48 + int64(slots)*(int64(v.Type().Key().Size()+v.Type().Elem().Size())+1)
		for it := v.MapRange(); it.Next(); {
			n += held(it.Key()) + held(it.Value())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			n += held(v.Field(i))
		}
	}
	return n
}
