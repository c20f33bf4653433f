// Command generator is a plugin of protoc that writes the code of vtprotobuf's features pool
// and unmarshal, and again that of pool and unmarshal_unsafe. It renames UnmarshalVT to
// UnmarshalVTPool, so that a type can have both it and the UnmarshalVT without a pool, and in the
// second code also the pools and their methods. Its parameters are pool and pool-exclude of
// protoc-gen-go-vtproto.
//
// The second code has pools of its own because a message that returns to a pool keeps its byte
// slices. UnmarshalVT writes into these, and those of UnmarshalVTUnsafe are parts of its input.
// UnmarshalVTUnsafe only replaces them.
package main

import (
	"flag"
	"io"
	"log"
	"os"
	"regexp"
	"strings"

	_ "github.com/planetscale/vtprotobuf/features/pool"
	_ "github.com/planetscale/vtprotobuf/features/unmarshal"
	"github.com/planetscale/vtprotobuf/generator"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"
)

func main() {
	log.SetFlags(0)
	data, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	request := &pluginpb.CodeGeneratorRequest{}
	if err := proto.Unmarshal(data, request); err != nil {
		log.Fatal(err)
	}
	response, err := generate(request)
	if err != nil {
		log.Fatal(err)
	}
	if data, err = proto.Marshal(response); err != nil {
		log.Fatal(err)
	}
	if _, err := os.Stdout.Write(data); err != nil {
		log.Fatal(err)
	}
}

// A variant is one run of the library's generator, with new names in its code.
type variant struct {
	// features are the library's features.
	features []string
	// suffix ends the names of the files, in place of the library's.
	suffix string
	// renames are applied in their order, after the methods that decode are renamed.
	renames []renaming
}

// A renaming replaces what a pattern matches by a text, as in regexp.Regexp.ReplaceAllString.
type renaming struct {
	found *regexp.Regexp
	by    string
}

var variants = []variant{
	{[]string{"pool", "unmarshal"}, "_pool.pb.go", nil},
	{[]string{"pool", "unmarshal_unsafe"}, "_unsafepool.pb.go", []renaming{
		{regexp.MustCompile(`\bvtprotoPool_`), "vtprotoUnsafePool_"},
		{regexp.MustCompile(`\bResetVT\(`), "ResetVTUnsafe("},
		{regexp.MustCompile(`\bReturnToVTPool\(`), "ReturnToVTUnsafePool("},
		{regexp.MustCompile(`\b(\w+)FromVTPool\(\)`), "${1}FromVTUnsafePool()"},
	}},
}

// method matches the name of a method that decodes. For a type of another package it also matches
// the expression before the name, so that rename can tell the two.
var method = regexp.MustCompile(`(\(\*\w+\.\w+\)\(.*\)\.)?\bUnmarshalVT(Unsafe)?\b`)

func rename(found string) string {
	if strings.HasPrefix(found, "(") {
		return found
	}
	return found + "Pool"
}

// generate returns the code of all variants.
func generate(request *pluginpb.CodeGeneratorRequest) (*pluginpb.CodeGeneratorResponse, error) {
	all := &pluginpb.CodeGeneratorResponse{}
	for _, v := range variants {
		response, err := v.generate(request)
		if err != nil {
			return nil, err
		}
		files := append(all.File, response.File...)
		all = response
		if all.Error != nil {
			return all, nil
		}
		all.File = files
	}
	return all, nil
}

func (v variant) generate(request *pluginpb.CodeGeneratorRequest) (*pluginpb.CodeGeneratorResponse, error) {
	config := generator.Config{Poolable: generator.NewObjectSet(), PoolableExclude: generator.NewObjectSet()}
	var parameters flag.FlagSet
	parameters.Var(&config.Poolable, "pool", "")
	parameters.Var(&config.PoolableExclude, "pool-exclude", "")
	plugin, err := protogen.Options{ParamFunc: parameters.Set}.New(request)
	if err != nil {
		return nil, err
	}
	gen, err := generator.NewGenerator(plugin, v.features, &config)
	if err != nil {
		return nil, err
	}
	gen.Generate()
	response := plugin.Response()
	for _, f := range response.File {
		f.Name = proto.String(strings.Replace(f.GetName(), "_vtproto.pb.go", v.suffix, 1))
		code := method.ReplaceAllStringFunc(f.GetContent(), rename)
		for _, r := range v.renames {
			code = r.found.ReplaceAllString(code, r.by)
		}
		f.Content = proto.String(code)
	}
	return response, nil
}
