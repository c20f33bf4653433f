package protoc

import (
	"bytes"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/pluginpb"

	"assay/contender"
	"assay/internal/oracle"
	"assay/schema"
	"assay/schema/text"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// rich returns options for a schema that has every kind of field.
func rich(t testing.TB) Options {
	const file = "../../schema/text/testdata/rich.toml"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := text.Parse(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Schema:       s,
		Package:      "example.org/contenders/pb/gen/rich",
		ProtoPackage: "assay.pb.rich",
		File:         "assay/pb/rich.proto",
		Parameter:    "paths=source_relative",
	}
}

// plain returns options for a schema with one message that has a field of each kind.
func plain(protoPackage string, kinds ...schema.Kind) Options {
	m := &schema.Message{Name: "Plain"}
	for i, k := range kinds {
		name := string(rune('a' + i))
		m.Fields = append(m.Fields, &schema.Field{Name: name, Number: i + 1, Type: schema.Type{Kind: k}})
	}
	return Options{
		Schema:       &schema.Schema{Name: "plain", Roots: []string{"Plain"}, Messages: []*schema.Message{m}},
		Package:      "example.org/plain",
		ProtoPackage: protoPackage,
		File:         "plain.proto",
	}
}

func decode(t *testing.T, o Options) *pluginpb.CodeGeneratorRequest {
	t.Helper()
	req := &pluginpb.CodeGeneratorRequest{}
	if err := (proto.UnmarshalOptions{}).Unmarshal(Request(o), req); err != nil {
		t.Fatal(err)
	}
	return req
}

func TestRequest(t *testing.T) {
	o := rich(t)
	req := decode(t, o)
	want := &pluginpb.CodeGeneratorRequest{
		FileToGenerate:  []string{o.File},
		Parameter:       proto.String(o.Parameter),
		CompilerVersion: &pluginpb.Version{Major: proto.Int32(3), Minor: proto.Int32(21), Patch: proto.Int32(12)},
	}
	if diff := cmp.Diff(want, req, protocmp.Transform(), protocmp.IgnoreFields(want, "proto_file")); diff != "" {
		t.Error("-want +got\n" + diff)
	}
	noUnknown(t, req.ProtoReflect())
	if got, want := len(Request(o)), proto.Size(req); got != want {
		t.Errorf("the request has %d bytes, the library would take %d", got, want)
	}
	var names []string
	for _, f := range req.ProtoFile {
		names = append(names, f.GetName())
	}
	if diff := cmp.Diff([]string{"google/protobuf/duration.proto", "google/protobuf/timestamp.proto", o.File}, names); diff != "" {
		t.Error("-want +got\n" + diff)
	}
	if got, want := req.ProtoFile[2].GetOptions().GetGoPackage(), "example.org/contenders/pb/gen/rich;rich"; got != want {
		t.Errorf("go_package is %q, want %q", got, want)
	}
	set, err := protodesc.NewFiles(&descriptorpb.FileDescriptorSet{File: req.ProtoFile})
	if err != nil {
		t.Fatal(err)
	}
	// Writing out the accepted descriptor must give our descriptor again.
	fd, err := set.FindFileByPath(o.File)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(protodesc.ToFileDescriptorProto(fd), req.ProtoFile[2], protocmp.Transform()); diff != "" {
		t.Error("-accepted +ours\n" + diff)
	}
	meaning(t, o, fd)
}

// meaning checks fields of each sort against the library's interpretation.
func meaning(t *testing.T, o Options, fd protoreflect.FileDescriptor) {
	field := func(message, name string) protoreflect.FieldDescriptor {
		f := fd.Messages().ByName(protoreflect.Name(message)).Fields().ByName(protoreflect.Name(name))
		if f == nil {
			t.Fatalf("no field %s.%s", message, name)
		}
		return f
	}
	for _, m := range o.Schema.Messages {
		for _, sf := range m.Fields {
			f := field(m.Name, sf.Name)
			if int(f.Number()) != sf.Number {
				t.Errorf("%s has number %d, want %d", f.FullName(), f.Number(), sf.Number)
			}
			if f.IsList() != (sf.Type.Kind == schema.List) || f.IsMap() != (sf.Type.Kind == schema.Map) {
				t.Errorf("%s: list %v, map %v", f.FullName(), f.IsList(), f.IsMap())
			}
			message := f.Message() != nil && !f.IsList() && !f.IsMap()
			if got, want := f.HasPresence(), sf.Type.Optional || message; got != want {
				t.Errorf("%s: presence %v, want %v", f.FullName(), got, want)
			}
		}
	}
	if !field("Lists", "uint64s").IsPacked() || field("Lists", "strings").IsPacked() {
		t.Error("lists of numbers are packed, lists of strings are not")
	}
	if got := field("Everything", "with_digits_1a").JSONName(); got != "withDigits1a" {
		t.Errorf("JSON name %q", got)
	}
	if got := field("Entry", "index").MapValue().Message().FullName(); got != "assay.pb.rich.IndexEntry" {
		t.Errorf("the map's value is a %s", got)
	}
}

// noUnknown checks that the library knows every field that Request wrote.
func noUnknown(t *testing.T, m protoreflect.Message) {
	if len(m.GetUnknown()) > 0 {
		t.Errorf("%s has unknown fields", m.Descriptor().FullName())
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				noUnknown(t, v.List().Get(i).Message())
			}
		case f.Message() != nil:
			noUnknown(t, v.Message())
		}
		return true
	})
}

