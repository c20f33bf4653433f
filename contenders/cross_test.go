package contenders_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/bench"
	"assay/contender"
	"assay/contender/contendertest"
	"assay/contender/protoc"
	"assay/contenders"
	"assay/result"
	"assay/schema"
	"assay/workload"
	"assay/workload/builtin"
)

// TestFormats has the contenders of each format read one another's bytes, with
// the losses of both forgiven.
func TestFormats(t *testing.T) {
	server := contendertest.Serve(t, bench.Program{Workloads: builtin.All(), Bindings: bindings})
	for _, w := range builtin.All() {
		for _, size := range w.Sizes {
			if !size.Quick {
				continue
			}
			server.Load(t, bench.Load{Workload: w.Name, Size: size.Key, Seed: 1, Inputs: 3})
			for _, reader := range linked(w) {
				for _, writer := range linked(w) {
					if reader == writer || reader.Format != writer.Format {
						continue
					}
					got := server.Verify(t, bench.Verify{
						Subject: result.Subject{Contender: reader.Name},
						From:    &result.Subject{Contender: writer.Name},
						Losses:  slices.Concat(contendertest.Losses(reader), contendertest.Losses(writer)),
					})
					if !got.OK {
						t.Errorf("%s %s: %s reads what %s wrote: %s", w.Name, size.Key, reader.Name, writer.Name, got.Reason)
					}
				}
			}
		}
	}
}

// linked returns the contenders that have bindings to a workload here.
func linked(w *workload.Workload) []*contender.Contender {
	return slices.DeleteFunc(contenders.All(), func(c *contender.Contender) bool {
		return !slices.ContainsFunc(bindings, func(b bench.Binding) bool { return b.Contender == c.Name && b.Workload == w.Name })
	})
}

// first returns the bytes of the first value of a size in a contender's default
// mode.
func first(t *testing.T, w *workload.Workload, size workload.Size, c *contender.Contender) []byte {
	t.Helper()
	values, err := w.Generate(size, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(bindings, func(b bench.Binding) bool {
		return b.Contender == c.Name && b.Workload == w.Name && b.Root == size.Root && b.Mode == ""
	})
	if i < 0 {
		t.Fatalf("%s has no default mode for %s of %s", c.Name, size.Root, w.Name)
	}
	return encodings(t, bindings[i], values, 1)[0]
}

// TestProtoc has protoc itself read the protobuf bytes, by the .proto file that
// is shown to users. Each value is small enough to be written out.
func TestProtoc(t *testing.T) {
	program, err := exec.LookPath("protoc")
	if err != nil {
		t.Skip("protoc is not installed")
	}
	for _, test := range []struct{ workload, size, want string }{
		{"movie", "record=one", `id: "12345"
title: "The Movie 2"
description: "Sequel of the legendary The Movie"
director: "Foo Bars"
`},
		{"customer", "level=1", `first_name: "Common First Name"
last_name: "Common Last Name"
age: 999
balance: 9.99948590590125e+22
debt: 450505050.91395193
addresses {
  key: "my Common address # 1"
  value {
    address: "street # 1 NY city"
    latitude: 40.6895541
    longitude: -74.0446034
    active: true
  }
}
preferences {
  dark_mode: true
  language: "en_us"
  notification {
    sms: true
    push: true
    email: true
  }
}
`},
	} {
		w := builtin.All()[slices.IndexFunc(builtin.All(), func(w *workload.Workload) bool { return w.Name == test.workload })]
		size, err := w.Size(test.size)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		file := protoc.Text(protoc.Options{Schema: w.Schema, Package: "example.com/" + w.Name, ProtoPackage: w.Name})
		if err := os.WriteFile(filepath.Join(dir, "types.proto"), file, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, c := range linked(w) {
			if c.Format != "protobuf" {
				continue
			}
			cmd := exec.Command(program, "--decode="+w.Name+"."+size.Root, "types.proto")
			cmd.Dir = dir
			cmd.Stdin = bytes.NewReader(first(t, w, size, c))
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(out)); diff != "" {
				t.Errorf("%s of %s as protoc reads it (-want +got):\n%s", w.Name, c.Name, diff)
			}
		}
	}
}

// TestJSONKeys checks the documents of the JSON contenders against the schema:
// every object has the keys of its message, all but those that may be left out,
// and no others.
func TestJSONKeys(t *testing.T) {
	for _, w := range builtin.All() {
		for _, size := range w.Sizes {
			if !size.Default {
				continue
			}
			for _, c := range linked(w) {
				if c.Format != "json" {
					continue
				}
				var doc any
				if err := json.Unmarshal(first(t, w, size, c), &doc); err != nil {
					t.Errorf("%s %s of %s: %v", w.Name, size.Key, c.Name, err)
					continue
				}
				k := keys{w.Schema}
				if err := k.message(w.Schema.Message(size.Root), doc); err != nil {
					t.Errorf("%s %s of %s: %v", w.Name, size.Key, c.Name, err)
				}
			}
		}
	}
}

// keys compares JSON documents with a schema.
type keys struct{ *schema.Schema }

func (k keys) message(m *schema.Message, doc any) error {
	if m.Bare {
		return k.value(m.Fields[0].Type, doc)
	}
	object, ok := doc.(map[string]any)
	if !ok {
		return fmt.Errorf("%s is %T, want an object", m.Name, doc)
	}
	known := 0
	for _, f := range m.Fields {
		v, ok := object[f.TextName()]
		switch {
		case ok:
			known++
		case !f.OmitEmpty:
			return fmt.Errorf("%s has no key %q", m.Name, f.TextName())
		default:
			continue
		}
		if f.Type.Optional && v == nil {
			continue
		}
		if err := k.value(f.Type, v); err != nil {
			return fmt.Errorf("%s.%s: %w", m.Name, f.Name, err)
		}
	}
	if known != len(object) {
		return fmt.Errorf("%s has %d keys, of which %d are in the schema", m.Name, len(object), known)
	}
	return nil
}

func (k keys) value(t schema.Type, doc any) error {
	switch t.Kind {
	case schema.MessageKind:
		return k.message(k.Message(t.Ref), doc)
	case schema.List:
		list, ok := doc.([]any)
		if !ok {
			return fmt.Errorf("a list is %T", doc)
		}
		for _, e := range list {
			if err := k.value(*t.Elem, e); err != nil {
				return err
			}
		}
	case schema.Map:
		object, ok := doc.(map[string]any)
		if !ok {
			return fmt.Errorf("a map is %T", doc)
		}
		for _, e := range object {
			if err := k.value(*t.Elem, e); err != nil {
				return err
			}
		}
	}
	return nil
}
