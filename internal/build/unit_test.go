package build

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/contender"
	"assay/internal/cachedir"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMainSource(t *testing.T) {
	spec := Spec{
		Contenders: []Contender{
			{Name: "msgp", Dir: "msgp", Workloads: []string{"tick", "chain"}},
			{Name: "encoding/json", Dir: "encodingjson", Workloads: []string{"tick"}},
		},
		Workloads: []string{"movie"},
	}
	got, err := mainSource(spec.normal())
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "main.go.golden")
	if *update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("main.go (-want +got):\n%s", diff)
	}
}

// With codecs, the main package differs only in what it passes to package bench.
func TestMainSourceWithCodecs(t *testing.T) {
	spec := Spec{Contenders: []Contender{{Name: "msgp", Dir: "msgp", Workloads: []string{"tick"}}}}
	plain, err := mainSource(spec.normal())
	if err != nil {
		t.Fatal(err)
	}
	spec.Codecs = true
	got, err := mainSource(spec.normal())
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer(
		"bench.Main(bench.Program{", "bench.Main(compress.Program(bench.Program{", "\t})\n}\n", "\t}))\n}\n",
		"\t\"assay/bench\"\n", "\t\"assay/bench\"\n\tcompress \"assay/bench/compress\"\n",
	).Replace(string(plain))
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("main.go (-want +got):\n%s", diff)
	}
	if rest := spec.without(map[string]Failure{"other": {Workloads: []string{"tick"}}}); !rest.Codecs {
		t.Error("a contender that does not build takes the codecs along")
	}
	if got := packages(spec.normal()); !slices.Contains(got, "assay/bench/compress") {
		t.Errorf("the packages that link libraries are %v", got)
	}
}

// With streams, the main package passes only the streams of its contenders to package bench.
func TestMainSourceWithStreams(t *testing.T) {
	spec := Spec{Contenders: []Contender{{Name: "msgp", Dir: "msgp", Workloads: []string{"chain"}}}}
	plain, err := mainSource(spec.normal())
	if err != nil {
		t.Fatal(err)
	}
	spec.Streams = true
	got, err := mainSource(spec.normal())
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("Bindings: slices", "Streams: slices", ".Bindings,", ".Streams,").Replace(string(plain))
	format := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	if diff := cmp.Diff(format(want), format(string(got))); diff != "" {
		t.Errorf("main.go (-want +got):\n%s", diff)
	}
	if rest := spec.without(map[string]Failure{"other": {Workloads: []string{"chain"}}}); !rest.Streams {
		t.Error("a contender that does not build takes the streams along")
	}
	if alone := spec.alone(spec.Contenders[0]); !alone.Streams {
		t.Error("a contender that is tried alone is linked without its streams")
	}
}

