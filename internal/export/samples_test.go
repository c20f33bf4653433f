package export

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	hamba "github.com/hamba/avro/v2"
	twmb "github.com/twmb/avro"
	"golang.org/x/tools/txtar"

	"assay"
	"assay/contender"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/cachedir/cachetest"
	"assay/internal/infer"
	"assay/internal/infer/protofile"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/oracle"
)

var update = flag.Bool("update", false, "write the golden files")

// A sample is a file of a user's records in testdata/samples.
type sample struct {
	name string
	// said has the type decisions of the user.
	said []infer.Overrule
	// all says that the packages of all formats are built, instead of only some of them.
	all bool
}

var samples = []sample{
	{name: "orders", all: true}, {name: "hostile", all: true}, {name: "rows"}, {name: "mixed", all: true}, {name: "tree"}, {name: "blank"}, {name: "apart"},
	{name: "kinds", said: []infer.Overrule{{Path: ".", Type: "union"}, {Path: "lines[].by", Type: "union"}}},
	{name: "said", said: []infer.Overrule{
		{Path: "id", Type: "string"}, {Path: "code", Type: "int32"}, {Path: "state", Type: "enum"},
		{Path: "ok", Type: "bool"}, {Path: "took", Type: "duration"}, {Path: "ratio", Type: "float32"},
	}},
	{name: "spelled", said: []infer.Overrule{
		{Path: "id", Type: "uuid"}, {Path: "tx", Type: "0x"}, {Path: "mac", Type: "HEX"}, {Path: "day", Type: "date"}, {Path: "seen", Type: "local"},
		{Path: "ms", Type: "unix-ms"}, {Path: "price", Type: "decimal"}, {Path: "ids[]", Type: "UUID"}, {Path: "days.*", Type: "date"},
	}},
}

// options returns the options for a sample, with its records.
func (s sample) options(t *testing.T) Options {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "samples", s.name+".ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	return inferred(t, s.name+".ndjson", data, infer.Options{Overrules: s.said})
}

// inferred returns the options for the records of a file, with all of them.
func inferred(t *testing.T, file string, data []byte, how infer.Options) Options {
	t.Helper()
	r, err := infer.JSON([]infer.Source{infer.Bytes(file, data)}, how)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Schema: r.Schema, Root: r.Root, Spelling: r.Spelling(), Module: "corp.example/" + strings.TrimSuffix(file, filepath.Ext(file)),
		Build: build.Options{Source: assay.Source},
		About: About{Tool: "v0", Of: "inferred from " + file, Guesses: r.Guesses, Notes: r.Notes},
	}
	if err := r.Lines(func(raw, _ []byte) error {
		o.Records = append(o.Records, slices.Clone(raw))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return o
}

// golden compares the files of a module with an archive. It leaves out go.sum, binary files, and
// files that other generators wrote or that are copied.
func golden(t *testing.T, name string, m *Module) {
	t.Helper()
	var a txtar.Archive
	for _, f := range m.Files {
		if strings.HasSuffix(f.Name, ".pb.go") || f.Name == "go.sum" || f.Name == "model/reader.go" || strings.HasSuffix(f.Name, messagesFile) {
			continue
		}
		a.Files = append(a.Files, txtar.File{Name: f.Name, Data: f.Data})
	}
	got := txtar.Format(&a)
	file := filepath.Join("testdata", "golden", name+".txtar")
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", file, d)
	}
}

// moduleOf makes a module and fails the test if that fails.
func moduleOf(t *testing.T, o Options) *Module {
	t.Helper()
	m, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestGolden(t *testing.T) {
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			o := s.options(t)
			m := moduleOf(t, o)
			golden(t, s.name, m)
		})
	}
}

// The golden files cover packages for a schema and packages for a user's own .proto file.
func TestGoldenPackages(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs generators")
	}
	o := samples[0].options(t)
	o.Build.Cache = cachetest.Shared(t)
	o.Contenders = named(t, "encoding/json", "protobuf")
	o.About.Run, o.About.Show = "20260102-150405", "assay show 20260102-150405"
	o.About.Why = map[string][]string{"protobuf": {"fastest safe round trip: protobuf 1.05 µs ±2%, 3× (2.9…3.1) as fast as encoding/json"}}
	m := moduleOf(t, o)
	golden(t, "packages", m)

	m = moduleOf(t, ownOptions(t, "own/protobuf", "own/gogo/protobuf", "vtprotobuf"))
	golden(t, "proto", m)
}

