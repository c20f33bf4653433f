package build

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/fstest"
)

// Variants are alike if nothing that they ask for can make another program.
func TestAlike(t *testing.T) {
	source := fstest.MapFS{"go.mod": {Data: []byte("module assay\n\ngo 1.26\n\nrequire example.com/a v1.2.0\n")}}
	dir := func(code string) string {
		to := t.TempDir()
		for name, text := range map[string]string{"go.mod": "module example.com/a\n", "a.go": code, ".git/HEAD": to} {
			file := filepath.Join(to, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return to
	}
	with := func(version string) Variant { return Variant{With: []ModuleVersion{{"example.com/a", version}}} }
	of := func(dir string) Variant { return Variant{Replace: []Replacement{{Dir: dir}}} }
	env := func(all ...string) Variant { return Variant{Env: all} }
	base := dir("package a\n")
	file := filepath.Join(t.TempDir(), "env") // what go env -w writes
	put(t, file, "GOEXPERIMENT=jsonv2\nGOFLAGS=-tags=x\n")
	t.Setenv("GOENV", file)
	for _, name := range []string{"GOFLAGS", "GOEXPERIMENT", "GOTOOLCHAIN"} {
		t.Setenv(name, "")
	}
	for _, test := range []struct {
		name     string
		one, two Variant
		want     bool
	}{
		{"the version of go.mod", Variant{}, with("v1.2.0"), true},
		{"another version", Variant{}, with("v1.3.0"), false},
		{"a query", Variant{}, with("latest"), false},
		{"two checkouts of one commit", of(base), of(dir("package a\n")), true},
		{"another state", of(base), of(dir("package a // changed\n")), false},
		{"another Go besides", of(base), Variant{Replace: of(base).Replace, Go: "go1.25.3"}, false},
		{"one release of Go", Variant{Go: "1.25.3"}, Variant{Go: "go1.25.3"}, true},
		{"the version of go.mod and a variable", Variant{}, Variant{With: with("v1.2.0").With, Env: []string{"GOEXPERIMENT=arenas"}}, false},
		{"a variable that go env -w has set", Variant{}, env("GOEXPERIMENT=jsonv2"), true},
		{"flags that go env -w has set", env("GOFLAGS=-tags=x"), env("GOEXPERIMENT=jsonv2"), true},
		{"a variable without the value of go env -w", Variant{}, env("GOEXPERIMENT="), false},
		{"other flags", Variant{}, env("GOFLAGS=-tags=y"), false},
		{"the release of Go that is used anyway", Variant{}, Variant{Go: runtime.Version()}, true},
		{"that release and another one", Variant{Go: runtime.Version()}, Variant{Go: "go1.25.3"}, false},
	} {
		if got, err := test.one.Alike(t.Context(), test.two, source, ""); err != nil || got != test.want {
			t.Errorf("%s: %t, %v; want %t", test.name, got, err, test.want)
		}
	}
	if _, err := of(base).Alike(t.Context(), of(filepath.Join(base, "absent")), source, ""); err == nil {
		t.Error("a directory that is not there is like another one")
	}
}
