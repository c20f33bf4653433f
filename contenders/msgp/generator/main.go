// Command generator runs msgp's code generator on one file of Go source, which it reads from
// standard input. Like plugins of protoc, it answers with an encoded
// google.protobuf.compiler.CodeGeneratorResponse.
//
// The answer is msgp.go, with methods that append to slices and read from slices. One of the
// comments
//
//	//assay:all Array
//	//assay:unmarshal Reuse
//
// in the source renames them. The first makes MarshalMsgArray, UnmarshalMsgArray and
// MsgsizeArray, in array.go. The second makes only UnmarshalMsgReuse, in reuse.go.
// In this way one type can have the code of several options of the generator.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tinylib/msgp/gen"
	"github.com/tinylib/msgp/parse"
	"github.com/tinylib/msgp/printer"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"
)

func main() {
	log.SetFlags(0)
	source, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	response := &pluginpb.CodeGeneratorResponse{}
	if file, err := generate(source); err != nil {
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

var (
	directive = regexp.MustCompile(`(?m)^//assay:(all|unmarshal) (\w+)$`)
	methods   = regexp.MustCompile(`\b(MarshalMsg|UnmarshalMsg|Msgsize)\(`)
	// promise matches doc comments that are not true of the renamed methods.
	promise = regexp.MustCompile(`(?m)^// \w+ (implements msgp\.|returns an upper bound).*\n`)
)

// generate returns the methods for the types in the source.
func generate(source []byte) (*pluginpb.CodeGeneratorResponse_File, error) {
	d := directive.FindSubmatch(source)
	mode := gen.Marshal | gen.Unmarshal | gen.Size
	if d != nil && string(d[1]) == "unmarshal" {
		mode = gen.Unmarshal
	}
	code, err := run(source, mode)
	if err != nil {
		return nil, err
	}
	name := "msgp.go"
	if d != nil {
		name = strings.ToLower(string(d[2])) + ".go"
		code = methods.ReplaceAll(promise.ReplaceAll(code, nil), slices.Concat([]byte("${1}"), d[2], []byte("(")))
	}
	return &pluginpb.CodeGeneratorResponse_File{Name: proto.String(name), Content: proto.String(string(code))}, nil
}

// run runs the library's generator in a temporary directory, because its parser and printer
// need files.
func run(source []byte, mode gen.Method) ([]byte, error) {
	dir, err := os.MkdirTemp("", "msgp-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "types.go"), filepath.Join(dir, "msgp.go")
	if err := os.WriteFile(in, source, 0o600); err != nil {
		return nil, err
	}
	set, err := parse.File(in, false, nil)
	if err != nil {
		return nil, fmt.Errorf("msgp cannot read the types: %w", err)
	}
	if err := printer.PrintFile(out, set, mode); err != nil {
		return nil, fmt.Errorf("msgp cannot write the methods: %w", err)
	}
	return os.ReadFile(out)
}
