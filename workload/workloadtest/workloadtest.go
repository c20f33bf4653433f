// Package workloadtest checks, in the tests of workloads, what every workload guarantees.
package workloadtest

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"gopkg.in/yaml.v3"

	"assay/workload"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Limit is the approximate memory, in bytes, that the values of one check may take. The
// checks leave out larger sizes.
const Limit = 64 << 20

// seed is the seed of every check.
const seed = 7

// Values returns n values of a size as pointers.
func Values(t testing.TB, w *workload.Workload, key string, seed uint64, n int) []workload.Model {
	t.Helper()
	size, err := w.Size(key)
	if err != nil {
		t.Fatal(err)
	}
	slice, err := w.Generate(size, seed, n)
	if err != nil {
		t.Fatalf("generate %s: %v", key, err)
	}
	v := reflect.ValueOf(slice)
	if v.Kind() != reflect.Slice || v.Len() != n || v.Type().Elem().Name() != size.Root {
		t.Fatalf("generate %s: got %T with %d values, want []%s with %d", key, slice, v.Len(), size.Root, n)
	}
	models := make([]workload.Model, n)
	for i := range models {
		m, ok := v.Index(i).Addr().Interface().(workload.Model)
		if !ok {
			t.Fatalf("generate %s: *%s has no LeafSum", key, size.Root)
		}
		models[i] = m
	}
	return models
}

// Check checks everything that holds for every workload, and compares the values with the
// golden file testdata/values.golden beside the test.
func Check(t *testing.T, w *workload.Workload) {
	t.Run("declaration", func(t *testing.T) { declaration(t, w) })
	var golden bytes.Buffer
	for _, size := range w.Sizes {
		if size.Bytes > Limit/4 {
			continue
		}
		t.Run(size.Key, func(t *testing.T) {
			const n = 4
			values := Values(t, w, size.Key, seed, n)
			deterministic(t, w, size.Key, values)
			Separate(t, values)
			deep := DeepSize(values[n-1])
			if low, high := deep/2, deep+deep/2; size.Bytes < low || size.Bytes > high {
				t.Errorf("Bytes is %d; a value takes %d", size.Bytes, deep)
			}
			for i, v := range values {
				fmt.Fprintf(&golden, "%s value=%d hash=%016x leaves=%016x\n", size.Key, i, Hash(v), v.LeafSum())
			}
		})
	}
	t.Run("golden", func(t *testing.T) { compare(t, golden.Bytes()) })
	t.Run("unknown size", func(t *testing.T) {
		if _, err := w.Generate(workload.Size{Key: "no=such", Root: w.Sizes[0].Root}, seed, 1); err == nil {
			t.Error("no error for a size that does not exist")
		}
		if _, err := w.Size("no=such"); err == nil {
			t.Error("a size that does not exist was found")
		}
	})
}

// declaration checks the fields of a workload and of its sizes.
func declaration(t *testing.T, w *workload.Workload) {
	if w.Name != w.Schema.Name {
		t.Errorf("name is %q, the schema's %q", w.Name, w.Schema.Name)
	}
	if err := w.Schema.Validate(); err != nil {
		t.Error(err)
	}
	if w.Title == "" || w.Text == "" || w.Source == "" {
		t.Error("title, text or source is empty")
	}
	var byDefault, quick bool
	typical := 0
	seen := map[string]bool{}
	for _, s := range w.Sizes {
		if seen[s.Key] {
			t.Errorf("%s is declared twice", s.Key)
		}
		seen[s.Key] = true
		if w.Schema.Message(s.Root) == nil {
			t.Errorf("%s: no message %q in the schema", s.Key, s.Root)
		}
		if s.Text == "" || s.Bytes < 1 || s.Items < 1 {
			t.Errorf("%s: incomplete: %+v", s.Key, s)
		}
		if s.Quick && !s.Default {
			t.Errorf("%s is quick but not default", s.Key)
		}
		if w.Custom != nil {
			custom, err := w.Custom(s.Key)
			custom.Typical, custom.Default, custom.Quick = s.Typical, s.Default, s.Quick
			if err != nil || custom != s {
				t.Errorf("%s: Custom returns %+v, %v; declared is %+v", s.Key, custom, err, s)
			}
		}
		if s.Typical && !s.Default {
			t.Errorf("%s is typical but not default", s.Key)
		}
		if s.Typical {
			typical++
		}
		byDefault = byDefault || s.Default
		quick = quick || s.Quick
	}
	if !byDefault || !quick {
		t.Error("no default size, or no quick one")
	}
	if typical != 1 {
		t.Errorf("%d sizes are typical, want 1", typical)
	}
}

// deterministic checks that a value is the same when it is made again, together with fewer or
// more values.
func deterministic(t *testing.T, w *workload.Workload, key string, values []workload.Model) {
	t.Helper()
	for _, n := range []int{1, len(values) + 1} {
		for i, v := range Values(t, w, key, seed, n)[:min(n, len(values))] {
			if diff, _ := workload.Diff(values[i], v, nil); diff != "" {
				t.Errorf("value %d of %d differs from that of %d: %s", i, n, len(values), diff)
			}
		}
	}
}

// SameSizes checks that the values of a size differ from one another, and that all have the
// same encoded size in each of several formats. A format is a function from a value to its
// encoded size.
func SameSizes(t *testing.T, w *workload.Workload, key string, formats map[string]func(workload.Model) int) {
	t.Helper()
	const n = 64
	size, err := w.Size(key)
	if err != nil {
		t.Fatal(err)
	}
	values := Values(t, w, key, seed, max(2, int(min(n, Limit/8/size.Bytes))))
	if diff, _ := workload.Diff(values[0], values[1], nil); diff == "" {
		t.Errorf("%s: values 0 and 1 are equal", key)
	}
	for name, format := range formats {
		want := format(values[0])
		for i, v := range values {
			if got := format(v); got != want {
				t.Errorf("%s: value %d takes %d bytes in %s, value 0 takes %d", key, i, got, name, want)
			}
		}
	}
}

// JSON returns the size of the JSON that encoding/json writes for the model.
func JSON(v workload.Model) int {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return len(data)
}

// Gob returns the size of a gob stream with one value.
func Gob(v workload.Model) int {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		panic(err)
	}
	return b.Len()
}

// YAML returns the size of the YAML that yaml.v3 writes for the model.
func YAML(v workload.Model) int {
	data, err := yaml.Marshal(v)
	if err != nil {
		panic(err)
	}
	return len(data)
}

// compare compares the values with the golden file. It finds accidental changes of a
// workload's values, after which runs of two versions of assay would not be comparable.
func compare(t *testing.T, got []byte) {
	file := filepath.Join("testdata", "values.golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run the test with -update to write it", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the values changed; if they had to, run the test with -update.\ngot:\n%s\nwant:\n%s", got, want)
	}
}
