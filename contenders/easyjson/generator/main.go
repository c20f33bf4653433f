// Command generator runs easyjson's code generator on one file of Go source,
// which it reads from standard input, and answers with an encoded
// google.protobuf.compiler.CodeGeneratorResponse, as plugins of protoc do. It is
// run in the module that the source belongs to.
//
// The library's generator looks at compiled types. So, as the library's own
// command does, this one writes a program that links the types and the
// generator, and runs it. It does so by an overlay of the go command, beside the
// module: nothing is written into it.
//
// The source has comments that say what to do.
//
//	//assay:package assay/contenders/easyjson/gen/movie
//
// is the package's import path. The answer is easyjson.go, with the methods
// MarshalEasyJSON and UnmarshalEasyJSON of every type but those that are
// integers, those that the source gives methods, and those that have methods of
// their own elsewhere, of which each has a comment:
//
//	//assay:own Row
//
// With
//
//	//assay:unmarshal UnmarshalOther
//
// it is unmarshalother.go, with nothing but the method UnmarshalEasyJSON, under
// that name. One type can so have the code of several sets of tags.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"log"
	"os"
	"path"
	"regexp"
	"strings"

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
	pkgComment   = regexp.MustCompile(`(?m)^//assay:package (\S+)$`)
	otherComment = regexp.MustCompile(`(?m)^//assay:unmarshal (\w+)$`)
	ownComment   = regexp.MustCompile(`(?m)^//assay:own (\w+)$`)
)

// generate returns the methods for the types in the source.
func generate(source []byte) (*pluginpb.CodeGeneratorResponse_File, error) {
	pkg := pkgComment.FindSubmatch(source)
	if pkg == nil {
		return nil, errors.New("the source has no comment //assay:package")
	}
	s := stage{pkg: string(pkg[1]), source: source, file: "easyjson.go"}
	other := otherComment.FindSubmatch(source)
	if other != nil {
		s.file = strings.ToLower(string(other[1])) + ".go"
	}
	var err error
	if s.types, err = types(source); err != nil {
		return nil, err
	}
	for _, own := range ownComment.FindAllSubmatch(source, -1) {
		s.own = append(s.own, string(own[1]))
	}
	code, err := s.run()
	if err != nil {
		return nil, err
	}
	if other != nil {
		if code, err = unmarshalOnly(code, string(other[1])); err != nil {
			return nil, err
		}
	}
	return &pluginpb.CodeGeneratorResponse_File{
		Name:    proto.String(s.file),
		Content: proto.String(string(code)),
	}, nil
}

// types returns the names of the types declared in Go source that get methods.
func types(source []byte) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "types.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var names []string
	spelled := map[string]bool{} // types with methods of package encoding or encoding/json
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && strings.HasPrefix(f.Name.Name, "Marshal") {
			if id, ok := f.Recv.List[0].Type.(*ast.Ident); ok {
				spelled[id.Name] = true
			}
		}
	}
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.TYPE {
			continue
		}
		for _, spec := range decl.Specs {
			spec := spec.(*ast.TypeSpec)
			if _, ok := spec.Type.(*ast.Ident); !ok && !spelled[spec.Name.Name] { // an enum is an int32
				names = append(names, spec.Name.Name)
			}
		}
	}
	return names, nil
}

// unmarshalOnly returns the code without its encoders, with the decoding method
// under another name, in the declarations and where they call one another.
func unmarshalOnly(code []byte, name string) ([]byte, error) {
	const decode, encode = "UnmarshalEasyJSON", "MarshalEasyJSON"
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", code, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("easyjson wrote Go that does not parse: %w", err)
	}
	encoder := regexp.MustCompile(`^easyjson[0-9A-Fa-f]+Encode`)
	var out bytes.Buffer
	at := 0
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != encode && !encoder.MatchString(f.Name.Name) {
			continue
		}
		start, end := f.Pos(), f.End()
		if f.Doc != nil {
			start = f.Doc.Pos()
		}
		out.Write(code[at:set.Position(start).Offset])
		at = set.Position(end).Offset
	}
	out.Write(code[at:])
	renamed := regexp.MustCompile(`\b`+decode+`(\(| supports)`).ReplaceAll(out.Bytes(), []byte(name+"${1}"))
	return format.Source(renamed)
}

// stub returns the methods that the types need to have for one another while
// their code is generated.
func stub(pkg string, types []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport (\n%q\n%q\n)\n", path.Base(pkg), "github.com/mailru/easyjson/jlexer", "github.com/mailru/easyjson/jwriter")
	for _, t := range types {
		fmt.Fprintf(&b, "\nfunc (%s) MarshalEasyJSON(*jwriter.Writer) {}\nfunc (*%s) UnmarshalEasyJSON(*jlexer.Lexer) {}\n", t, t)
	}
	return b.Bytes()
}

// program returns the source of the program that writes the code. It leaves out
// MarshalJSON and UnmarshalJSON: with them on a type, other packages of the
// program would use easyjson.
func program(pkg, file string, types []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package main\n\nimport (\n\"log\"\n\"os\"\n\n%q\npkg %q\n)\n\n", "github.com/mailru/easyjson/gen", pkg)
	fmt.Fprintf(&b, "func main() {\nlog.SetFlags(0)\ng := gen.NewGenerator(%q)\ng.SetPkg(%q, %q)\ng.NoStdMarshalers()\n", file, path.Base(pkg), pkg)
	for _, t := range types {
		fmt.Fprintf(&b, "g.Add(new(pkg.%s))\n", t)
	}
	b.WriteString("if err := g.Run(os.Stdout); err != nil {\nlog.Fatal(err)\n}\n}\n")
	return b.Bytes()
}
