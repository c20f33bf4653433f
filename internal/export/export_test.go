package export

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"assay"
	"assay/contender"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/cachedir/cachetest"
	"assay/internal/oracle"
	"assay/schema"
	"assay/schema/text"
)

// parsed returns the schema of a built-in workload.
func parsed(t *testing.T, workload string) *schema.Schema {
	t.Helper()
	file := filepath.Join("..", "..", "workload", workload, "schema.toml")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := text.Parse(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func named(t *testing.T, names ...string) []*contender.Contender {
	t.Helper()
	var some []*contender.Contender
	for _, name := range names {
		i := slices.IndexFunc(contenders.All(), func(c *contender.Contender) bool { return c.Name == name })
		if i < 0 {
			t.Fatalf("there is no contender %s", name)
		}
		some = append(some, contenders.All()[i])
	}
	return some
}

func (m *Module) file(name string) string {
	for _, f := range m.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// The packages of several contenders build, and their tests pass.
func TestPackages(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the contenders' libraries")
	}
	names := strings.Fields("encoding/json msgp protobuf vtprotobuf flatbuffers mus fxamacker/cbor hamba/avro capnp")
	if more := os.Getenv("EXPORT_CONTENDERS"); more != "" {
		names = strings.Fields(more)
	}
	// The contenders for JSON that is not a plain object, and for absent values.
	presence := strings.Fields("encoding/json go-json-experiment sonic goccy/go-json segmentio/json jsoniter easyjson msgp vmihailenco/msgpack bson yaml.v3")
	for _, load := range []string{"customer", "probes", "presence"} {
		t.Run(load, func(t *testing.T) {
			s, names := (*schema.Schema)(nil), names
			if load == "presence" {
				s, names = written(t, presenceSchema), presence
			} else {
				s = parsed(t, load)
			}
			cache := cachetest.Shared(t)
			m, err := Make(t.Context(), Options{
				Schema: s, Root: s.Roots[0], Contenders: named(t, names...), Module: "corp.example/wire/" + load,
				Build: build.Options{Source: assay.Source, Cache: cache},
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range m.LeftOut {
				t.Errorf("left out %s: %s", l.Name, l.Reason)
			}
			for _, f := range m.Files {
				if strings.HasSuffix(f.Name, ".go") && (bytes.Contains(f.Data, []byte(`"assay/bench`)) || bytes.Contains(f.Data, []byte(`"assay/workload`))) {
					t.Errorf("%s imports packages of assay", f.Name)
				}
			}
			write(t, m).run(t)
			pinned(t, m)
		})
	}
}

const presenceSchema = `
name = "presence"
roots = ["Order", "Price"]

[[messages]]
name = "Order"
fields = [
  { number = 1, name = "id",    type = "*int64",        omitempty = true },
  { number = 2, name = "tags",  type = "[]string",      omitzero = true },
  { number = 3, name = "notes", type = "[]string",      null = true },
  { number = 4, name = "pair",  type = "*Pair",         omitempty = true },
  { number = 5, name = "marks", type = "[]MarkOrNull" },
  { number = 6, name = "any",   type = "*string",       omitempty = true, json_text = true },
  { number = 7, name = "all",   type = "[]string",      json_text = true },
  { number = 8, name = "codes", type = "[]string",      omitempty = true, one_or_many = true },
  { number = 9, name = "steps", type = "[]TestSample",        omitzero = true, one_or_many = true },
  { number = 10, name = "ways", type = "map[string]TestExample" },
]

[[messages]]
name = "TestSample"
fields = [{ number = 1, name = "at", type = "[]timestamp", one_or_many = true }, { number = 2, name = "id", type = "[]bytes", as = "hex", one_or_many = true }]

[[messages]]
name = "TestExample"
bare = true
fields = [{ number = 1, name = "items", type = "[]float64", one_or_many = true }]

[[messages]]
name = "Pair"
row = true
fields = [{ number = 1, name = "f1", type = "int64" }, { number = 2, name = "f2", type = "*string" }, { number = 3, name = "f3", type = "map[string]Pair" }]

[[messages]]
name = "MarkOrNull"
wraps = true
fields = [{ number = 1, name = "value", type = "*timestamp" }]

[[messages]]
name = "Price"
wraps = true
fields = [{ number = 1, name = "value", type = "float64" }]
`

func written(t *testing.T, source string) *schema.Schema {
	t.Helper()
	s, err := text.Parse("schema.toml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// pinned checks that go.mod requires only modules that this module requires, at the same
// versions, and the module of every package.
func pinned(t *testing.T, m *Module) {
	t.Helper()
	ours, err := assay.Source.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	want, err := build.ModuleVersions(ours)
	if err != nil {
		t.Fatal(err)
	}
	f, err := modfile.Parse("go.mod", []byte(m.file("go.mod")), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range f.Require {
		if want[r.Mod.Path] != r.Mod.Version {
			t.Errorf("go.mod requires %s, want %s", r.Mod, want[r.Mod.Path])
		}
	}
	for _, p := range m.Packages {
		if mod := p.Contender.Module; mod != "" && !slices.ContainsFunc(f.Require, func(r *modfile.Require) bool { return r.Mod.Path == mod && !r.Indirect }) {
			t.Errorf("go.mod does not require %s, of %s", mod, p.Contender.Name)
		}
	}
}

// A package whose types would have the names of its functions is left out.
func TestNamesOfFunctions(t *testing.T) {
	for _, name := range []string{"MarshalOrder", "UnmarshalOrder", "OrderFromModel", "OrderToModel", "MarshalOrders"} {
		s := written(t, `
name = "orders"
roots = ["Order"]
[[messages]]
name = "Order"
fields = [{ number = 1, name = "more", type = "`+name+`" }]
[[messages]]
name = "`+name+`"
fields = [{ number = 1, name = "id", type = "int64" }]
`)
		_, err := Make(t.Context(), Options{
			Schema: s, Root: "Order", Contenders: named(t, "fxamacker/cbor"), Module: "corp.example/wire",
			Build: build.Options{Source: assay.Source, Cache: cachetest.Shared(t)},
		})
		if taken := name != "MarshalOrders"; taken != (err != nil) || taken && !strings.Contains(err.Error(), name+": the package has a function of this name; rename the type") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The formats' own compilers accept the schemas.
func TestSchemas(t *testing.T) {
	for _, load := range []string{"customer", "probes", "movie"} {
		s := parsed(t, load)
		m, err := Make(t.Context(), Options{Schema: s, Root: s.Roots[0], Build: build.Options{Source: assay.Source}})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := m.Write(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "go.capnp"), []byte(goCapnp), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, check := range [][]string{
			{"protoc", "-Ischema", "--descriptor_set_out=out.pb", load + ".proto"},
			{"flatc", "--go", "-o", "flat", "schema/" + load + ".fbs"},
			{"capnp", "compile", "-I.", "-ocapnp", "schema/" + load + ".capnp"},
			{"gofmt", "-l", "model"},
		} {
			t.Run(load+"/"+check[0], func(t *testing.T) {
				if oracle.Packages[check[0]] != "" {
					oracle.Path(t, check[0])
				}
				cmd := exec.CommandContext(context.Background(), check[0], check[1:]...)
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err != nil || check[0] == "gofmt" && len(out) > 0 { // gofmt -l names files and exits with 0
					t.Errorf("%v: %v\n%s", check, err, out)
				}
			})
		}
		for _, ext := range []string{".toml", ".proto", ".fbs", ".capnp", ".avsc"} {
			if text := m.file("schema/" + load + ext); text == "" || strings.Contains(text, "DO NOT EDIT") {
				t.Errorf("schema/%s%s is:\n%.200s", load, ext, text)
			}
		}
	}
}

// goCapnp declares the annotations of go.capnp that a schema uses.
const goCapnp = `@0xd12a1c51fedd6c88;
annotation package(file) :Text;
annotation import(file) :Text;
`
