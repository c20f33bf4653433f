package export

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/contender"
	"assay/internal/build"
	"assay/internal/cachedir/cachetest"
	"assay/internal/infer/protofile"
	"assay/schema"
)

// The .proto file is that of types of Google's library before that of other types, and never that of a
// package without types. Only the first of Google's types have its names.
func TestProtobufPackages(t *testing.T) {
	for _, test := range []struct {
		names string
		proto *protofile.Result
		file  string   // the contender of the .proto file
		want  []string // the protobuf packages
	}{
		{"encoding/json easyproto", nil, "", []string{"", ""}},
		{"easyproto protobuf vtprotobuf", nil, "protobuf", []string{"", "", "orders.vtprotobuf"}},
		{"gogo/protobuf protojson protobuf-go-lite protobuf-opaque", nil, "protojson", []string{"", "", "", "orders.protobufopaque"}},
		{"easyproto gogo/protobuf protobuf-go-lite", nil, "gogo/protobuf", []string{"", "", ""}},
		{"vtprotobuf protobuf", &protofile.Result{}, "vtprotobuf", []string{"orders.neutral", "orders.neutral.protobuf"}},
	} {
		o := Options{Schema: &schema.Schema{Name: "orders"}, Proto: test.proto}
		m := &Module{}
		var got []string
		for _, c := range named(t, strings.Fields(test.names)...) {
			got = append(got, m.protoPackage(o, c))
			m.Packages = append(m.Packages, Package{c, c.Dir()})
			if c.Name != "easyproto" && c.Name != "encoding/json" {
				m.Files = append(m.Files, contender.File{Name: c.Dir() + "/orders.pb.go"})
			}
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s: protobuf packages (-want +got):\n%s", test.names, d)
		}
		file := ""
		if c := m.protobuf(); c != nil {
			file = c.Name
		}
		if file != test.file {
			t.Errorf("%s: the .proto file is that of %q, want %q", test.names, file, test.file)
		}
	}
}

// A library without a generator and types does not have those of the .proto file.
func TestHandWrittenProtobuf(t *testing.T) {
	o := samples[0].options(t)
	o.Build.Cache = cachetest.Shared(t)
	o.Contenders = named(t, "easyproto")
	m := moduleOf(t, o)
	readme := m.file("README.md")
	if strings.Contains(readme, "protojson") || !strings.Contains(readme, "\nprotoc --go_out=DIR --go_opt=module=corp.example/orders schema/orders.proto\n") {
		t.Errorf("README.md is:\n%s", readme)
	}
	if want := `option go_package = "corp.example/orders/orderspb;orderspb";`; !strings.Contains(m.file("schema/orders.proto"), want) {
		t.Errorf("the .proto file lacks %s", want)
	}
}

// One program can have all packages of an export that use protobuf, and those for the user's own .proto
// file: a name that is registered twice would end it at its start.
func TestLinkedPackages(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds generators and a program")
	}
	orders := samples[0].options(t)
	orders.Build = build.Options{Source: assay.Source, Cache: cachetest.Shared(t)}
	orders.Contenders = named(t, "vtprotobuf", "protobuf", "protobuf-opaque", "protojson", "gogo/protobuf")
	for name, o := range map[string]Options{
		"schema": orders,
		"own":    ownOptions(t, "own/protobuf", "own/gogo/protobuf", "vtprotobuf", "protobuf", "gogo/protobuf"),
	} {
		t.Run(name, func(t *testing.T) {
			m := moduleOf(t, o)
			if len(m.Packages) != len(o.Contenders) {
				t.Fatalf("left out: %v", m.LeftOut)
			}
			w := &writtenModule{dir: filepath.Join(t.TempDir(), "out")}
			if err := m.Write(w.dir); err != nil {
				t.Fatal(err)
			}
			var program bytes.Buffer
			program.WriteString("package main\n\nimport (\n")
			for _, p := range m.Packages {
				fmt.Fprintf(&program, "\t_ %q\n", m.Path+"/"+p.Dir)
			}
			program.WriteString(")\n\nfunc main() {}\n")
			if err := os.Mkdir(filepath.Join(w.dir, "all"), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(w.dir, "all", "main.go"), program.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			w.command(t, "run", "-mod=readonly", "./all")
		})
	}
}
