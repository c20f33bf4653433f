//go:build generated

package floor_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"assay/bench"
	chaingen "assay/contenders/floor/gen/chain"
	customergen "assay/contenders/floor/gen/customer"
	moviegen "assay/contenders/floor/gen/movie"
	sizesgen "assay/contenders/floor/gen/sizes"
	tickgen "assay/contenders/floor/gen/tick"
	"assay/result"
	"assay/workload"
	"assay/workload/builtin"
)

// TestDeep checks that a decoded value shares nothing with the input: it must not change when
// every changeable part of the input changes. The tests of other contenders check this by
// changing their messages, but the floor reads no messages.
func TestDeep(t *testing.T) {
	bindings := slices.Concat(chaingen.Bindings, customergen.Bindings, moviegen.Bindings, sizesgen.Bindings, tickgen.Bindings)
	for _, w := range builtin.All() {
		for _, size := range w.Sizes {
			if !size.Default {
				continue
			}
			for _, b := range bindings {
				if b.Workload == w.Name && b.Root == size.Root && slices.Contains(b.Ops, result.Decode) {
					deep(t, w, size, b)
				}
			}
		}
	}
}

func deep(t *testing.T, w *workload.Workload, size workload.Size, b bench.Binding) {
	t.Helper()
	in, err := w.Generate(size, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	want, err := w.Generate(size, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	codec, err := b.New(in)
	if err != nil {
		t.Fatal(err)
	}
	codec.Use([][]byte{nil})
	codec.Seek(0)
	if _, err := codec.Decode(1); err != nil {
		t.Fatal(err)
	}
	smash(reflect.ValueOf(in))
	first := reflect.ValueOf(want).Index(0).Addr().Interface()
	if diff, _ := workload.Diff(first, codec.Decoded(), nil); diff != "" {
		t.Errorf("%s %s: %s", w.Name, size.Key, diff)
	}
}

// smash zeroes everything that v refers to, and v itself if it can be set.
func smash(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			smash(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			smash(v.Index(i))
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			smash(it.Value())
		}
		v.Clear()
	case reflect.Struct:
		if v.Type() != reflect.TypeFor[time.Time]() {
			for i := range v.NumField() {
				smash(v.Field(i))
			}
		}
	}
	if v.CanSet() {
		v.SetZero()
	}
}