// ownOptions returns the options for the user's .proto file, with the named contenders.
func ownOptions(t *testing.T, names ...string) Options {
	t.Helper()
	sources, done, err := infer.Files(t.Context(), []string{filepath.Join("testdata", "proto", "order.ndjson")}, nil, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(done)
	r, err := protofile.Read(t.Context(), protofile.Options{Files: []string{filepath.Join("testdata", "proto", "order.proto")}, Message: "Order", Samples: sources})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Schema: r.Schema, Root: r.Root, Proto: r, Neutral: true, Module: "corp.example/order",
		Build: build.Options{Source: assay.Source, Cache: cachetest.Shared(t)},
		About: About{Tool: "v0", Of: "made of order.proto", Guesses: r.Guesses, Notes: r.Notes},
	}
	var lines bytes.Buffer
	if err := r.Lines(func(raw, neutral []byte) error {
		lines.Write(append(neutral, '\n'))
		data, inJSON, err := r.Binary(raw)
		if inJSON {
			o.ProtoJSON = append(o.ProtoJSON, slices.Clone(raw))
		}
		o.Messages = append(o.Messages, data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	o.Records = bytes.Split(bytes.TrimSpace(lines.Bytes()), []byte("\n"))
	all := slices.Concat(contenders.All(), ownproto.Contenders(r))
	for _, name := range names {
		i := slices.IndexFunc(all, func(c *contender.Contender) bool { return c.Name == name })
		if i < 0 {
			t.Fatalf("there is no contender %s", name)
		}
		o.Contenders = append(o.Contenders, all[i])
	}
	return o
}

// A writtenModule is a module in a directory, with its compiled tests.
type writtenModule struct {
	dir   string
	tests map[string]string // test programs by the package's directory in the module
}

// vetted lists the checks of go vet that go test runs by default.
var vetted = strings.Fields("-atomic -bool -buildtags -directive -errorsas -ifaceassert -nilfunc -printf -stringintconv -tests")

// write writes a module and compiles its tests, without the network. It compiles only once,
// because the code is the same for all records. It checks the code as go test does.
func write(t *testing.T, m *Module) *writtenModule {
	t.Helper()
	w := &writtenModule{dir: filepath.Join(t.TempDir(), "out"), tests: map[string]string{}}
	if err := m.Write(w.dir); err != nil {
		t.Fatal(err)
	}
	programs := t.TempDir()
	compile := []string{"test", "-c", "-mod=readonly", "-ldflags=-s -w", "-o", programs + string(filepath.Separator)}
	for _, f := range m.Files {
		dir := path.Dir(f.Name)
		if !strings.HasSuffix(f.Name, "_test.go") || w.tests[dir] != "" {
			continue
		}
		w.tests[dir] = filepath.Join(programs, path.Base(dir)+".test")
		if runtime.GOOS == "windows" {
			w.tests[dir] += ".exe"
		}
		compile = append(compile, "./"+dir)
	}
	if len(w.tests) < len(m.Packages) {
		t.Fatalf("%d directories have tests, want one for each of the %d packages", len(w.tests), len(m.Packages))
	}
	w.command(t, "build", "-mod=readonly", "./...")
	w.command(t, append(append([]string{"vet", "-mod=readonly"}, vetted...), "./...")...)
	w.command(t, compile...)
	return w
}

// command runs the go command in the module. It uses the same build flags as for runners, so that
// libraries that were compiled for runners are not compiled again.
func (w *writtenModule) command(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = w.dir
	cmd.Env = append(cmd.Environ(), "GOWORK=off", "GOFLAGS="+strings.Join(cachetest.BuildFlags, " "), "GOPROXY=off", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", args[0], err, out)
	}
}

// run runs the tests of all packages and returns their output.
func (w *writtenModule) run(t *testing.T, args ...string) string {
	t.Helper()
	var all strings.Builder
	for dir, program := range w.tests {
		cmd := exec.CommandContext(t.Context(), program, append([]string{"-test.v", "-test.timeout=10m"}, args...)...)
		cmd.Dir = filepath.Join(w.dir, filepath.FromSlash(dir))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", dir, err, out)
		}
		all.Write(out)
	}
	return all.String()
}

// without removes the files of m that less does not have. The two modules must differ only in the
// user's data.
func (w *writtenModule) without(t *testing.T, m, less *Module) {
	t.Helper()
	kept := map[string]string{}
	for _, f := range less.Files {
		kept[f.Name] = string(f.Data)
	}
	taken := 0
	for _, f := range m.Files {
		data, ok := kept[f.Name]
		switch {
		case strings.HasPrefix(f.Name, "testdata/") && !ok:
			taken++
			if err := os.Remove(filepath.Join(w.dir, filepath.FromSlash(f.Name))); err != nil {
				t.Fatal(err)
			}
		case !ok || data != string(f.Data) && path.Ext(f.Name) != ".md":
			t.Errorf("%s is otherwise where there are no records", f.Name)
		}
		delete(kept, f.Name)
	}
	if taken == 0 || len(kept) > 0 {
		t.Errorf("without records %d files are missing, and %d are new", taken, len(kept))
	}
}

// The packages for users' samples build without the network, and read the records unchanged.
func TestSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the contenders' libraries")
	}
	cache := cachetest.Shared(t)
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			o := s.options(t)
			o.Build.Cache = cache
			o.Contenders = named(t, s.tried()...)
			m := moduleOf(t, o)
			for _, l := range m.LeftOut {
				if !strings.Contains(l.Name, ".") { // a schema in a language that does not support it
					t.Logf("left out %s: %s", l.Name, l.Reason)
				}
			}
			if len(m.Packages) == 0 {
				t.Fatal("no contender has a package")
			}
			w := write(t, m)
			if out := w.run(t); strings.Contains(out, "SKIP") || strings.Count(out, "--- PASS: Test_sample") != len(m.Packages) {
				t.Errorf("not every package reads the sample:\n%s", out)
			}
			o.Records = nil
			less := moduleOf(t, o)
			w.without(t, m, less)
			if out := w.run(t); strings.Count(out, "there are no records of yours: write some to testdata/sample.ndjson") != len(m.Packages) {
				t.Errorf("without records nothing says how to give some:\n%s", out)
			}
		})
	}
}