// The well-known files equal those of the library, apart from their comments and the options
// for other languages.
func TestWellKnown(t *testing.T) {
	want := []*descriptorpb.FileDescriptorProto{
		protodesc.ToFileDescriptorProto(durationpb.File_google_protobuf_duration_proto),
		protodesc.ToFileDescriptorProto(timestamppb.File_google_protobuf_timestamp_proto),
	}
	for _, f := range want {
		f.Options = &descriptorpb.FileOptions{GoPackage: f.Options.GoPackage}
	}
	if diff := cmp.Diff(want, decode(t, rich(t)).ProtoFile[:2], protocmp.Transform()); diff != "" {
		t.Error("-library +ours\n" + diff)
	}
}

func TestRequestImportsOnlyWhatIsUsed(t *testing.T) {
	for _, tt := range []struct {
		kinds []schema.Kind
		want  []string
	}{
		{[]schema.Kind{schema.Bool}, nil},
		{[]schema.Kind{schema.Timestamp}, []string{"google/protobuf/timestamp.proto"}},
		{[]schema.Kind{schema.Duration}, []string{"google/protobuf/duration.proto"}},
	} {
		req := decode(t, plain("p", tt.kinds...))
		if diff := cmp.Diff(tt.want, req.ProtoFile[len(req.ProtoFile)-1].Dependency); diff != "" {
			t.Errorf("%v: -want +got\n%s", tt.kinds, diff)
		}
		if len(req.ProtoFile) != 1+len(tt.want) {
			t.Errorf("%v: %d files", tt.kinds, len(req.ProtoFile))
		}
		if req.Parameter != nil {
			t.Error("there is a parameter")
		}
	}
}

func TestText(t *testing.T) {
	got := Text(rich(t))
	const file = "testdata/rich.proto"
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("run with -update if this is as it should be: -want +got\n%s", diff)
	}
}

// named returns options for fields with arbitrary JSON names.
func named(names ...string) Options {
	o := plain("named")
	m := o.Schema.Messages[0]
	for i := range names {
		m.Fields = append(m.Fields, &schema.Field{Name: fmt.Sprintf("field_%d", i), Number: i + 1, Type: schema.Type{Kind: schema.String}})
	}
	o.JSONName = func(_ *schema.Message, f *schema.Field) string { return names[f.Number-1] }
	return o
}

