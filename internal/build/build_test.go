package build

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/internal/cachedir"
)

// stub returns testdata/stub, a module with the structure of this one that is small enough to
// build quickly. Its bench.Main prints what is linked.
func stub(t *testing.T) fstest.MapFS {
	t.Helper()
	fsys := fstest.MapFS{}
	dir := os.DirFS(filepath.Join("testdata", "stub"))
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(dir, name)
		fsys[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fsys
}

// options returns options for the stub, with the test's own cache and no network, and a
// function that returns the steps taken since its previous call.
func options(t *testing.T) (Options, func() []Step) {
	t.Helper()
	var steps []Step
	o := Options{
		Source: stub(t),
		Cache:  cachedir.In(t.TempDir()),
		Env:    []string{"GOPROXY=off", "GOFLAGS=-mod=mod"},
		Progress: func(e Event) {
			if e.Step != Compiled { // their number depends on the go command's cache
				steps = append(steps, e.Step)
			}
		},
	}
	return o, func() []Step { s := steps; steps = nil; return s }
}

func contenders(specs ...string) []Contender {
	var list []Contender
	for _, s := range specs {
		name, workloads, _ := strings.Cut(s, ":")
		list = append(list, Contender{Name: name, Dir: name, Workloads: strings.Split(workloads, ",")})
	}
	return list
}

// output runs a layout and returns what it prints.
func output(t *testing.T, r *Runner, layout uint64, args ...string) string {
	t.Helper()
	out, err := exec.Command(r.Path(layout), args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func builds(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the go command")
	}
}

func TestMake(t *testing.T) {
	builds(t)
	o, steps := options(t)
	spec := Spec{Contenders: contenders("good:tick,chain")}
	huge := uint64(1)<<63 + 5 // the linker's flag is signed
	r, err := Make(t.Context(), o, spec, []uint64{0, 7, huge, 7})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Step{Copying, Compiling, Relinking, Relinking}, steps()); diff != "" {
		t.Errorf("steps of the first Make (-want +got):\n%s", diff)
	}
	const want = "workload chain\nworkload tick\nbinding good chain\nbinding good tick\n"
	places := map[string]bool{}
	for _, layout := range []uint64{0, 7, huge} {
		if diff := cmp.Diff(want, output(t, r, layout)); diff != "" {
			t.Errorf("layout %d (-want +got):\n%s", layout, diff)
		}
		places[output(t, r, layout, "where")] = true
	}
	if len(places) != 3 {
		t.Errorf("3 layouts have their functions in %d places", len(places))
	}
	if len(r.Failed) != 0 {
		t.Errorf("Failed = %v, want none", r.Failed)
	}
	if r.Build.Key != r.Key || !strings.HasPrefix(r.Build.Go, "go1.") || r.Build.GOFLAGS != "-mod=mod" {
		t.Errorf("Build = %+v", r.Build)
	}

	// An equivalent request builds nothing.
	spec = Spec{Contenders: contenders("good:chain,tick"), Workloads: []string{"tick"}}
	again, err := Make(t.Context(), o, spec, []uint64{7, 0})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Step{Copying, FromCache}, steps()); diff != "" {
		t.Errorf("steps of the second Make (-want +got):\n%s", diff)
	}
	if again.Key != r.Key {
		t.Errorf("key %s became %s", r.Key, again.Key)
	}

	// One more layout is one more link.
	if _, err := Make(t.Context(), o, spec, []uint64{0, 7, 9}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Step{Copying, Compiling}, steps()); diff != "" {
		t.Errorf("steps for one more layout (-want +got):\n%s", diff)
	}

	entries, err := List(o.Cache)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Key != r.Key || entries[0].Layouts != 4 || entries[0].Size < 1<<20 {
		t.Errorf("List = %+v, want one entry of 4 layouts", entries)
	}
	freed, err := o.Cache.Clean(false)
	if err != nil || freed.Bytes < entries[0].Size || len(freed.Left) > 0 {
		t.Errorf("Clean = %+v, %v; want at least %d bytes and nothing left", freed, err, entries[0].Size)
	}
	if entries, err := List(o.Cache); len(entries) != 0 || err != nil {
		t.Errorf("List after Clean = %v, %v", entries, err)
	}
}

