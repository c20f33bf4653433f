package own

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"

	"assay/contender/emit"
	"assay/internal/infer/protofile"
)

// compiled compiles the first of some .proto files.
func compiled(t *testing.T, message, first string, files map[string]string) *protofile.Result {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := protofile.Compile(t.Context(), protofile.Options{Files: []string{filepath.Join(dir, filepath.FromSlash(first))}, ImportDirs: []string{dir}, Message: message})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// shape lists the declarations in files. It also checks that the files are valid.
func shape(t *testing.T, c *code, files []*descriptorpb.FileDescriptorProto) string {
	t.Helper()
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s of %s, in %s", f.GetName(), f.GetPackage(), f.GetOptions().GetGoPackage())
		for _, d := range f.Dependency {
			b.WriteString(" imports " + d)
		}
		for _, m := range f.MessageType {
			b.WriteString(" " + m.GetName())
			for _, f := range m.Field {
				if f.GetTypeName() != "" {
					b.WriteString(" " + f.GetTypeName())
				}
			}
		}
		for _, e := range f.EnumType {
			b.WriteString(" " + e.GetName())
		}
		for _, e := range f.Extension {
			b.WriteString(" extends " + e.GetExtendee())
		}
		b.WriteString("\n")
	}
	if _, err := protodesc.NewFiles(&descriptorpb.FileDescriptorSet{File: append(c.known, files...)}); err != nil {
		t.Errorf("the files cannot be used: %v", err)
	}
	return b.String()
}

func nothingWhole(string) bool { return false }

var imported = map[string]string{
	"order.proto": `syntax = "proto3"; package shop; import public "a/types.proto"; import "opt.proto"; import "google/protobuf/any.proto";
option go_package = "example.com/shop;orderpb"; option (opt.file) = "x";
message Order { a.Thing thing = 1 [(opt.secret) = true]; b.Thing other = 2; google.protobuf.Any any = 3; }
message Unused { a.Thing thing = 1; }
service S { rpc Get(Order) returns (Unused); }`,
	"a/types.proto": `syntax = "proto3"; package a; import public "b/types.proto"; option go_package = "example.com/a/types"; message Thing { b.Thing inner = 1; } enum E { NONE = 0; }`,
	"b/types.proto": `syntax = "proto2"; package b; option go_package = "example.com/b/types"; message Thing { extensions 1 to 9; } extend Thing { optional Note note = 1; } message Note {}`,
	"opt.proto": `syntax = "proto2"; package opt; import "google/protobuf/descriptor.proto";
extend google.protobuf.FileOptions { optional string file = 50001; } extend google.protobuf.FieldOptions { optional bool secret = 50001; }`,
}

