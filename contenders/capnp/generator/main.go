// Command generator runs Cap'n Proto's code generator for Go, capnpc-go, on one schema. Like
// plugins of protoc, it answers with an encoded google.protobuf.compiler.CodeGeneratorResponse.
// It reads the schema from standard input, in assay's text form, after the line
//
//	#assay:package assay/contenders/capnp/gen/movie
//
// which names the import path of the package to write. It takes the place of the capnp
// compiler: it lays out the schema and makes the request for capnpc-go.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"

	idl "assay/contender/emit/capnp"
	"assay/schema/text"
)

// compiler is the package of capnpc-go, a program whose code cannot be imported.
const compiler = "capnproto.org/go/capnp/v3/capnpc-go"

func main() {
	log.SetFlags(0)
	source, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	response := &pluginpb.CodeGeneratorResponse{}
	if file, err := generate(source, os.Args[1:]...); err != nil {
		response.Error = proto.String(err.Error())
	} else {
		response.File = append(response.File, file)
	}
	data, err := proto.Marshal(response)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := os.Stdout.Write(data); err != nil {
		log.Fatal(err)
	}
}

var pkgComment = regexp.MustCompile(`(?m)^#assay:package (\S+)$`)

// generate returns the accessors for a schema. The optional argument is the file of a built
// capnpc-go.
func generate(source []byte, args ...string) (*pluginpb.CodeGeneratorResponse_File, error) {
	pkg := pkgComment.FindSubmatch(source)
	if pkg == nil {
		return nil, errors.New("the schema has no comment #assay:package")
	}
	s, err := text.Parse("schema", source)
	if err != nil {
		return nil, err
	}
	layout, err := idl.New(s, string(pkg[1]))
	if err != nil {
		return nil, err
	}
	message, err := request(layout)
	if err != nil {
		return nil, fmt.Errorf("the request to capnpc-go: %w", err)
	}
	data, err := message.Marshal()
	if err != nil {
		return nil, fmt.Errorf("the request to capnpc-go: %w", err)
	}
	name := layout.FileName() + ".go"
	code, err := run(data, name, args)
	if err != nil {
		return nil, err
	}
	return &pluginpb.CodeGeneratorResponse_File{Name: proto.String(name), Content: proto.String(string(code))}, nil
}

// run runs capnpc-go in a temporary directory, because it writes into its working directory,
// and returns the file with that name.
func run(request []byte, name string, args []string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "capnp-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program, err := built(dir, args)
	if err != nil {
		return nil, err
	}
	// Schemas serve reflection, String methods need schemas, and promises serve RPC.
	cmd := exec.Command(program, "-schemas=false", "-structstrings=false", "-promises=false")
	cmd.Dir = dir
	cmd.Stdin = bytes.NewReader(request)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("capnpc-go: %w: %s", err, bytes.TrimSpace(out))
	}
	return os.ReadFile(filepath.Join(dir, name))
}

// built returns a built capnpc-go: the file that the argument names, or one that it builds in
// dir. The go command on PATH is the right one, because go run puts itself first in PATH.
func built(dir string, args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	program := filepath.Join(dir, "capnpc-go.exe")
	build := exec.Command("go", "build", "-buildvcs=false", "-mod=readonly", "-o", program, compiler)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build %s: %w: %s", compiler, err, bytes.TrimSpace(out))
	}
	return program, nil
}