func TestMakeDropsWhatDoesNotBuild(t *testing.T) {
	builds(t)
	o, steps := options(t)
	spec := Spec{Contenders: contenders("good:tick", "bad:tick", "half:tick,chain", "absent:tick")}
	r, err := Make(t.Context(), o, spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = "workload tick\nbinding good tick\nbinding half tick\n" // chain builds for no contender
	if diff := cmp.Diff(want, output(t, r, 0)); diff != "" {
		t.Errorf("what is linked (-want +got):\n%s", diff)
	}
	wantFailed := map[string]Failure{
		"bad": {
			Workloads: []string{"tick"},
			Reason: `contenders/bad/gen/tick/tick.go:8:10: cannot use "one" (untyped string constant) as int value in variable declaration
contenders/bad/gen/tick/tick.go:9:10: cannot use "two" (untyped string constant) as int value in variable declaration
contenders/bad/gen/tick/tick.go:10:10: cannot use "three" (untyped string constant) as int value in variable declaration`,
		},
		"half": {
			Workloads: []string{"chain"},
			Reason:    `contenders/half/gen/chain/chain.go:5:62: cannot use 1 (untyped int constant) as string value in struct literal`,
		},
		"absent": {
			Workloads: []string{"tick"},
			Reason:    `module example.com/absent@v1.2.3 is not in the module cache and could not be fetched: module lookup disabled by GOPROXY=off`,
			Fetch:     true,
		},
	}
	if diff := cmp.Diff(wantFailed, r.Failed); diff != "" {
		t.Errorf("Failed (-want +got):\n%s", diff)
	}
	if s := steps(); !slices.Contains(s, Searching) {
		t.Errorf("steps = %v, want a search", s)
	}
}

func TestMakeRemembersFailures(t *testing.T) {
	builds(t)
	o, steps := options(t)
	spec := Spec{Contenders: contenders("good:tick", "unlinkable:tick")}
	var runners []*Runner
	for range 2 {
		r, err := Make(t.Context(), o, spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		runners = append(runners, r)
	}
	failed := runners[0].Failed["unlinkable"]
	if !strings.Contains(failed.Reason, "noSuchFunction") {
		t.Errorf("Failed = %+v, want the linker's message", runners[0].Failed)
	}
	if diff := cmp.Diff(runners[0].Failed, runners[1].Failed); diff != "" {
		t.Errorf("second Make differs (-first +second):\n%s", diff)
	}
	want := []Step{Copying, Compiling, Searching, Searching, Searching, Searching, Compiling, Copying, FromCache}
	if diff := cmp.Diff(want, steps()); diff != "" {
		t.Errorf("steps of two Makes (-want +got):\n%s", diff)
	}
}

// Failures that may not occur again are not remembered.
func TestPassingFailures(t *testing.T) {
	for reason, want := range map[string]bool{
		"a.go:1:1: undefined: x":                              false,
		"# pkg\n/usr/lib/go/pkg/tool/compile: signal: killed": true,
		"fatal error: runtime: out of memory":                 true,
		"fork/exec compile: permission denied":                true, // remembered by earlier versions
	} {
		if got := (Failure{Reason: reason}).passing(); got != want {
			t.Errorf("%q: %v", reason, got)
		}
	}
	if !(Failure{Reason: "not fetched", Fetch: true}).passing() {
		t.Error("a module that could not be fetched is remembered")
	}
}

func TestMakeExtra(t *testing.T) {
	builds(t)
	o, _ := options(t)
	o.Extra = []contender.File{{
		Name: "contenders/bad/gen/tick/tick.go",
		Data: []byte("package tick\n\nimport \"assay/bench\"\n\nvar Bindings = []bench.Binding{{Contender: \"mended\"}}\n"),
	}}
	r, err := Make(t.Context(), o, Spec{Contenders: contenders("bad:tick")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := output(t, r, 0); !strings.Contains(got, "mended") {
		t.Errorf("output = %q, want the added file's", got)
	}
}

func TestMakeErrors(t *testing.T) {
	builds(t)
	tests := []struct {
		name   string
		spec   string
		change func(*testing.T, *Options)
		want   string
	}{{
		name: "nothing builds",
		spec: "bad:tick",
		want: "no contender could be built; bad: contenders/bad/gen/tick/tick.go:8:10: cannot use",
	}, {
		name: "nothing can be fetched",
		spec: "absent:tick",
		want: "no contender could be built; absent: module example.com/absent@v1.2.3 is not in the module cache and could not be fetched: module lookup disabled by GOPROXY=off",
	}, {
		name: "go is not on PATH",
		spec: "good:tick",
		change: func(t *testing.T, _ *Options) {
			t.Setenv("PATH", t.TempDir())
		},
		want: "the go command is not on PATH; install Go 1.26 or newer from go.dev, or name it with --go",
	}, {
		name: "go is not a program",
		spec: "good:tick",
		change: func(_ *testing.T, o *Options) {
			o.Go = "no-such-go"
		},
		want: "no-such-go is not a go command that can be run; give --go a release such as go1.25.0, or the path of the go command of Go 1.25 or newer",
	}, {
		name: "go is too old",
		spec: "good:tick",
		change: func(_ *testing.T, o *Options) {
			o.Source.(fstest.MapFS)["go.mod"] = &fstest.MapFile{Data: []byte("module assay\n\ngo 1.999.0\n")}
			o.Env = append(o.Env, "GOTOOLCHAIN=local")
		},
		want: "go.mod requires go >= 1.999.0",
	}, {
		name: "extra file outside of the module",
		spec: "good:tick",
		change: func(_ *testing.T, o *Options) {
			o.Extra = []contender.File{{Name: "../escape.go"}}
		},
		want: `file "../escape.go" of the generated source is not a path within the module`,
	}, {
		name: "no contenders",
		want: "no contenders to build a runner of",
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o, _ := options(t)
			if test.change != nil {
				test.change(t, &o)
			}
			var spec Spec
			if test.spec != "" {
				spec.Contenders = contenders(test.spec)
			}
			_, err := Make(t.Context(), o, spec, nil)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error = %v\nwant ... %s ...", err, test.want)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q has several lines", err)
			}
			if strings.Contains(err.Error(), o.Cache.Path()) {
				t.Errorf("error %q names the cache's directory", err)
			}
		})
	}
}

func TestMakeCancelled(t *testing.T) {
	builds(t)
	o, _ := options(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped by the test")
	o.Progress = func(e Event) {
		if e.Step == Compiling {
			cancel(stopped)
		}
	}
	_, err := Make(ctx, o, Spec{Contenders: contenders("good:tick")}, []uint64{0, 1, 2})
	if !errors.Is(err, stopped) {
		t.Errorf("error = %v, want %v", err, stopped)
	}
	if left, _ := filepath.Glob(filepath.Join(o.Cache.Path(), "bin", "*", "*")); len(left) != 0 {
		t.Errorf("left in the cache: %v", left)
	}
}

// Two concurrent Makes of one runner must both succeed and leave a whole cache.
func TestMakeTwice(t *testing.T) {
	builds(t)
	o, _ := options(t)
	o.Progress = nil
	errs := make(chan error)
	for range 2 {
		go func() {
			r, err := Make(t.Context(), o, Spec{Contenders: contenders("good:tick", "bad:tick")}, []uint64{0, 1})
			if err == nil && len(r.Failed) != 1 {
				err = errors.New("the failure is not reported")
			}
			errs <- err
		}()
	}
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}