// codeOf keeps what the message needs, with a Go package for each of the user's Go packages. It
// removes unneeded declarations, services, and options that are not protobuf's own.
func TestCode(t *testing.T) {
	r := compiled(t, "shop.Order", "order.proto", imported)
	c, err := codeOf(r, nothingWhole)
	if err != nil {
		t.Fatal(err)
	}
	want := `b/types.proto of b, in m/types/types;types Thing Note extends .b.Thing
a/types.proto of a, in m/types/types2;types imports b/types.proto Thing .b.Thing
order.proto of shop, in m/types/orderpb;orderpb imports a/types.proto imports b/types.proto imports google/protobuf/any.proto Order .a.Thing .b.Thing .google.protobuf.Any
`
	if d := cmp.Diff(want, shape(t, c, c.ready("m", ""))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	want = `x/y/b/types.proto of x.y.b, in m/types/types;types Thing Note extends .x.y.b.Thing
x/y/a/types.proto of x.y.a, in m/types/types2;types imports x/y/b/types.proto Thing .x.y.b.Thing
x/y/order.proto of x.y.shop, in m/types/orderpb;orderpb imports x/y/a/types.proto imports x/y/b/types.proto imports google/protobuf/any.proto Order .x.y.a.Thing .x.y.b.Thing .google.protobuf.Any
`
	if d := cmp.Diff(want, shape(t, c, c.ready("m", "x.y"))); d != "" {
		t.Errorf("renamed (-want +got):\n%s", d)
	}
	if text := prototext.Format(c.ready("m", "")[2]); strings.Contains(text, "50001") {
		t.Errorf("options of others are left:\n%s", text)
	}
	c, err = codeOf(r, func(file string) bool { return file == "order.proto" })
	if err != nil {
		t.Fatal(err)
	}
	if got := shape(t, c, c.ready("m", "")); !strings.Contains(got, " Unused ") || strings.Contains(got, " E\n") {
		t.Errorf("of whole files is left:\n%s", got)
	}
}

// Files of one directory whose names differ only in characters that no Go file may have get
// different names, also if their Go packages differ, and each keeps its Go package.
func TestTellApart(t *testing.T) {
	c, err := codeOf(compiled(t, "p.R", "r.proto", map[string]string{
		"r.proto":   `syntax = "proto3"; package p; import "x y.proto"; import "x_y.proto"; option go_package = "example.com/r"; message R { A a = 1; B b = 2; }`,
		"x y.proto": `syntax = "proto3"; package p; option go_package = "example.com/one"; message A { bool v = 1; }`,
		"x_y.proto": `syntax = "proto3"; package p; option go_package = "example.com/two"; message B { bool v = 1; }`,
	}), nothingWhole)
	if err != nil {
		t.Fatal(err)
	}
	want := `x_y.proto of p, in m/types/one;one A
x_y_2.proto of p, in m/types/two;two B
r.proto of p, in m/types/r;r imports x_y.proto imports x_y_2.proto R .p.A .p.B
`
	if d := cmp.Diff(want, shape(t, c, c.ready("m", ""))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Generators name Go files after .proto files, and the go command would leave some of those out.
func TestConditionalNames(t *testing.T) {
	for file, want := range map[string]string{
		"events_android.proto":    "events_android_proto.proto",
		"a/metrics_windows.proto": "a/metrics_windows_proto.proto",
		"node_js.v1.proto":        "node_js_proto.v1.proto",
		"x_linux_test.proto":      "x_linux_test_proto.proto",
		"événement.proto":         "p_v_nement.proto",
		"订单.proto":                "p__.proto",
		"android.proto":           "android.proto",
		"linux_events.proto":      "linux_events.proto",
	} {
		c, err := codeOf(compiled(t, "p.R", file, map[string]string{file: `syntax = "proto3"; package p; message R { bool v = 1; }`}), nothingWhole)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.ready("m", "")[0].GetName(); got != want {
			t.Errorf("%s is named %s, want %s", file, got, want)
		}
	}
}

// Other Go packages are chosen if the user's would import one another in a cycle, if files have no
// go_package, or if its name cannot be used.
func TestGoPackages(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  string // the directories
	}{
		{"circle", map[string]string{
			"a.proto": `syntax = "proto3"; package a; import "b.proto"; option go_package = "x/a"; message M { B b = 1; } `,
			"b.proto": `syntax = "proto3"; package a; import "c.proto"; option go_package = "x/b"; message B { C c = 1; }`,
			"c.proto": `syntax = "proto3"; package a; option go_package = "x/a"; message C { int32 a = 1; }`,
		}, "types/a types/a types/a"},
		{"none", map[string]string{
			"a.proto":   `syntax = "proto3"; package p.q; import "d/b.proto"; import "c.proto"; message M { B b = 1; C c = 2; }`,
			"c.proto":   `syntax = "proto3"; package p.q; message C { int32 a = 1; }`,
			"d/b.proto": `syntax = "proto3"; package p.q; message B { int32 a = 1; }`,
		}, "types/q types/q2 types/q2"},
		{"one name", map[string]string{
			"a.proto":   `syntax = "proto3"; package a; import "b/a.proto"; import "c/a.proto"; option go_package = "x/a"; message M { B b = 1; C c = 2; }`,
			"b/a.proto": `syntax = "proto3"; package a; option go_package = "x/a"; message B { int32 a = 1; }`,
			"c/a.proto": `syntax = "proto3"; package a; option go_package = "x/a"; message C { int32 a = 1; }`,
		}, "types/a types/a types/a"},
		{"no package", map[string]string{"a-b.proto": `syntax = "proto3"; message M { int32 a = 1; }`}, "types/ab"},
		{"main", map[string]string{"a.proto": `syntax = "proto3"; option go_package = "x/cmd;main"; message M { int32 a = 1; }`}, "types/pmainpb"},
		{"internal", map[string]string{"a.proto": `syntax = "proto3"; option go_package = "x/internal"; message M { int32 a = 1; }`}, "types/pinternalpb"},
		{"a device of Windows", map[string]string{"a.proto": `syntax = "proto3"; package x.con; message M { int32 a = 1; }`}, "types/pconpb"},
		{"a number", map[string]string{"a.proto": `syntax = "proto3"; option go_package = "x/2pb"; message M { int32 a = 1; }`}, "types/p2pbpb"},
		{"no letter", map[string]string{"a.proto": `syntax = "proto3"; option go_package = "x/é"; message M { int32 a = 1; }`}, "types/ppb"},
		{"keyword", map[string]string{"a.proto": `syntax = "proto3"; package p.func; message M { int32 a = 1; }`}, "types/pfuncpb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			first := "a.proto"
			if tt.files[first] == "" {
				first = "a-b.proto"
			}
			c, err := codeOf(compiled(t, "M", first, tt.files), nothingWhole)
			if err != nil {
				t.Fatal(err)
			}
			var dirs []string
			for _, f := range c.files {
				dirs = append(dirs, c.dirs[f.GetName()].dir)
			}
			if got := strings.Join(dirs, " "); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			shape(t, c, c.ready("m", "p"))
			bases := map[string]bool{}
			for _, f := range c.files {
				at := c.dirs[f.GetName()].dir + "/" + filepath.Base(f.GetName())
				if bases[at] {
					t.Errorf("two files are %s", at)
				}
				bases[at] = true
			}
		})
	}
}

// A file is refused if it has the name or the package of protobuf's own files, but other content.
func TestStandardFiles(t *testing.T) {
	const uses = `syntax = "proto3"; import "google/protobuf/timestamp.proto"; message M { google.protobuf.Timestamp t = 1; }`
	tests := []struct{ name, timestamp, want string }{
		{"published", `syntax = "proto3"; package google.protobuf; option go_package = "old/ptypes"; message Timestamp { int64 seconds = 1; int32 nanos = 2; }`, ""},
		{"less", `syntax = "proto3"; package google.protobuf; message Timestamp { int64 seconds = 1; }`, ""},
		{"another type", `syntax = "proto3"; package google.protobuf; message Timestamp { int64 seconds = 1; fixed32 nanos = 2; }`, "its message Timestamp has another field nanos"},
		{"more", `syntax = "proto3"; package google.protobuf; message Timestamp { int64 seconds = 1; int32 nanos = 2; string zone = 3; }`, "its message Timestamp has another field zone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := compiled(t, "M", "m.proto", map[string]string{"m.proto": uses, "google/protobuf/timestamp.proto": tt.timestamp})
			_, err := codeOf(r, nothingWhole)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
	r := compiled(t, "M", "m.proto", map[string]string{
		"m.proto":    `syntax = "proto3"; import "mine.proto"; message M { google.protobuf.Own t = 1; }`,
		"mine.proto": `syntax = "proto3"; package google.protobuf; message Own { int32 a = 1; }`,
	})
	if _, err := codeOf(r, nothingWhole); err == nil || !strings.Contains(err.Error(), "mine.proto declares messages of package google.protobuf") {
		t.Errorf("error %v", err)
	}
}

// The code in a runner registers no names in protobuf's registry except those for which taken holds
// and those of protobuf's own files. Otherwise they could clash with the names of a user's files,
// which own/protojson keeps.
func TestTaken(t *testing.T) {
	top := filepath.Join("..", "..", "..", "..")
	linked, err := filepath.Glob(filepath.Join(top, "contenders", "*", "gen", "tick"))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"list", "-tags=golden", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}} {{.Dir}}{{end}}"}
	for _, dir := range linked {
		args = append(args, "./"+filepath.ToSlash(strings.TrimPrefix(dir, top+string(filepath.Separator))))
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = top
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for line := range strings.Lines(string(out)) {
		pkg, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		files, err := filepath.Glob(filepath.Join(dir, "*.pb.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			path := registers(t, file)
			if path == "" {
				continue
			}
			found++
			if !strings.HasPrefix(path, standard) && !taken(path, "/") {
				t.Errorf("%s registers %s", pkg, path)
			}
		}
	}
	if found < 2 {
		t.Errorf("only %d files register anything: this test looks for the wrong thing", found)
	}
	for path, want := range map[string]bool{"assay/x.proto": true, "assayer/x.proto": false, "shop/order.proto": false} {
		if taken(path, "/") != want {
			t.Errorf("taken(%s) = %v", path, !want)
		}
	}
}

// registers returns the path of the .proto file that a generated file registers, according to the
// comment at its beginning, or "" if it registers none.
func registers(t *testing.T, file string) string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	source, builds := "", false
	for s := bufio.NewScanner(f); s.Scan(); {
		if path, ok := strings.CutPrefix(s.Text(), "// source: "); ok && source == "" {
			source = path
		}
		builds = builds || strings.Contains(s.Text(), "protoimpl.TypeBuilder")
	}
	if !builds {
		return ""
	}
	return source
}

// The types of a program with a .proto file are the generated ones, so there is nothing to convert.
func TestNoProgramMode(t *testing.T) {
	for _, c := range All() {
		if c.Mode(emit.ProgramMode.Key) != nil {
			t.Errorf("%s has mode %s", c.Name, emit.ProgramMode.Key)
		}
	}
}