// Request and Text give a JSON name exactly if it differs from protoc's default and a .proto
// file can hold it.
func TestJSONNames(t *testing.T) {
	tests := []struct{ name, want string }{
		{"field0", "field0"},
		{"field_0", "field_0"},
		{"created_at", "created_at"},
		{"@type", "@type"},
		{`a"b\c`, `a"b\c`},
		{"line\nfeed\t\x01\x7f", "line\nfeed\t\x01\x7f"},
		{"größe 😀", "größe 😀"},
		{"[a]", "field0"}, // reserved for extensions
		{"[a", "[a"},
		{"", "field0"},
		{"a\x00b", "field0"},
		{"a\xffb", "field0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := named(tt.name)
			if got := decode(t, o).ProtoFile[0].MessageType[0].Field[0].GetJsonName(); got != tt.want {
				t.Errorf("the request has %q, want %q", got, tt.want)
			}
			if got := compiled(t, o).MessageType[0].Field[0].GetJsonName(); got != tt.want {
				t.Errorf("the text has %q, want %q:\n%s", got, tt.want, Text(o))
			}
			if said := bytes.Contains(Text(o), []byte("json_name")); said != (tt.want != "field0") {
				t.Errorf("json_name is said: %v", said)
			}
		})
	}
	// The substitute for an impossible name must not be the name of another field.
	both := named("[a]", "field0", "[b]", "field2", "field0_")
	var got []string
	for _, f := range compiled(t, both).MessageType[0].Field {
		got = append(got, f.GetJsonName())
	}
	if diff := cmp.Diff([]string{"field0__", "field0", "field2_", "field2", "field0_"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	o := OptionsFor(contender.Request{
		Alone: true, Schema: plain("x").Schema, Keys: map[string]string{"Plain.b_c": "B C"},
	})
	for field, want := range map[*schema.Field]string{
		{Name: "a_b"}: "a_b", {Name: "b_c", Text: "B_C"}: "B C", {Name: "c", Text: "@c"}: "@c",
	} {
		if got := o.JSONName(&schema.Message{Name: "Plain"}, field); got != want {
			t.Errorf("%s is called %q, want %q", field.Name, got, want)
		}
	}
	if OptionsFor(contender.Request{Schema: plain("x").Schema}).JSONName != nil {
		t.Error("what is measured has other names than protoc gives")
	}
}

// compiled returns the descriptor that a compiler of .proto files makes from Text.
func compiled(t *testing.T, o Options) *descriptorpb.FileDescriptorProto {
	t.Helper()
	c := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
		Accessor: protocompile.SourceAccessorFromMap(map[string]string{o.File: string(Text(o))}),
	})}
	files, err := c.Compile(t.Context(), o.File)
	if err != nil {
		t.Fatalf("%v\n%s", err, Text(o))
	}
	return protodesc.ToFileDescriptorProto(files[0])
}

// A compiler makes from Text the same descriptor as Request has, whatever the comments.
func TestTextIsRequest(t *testing.T) {
	hostile := named("a_b", `"`, "\\", "é", "x y")
	hostile.Comments = map[string]string{"Plain.field_0": "one\ntwo */ \x00"}
	union := plain("assay.union")
	variant := func(n int, ref string) *schema.Field {
		return &schema.Field{Name: "get_" + strings.ToLower(ref), Number: n, OmitEmpty: true, Type: schema.Type{Kind: schema.MessageKind, Ref: ref, Optional: true}}
	}
	union.Schema.Messages = append(union.Schema.Messages,
		&schema.Message{Name: "Choice", Doc: "One of two.", Union: true, Fields: []*schema.Field{variant(1, "Variant"), variant(4, "Other")}},
		&schema.Message{Name: "Variant"}, &schema.Message{Name: "Other"},
		&schema.Message{Name: "Port", Union: true, Fields: []*schema.Field{
			{Name: "text", Number: 1, OmitEmpty: true, Type: schema.Type{Kind: schema.String, Optional: true}},
			{Name: "number", Number: 2, OmitEmpty: true, Type: schema.Type{Kind: schema.Int64, Optional: true}}, variant(3, "Other"),
		}})
	if text := string(Text(union)); !strings.Contains(text, "message Port {\n  oneof variant {\n    string text = 1;\n    int64 number = 2;\n    Other get_other = 3;\n  }\n}\n") {
		t.Errorf("the text is\n%s", text)
	}
	if text := string(Text(union)); !strings.Contains(text, "message Choice {\n  oneof variant_set {\n    Variant get_variant = 1;\n    Other get_other = 4;\n  }\n}\n") {
		t.Errorf("the text is\n%s", text)
	}
	for name, o := range map[string]Options{"rich": rich(t), "hostile": hostile, "union": union} {
		want := decode(t, o)
		if diff := cmp.Diff(want.ProtoFile[len(want.ProtoFile)-1], compiled(t, o), protocmp.Transform()); diff != "" {
			t.Errorf("%s (-request +text):\n%s", name, diff)
		}
	}
	if text := string(Text(hostile)); !strings.Contains(text, "  // one\n  // two */\n  string field_0 = 1 [json_name = \"a_b\"];\n") {
		t.Errorf("the text is\n%s", text)
	}
}

