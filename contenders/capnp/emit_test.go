package capnp_test

import (
	"bytes"
	"slices"
	"testing"

	"assay/contender"
	"assay/contenders/capnp"
	"assay/schema"
)

// TestFilesOfModes checks that a package has the functions of the modes that it binds, and no others. The
// schema of a root may have no bytes where the whole schema, which the modes are chosen for, has some.
func TestFilesOfModes(t *testing.T) {
	message := func(name string, kind schema.Kind) *schema.Message {
		return &schema.Message{Name: name, Fields: []*schema.Field{{Name: "value", Number: 1, Type: schema.Type{Kind: kind}}}}
	}
	text, data := message("Plain", schema.String), message("Raw", schema.Bytes)
	plain := &schema.Schema{Name: "s", Roots: []string{"Plain"}, Messages: []*schema.Message{text}}
	both := &schema.Schema{Name: "s", Roots: []string{"Plain", "Raw"}, Messages: []*schema.Message{text, data}}
	for _, test := range []struct {
		name         string
		req          contender.Request
		reuse, alias bool
	}{
		{"without bytes", contender.Request{Schema: plain}, true, false},
		{"with bytes", contender.Request{Schema: both}, true, true},
		{"one root", contender.Request{Schema: plain, Whole: both}, true, true},
		{"for users", contender.Request{Schema: both, Alone: true}, false, false},
		{"streams", contender.Request{Schema: both, Stream: true}, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.req.Package, test.req.Model, test.req.Contender = "example.com/s", "example.com/model", capnp.Contender.Name
			out, err := capnp.Contender.Emit(test.req)
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range []struct {
				name, has, use string
				want           bool
			}{
				{"reuse.go", "type reader struct", "c.r.unmarshal(data)", test.reuse},
				{"alias.go", "func viewPlain(", "viewPlain(v, msg)", test.alias},
			} {
				i := slices.IndexFunc(out.Files, func(f contender.File) bool { return f.Name == file.name })
				if (i >= 0) != file.want {
					t.Errorf("there is a file %s: %v, want %v", file.name, i >= 0, file.want)
				} else if i >= 0 && !bytes.Contains(out.Files[i].Data, []byte(file.has)) {
					t.Errorf("%s has no %q:\n%s", file.name, file.has, out.Files[i].Data)
				}
				used := slices.ContainsFunc(out.Files, func(f contender.File) bool {
					return (f.Name == "bind.go" || f.Name == "codec.go") && bytes.Contains(f.Data, []byte(file.use))
				})
				if used != file.want {
					t.Errorf("the bindings have %q: %v, want %v", file.use, used, file.want)
				}
			}
		})
	}
}
