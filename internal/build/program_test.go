package build

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// withProgram adds a main package to the source.
func withProgram(o Options, text string) Options {
	o.Source.(fstest.MapFS)["programs/hello/main.go"] = &fstest.MapFile{Data: []byte(text)}
	return o
}

func TestProgram(t *testing.T) {
	builds(t)
	o, steps := options(t)
	o = withProgram(o, "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"hello\") }\n")
	r, err := Program(t.Context(), o, "programs/hello", []uint64{0, 7})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Step{Copying, Compiling, Relinking}, steps()); diff != "" {
		t.Errorf("steps of the first Program (-want +got):\n%s", diff)
	}
	for _, layout := range []uint64{0, 7} {
		if got := output(t, r, layout); got != "hello" {
			t.Errorf("layout %d says %q", layout, got)
		}
	}
	if r.Build.Key != r.Key || r.Spec.Main != "programs/hello" {
		t.Errorf("key %s, built %+v of %+v", r.Key, r.Build, r.Spec)
	}
	again, err := Program(t.Context(), o, "programs/hello", []uint64{7})
	if err != nil || again.Key != r.Key {
		t.Errorf("key %s became %s, %v", r.Key, again.Key, err)
	}
	if diff := cmp.Diff([]Step{Copying, FromCache}, steps()); diff != "" {
		t.Errorf("steps of the second Program (-want +got):\n%s", diff)
	}
	other, err := Program(t.Context(), withProgram(o, "package main\n\nfunc main() {}\n"), "programs/hello", nil)
	if err != nil || other.Key == r.Key {
		t.Errorf("another source has the key %s, %v", other.Key, err)
	}
}

func TestProgramErrors(t *testing.T) {
	builds(t)
	tests := []struct{ name, text, pkg, want string }{
		{"absent", "package main", "programs/bye", "the source has no package programs/bye"},
		{"does not compile", "package main\n\nfunc main() { nope() }\n", "programs/hello", "programs/hello does not build: programs/hello/main.go:3:15: undefined: nope"},
	}
	for _, tt := range tests {
		o, _ := options(t)
		_, err := Program(t.Context(), withProgram(o, tt.text), tt.pkg, nil)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

func TestProgramWithVersion(t *testing.T) {
	o, _ := versioned(t, "example.com/base@v1.0.0", "example.com/tiny@v1.0.0", "example.com/unused@v1.0.0")
	o = withProgram(o, "package main\n\nimport (\n\t\"os\"\n\n\t\"example.com/tiny\"\n)\n\nfunc main() { os.Stdout.WriteString(tiny.Name) }\n")
	for want, v := range map[string]Variant{"tiny-1.0 base-1.0": {}, "tiny-1.1 base-1.1": with("example.com/tiny@latest")} {
		o.Variant = v
		r, err := Program(t.Context(), o, "programs/hello", nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := output(t, r, 0); got != want {
			t.Errorf("with %q it prints %q, want %q", v.Label(), got, want)
		}
	}
	o.Variant = with("example.com/unused@v1.0.0")
	if _, err := Program(t.Context(), o, "programs/hello", nil); err == nil || !strings.Contains(err.Error(), "example.com/unused") {
		t.Errorf("a module that the program does not link: %v", err)
	}
}