// The real protoc makes from Text the same descriptor as Request has.
func TestProtocAgrees(t *testing.T) {
	protoc := oracle.Path(t, "protoc")
	odd := plain("assay.google.plain", schema.Timestamp, schema.Bytes)
	odd.Schema.Doc = "one\r\ntwo\n*/ \x00 \x1b\n\n"
	odd.Schema.Messages[0].Doc = "\n"
	for name, o := range map[string]Options{
		"rich": rich(t), "plain": plain("p", schema.Bool), "odd": odd, "named": named("a_b", `"`, "\\", "é", "x y", "\x01"),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			proto1 := filepath.Join(dir, filepath.FromSlash(o.File))
			if err := os.MkdirAll(filepath.Dir(proto1), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(proto1, Text(o), 0o644); err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(dir, "set")
			cmd := exec.Command(protoc, "-I", dir, "--descriptor_set_out="+out, "--include_imports", o.File)
			if msg, err := cmd.CombinedOutput(); err != nil || len(msg) > 0 {
				t.Fatalf("%v: %s\n%s", err, msg, Text(o))
			}
			data, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			want := &descriptorpb.FileDescriptorSet{}
			if err := proto.Unmarshal(data, want); err != nil {
				t.Fatal(err)
			}
			for _, f := range want.File[:len(want.File)-1] { // the well-known files
				f.Options = &descriptorpb.FileOptions{GoPackage: f.Options.GoPackage}
			}
			if diff := cmp.Diff(want.File, decode(t, o).ProtoFile, protocmp.Transform()); diff != "" {
				t.Error("-protoc +ours\n" + diff)
			}
		})
	}
}