// tried returns the names of the contenders to build: those in EXPORT_CONTENDERS, or a selection.
func (s sample) tried() []string {
	switch names := os.Getenv("EXPORT_CONTENDERS"); {
	case names == "all":
		var all []string
		for _, c := range contenders.All() {
			if c.Format != "none" {
				all = append(all, c.Name)
			}
		}
		return all
	case names != "":
		return strings.Fields(names)
	case s.all:
		return strings.Fields("encoding/json easyjson msgp protobuf vtprotobuf protojson flatbuffers fxamacker/cbor hamba/avro capnp goccy/go-yaml")
	}
	return append(strings.Fields("msgp flatbuffers hamba/avro"), shapeContenders...)
}

// The packages for a user's .proto file read the messages unchanged.
func TestOwnPackages(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the contenders' libraries")
	}
	var names []string
	for _, c := range ownproto.All() {
		names = append(names, c.Name)
	}
	o := ownOptions(t, append(names, "protobuf", "msgp")...)
	m := moduleOf(t, o)
	for _, l := range m.LeftOut {
		t.Errorf("left out %s: %s", l.Name, l.Reason)
	}
	w := write(t, m)
	out := w.run(t)
	if n := strings.Count(out, "--- PASS: TestMessages"); n != len(names) || strings.Contains(out, "SKIP") {
		t.Errorf("%d of %d packages read the messages:\n%s", n, len(names), out)
	}
	// The user's files are unchanged.
	for _, name := range []string{"order.proto", "common/money.proto"} {
		want, err := os.ReadFile(filepath.Join("testdata", "proto", name))
		if err != nil {
			t.Fatal(err)
		}
		if m.file("proto/"+name) != string(want) {
			t.Errorf("proto/%s is not the user's", name)
		}
	}
	o.Messages, o.ProtoJSON, o.Records = nil, nil, nil
	less := moduleOf(t, o)
	w.without(t, m, less)
	if out := w.run(t, "-test.run=TestMessages"); strings.Count(out, "there are no messages of yours: write some to ../testdata/messages.binpb") != len(names) {
		t.Errorf("without messages nothing says how to give some:\n%s", out)
	}
}

