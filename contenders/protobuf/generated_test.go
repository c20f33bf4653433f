package protobuf_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"testing"
)

// The code of protoc-gen-go does not encode or decode: it has only getters and the methods of
// messages and enums.
func TestGeneratedCodeEncodesNothing(t *testing.T) {
	files, err := filepath.Glob("gen/*/*.pb.go")
	if err != nil || len(files) < 3 {
		t.Fatalf("generated files %v (%v)", files, err)
	}
	known := regexp.MustCompile(`^(Get.*|Reset|String|ProtoMessage|ProtoReflect|Descriptor|Enum|Type|Number|EnumDescriptor|init|file_.*)$`)
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		methods := 0
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if methods++; !known.MatchString(fn.Name.Name) {
				t.Errorf("%s has %s, which is more than types and descriptors", name, fn.Name.Name)
			}
		}
		if methods == 0 {
			t.Errorf("%s has no methods", name)
		}
	}
}
