package assay_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/internal/cli"
)

// qualified matches a code span of a document that names an identifier of a package:
// `measure.Config.Fit`.
var qualified = regexp.MustCompile("`([a-z][a-z0-9]*)\\.([A-Za-z]\\w*)(?:\\.([A-Za-z]\\w*))?(?:\\(\\))?`")

// files are the endings that make a span the name of a file or a web site.
var files = []string{"go", "json", "jsonl", "lock", "md", "mod", "org", "py", "sum", "toml"}

// foreign are names before a dot that are not of this module: of packages and values of the standard library,
// and of data.
var foreign = []string{"b", "debug", "editor", "json", "runtime", "sync", "t", "time"}

// TestNamed checks that this module declares the qualified identifiers and the tests that the
// documents name.
func TestNamed(t *testing.T) {
	in := declared(t)
	found, tests := 0, 0
	for _, name := range documents {
		if name == "CHANGELOG.md" {
			continue // it describes earlier versions
		}
		text := read(t, name)
		for _, m := range qualified.FindAllStringSubmatch(text, -1) {
			if slices.Contains(foreign, m[1]) || slices.Contains(files, m[2]) {
				continue
			}
			if found++; !in.has(m[1], m[2], m[3]) && !in.member(m[1], m[2]) {
				t.Errorf("%s names %s, which no package %s declares, and no type %s has", name, m[0], m[1], m[1])
			}
		}
		for _, test := range regexp.MustCompile("`(Test[A-Z]\\w*)`").FindAllStringSubmatch(text, -1) {
			if tests++; !in.tests[test[1]] {
				t.Errorf("%s names the test %s, which there is not", name, test[1])
			}
		}
	}
	if found < 50 || tests < 10 {
		t.Errorf("found only %d names and %d tests", found, tests)
	}
}

// TestDeclared checks that has finds declared names and members, and no others.
func TestDeclared(t *testing.T) {
	in := &declarations{packages: map[string]map[string]map[string]bool{}, tests: map[string]bool{}}
	in.add(t, "a/p/p.go", "package p\n\nconst c = 1\n\ntype T struct{ F int }\n\nfunc (t *T) M() {}\n\nfunc Of() {}\n")
	in.add(t, "b/p/q.go", "package p\n\nvar V int\n")
	in.add(t, "a/p/p_test.go", "package p\n\nfunc TestX(t *testing.T) {}\n\nfunc helper() {}\n")
	for _, x := range []struct {
		name, member string
		want         bool
	}{{"c", "", true}, {"V", "", true}, {"T", "", true}, {"Of", "", true}, {"T", "F", true}, {"T", "M", true}, {"M", "", false}, {"T", "G", false}, {"Of", "F", false}, {"helper", "", false}} {
		if got := in.has("p", x.name, x.member); got != x.want {
			t.Errorf("p.%s.%s is declared: %v, want %v", x.name, x.member, got, x.want)
		}
	}
	if !in.tests["TestX"] || in.tests["helper"] {
		t.Errorf("tests are %v", in.tests)
	}
}

// declarations are the identifiers that the packages of a module declare.
type declarations struct {
	// packages maps the last element of a package's path to the names that the package declares,
	// and each name to its fields and methods. Packages with the same last element are merged.
	packages map[string]map[string]map[string]bool
	tests    map[string]bool
}

// declared reads the module, without the generated code of contenders.
func declared(t *testing.T) *declarations {
	t.Helper()
	in := &declarations{packages: map[string]map[string]map[string]bool{}, tests: map[string]bool{}}
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := path.Base(name); d.IsDir() && name != "." && (base[0] == '.' || base == "testdata" || base == "gen") {
			return fs.SkipDir
		}
		if !d.IsDir() && path.Ext(name) == ".go" {
			in.add(t, name, read(t, name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// member reports whether a type of that name, of any package, has a field or method.
func (in *declarations) member(typ, name string) bool {
	for _, names := range in.packages {
		if names[typ][name] {
			return true
		}
	}
	return false
}

// add adds the declarations of one file: of a test file, only the tests.
func (in *declarations) add(t *testing.T, name, text string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(name), text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	testing := strings.HasSuffix(name, "_test.go")
	of := path.Base(path.Dir(name))
	declare := func(top, member string) {
		switch {
		case testing:
			if member == "" && strings.HasPrefix(top, "Test") {
				in.tests[top] = true
			}
			return
		case in.packages[of] == nil:
			in.packages[of] = map[string]map[string]bool{}
		}
		if in.packages[of][top] == nil {
			in.packages[of][top] = map[string]bool{}
		}
		in.packages[of][top][member] = true
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				declare(d.Name.Name, "")
			} else if of := receiver(d.Recv.List[0].Type); of != "" {
				declare(of, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, id := range s.Names {
						declare(id.Name, "")
					}
				case *ast.TypeSpec:
					declare(s.Name.Name, "")
					if st, ok := s.Type.(*ast.StructType); ok {
						for _, f := range st.Fields.List {
							for _, id := range f.Names {
								declare(s.Name.Name, id.Name)
							}
						}
					}
				}
			}
		}
	}
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// has reports whether a package declares a name or, if member is not empty, a field or method of
// that name.
func (in *declarations) has(pkg, name, member string) bool {
	members := in.packages[pkg][name]
	return members != nil && (member == "" && members[""] || members[member])
}

// TestFlags checks that every flag that the documents name is a flag of assay.
func TestFlags(t *testing.T) {
	known := map[string]bool{"help": true}
	listed := regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z][a-z0-9-]*)`)
	for _, command := range append(commandsOf(t), nil) {
		var help, stderr bytes.Buffer
		if code := cli.Main(append([]string{"help"}, command...), &help, &stderr); code != 0 {
			t.Fatalf("assay help %q: exit code %d: %s", command, code, &stderr)
		}
		for _, m := range listed.FindAllStringSubmatch(help.String(), -1) {
			known[m[1]] = true
		}
	}
	found := 0
	for _, name := range append(slices.Clone(documents), "docs/ci.md", "docs/streams.md", "docs/contenders.md") {
		for _, m := range regexp.MustCompile(`(?:^|[\s("`+"`"+`])--([a-z][a-z0-9-]*)`).FindAllStringSubmatch(read(t, name), -1) {
			if found++; !known[m[1]] {
				t.Errorf("%s names the flag --%s, which no command has", name, m[1])
			}
		}
	}
	if found < 200 || len(known) < 60 {
		t.Errorf("found only %d mentions, and %d flags", found, len(known))
	}
}

// commandsOf returns all commands below a command, each as its words.
func commandsOf(t *testing.T, words ...string) (all [][]string) {
	t.Helper()
	var out, stderr bytes.Buffer
	if code := cli.Main(slices.Concat([]string{"__complete", "help"}, words, []string{""}), &out, &stderr); code != 0 {
		t.Fatalf("the commands of %q: exit code %d: %s", words, code, &stderr)
	}
	for line := range strings.Lines(out.String()) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if name == "" || strings.HasPrefix(name, ":") {
			continue
		}
		one := append(slices.Clone(words), name)
		all = append(append(all, one), commandsOf(t, one...)...)
	}
	return all
}
