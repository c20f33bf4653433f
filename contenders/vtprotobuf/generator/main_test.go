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
	if len(response.File) != 1 || response.File[0].GetName() != "example.com/s/types_pool.pb.go" {
		t.Fatalf("the files are %v", response.File)
	}
	code := response.File[0].GetContent()
	found := func(pattern string) []string {
		var all []string
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(code, -1) {
			all = append(all, m[1])
		}
		return all
	}
	for _, test := range []struct {
		pattern string
		want    []string
	}{
		{`func (?:\(m \*\w+\) )?(\w+)\(`, []string{"ResetVT", "ReturnToVTPool", "RootFromVTPool", "UnmarshalVTPool", "UnmarshalVTPool"}},
		{`m\.Child\.(\w+)`, []string{"UnmarshalVTPool"}},
		{`Timestamp\)\(.*\)\.(\w+)\(`, []string{"UnmarshalVT"}}, // the method of the library's own type
	} {
		if got := found(test.pattern); !slices.Equal(got, test.want) {
			t.Errorf("%s finds %v, want %v", test.pattern, got, test.want)
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	if _, err := generate(request(t, "features=pool")); err == nil {
		t.Error("no error for a parameter that is not known")
	}
}
