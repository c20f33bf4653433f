package result

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A leaf is a text or a number in a value, with the names of the fields that lead to it.
type leaf struct {
	path string
	v    reflect.Value
}

// fill sets everything in a value to something that a record may have, and returns its leaves.
func fill(path string, v reflect.Value) (leaves []leaf) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return fill(path, v.Elem())
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return nil
		}
		for i := range v.NumField() {
			name := path + "." + v.Type().Field(i).Name
			if v.Type().Field(i).Anonymous {
				name = path
			}
			leaves = append(leaves, fill(name, v.Field(i))...)
		}
		return leaves
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		return fill(path, v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("x"), reflect.ValueOf(1.0))
		return nil
	case reflect.Bool:
		v.SetBool(true)
		return nil
	case reflect.Uint64:
		v.SetUint(1)
		return nil
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.String:
		v.SetString(map[reflect.Type]string{reflect.TypeFor[Status](): string(OK)}[v.Type()])
		if v.String() == "" {
			v.SetString("x")
		}
	}
	return []leaf{{path, v}}
}

// A name of a stored record that could move the cursor of a terminal, and a number that is negative,
// are errors. The exceptions are sentences, and differences of counters, which may be negative.
func TestEveryFieldIsChecked(t *testing.T) {
	of := reflect.TypeFor[Record]()
	var unchecked []string
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Type.Kind() != reflect.Pointer || f.Name == "Note" {
			continue
		}
		var r Record
		for _, l := range fill(f.Name, reflect.ValueOf(&r).Elem().Field(i)) {
			if err := r.check(); err != nil {
				t.Fatalf("a sound %s: %v", f.Name, err)
			}
			before := reflect.New(l.v.Type()).Elem()
			before.Set(l.v)
			switch l.v.Kind() {
			case reflect.String:
				l.v.SetString("a\x1b[2J")
			case reflect.Float64:
				l.v.SetFloat(-1)
			default:
				l.v.SetInt(-1)
			}
			if r.check() == nil {
				unchecked = append(unchecked, l.path)
			}
			l.v.Set(before)
		}
	}
	slices.Sort(unchecked)
	want := []string{
		"Bench.Reason", "BuildCost.Reason", "Launch.Disturbed", "Launch.Others",
		"Outcome.Reason", "Outcome.Stderr", "Retained.Bytes", "Stream.Unread", "Verification.Reason", "Verification.Traces",
	}
	if diff := cmp.Diff(want, unchecked); diff != "" {
		t.Errorf("not checked (-want +got):\n%s", diff)
	}
}