// The real plugin accepts a request, and Files accepts its answer.
func TestPlugin(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a plugin")
	}
	run := func(o Options) ([]contender.File, error) {
		cmd := exec.Command("go", "run", "google.golang.org/protobuf/cmd/protoc-gen-go")
		cmd.Stdin = bytes.NewReader(Request(o))
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, &stderr)
		}
		return Files(out, "")
	}
	files, err := run(rich(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 || files[0].Name != "rich.pb.go" {
		t.Fatalf("got %d files", len(files))
	}
	f, err := parser.ParseFile(token.NewFileSet(), files[0].Name, files[0].Data, 0)
	if err != nil {
		t.Fatal(err)
	}
	if f.Name.Name != "rich" {
		t.Errorf("the package is %s", f.Name.Name)
	}
	// The generator names each field as schema.GoName does.
	for _, m := range rich(t).Schema.Messages {
		for _, f := range m.Fields {
			if getter := "func (x *" + m.Name + ") Get" + schema.GoName(f.Name) + "()"; !bytes.Contains(files[0].Data, []byte(getter)) {
				t.Errorf("there is no %s", getter)
			}
		}
	}

	o := plain("p", schema.Bool)
	o.Parameter = "plugins=grpc"
	if _, err := run(o); err == nil || !strings.Contains(err.Error(), "the plugin refused the schema: protoc-gen-go: plugins are not supported") {
		t.Errorf("a parameter that the plugin refuses: %v", err)
	}
}

// Protobuf's own checks accept every valid schema, and its generator renames nothing.
func TestValidNamesAreKept(t *testing.T) {
	pick := func(r *rand.Rand, from string, n int) string {
		b := []byte{from[0]}
		for range r.IntN(n) {
			b = append(b, from[r.IntN(len(from))])
		}
		return string(b)
	}
	valid := 0
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 0))
		m := &schema.Message{Name: pick(r, "Aa1_", 4)}
		for i := range 2 + r.IntN(2) {
			typ := schema.Type{Kind: schema.Bool, Optional: r.IntN(3) == 0}
			if r.IntN(3) == 0 {
				typ = schema.Type{Kind: schema.Map, Key: schema.String, Elem: &schema.Type{Kind: schema.Bool}}
			}
			name := []string{"", "", "get_", "x_"}[r.IntN(4)] + pick(r, "ab1_", 5)
			m.Fields = append(m.Fields, &schema.Field{Name: name, Number: i + 1, Type: typ})
		}
		e := &schema.Enum{Name: pick(r, "ABb_", 4), Values: []schema.EnumValue{{Name: pick(r, "AB_1", 5)}, {Name: pick(r, "AB_1", 5), Number: 1}}}
		s := &schema.Schema{Name: "s", Roots: []string{m.Name}, Messages: []*schema.Message{m}, Enums: []*schema.Enum{e}}
		if s.Validate() != nil {
			continue
		}
		valid++
		gen, err := protogen.Options{}.New(decode(t, Options{Schema: s, Package: "a/s", ProtoPackage: "p", File: "s.proto"}))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text.Format(s))
		}
		file := gen.FilesByPath["s.proto"]
		for i, f := range file.Messages[0].Fields {
			if want := schema.GoName(m.Fields[i].Name); f.GoName != want {
				t.Fatalf("seed %d: %s became %s, want %s\n%s", seed, f.Desc.Name(), f.GoName, want, text.Format(s))
			}
		}
		if got := file.Messages[0].GoIdent.GoName; got != m.Name {
			t.Fatalf("seed %d: message %s became %s", seed, m.Name, got)
		}
		if got := file.Enums[0].GoIdent.GoName; got != e.Name {
			t.Fatalf("seed %d: enum %s became %s", seed, e.Name, got)
		}
	}
	if valid < 1000 {
		t.Errorf("only %d schemas were valid", valid)
	}
}