// A package that does not compile is left out, with the message of the compiler.
func TestOwnPackageThatFails(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a package")
	}
	o := ownOptions(t, "own/protobuf")
	broken := *o.Contenders[0]
	emit := broken.Emit
	broken.Emit = func(req contender.Request) (contender.Output, error) {
		out, err := emit(req)
		out.Files = append(out.Files, contender.File{Name: "broken.go", Data: []byte("package " + filepath.Base(req.Package) + "\n\nvar x int = \"\"\n")})
		return out, err
	}
	o.Contenders = []*contender.Contender{&broken}
	_, err := Make(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "own/protobuf: its code does not compile: ") || !strings.Contains(err.Error(), "broken.go:3:13") {
		t.Errorf("error %v", err)
	}
}

// The formats' own compilers accept the schemas of all samples.
func TestSampleSchemas(t *testing.T) {
	for _, s := range samples {
		m, err := Make(t.Context(), s.options(t))
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
			{"protoc", "-Ischema", "--fatal_warnings", "--descriptor_set_out=out.pb", s.name + ".proto"},
			{"flatc", "--go", "-o", "flat", "schema/" + s.name + ".fbs"},
			{"capnp", "compile", "-I.", "-ocapnp", "schema/" + s.name + ".capnp"},
			{"go", "vet", "./model"},
		} {
			t.Run(s.name+"/"+check[0], func(t *testing.T) {
				if check[0] == "go" && testing.Short() {
					t.Skip("it compiles a package")
				}
				if oracle.Packages[check[0]] != "" {
					oracle.Path(t, check[0])
				}
				cmd := exec.CommandContext(t.Context(), check[0], check[1:]...)
				cmd.Dir = dir
				cmd.Env = append(cmd.Environ(), "GOWORK=off", "GOFLAGS="+strings.Join(cachetest.BuildFlags, " "), "GOPROXY=off")
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%v: %v\n%s", check, err, out)
				}
			})
		}
		t.Run(s.name+"/avro", func(t *testing.T) {
			text := m.file("schema/" + s.name + ".avsc")
			if text == "" {
				t.Skip("Avro cannot hold it")
			}
			if _, err := twmb.Parse(text); err != nil {
				t.Errorf("twmb/avro: %v\n%s", err, text)
			}
			if _, err := hamba.Parse(text); err != nil {
				t.Errorf("hamba/avro: %v\n%s", err, text)
			}
		})
	}
}

// A reader with an exported Avro schema can read data of a writer that does not have the optional
// fields yet.
func TestAvroDefaults(t *testing.T) {
	m, err := Make(t.Context(), samples[0].options(t))
	if err != nil {
		t.Fatal(err)
	}
	const item = `{"type": "record", "name": "Item", "fields": [{"name": "sku_code", "type": "string"}, {"name": "n", "type": "long"}, {"name": "unit_price", "type": "double"}, {"name": "tags", "type": {"type": "array", "items": "string"}}]}`
	writer, err := hamba.Parse(fmt.Sprintf(`{"type": "record", "name": "Order", "fields": [{"name": "type", "type": "string"},
		{"name": "created_at", "type": "long"}, {"name": "id", "type": "long"}, {"name": "customer_name", "type": "string"},
		{"name": "items", "type": {"type": "array", "items": %s}}, {"name": "labels", "type": {"type": "record", "name": "Labels", "fields": []}},
		{"name": "by_year", "type": {"type": "map", "values": {"type": "record", "name": "ByYear", "fields": [{"name": "total", "type": "long"}]}}},
		{"name": "raw", "type": "string"}, {"name": "big", "type": "long"}, {"name": "size_", "type": "long"}, {"name": "paid", "type": "boolean"}]}`, item))
	if err != nil {
		t.Fatal(err)
	}
	reader, err := hamba.Parse(m.file("schema/orders.avsc"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hamba.NewSchemaCompatibility().Resolve(reader, writer); err != nil {
		t.Errorf("data of the writer cannot be read: %v", err)
	}
}
