package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"capnproto.org/go/capnp/v3"
	capnpschema "capnproto.org/go/capnp/v3/std/capnp/schema"
	"github.com/google/go-cmp/cmp"

	idl "assay/contender/emit/capnp"
	"assay/internal/oracle"
	"assay/schema/text"
)

// layouts returns the layouts of schemas that have every kind in every position, and of a
// schema whose fields leave holes.
func layouts(t *testing.T) []*idl.Layout {
	t.Helper()
	var all []*idl.Layout
	for _, file := range []string{"../../testdata/rich/schema.toml", "../../../schema/text/testdata/rich.toml", "testdata/holes.toml", "testdata/union.toml", "testdata/builtins.toml"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := text.Parse(file, data)
		if err != nil {
			t.Fatal(err)
		}
		l, err := idl.New(s, "assay/contenders/capnp/gen/"+s.Name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// TestRequest compares our request to capnpc-go with the capnp compiler's request for the
// .capnp text.
func TestRequest(t *testing.T) {
	compiler := oracle.Path(t, "capnp")
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", idl.Library).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range layouts(t) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, l.FileName()), l.Text(), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(compiler, "compile", "-o-", "-I"+filepath.Join(strings.TrimSpace(string(module)), "std"), l.FileName())
		cmd.Dir = dir
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %v\n%s", l.Schema.Name, err, l.Text())
			continue
		}
		theirs, err := capnp.Unmarshal(out)
		if err != nil {
			t.Fatal(err)
		}
		ours, err := request(l)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(summary(t, theirs, l.ID), summary(t, ours, l.ID)); diff != "" {
			t.Errorf("%s (-capnp compile +ours):\n%s", l.Schema.Name, diff)
		}
	}
}

// summary describes the structs of a file: their sizes, and the name, ordinal,
// offset and type of each field.
func summary(t *testing.T, msg *capnp.Message, file uint64) map[string][]string {
	t.Helper()
	msg.ResetReadLimit(1 << 30)
	root, err := capnpschema.ReadRootCodeGeneratorRequest(msg)
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := root.Nodes()
	if err != nil {
		t.Fatal(err)
	}
	structs := map[string][]string{}
	for i := range nodes.Len() {
		n := nodes.At(i)
		if n.ScopeId() != file || n.Which() != capnpschema.Node_Which_structNode {
			continue
		}
		body := n.StructNode()
		name, _ := n.DisplayName()
		lines := []string{fmt.Sprintf("%#x: %d words, %d pointers, %d variants told at %d", n.Id(), body.DataWordCount(), body.PointerCount(), body.DiscriminantCount(), body.DiscriminantOffset())}
		fields, err := body.Fields()
		if err != nil {
			t.Fatal(err)
		}
		for j := range fields.Len() {
			f := fields.At(j)
			name, _ := f.Name()
			typ, err := f.Slot().Type()
			if err != nil {
				t.Fatal(err)
			}
			value, err := f.Slot().DefaultValue()
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, fmt.Sprintf("%s @%d at %d: %s, default %s, variant %d", name, f.Ordinal().Explicit(), f.Slot().Offset(), typeName(t, typ), value.Which(), f.DiscriminantValue()))
		}
		structs[name[n.DisplayNamePrefixLength():]] = lines
	}
	return structs
}

func typeName(t *testing.T, typ capnpschema.Type) string {
	switch typ.Which() {
	case capnpschema.Type_Which_list:
		elem, err := typ.List().ElementType()
		if err != nil {
			t.Fatal(err)
		}
		return "list of " + typeName(t, elem)
	case capnpschema.Type_Which_structType:
		return fmt.Sprintf("struct %#x", typ.StructType().TypeId())
	}
	return typ.Which().String()
}

func TestGenerate(t *testing.T) {
	if testing.Short() {
		t.Skip("builds capnpc-go")
	}
	for _, l := range layouts(t) {
		got, err := generate(fmt.Appendf(nil, "#assay:package %s\n%s", l.Package, text.Format(l.Schema)))
		if err != nil {
			t.Fatal(err)
		}
		if want := l.FileName() + ".go"; got.GetName() != want {
			t.Errorf("the file is %s, want %s", got.GetName(), want)
		}
		for _, st := range l.Structs {
			if want := "\ntype " + st.Name + " capnp.Struct\n"; !bytes.Contains([]byte(got.GetContent()), []byte(want)) {
				t.Errorf("%s: the code has no %q", l.Schema.Name, want)
			}
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	for _, test := range []struct{ source, want string }{
		{"name = \"x\"\n", "the schema has no comment #assay:package"},
		{"#assay:package assay/x\nname = 1\n", "schema:2"},
	} {
		_, err := generate([]byte(test.source))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %s", test.source, err, test.want)
		}
	}
}