func TestFiles(t *testing.T) {
	file := func(name, content string) *pluginpb.CodeGeneratorResponse_File {
		f := &pluginpb.CodeGeneratorResponse_File{Content: proto.String(content)}
		if name != "" {
			f.Name = proto.String(name)
		}
		return f
	}
	type response = pluginpb.CodeGeneratorResponse
	type list = []*pluginpb.CodeGeneratorResponse_File
	inserted := file("a.go", "x")
	inserted.InsertionPoint = proto.String("here")
	tests := []struct {
		name string
		in   *response
		want []contender.File
		err  string
	}{
		{"none", &response{SupportedFeatures: proto.Uint64(1)}, nil, ""},
		{"two", &response{File: list{file("x/y/a.pb.go", "A"), file("b.go", "")}}, []contender.File{{Name: "a.pb.go", Data: []byte("A")}, {Name: "b.go"}}, ""},
		{"parts", &response{File: list{file("a.go", "A"), file("", "B"), file("", "C"), file("b.go", "D")}}, []contender.File{{Name: "a.go", Data: []byte("ABC")}, {Name: "b.go", Data: []byte("D")}}, ""},
		{"refused", &response{Error: proto.String("no maps"), File: list{file("a.go", "")}}, nil, "the plugin refused the schema: no maps"},
		{"empty error", &response{Error: proto.String("")}, nil, ""},
		{"part of nothing", &response{File: list{file("", "B")}}, nil, "the first file has no name"},
		{"same name", &response{File: list{file("a/x.go", ""), file("b/x.go", "")}}, nil, "two files named x.go"},
		{"outside", &response{File: list{file("a/..", "")}}, nil, `"a/.." is no file name`},
		{"outside on Windows", &response{File: list{file(`a\..\b.go`, "")}}, nil, "is no file name"},
		{"insertion", &response{File: list{inserted}}, nil, `inserted at "here"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in, err := proto.Marshal(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Files(in, "")
			check(t, got, err, tt.want, tt.err)
		})
	}
}

// Files of several packages keep their directories.
func TestFilesBelow(t *testing.T) {
	response := func(names ...string) []byte {
		var r pluginpb.CodeGeneratorResponse
		for _, n := range names {
			r.File = append(r.File, &pluginpb.CodeGeneratorResponse_File{Name: proto.String(n), Content: proto.String(n)})
		}
		out, err := proto.Marshal(&r)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	got, err := Files(response("m/p/types/a/x.pb.go", "m/p/types/b/x.pb.go"), "m/p")
	check(t, got, err, []contender.File{
		{Name: "types/a/x.pb.go", Data: []byte("m/p/types/a/x.pb.go")}, {Name: "types/b/x.pb.go", Data: []byte("m/p/types/b/x.pb.go")},
	}, "")
	for _, name := range []string{"m/pp/x.go", "m/p/../x.go", "m/p//x.go", "m/p/", "m/p", `m/p/a\b.go`} {
		_, err = Files(response(name), "m/p")
		if err == nil {
			t.Errorf("%q is taken", name)
		}
	}
}

func check(t *testing.T, got []contender.File, err error, want []contender.File, wantErr string) {
	t.Helper()
	if wantErr == "" && err != nil || wantErr != "" && (err == nil || !strings.Contains(err.Error(), wantErr)) {
		t.Fatalf("error %v, want %q", err, wantErr)
	}
	sameBytes := cmp.Comparer(func(a, b []byte) bool { return bytes.Equal(a, b) })
	if diff := cmp.Diff(want, got, sameBytes); diff != "" {
		t.Error("-want +got\n" + diff)
	}
}

func TestFilesDamaged(t *testing.T) {
	for in, want := range map[string]string{
		"":                 "",
		"\x80":             "no valid tag",
		"\x00\x00":         "no valid tag",
		"\x0b":             "wire type 3",
		"\x0a":             "no valid length",
		"\x0a\x05abc":      "field 1 is cut off: it has 5 bytes and 3 follow",
		"\x10\x80":         "field 2 is cut off",
		"\x7a\x02\x0a\x05": `file "": field 1 is cut off`,
		"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01": "field 1 is cut off",
		"\x19\x00\x00": "field 3 is cut off",
		"\x1d\x00\x00\x00\x00\x19\x00\x00\x00\x00\x00\x00\x00\x00\x10\x01": "",
	} {
		got, err := Files([]byte(in), "")
		check(t, got, err, nil, want)
	}
}

// FuzzFiles compares the content of the files with what the library reads, for responses that
// both accept.
func FuzzFiles(f *testing.F) {
	f.Add([]byte("\x0a\x03bad\x10\x01\x7a\x0b\x0a\x03a/b\x7a\x04text"))
	f.Add([]byte("\x7a\x06\x0a\x01a\x7a\x01x\x7a\x03\x7a\x01y\x1d\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := Files(data, "")
		if err != nil {
			return
		}
		var want pluginpb.CodeGeneratorResponse
		if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(data, &want); err != nil {
			t.Skip("the library also looks into fields that are not used here: ", err)
		}
		var ours, theirs []byte
		for _, f := range files {
			ours = append(ours, f.Data...)
		}
		for _, f := range want.File {
			theirs = append(theirs, f.GetContent()...)
		}
		if !bytes.Equal(ours, theirs) {
			t.Fatalf("%q\n%q", ours, theirs)
		}
	})
}
