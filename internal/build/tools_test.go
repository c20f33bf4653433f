package build

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
)

// Each generator is built once, even by several Tools. A damaged generator is built again. A
// generator that fails or does not build reports it and does not affect the others.
func TestTools(t *testing.T) {
	builds(t)
	o, steps := options(t)
	source := stub(t)
	source["unbuilt/main.go"] = source["plugin/main.go"]
	source["unbuilt/more.go"] = &fstest.MapFile{Data: []byte("package main\n\nvar x int = \"\"\n")}
	o.Source = source
	var tools *Tools
	generate := func(plugins ...contender.Plugin) ([]contender.File, error) {
		return tools.Generate(t.Context(), "fake", contender.Output{
			Files: []contender.File{{Name: "tick.go", Data: []byte("package tick\n")}}, Plugins: plugins,
		})
	}
	open := func() {
		var err error
		if tools, err = NewTools(o); err != nil {
			t.Fatal(err)
		}
	}
	made := func() {
		t.Helper()
		got, err := generate(contender.Plugin{Tool: "assay/plugin", Request: []byte("package  tick\nvar asked int\n")})
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
	}
	took := func(want ...Step) {
		t.Helper()
		if diff := cmp.Diff(want, steps()); diff != "" {
			t.Errorf("steps (-want +got):\n%s", diff)
		}
	}

	open()
	if _, err := generate(); err != nil {
		t.Fatal(err)
	}
	took() // without a generator nothing is written or run
	if err := tools.Build(t.Context(), "assay/plugin", "assay/unbuilt", "assay/broken"); err != nil {
		t.Fatal(err)
	}
	took(Copying, Tooling)
	made()
	took()
	for tool, want := range map[string]string{
		"assay/unbuilt": "fake: building unbuilt: unbuilt/more.go:",
		"assay/broken":  "fake: running broken: broken: cannot read the request",
	} {
		if _, err := generate(contender.Plugin{Tool: tool}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error = %v, want %s", tool, err, want)
		}
	}

	open()
	made()
	took(Copying)
	file := tools.built["assay/plugin"].file
	if err := os.WriteFile(file, []byte("damaged"), 0o700); err != nil {
		t.Fatal(err)
	}
	open()
	made()
	took(Copying, Tooling)
}

// Source changes if a file of the generators changes, and stays the same if a measured file
// does.
func TestToolsSource(t *testing.T) {
	name := func(file string) string {
		t.Helper()
		o := Options{Source: stub(t)}
		if file != "" {
			source := stub(t)
			source[file] = source["go.sum"]
			o.Source = source
		}
		tools, err := NewTools(o)
		if err != nil {
			t.Fatal(err)
		}
		return tools.Source()
	}
	for file, same := range map[string]bool{
		"contenders/good/emit.go": false, "schema/schema.go": false, "go.mod": false,
		"bench/more.go": true, "workload/tick/more.go": true, "contenders/good/gen/tick/more.go": true,
	} {
		if (name(file) == name("")) != same {
			t.Errorf("with another %s the name is the same: %t, want %t", file, !same, same)
		}
	}
}
