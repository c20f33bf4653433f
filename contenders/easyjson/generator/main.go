// Command generator runs easyjson's code generator on files of Go source, which it reads from
// standard input, one after the other. Like plugins of protoc, it answers with an encoded
// google.protobuf.compiler.CodeGeneratorResponse. It must run in the module that the source
// belongs to.
//
// The library's generator inspects compiled types. So, as the library's own command does, this
// one writes a program that links the types and the generator, and runs it. One program serves
// all files, because linking takes longer than everything else. The program is in an overlay of
// the go command; nothing is written into the module.
//
// Each file has comments that say what to do. The file begins with the first one:
//
//	//assay:package assay/contenders/easyjson/gen/movie
//
// It is the package's import path. The answer for the file is easyjson.go, in a directory of
// that path. It has the methods MarshalEasyJSON and UnmarshalEasyJSON of every type, except for
// types that are integers, types that have Marshal methods in the source, and types that have
// their own methods elsewhere, each of which has a comment:
//
//	//assay:own Row
//
// With
//
//	//assay:unmarshal UnmarshalOther
//
// the answer is unmarshalother.go instead, with only the method UnmarshalEasyJSON, under that
// name. In this way one type can have the code of several sets of tags.
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
	"slices"
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
	if response.File, err = generate(source); err != nil {
		response.Error = proto.String(err.Error())
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

// A part is a file of source and what to generate for it.
type part struct {
	pkg    string // import path of the types
	name   string // of the package
	source []byte // of the types
	types  []string
	own    []string // those of types that have their own methods
	file   string   // the name of the generated file
	// decode is the name for UnmarshalEasyJSON if only that method is wanted.
	decode string
}

// generate returns the methods for the types in each file of the request.
func generate(request []byte) ([]*pluginpb.CodeGeneratorResponse_File, error) {
	starts := pkgComment.FindAllSubmatchIndex(request, -1)
	if starts == nil {
		return nil, errors.New("the source has no comment //assay:package")
	}
	var parts []part
	for i, at := range starts {
		end := len(request)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		p, err := partOf(string(request[at[2]:at[3]]), request[at[0]:end])
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	codes, err := stage(parts)
	if err != nil {
		return nil, err
	}
	var files []*pluginpb.CodeGeneratorResponse_File
	for i, p := range parts {
		code := codes[i]
		if p.decode != "" {
			if code, err = unmarshalOnly(code, p.decode); err != nil {
				return nil, err
			}
		}
		files = append(files, &pluginpb.CodeGeneratorResponse_File{
			Name:    proto.String(p.pkg + "/" + p.file),
			Content: proto.String(string(code)),
		})
	}
	return files, nil
}

// partOf reads the comments of a file.
func partOf(pkg string, source []byte) (part, error) {
	p := part{pkg: pkg, name: path.Base(pkg), source: source, file: "easyjson.go"}
	if other := otherComment.FindSubmatch(source); other != nil {
		p.decode = string(other[1])
		p.file = strings.ToLower(p.decode) + ".go"
	}
	for _, own := range ownComment.FindAllSubmatch(source, -1) {
		p.own = append(p.own, string(own[1]))
	}
	var err error
	p.types, err = types(source)
	return p, err
}

// types returns the names of the types in Go source that get generated methods.
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

// unmarshalOnly returns the code without its encoders, and with the decoding method renamed in
// its declarations and calls.
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

// stub returns the methods that the types must have for one another while their code is
// generated.
func stub(p part) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport (\n%q\n%q\n)\n", p.name, "github.com/mailru/easyjson/jlexer", "github.com/mailru/easyjson/jwriter")
	for _, t := range p.types {
		fmt.Fprintf(&b, "\nfunc (%s) MarshalEasyJSON(*jwriter.Writer) {}\nfunc (*%s) UnmarshalEasyJSON(*jlexer.Lexer) {}\n", t, t)
	}
	return b.Bytes()
}

// program returns the source of the program that writes the code of each part, as a JSON list
// of strings. The code has no MarshalJSON and UnmarshalJSON: if a type had them, other packages
// of the program would use easyjson.
func program(parts []part) []byte {
	var imports, body bytes.Buffer
	for i, p := range parts {
		fmt.Fprintf(&imports, "pkg%d %q\n", i, p.pkg)
		fmt.Fprintf(&body, "{\ng := gen.NewGenerator(%q)\ng.SetPkg(%q, %q)\ng.NoStdMarshalers()\n", p.file, p.name, p.pkg)
		for _, t := range p.types {
			if !slices.Contains(p.own, t) {
				fmt.Fprintf(&body, "g.Add(new(pkg%d.%s))\n", i, t)
			}
		}
		body.WriteString("codes = append(codes, run(g))\n}\n")
	}
	return fmt.Appendf(nil, "package main\n\nimport (\n\"encoding/json\"\n\"log\"\n\"os\"\n\n%q\n%s)\n\n%s\n"+
		"func main() {\nlog.SetFlags(0)\nvar codes []string\n%scheck(json.NewEncoder(os.Stdout).Encode(codes))\n}\n",
		"github.com/mailru/easyjson/gen", &imports, runs, &body)
}

// runs are functions of the program. The generator writes the head of the code to standard
// output, whatever writer it is given, so run redirects standard output.
const runs = `func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func run(g *gen.Generator) string {
	f, err := os.CreateTemp("", "easyjson-")
	check(err)
	defer os.Remove(f.Name())
	out := os.Stdout
	os.Stdout = f
	err = g.Run(f)
	os.Stdout = out
	check(err)
	check(f.Close())
	code, err := os.ReadFile(f.Name())
	check(err)
	return string(code)
}
`
