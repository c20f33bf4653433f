package codegen

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/internal/build"
	"assay/internal/cachedir"
	"assay/result"
	"assay/schema"
	"assay/workload"
)

// fake returns a contender that writes one file, and a counter of the requests to its emitter.
func fake(name string, plugins ...contender.Plugin) (*contender.Contender, *int) {
	asked := new(int)
	return &contender.Contender{Name: name, Emit: func(r contender.Request) (contender.Output, error) {
		*asked++
		return contender.Output{
			Files:   []contender.File{{Name: "types.go", Data: []byte("package " + r.Schema.Name + "\n\n// " + strings.Join(r.Schema.Roots, " ") + "\n")}},
			Plugins: plugins,
		}, nil
	}}, asked
}

func failing(name string, err error) *contender.Contender {
	return &contender.Contender{Name: name, Emit: func(contender.Request) (contender.Output, error) { return contender.Output{}, err }}
}

func ticks() *workload.Workload {
	one := func(name string) *schema.Message {
		return &schema.Message{Name: name, Fields: []*schema.Field{{Name: "at", Number: 1, Type: schema.Type{Kind: schema.Int64}}}}
	}
	return &workload.Workload{
		Name: "tick", Schema: &schema.Schema{Name: "tick", Roots: []string{"A", "B"}, Messages: []*schema.Message{one("A"), one("B")}},
		Sizes: []workload.Size{{Key: "of=a", Root: "A"}, {Key: "of=b", Root: "B"}, {Key: "of=aa", Root: "A"}},
	}
}

// module returns a source that consists of go.mod and go.sum.
func module() fstest.MapFS {
	return fstest.MapFS{"go.mod": {Data: []byte("module assay\n\ngo 1.26\n")}, "go.sum": {}}
}

func TestForCases(t *testing.T) {
	other := &workload.Workload{Name: "other"}
	var got []string
	for _, target := range ForCases([]*workload.Workload{other, ticks()}, []result.Case{
		{Workload: "tick", Size: "of=b", Contender: "x"}, {Workload: "tick", Size: "of=b", Contender: "y"}, {Workload: "gone", Size: "of=a"}, {Workload: "tick", Size: "gone"},
	}) {
		got = append(got, target.Schema.Name+" "+strings.Join(target.Schema.Roots, ","))
	}
	if diff := cmp.Diff([]string{"tick B"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Generated packages are kept under a key of all inputs. A package that cannot be generated
// affects only its own contender.
func TestGenerate(t *testing.T) {
	x, asked := fake("x")
	all := []*contender.Contender{
		x, failing("no", &contender.Unsupported{Field: "A.at", Reason: "no numbers"}), failing("bad", errors.New("broken")),
	}
	o := build.Options{Source: module(), Cache: cachedir.In(t.TempDir())}
	load := ticks()
	generate := func(own bool, salt string, roots ...string) *Packages {
		t.Helper()
		target := Of(load, roots)
		target.Own = own
		target.Salt = func(*contender.Contender) string { return salt }
		p, err := Generate(t.Context(), o, []Target{target}, all)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	want := &Packages{
		Files:      []contender.File{{Name: "contenders/x/gen/tick/types.go", Data: []byte("package tick\n\n// B\n")}},
		Contenders: []build.Contender{{Name: "x", Dir: "x", Workloads: []string{"tick"}}},
		LeftOut: []LeftOut{
			{"no", "tick", Reason{result.Unsupported, "A.at: no numbers"}},
			{"bad", "tick", Reason{result.BuildFailed, "its code could not be generated: broken"}},
		},
	}
	for range 2 {
		if diff := cmp.Diff(want, generate(false, "", "B")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if *asked != 1 {
		t.Errorf("the emitter was asked %d times, want once", *asked)
	}
	changed := module()
	changed["contenders/x/emit.go"] = &fstest.MapFile{Data: []byte("package x\n")}
	for i, again := range []func(){
		func() { generate(false, "", "A", "B") },
		func() { generate(true, "", "B") },
		func() { generate(false, "salted", "B") },
		func() { o.Source = changed; generate(false, "", "B") },
		func() { // a root that is not wanted; emitters also see the whole schema
			load = ticks()
			load.Schema.Messages[0].Fields[0].Type.Kind = schema.Float64
			generate(false, "", "B")
		},
	} {
		if again(); *asked != i+2 {
			t.Errorf("change %d: the emitter was asked %d times, want %d", i, *asked, i+2)
		}
	}
	if _, err := os.Stat(filepath.Join(o.Cache.Path(), "user", "generated")); err != nil {
		t.Errorf("code for a user's own schema is not kept with their data: %v", err)
	}
}

// A contender whose generator fails is missing from the runner, and Failed has the generator's
// message. The runner does not link the contender's package in the source instead.
func TestMake(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	stub := os.DirFS(filepath.Join("..", "build", "testdata", "stub"))
	good := &contender.Contender{Name: "good", Emit: func(r contender.Request) (contender.Output, error) {
		return contender.Output{Files: []contender.File{{Name: "made.go", Data: []byte(`package tick

import "assay/bench"

var Bindings = []bench.Binding{{Contender: "made"}}
`)}}}, nil
	}}
	broken, _ := fake("bad", contender.Plugin{Tool: "assay/broken"})
	o := build.Options{Source: stub, Cache: cachedir.In(t.TempDir()), Env: []string{"GOPROXY=off", "GOFLAGS=-mod=mod"}}
	r, err := Make(t.Context(), o, []Target{Of(ticks(), []string{"A"})}, []*contender.Contender{good, broken}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]build.Failure{"bad": {
		Workloads: []string{"tick"}, Reason: "its code could not be generated: bad: running broken: broken: cannot read the request",
	}}
	if diff := cmp.Diff(want, r.Failed); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(r.Source, "contenders", "good", "gen", "tick", "tick.go")); err == nil {
		t.Error("a package of the source is beside the one that was generated")
	}
	if _, err := os.Stat(filepath.Join(r.Source, "contenders", "good", "gen", "tick", "made.go")); err != nil {
		t.Error(err)
	}

	_, err = Make(t.Context(), o, []Target{Of(ticks(), []string{"A"})}, []*contender.Contender{broken}, false, nil)
	if want := "no contender could be built; bad: its code could not be generated: bad: running broken: broken: cannot read the request"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	o.Variant = build.Variant{Go: "go1.26.x"}
	if _, err = Make(t.Context(), o, nil, []*contender.Contender{good}, false, nil); err == nil || !strings.Contains(err.Error(), "names no one release") {
		t.Errorf("error %v, want one about the variant", err)
	}
}