func TestReason(t *testing.T) {
	dir := filepath.FromSlash("/home/someone/cache/src/0123")
	tests := []struct {
		name, out string
		causes    map[string]string
		want      string
	}{{
		name: "compiler",
		out:  "# assay/contenders/a/gen/tick\ncontenders/a/gen/tick/t.go:3:1: one\ncontenders/a/gen/tick/t.go:4:1: two\n\ttwo goes on\ncontenders/a/gen/tick/t.go:5:1: three\n",
		want: "contenders/a/gen/tick/t.go:3:1: one\ncontenders/a/gen/tick/t.go:4:1: two\ntwo goes on",
	}, {
		name: "absolute paths",
		out:  dir + string(filepath.Separator) + "go.mod:3: unknown directive\n",
		want: "go.mod:3: unknown directive",
	}, {
		name: "download of an imported package",
		out:  "go: downloading example.com/x v1.0.0\ncontenders/x/gen/tick/t.go:3:8: example.com/x@v1.0.0: Get \"https://proxy.example/x\": dial tcp: lookup proxy.example: no such host\n",
		want: "module example.com/x@v1.0.0 is not in the module cache and could not be fetched: Get \"https://proxy.example/x\": dial tcp: lookup proxy.example: no such host",
	}, {
		name: "download of a go.mod file",
		out:  "go: example.com/x@v1.0.0: verifying go.mod: checksum mismatch\n\tdownloaded: h1:a\n\tgo.sum: h1:b\n",
		want: "module example.com/x@v1.0.0 is not in the module cache and could not be fetched: verifying go.mod: checksum mismatch",
	}, {
		name: "a module that refuses the toolchain",
		out:  "go: example.com/x@v1.0.0: module example.com/x@v1.0.0 requires go >= 1.30.0 (running go 1.26.8)\n",
		want: "go: example.com/x@v1.0.0: module example.com/x@v1.0.0 requires go >= 1.30.0 (running go 1.26.8)",
	}, {
		name:   "cause known from before",
		out:    "t.go:3:8: example.com/x@v1.0.0: module lookup disabled by GOPROXY=off\n",
		causes: map[string]string{"example.com/x@v1.0.0": "i/o timeout"},
		want:   "module example.com/x@v1.0.0 is not in the module cache and could not be fetched: i/o timeout",
	}, {
		name: "no proxy, which does not name the module",
		out:  "go: downloading example.com/x v1.0.0\nt.go:3:8: module lookup disabled by GOPROXY=off\n",
		want: "module example.com/x@v1.0.0 is not in the module cache and could not be fetched: module lookup disabled by GOPROXY=off",
	}, {
		name: "go.sum",
		out:  "t.go:4:2: missing go.sum entry for module providing package example.com/x (imported by assay/y); to add:\n\tgo get assay/y\n",
		want: "t.go:4:2: missing go.sum entry for module providing package example.com/x (imported by assay/y)",
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := &goError{out: test.out, dir: dir}
			if diff := cmp.Diff(test.want, e.reason(test.causes)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadSource(t *testing.T) {
	var names []string
	files, err := readSource(stub(t), []contender.File{
		{Name: "workload/own/own.go", Data: []byte("package own\n")},
		{Name: "go.mod", Data: []byte("module assay\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name, "go.") || strings.HasPrefix(f.Name, "workload/") {
			names = append(names, f.Name)
		}
		if f.Name == "go.mod" && string(f.Data) != "module assay\n" {
			t.Errorf("go.mod was not replaced: %s", f.Data)
		}
		if strings.Contains(f.Name, "testdata") {
			t.Errorf("%s is part of the source", f.Name)
		}
	}
	want := []string{"go.mod", "go.sum", "workload/chain/chain.go", "workload/own/own.go", "workload/tick/tick.go", "workload/workload.go"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	changed := slices.Clone(files)
	changed[0].Data = append([]byte("// changed\n"), changed[0].Data...)
	if hashSource(files) == hashSource(changed) {
		t.Error("a changed file does not change the hash")
	}
}

func TestSourceIsMended(t *testing.T) {
	e := cachedir.In(t.TempDir()).Entry(cachedir.Sources, strings.Repeat("0", 20))
	files := []contender.File{{Name: "a/a.go", Data: []byte("package a\n")}, {Name: "b.go", Data: []byte("package b\n")}}
	if err := writeSource(e, files); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	a, b := e.Path("a", "a.go"), e.Path("b.go")
	if err := os.Chtimes(b, old, old); err != nil {
		t.Fatal(err)
	}
	for _, damaged := range []string{"pack", "package b\n", ""} {
		if err := os.WriteFile(a, []byte(damaged), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := writeSource(e, files); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(a); string(data) != "package a\n" {
			t.Errorf("damaged file holds %q, %v", data, err)
		}
	}
	if info, err := os.Stat(b); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("a file that was right was written again (%v)", err)
	}
}

// A stranger's file in the source is an error, because it would be compiled into runners.
func TestSourceStrangers(t *testing.T) {
	e := cachedir.In(t.TempDir()).Entry(cachedir.Sources, strings.Repeat("0", 20))
	files := []contender.File{{Name: "a/a.go", Data: []byte("package a\n")}}
	if err := writeSource(e, files); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"runner/0/main.go", "a/.new-1", ".hidden/x.go"} {
		put(t, e.Path(filepath.FromSlash(name)), "x")
	}
	if err := writeSource(e, files); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a/b.go", "b/b.go", "go.work"} {
		name = e.Path(filepath.FromSlash(name))
		put(t, name, "package a\n")
		err := writeSource(e, files)
		if err == nil || !strings.Contains(err.Error(), name+" is left alone: assay did not write it") {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.Remove(name); err != nil {
			t.Error(err)
		}
	}
}

// So is one beside the main package of a runner.
func TestMainStrangers(t *testing.T) {
	m := starting(Options{Cache: cachedir.In(t.TempDir())})
	m.source = m.cache.Entry(cachedir.Sources, strings.Repeat("0", 20))
	spec := Spec{Contenders: contenders("good:tick")}.normal()
	const pkg = mainDir + "/1"
	in := func(name string) string { return m.source.Path(filepath.FromSlash(pkg), name) }
	for range 2 {
		if err := m.writeMain(pkg, spec); err != nil {
			t.Fatal(err)
		}
		put(t, m.source.Path(mainDir, "2", "main.go"), "package main\n")
		put(t, in(".new-1"), "x")
	}
	put(t, in("init.go"), "package main\n\nfunc init() { panic(1) }\n")
	if err := m.writeMain(pkg, spec); err == nil || !strings.Contains(err.Error(), in("init.go")+" is left alone: assay did not write it") {
		t.Errorf("error = %v", err)
	}
	if _, err := os.Stat(in("init.go")); err != nil {
		t.Error(err)
	}
}

// List counts the layouts of each runner, and reads no label through a link.
func TestListLabels(t *testing.T) {
	cache := cachedir.In(t.TempDir())
	other := filepath.Join(t.TempDir(), "other")
	put(t, other, "precious")
	long := time.Now().Add(-time.Hour)
	want := []Kept{
		{Key: strings.Repeat("1", 20), Layouts: 2},
		{Key: strings.Repeat("2", 20), Own: true, Variant: "go1.25.3", Layouts: 1},
	}
	for i, k := range want {
		e := cache.Entry(cachedir.Programs.Of(k.Own), k.Key)
		for _, name := range []string{"layout-0", "layout-7"}[:k.Layouts] {
			if err := errors.Join(e.WriteFile(name, []byte("12345")), e.WriteFile(sumFile(name), nil)); err != nil {
				t.Fatal(err)
			}
		}
		if k.Variant != "" {
			if err := e.WriteFile(labelFile, []byte(k.Variant+"\n")); err != nil {
				t.Fatal(err)
			}
		} else if err := os.Symlink(other, e.Path(labelFile)); err != nil {
			t.Skip(err)
		}
		used := long.Add(-time.Duration(i) * time.Minute)
		if err := os.Chtimes(e.Path(), used, used); err != nil {
			t.Fatal(err)
		}
	}
	got, err := List(cache)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Kept{}, "Used", "Size")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestModuleVersions(t *testing.T) {
	got, err := ModuleVersions([]byte(`module assay

go 1.26.0

require (
	example.com/a v1.2.3 // indirect
	example.com/b v0.1.0
	example.com/c v2.0.0+incompatible
)

replace example.com/b => example.com/fork v0.1.1

replace example.com/c v1.9.9 => example.com/other v1.0.0
`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"example.com/a": "v1.2.3", "example.com/b": "v0.1.1", "example.com/c": "v2.0.0+incompatible"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := ModuleVersions([]byte("require {")); err == nil {
		t.Error("a broken go.mod gave no error")
	}
}
