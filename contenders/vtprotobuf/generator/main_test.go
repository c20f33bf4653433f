package main

import (
	"regexp"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"

	"assay/contender/protoc"
	"assay/schema"
)

func request(t *testing.T, parameter string) *pluginpb.CodeGeneratorRequest {
	t.Helper()
	r := &pluginpb.CodeGeneratorRequest{}
	err := proto.Unmarshal(protoc.Request(protoc.Options{
		Schema: &schema.Schema{Name: "s", Roots: []string{"Root"}, Messages: []*schema.Message{
			{Name: "Root", Fields: []*schema.Field{
				{Name: "child", Number: 1, Type: schema.Type{Kind: schema.MessageKind, Ref: "Child"}},
				{Name: "times", Number: 2, Type: schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.Timestamp}}},
				{Name: "data", Number: 3, Type: schema.Type{Kind: schema.Bytes}},
				{Name: "own", Number: 4, Type: schema.Type{Kind: schema.MessageKind, Ref: "Root"}},
			}},
			{Name: "Child"},
		}},
		Package: "example.com/s", ProtoPackage: "s", File: "s/types.proto", Parameter: parameter,
	}), r)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestGenerate(t *testing.T) {
	response, err := generate(request(t, "pool=example.com/s.*,pool-exclude=example.com/s.Child"))
	if err != nil {
		t.Fatal(err)
	}
	if len(response.File) != 2 {
		t.Fatalf("the files are %v", response.File)
	}
	for i, file := range []struct {
		name string
		want map[string][]string // by pattern
	}{
		{"example.com/s/types_pool.pb.go", map[string][]string{
			`func (?:\(m \*\w+\) )?(\w+)\(`: {"ResetVT", "ReturnToVTPool", "RootFromVTPool", "UnmarshalVTPool", "UnmarshalVTPool"},
			`(vtproto\w+) = sync`:           {"vtprotoPool_Root"},
			`vtproto\w+\.(Get|Put)\(`:       {"Put", "Get"},
			`m\.Child\.(\w+)`:               {"UnmarshalVTPool"},
			`m\.Own\.(\w+)`:                 {"ReturnToVTPool", "UnmarshalVTPool"},
			`m\.Own = (\w+\(\))`:            {"RootFromVTPool()"},
			`Timestamp\)\(.*\)\.(\w+)\(`:    {"UnmarshalVT"}, // the method of the library's own type
			`m\.Data = (append|dAtA)`:       {"append"},
		}},
		{"example.com/s/types_unsafepool.pb.go", map[string][]string{
			`func (?:\(m \*\w+\) )?(\w+)\(`: {"ResetVTUnsafe", "ReturnToVTUnsafePool", "RootFromVTUnsafePool", "UnmarshalVTUnsafePool", "UnmarshalVTUnsafePool"},
			`(vtproto\w+) = sync`:           {"vtprotoUnsafePool_Root"},
			`(vtproto\w+)\.(?:Get|Put)\(`:   {"vtprotoUnsafePool_Root", "vtprotoUnsafePool_Root"},
			`m\.(ResetVT\w*)`:               {"ResetVTUnsafe"},
			`m\.Child\.(\w+)`:               {"UnmarshalVTUnsafePool"},
			`m\.Own\.(\w+)`:                 {"ReturnToVTUnsafePool", "UnmarshalVTUnsafePool"},
			`m\.Own = (\w+\(\))`:            {"RootFromVTUnsafePool()"},
			`Timestamp\)\(.*\)\.(\w+)\(`:    {"UnmarshalVTUnsafe"},
			// A message in the pool keeps slices of earlier inputs, which must not be written to.
			`m\.Data = (append|dAtA)`: {"dAtA"},
		}},
	} {
		if got := response.File[i].GetName(); got != file.name {
			t.Errorf("file %d is %s, want %s", i, got, file.name)
		}
		for pattern, want := range file.want {
			var got []string
			for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(response.File[i].GetContent(), -1) {
				got = append(got, m[1])
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s finds %v, want %v", file.name, pattern, got, want)
			}
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	if _, err := generate(request(t, "features=pool")); err == nil {
		t.Error("no error for a parameter that is not known")
	}
}
