package build

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
)

// emitter is a contender that emits the output, or fails with the error.
func emitter(out contender.Output, err error) *contender.Contender {
	return &contender.Contender{
		Name: "fake",
		Emit: func(contender.Request) (contender.Output, error) { return out, err },
	}
}

func TestGenerate(t *testing.T) {
	c := emitter(contender.Output{Files: []contender.File{
		{Name: "tick.go", Data: []byte("package  tick\nvar a=1")},
		{Name: "schema.fake", Data: []byte("as  it is")},
	}}, nil)
	got, err := packageOf(t, c)
	if err != nil {
		t.Fatal(err)
	}
	want := []contender.File{
		{Name: "schema.fake", Data: []byte("as  it is")},
		{Name: "tick.go", Data: []byte("package tick\n\nvar a = 1\n")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestGeneratePlugin(t *testing.T) {
	builds(t)
	c := emitter(contender.Output{
		Files:   []contender.File{{Name: "tick.go", Data: []byte("package tick\n")}},
		Plugins: []contender.Plugin{{Tool: "assay/plugin", Request: []byte("package  tick\nvar asked int\n")}},
	}, nil)
	got, err := packageOf(t, c)
	if err != nil {
		t.Fatal(err)
	}
	want := []contender.File{
		{Name: "made.pb.go", Data: []byte("package tick\n\nvar asked int\n")},
		{Name: "tick.go", Data: []byte("package tick\n")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	c = emitter(contender.Output{Plugins: []contender.Plugin{{Tool: "assay/broken"}}}, nil)
	_, err = packageOf(t, c)
	if want := "fake: running broken: broken: cannot read the request"; err == nil || err.Error() != want {
		t.Errorf("error = %v, want %s", err, want)
	}
}

// packageOf returns the package of a contender, made with the tools of the stub.
func packageOf(t *testing.T, c *contender.Contender) ([]contender.File, error) {
	t.Helper()
	o, _ := options(t)
	tools, err := NewTools(o)
	if err != nil {
		t.Fatal(err)
	}
	return tools.Package(t.Context(), c, contender.Request{})
}

func TestGenerateErrors(t *testing.T) {
	unsupported := &contender.Unsupported{Field: "Tick.at", Reason: "has no times"}
	_, err := packageOf(t, emitter(contender.Output{}, unsupported))
	if got := (*contender.Unsupported)(nil); !errors.As(err, &got) || got != unsupported {
		t.Errorf("error = %v, want the emitter's in its chain", err)
	}
	tests := []struct {
		name  string
		files []contender.File
		want  string
	}{
		{"not Go", []contender.File{{Name: "a.go", Data: []byte("package a\nfunc {")}}, "fake: generated file a.go is not Go: 2:6: expected 'IDENT'"},
		{"outside", []contender.File{{Name: "../b.go"}}, `fake: generated file "../b.go" is no path within the package`},
		{"no name", []contender.File{{Name: ""}}, `fake: generated file "" is no path within the package`},
		{"twice", []contender.File{{Name: "a.txt"}, {Name: "a.txt"}}, "fake: two generated files are named a.txt"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := packageOf(t, emitter(contender.Output{Files: test.files}, nil))
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("error = %v, want %s", err, test.want)
			}
		})
	}
}
