// Command generator is a plugin of protoc that writes the code of vtprotobuf's features pool
// and unmarshal. It renames UnmarshalVT to UnmarshalVTPool, so that a type can have both it and
// the UnmarshalVT without a pool. Its parameters are pool and pool-exclude of
// protoc-gen-go-vtproto.
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

// method matches the method's name. For a type of another package it also matches the
// expression before the name, so that rename can tell the two.
var method = regexp.MustCompile(`(\(\*\w+\.\w+\)\(.*\)\.)?\bUnmarshalVT\b`)

func rename(found string) string {
	if found != "UnmarshalVT" {
		return found
	}
	return "UnmarshalVTPool"
}

// generate returns the code, in files whose names end in _pool.pb.go.
func generate(request *pluginpb.CodeGeneratorRequest) (*pluginpb.CodeGeneratorResponse, error) {
	config := generator.Config{Poolable: generator.NewObjectSet(), PoolableExclude: generator.NewObjectSet()}
	var parameters flag.FlagSet
	parameters.Var(&config.Poolable, "pool", "")
	parameters.Var(&config.PoolableExclude, "pool-exclude", "")
	plugin, err := protogen.Options{ParamFunc: parameters.Set}.New(request)
	if err != nil {
		return nil, err
	}
	gen, err := generator.NewGenerator(plugin, []string{"pool", "unmarshal"}, &config)
	if err != nil {
		return nil, err
	}
	gen.Generate()
	response := plugin.Response()
	for _, f := range response.File {
		f.Name = proto.String(strings.Replace(f.GetName(), "_vtproto.pb.go", "_pool.pb.go", 1))
		f.Content = proto.String(method.ReplaceAllStringFunc(f.GetContent(), rename))
	}
	return response, nil
}
