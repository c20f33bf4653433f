package build

import (
	"archive/zip"
	"bytes"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/dirhash"

	"assay/result"
)

// modules are the content of the tests' module proxy, by module@version and file name.
var modules = map[string]map[string]string{
	"example.com/base@v1.0.0": {
		"go.mod":  "module example.com/base\n\ngo 1.21\n",
		"base.go": "package base\n\nconst Name = \"base-1.0\"\n",
	},
	"example.com/base@v1.1.0": {
		"go.mod":  "module example.com/base\n\ngo 1.21\n",
		"base.go": "package base\n\nconst Name = \"base-1.1\"\n",
	},
	"example.com/tiny@v1.0.0": {
		"go.mod":  "module example.com/tiny\n\ngo 1.21\n\nrequire example.com/base v1.0.0\n",
		"tiny.go": "package tiny\n\nimport \"example.com/base\"\n\nconst Name = \"tiny-1.0 \" + base.Name\n",
	},
	"example.com/tiny@v1.1.0": {
		"go.mod":         "module example.com/tiny\n\ngo 1.21\n\nrequire example.com/base v1.1.0\n",
		"tiny.go":        "package tiny\n\nimport \"example.com/base\"\n\nconst Name = \"tiny-1.1 \" + base.Name\n\nconst Since = \"1.1\"\n",
		"extra/extra.go": "package extra\n\nconst Name = \"extra\"\n",
	},
	"example.com/needy@v1.0.0": {
		"go.mod":   "module example.com/needy\n\ngo 1.21\n\nrequire example.com/base v1.1.0\n",
		"needy.go": "package needy\n\nimport \"example.com/base\"\n\nconst Name = \"needy \" + base.Name\n",
	},
	"example.com/newest@v1.0.0": {
		"go.mod":    "module example.com/newest\n\ngo 1.999.0\n",
		"newest.go": "package newest\n",
	},
	"example.com/unused@v1.0.0": {
		"go.mod":    "module example.com/unused\n\ngo 1.21\n",
		"unused.go": "package unused\n",
	},
}

// proxy writes the modules as a file system proxy for the go command, and returns its
// directory.
func proxy(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	lists := map[string]string{}
	for at, files := range modules {
		p, version, _ := strings.Cut(at, "@")
		lists[p] += version + "\n"
		base := filepath.Join(dir, filepath.FromSlash(p), "@v", version)
		put(t, base+".info", `{"Version":"`+version+`","Time":"2024-01-01T00:00:00Z"}`)
		put(t, base+".mod", files["go.mod"])
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			w, err := z.Create(at + "/" + name)
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(w, files[name])
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		put(t, base+".zip", b.String())
	}
	for p, list := range lists {
		put(t, filepath.Join(dir, filepath.FromSlash(p), "@v", "list"), list)
	}
	return dir
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// sums returns the lines of go.sum for modules of the proxy.
func sums(t *testing.T, dir string, ats ...string) string {
	t.Helper()
	var b strings.Builder
	for _, at := range ats {
		p, version, _ := strings.Cut(at, "@")
		base := filepath.Join(dir, filepath.FromSlash(p), "@v", version)
		zip, err := dirhash.HashZip(base+".zip", dirhash.Hash1)
		if err != nil {
			t.Fatal(err)
		}
		mod, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) { return os.Open(base + ".mod") })
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(p + " " + version + " " + zip + "\n" + p + " " + version + "/go.mod " + mod + "\n")
	}
	return b.String()
}

// versioned returns options for the stub with contenders that link the proxy's modules at the
// given versions. The proxy is the only source of modules.
func versioned(t *testing.T, ats ...string) (Options, func() []Step) {
	t.Helper()
	builds(t)
	dir := proxy(t)
	o, steps := options(t)
	o.Env = []string{
		"GOPROXY=file://" + filepath.ToSlash(dir), "GOSUMDB=off", "GOFLAGS=-modcacherw",
		"GOMODCACHE=" + t.TempDir(), "GOTOOLCHAIN=local",
	}
	source := o.Source.(fstest.MapFS)
	gomod := "module assay\n\ngo 1.26.0\n\nrequire (\n"
	for _, at := range ats {
		gomod += "\t" + strings.Replace(at, "@", " ", 1) + "\n"
	}
	add := func(name, data string) { source[name] = &fstest.MapFile{Data: []byte(data)} }
	add("go.mod", gomod+")\n")
	add("go.sum", sums(t, dir, ats...))
	contender := func(name, imp, expr string) {
		add("contenders/"+name+"/gen/tick/tick.go", "package tick\n\nimport (\n\t\"assay/bench\"\n\n\t\""+imp+"\"\n)\n\n"+
			"var Bindings = []bench.Binding{{Contender: \""+name+"\", Workload: "+expr+"}}\n")
	}
	contender("tiny", "example.com/tiny", "tiny.Name")
	contender("since", "example.com/tiny", "tiny.Since")
	contender("extra", "example.com/tiny/extra", "extra.Name")
	contender("needy", "example.com/needy", "needy.Name")
	contender("base", "example.com/base", "base.Name")
	return o, steps
}

func with(ats ...string) Variant {
	var v Variant
	for _, at := range ats {
		p, version, _ := strings.Cut(at, "@")
		v.With = append(v.With, ModuleVersion{p, version})
	}
	return v
}

func TestMakeWithVersion(t *testing.T) {
	o, steps := versioned(t, "example.com/base@v1.0.0", "example.com/tiny@v1.0.0", "example.com/unused@v1.0.0")
	spec := Spec{Contenders: contenders("tiny:tick", "base:tick")}
	ordinary, err := Make(t.Context(), o, spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := output(t, ordinary, 0), "workload tick\nbinding base base-1.0\nbinding tiny tiny-1.0 base-1.0\n"; got != want {
		t.Errorf("ordinary runner prints %q, want %q", got, want)
	}
	if diff := cmp.Diff(Variant{}, ordinary.Variant); diff != "" || ordinary.Changed != nil {
		t.Errorf("ordinary runner: changed %v, variant (-want +got):\n%s", ordinary.Changed, diff)
	}
	steps()

	o.Variant = with("example.com/tiny@latest")
	r, err := Make(t.Context(), o, spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := output(t, r, 0), "workload tick\nbinding base base-1.1\nbinding tiny tiny-1.1 base-1.1\n"; got != want {
		t.Errorf("runner prints %q, want %q", got, want)
	}
	if diff := cmp.Diff([]string{"example.com/base: v1.0.0 → v1.1.0"}, r.Changed); diff != "" {
		t.Errorf("Changed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(with("example.com/tiny@v1.1.0"), r.Variant); diff != "" {
		t.Errorf("Variant (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]result.Module{{Path: "example.com/base", Version: "v1.1.0"}, {Path: "example.com/tiny", Version: "v1.1.0"}}, r.Build.Modules); diff != "" {
		t.Errorf("Modules (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Step{Copying, Resolving, Compiling}, steps()); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}

	// The exact version makes the same runner, and nothing needs to be downloaded.
	o.Variant = r.Variant
	o.Env = append(o.Env, "GOPROXY=off")
	again, err := Make(t.Context(), o, spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Step{Copying, FromCache}, steps()); diff != "" {
		t.Errorf("steps of the second Make (-want +got):\n%s", diff)
	}
	if again.Key != r.Key || r.Key == ordinary.Key || !slices.Equal(again.Changed, r.Changed) {
		t.Errorf("keys %s, then %s, ordinary %s; Changed = %v", r.Key, again.Key, ordinary.Key, again.Changed)
	}
	entries, err := List(o.Cache)
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]string{}
	for _, e := range entries {
		labels[e.Key] = e.Variant
	}
	if diff := cmp.Diff(map[string]string{ordinary.Key: "", r.Key: "tiny@v1.1.0"}, labels); diff != "" {
		t.Errorf("labels of List (-want +got):\n%s", diff)
	}
}

// If an older version lacks what generated code uses, only the contenders that use it are
// missing.
func TestMakeWithOlderVersion(t *testing.T) {
	o, _ := versioned(t, "example.com/base@v1.1.0", "example.com/tiny@v1.1.0")
	o.Variant = with("example.com/tiny@v1.0.0")
	r, err := Make(t.Context(), o, Spec{Contenders: contenders("tiny:tick", "since:tick", "extra:tick", "base:tick")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := output(t, r, 0), "workload tick\nbinding base base-1.1\nbinding tiny tiny-1.0 base-1.1\n"; got != want {
		t.Errorf("runner prints %q, want %q", got, want)
	}
	for name, want := range map[string]string{"since": "undefined: tiny.Since", "extra": "example.com/tiny/extra"} {
		if got := r.Failed[name].Reason; !strings.Contains(got, want) {
			t.Errorf("%s failed because of %q, want ... %s ...", name, got, want)
		}
	}
	if len(r.Failed) != 2 || r.Changed != nil {
		t.Errorf("Failed = %v, Changed = %v", r.Failed, r.Changed)
	}
}

// If no version of a module agrees with the variant, the module is dropped and Changed says so.
func TestMakeWithoutModule(t *testing.T) {
	o, _ := versioned(t, "example.com/base@v1.1.0", "example.com/tiny@v1.1.0", "example.com/needy@v1.0.0")
	o.Variant = with("example.com/base@v1.0.0")
	r, err := Make(t.Context(), o, Spec{Contenders: contenders("needy:tick", "base:tick")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"example.com/needy: v1.0.0 → none that agrees"}, r.Changed); diff != "" {
		t.Errorf("Changed (-want +got):\n%s", diff)
	}
	if got := r.Failed["needy"].Reason; !strings.Contains(got, "example.com/needy") {
		t.Errorf("needy failed because of %q", got)
	}
	if got, want := output(t, r, 0), "workload tick\nbinding base base-1.0\n"; got != want {
		t.Errorf("runner prints %q, want %q", got, want)
	}
}

func TestMakeReplace(t *testing.T) {
	o, steps := versioned(t, "example.com/base@v1.0.0", "example.com/tiny@v1.0.0")
	dir := filepath.Join(t.TempDir(), "mine")
	put(t, filepath.Join(dir, "go.mod"), "module example.com/tiny\n\ngo 1.21\n\nrequire example.com/base v1.1.0\n")
	put(t, filepath.Join(dir, "tiny.go"), "package tiny\n\nimport \"example.com/base\"\n\nconst Name = \"tiny-mine \" + base.Name\n")
	o.Variant = Variant{Replace: []Replacement{{Dir: dir}}}
	spec := Spec{Contenders: contenders("tiny:tick")}
	r, err := Make(t.Context(), o, spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := output(t, r, 0), "workload tick\nbinding tiny tiny-mine base-1.1\n"; got != want {
		t.Errorf("runner prints %q, want %q", got, want)
	}
	if got := r.Variant.Label(); got != "tiny@mine" {
		t.Errorf("label = %q", got)
	}
	if diff := cmp.Diff([]string{"example.com/base: v1.0.0 → v1.1.0"}, r.Changed); diff != "" {
		t.Errorf("Changed (-want +got):\n%s", diff)
	}
	hash, err := sumModule(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]result.Module{{Path: "example.com/base", Version: "v1.1.0"}, {Path: "example.com/tiny", Version: "source-" + hash[:shownSum]}}, r.Build.Modules); diff != "" {
		t.Errorf("Modules (-want +got):\n%s", diff)
	}

	// Files outside of the module do not change the runner; an edit of the module does.
	steps()
	put(t, filepath.Join(dir, ".git", "index"), "changed")
	put(t, filepath.Join(dir, ".assay", "runs", "1", "run.json"), "{}")
	if _, err := Make(t.Context(), o, spec, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Step{Copying, FromCache}, steps()); diff != "" {
		t.Errorf("steps of the second Make (-want +got):\n%s", diff)
	}
	put(t, filepath.Join(dir, "tiny.go"), "package tiny\n\nconst Name = \"edited\"\n")
	edited, err := Make(t.Context(), o, spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := output(t, edited, 0), "workload tick\nbinding tiny edited\n"; got != want || edited.Key == r.Key {
		t.Errorf("edited runner prints %q, want %q; key %s, before %s", got, want, edited.Key, r.Key)
	}

	// A fault in the directory is blamed on the contender, as any other fault.
	put(t, filepath.Join(dir, "tiny.go"), "package tiny\n\nconst Name int = \"x\"\n")
	_, err = Make(t.Context(), o, spec, nil)
	if want := `no contender could be built; tiny: example.com/tiny/tiny.go:3:18: cannot use "x" (untyped string constant) as int value in constant declaration`; err == nil || err.Error() != want {
		t.Errorf("error = %v\nwant %s", err, want)
	}
}

// The same files in directories with paths of different lengths make programs that differ only
// in names of equal length: all code and data is in the same place.
func TestMakeReplaceAnywhere(t *testing.T) {
	o, _ := versioned(t, "example.com/base@v1.0.0", "example.com/tiny@v1.0.0")
	layouts := []uint64{0, 7}
	var programs [2][]byte
	for i, name := range []string{"a", "a-copy-with-a-name-that-is-much-longer-than-that-of-the-other-one"} {
		dir := filepath.Join(t.TempDir(), name)
		put(t, filepath.Join(dir, "go.mod"), "module example.com/tiny\n\ngo 1.21\n\nrequire example.com/base v1.1.0\n")
		put(t, filepath.Join(dir, "tiny.go"), "package tiny\n\nimport \"example.com/base\"\n\nconst Name = \"mine \" + base.Name\n")
		o.Variant = Variant{Replace: []Replacement{{Dir: dir}}}
		r, err := Make(t.Context(), o, Spec{Contenders: contenders("tiny:tick")}, layouts)
		if err != nil {
			t.Fatal(err)
		}
		for _, layout := range layouts {
			program, err := os.ReadFile(r.Path(layout))
			if err != nil {
				t.Fatal(err)
			}
			programs[i] = append(programs[i], program...)
		}
	}
	if len(programs[0]) != len(programs[1]) {
		t.Fatalf("the programs have %d and %d bytes", len(programs[0]), len(programs[1]))
	}
	differ := 0
	for i := range programs[0] {
		if programs[0][i] != programs[1][i] {
			differ++
		}
	}
	if differ > 1000 {
		t.Errorf("the programs differ in %d of %d bytes", differ, len(programs[0]))
	}
}

// A toolchain older than go.mod asks for gets a go.mod that it accepts, even if a module that
// no contender links refuses the toolchain.
func TestMakeOlderToolchain(t *testing.T) {
	o, _ := versioned(t, "example.com/base@v1.0.0", "example.com/tiny@v1.0.0", "example.com/newest@v1.0.0")
	source := o.Source.(fstest.MapFS)
	source["go.mod"].Data = bytes.Replace(source["go.mod"].Data, []byte("go 1.26.0"), []byte("go 1.999.0\n\ntoolchain go1.999.1"), 1)
	spec := Spec{Contenders: contenders("tiny:tick")}
	if _, err := Make(t.Context(), o, spec, nil); err == nil || !strings.Contains(err.Error(), "go.mod requires go >= 1.999.0") {
		t.Errorf("ordinary Make: error = %v", err)
	}
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	version := strings.TrimPrefix(runtime.Version(), "go")
	if strings.ContainsAny(version, " -") {
		t.Skip("not a release of Go")
	}
	for _, v := range []Variant{{Go: "local"}, {Go: goCommand}, {Go: "local", With: with("example.com/tiny@v1.0.0").With}} {
		o.Variant = v
		r, err := Make(t.Context(), o, spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"go: 1.999.0 → " + version}, r.Changed); diff != "" {
			t.Errorf("Changed (-want +got):\n%s", diff)
		}
		if r.Variant.Go != "go"+version || r.Build.Go != "go"+version {
			t.Errorf("variant's Go %q, built with %q, want go%s", r.Variant.Go, r.Build.Go, version)
		}
	}
}

func TestMakeVariantEnv(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("GOAMD64 is for amd64")
	}
	o, _ := versioned(t, "example.com/base@v1.0.0", "example.com/tiny@v1.0.0")
	spec := Spec{Contenders: contenders("good:tick")}
	keys := map[string]bool{}
	for _, v := range []Variant{{}, {Env: []string{"GOAMD64=v2"}}, {Env: []string{"GOFLAGS=-tags=purego", "GOAMD64=v2"}}} {
		o.Variant = v
		r, err := Make(t.Context(), o, spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		keys[r.Key] = true
		if v.Env != nil && r.Build.GOAMD64 != "v2" || (len(v.Env) == 2) != (r.Build.GOFLAGS == "-tags=purego") {
			t.Errorf("variant %s: Build = %+v", v.Label(), r.Build)
		}
	}
	if len(keys) != 3 {
		t.Errorf("3 variants have %d keys", len(keys))
	}
}

func TestMakeVariantErrors(t *testing.T) {
	empty, other := t.TempDir(), t.TempDir()
	put(t, filepath.Join(other, "go.mod"), "module example.com/other\n")
	tests := []struct {
		name    string
		variant Variant
		env     []string
		want    string
	}{
		{"a module that nothing requires", with("example.com/tinny@v1.0.0"), nil, "no contender requires module example.com/tinny; did you mean example.com/tiny?"},
		{"the short name of a module", with("tiny@v1.0.0"), nil, `"tiny@v1.0.0" does not begin with a module's path`},
		{"a fork's name", with("github.com/someone/tiny@v1.0.0"), nil, "did you mean example.com/tiny?"},
		{"a module unlike any other", with("github.com/someone/nothing@v1.0.0"), nil, "no contender requires module github.com/someone/nothing; assay list contenders names the modules of all"},
		{"a directory of a module that nothing requires", Variant{Replace: []Replacement{{Dir: other}}}, nil, "no contender requires module example.com/other"},
		{"a module that no contender links", with("example.com/unused@v1.0.0"), nil, "no contender of this runner links module example.com/unused, so another version would change nothing; name a module that they link: example.com/base, example.com/tiny"},
		{"a version that is absent", with("example.com/tiny@v9.9.9"), nil, "taking tiny@v9.9.9: module example.com/tiny@v9.9.9 is not in the module cache and could not be fetched"},
		{"a query without answer", with("example.com/tiny@v9"), nil, "example.com/tiny@v9 names no version that can be had: go: module example.com/tiny: no matching versions"},
		{"a query without a proxy", with("example.com/tiny@latest"), []string{"GOPROXY=off"}, "example.com/tiny@latest names no version that can be had"},
		{"versions that exclude one another", with("example.com/tiny@v1.1.0", "example.com/base@v1.0.0"), nil, "taking base@v1.0.0,tiny@v1.1.0: go: example.com/tiny@v1.1.0 requires example.com/base@v1.1.0"},
		{"a release that cannot be fetched", Variant{Go: "go1.999.1"}, []string{"GOPROXY=off"}, "go1.999.1 is not on this machine and could not be fetched: "},
		{"a go command that is none", Variant{Go: "no-such-go"}, nil, "no-such-go is not a go command that can be run"},
		{"an experiment that is none", Variant{Env: []string{"GOEXPERIMENT=absent"}}, nil, "GOEXPERIMENT=absent: unknown GOEXPERIMENT absent"},
		{"a directory without a module", Variant{Replace: []Replacement{{Dir: empty}}}, nil, "holds no module that can be read"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o, _ := versioned(t, "example.com/base@v1.0.0", "example.com/tiny@v1.0.0", "example.com/unused@v1.0.0")
			o.Env = append(o.Env, test.env...)
			o.Variant = test.variant
			_, err := Make(t.Context(), o, Spec{Contenders: contenders("tiny:tick", "base:tick")}, nil)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error = %v\nwant ... %s ...", err, test.want)
			}
			if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), o.Cache.Path()) {
				t.Errorf("error %q has several lines, or names the cache's directory", err)
			}
		})
	}
}

func TestVariantCheck(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "go.mod"), "module example.com/a\n")
	env := func(e ...string) Variant { return Variant{Env: e} }
	tests := []struct {
		variant Variant
		want    string // nothing: allowed
	}{
		{Variant{}, ""},
		{with("example.com/a@v1.0.0", "example.com/b@latest"), ""},
		{with("example.com/a@v1.0.0", "example.com/a@v1.1.0"), "module example.com/a is given twice"},
		{Variant{With: []ModuleVersion{{"example.com/a", "v1.0.0"}}, Replace: []Replacement{{Dir: dir}}}, "module example.com/a is given twice"},
		{with("example.com/a@v1 v2"), "does not end with one version"},
		{with("@v1"), `"@v1" is not a module with a version`},
		{env("GOEXPERIMENT=jsonv2", "GOFLAGS=-tags=purego -gcflags=-l", "GOFIPS140=off"), ""},
		{env("GOOS=linux"), "runners run on this machine"},
		{env("GOARCH=arm64"), "runners run on this machine"},
		{env("CGO_ENABLED=1"), "without a C compiler"},
		{env("GOTOOLCHAIN=go1.25.3"), "--go"},
		{env("GOGC=50"), "the measuring engine sets it itself"},
		{env("PATH=/bin"), "PATH cannot be part of a variant: it is not known to change what is compiled"},
		{env("GOFLAGS=-race"), "GOFLAGS cannot hold -race in a variant: it needs cgo"},
		{env("GOFLAGS=-v --pgo=cpu.pprof"), "GOFLAGS cannot hold -pgo in a variant: the content"},
		{env("GOFLAGS=-race=false --cover=0 -pgo=off"), ""},
		{env("GOFLAGS=-race=true"), "GOFLAGS cannot hold -race in a variant"},
		{env("GOFLAGS=-toolexec=false"), "GOFLAGS cannot hold -toolexec in a variant"},
		{env("GOFLAGS=-ldflags=-w"), "to link in random layouts"},
		{env("GOEXPERIMENT=a", "GOEXPERIMENT=b"), "variable GOEXPERIMENT is given twice"},
		{env("jsonv2"), `"jsonv2" is not a variable; write NAME=value`},
		{env("=x"), `"=x" is not a variable`},
	}
	if runtime.GOARCH == "amd64" {
		tests = append(tests, []struct {
			variant Variant
			want    string
		}{
			{env("GOAMD64=v3"), ""},
			{env("GOAMD64=v9"), `GOAMD64 is v1, v2, v3 or v4, not "v9"`},
			{env("GOARM64=v8.1"), "GOARM64 changes nothing on amd64"},
		}...)
	}
	for _, test := range tests {
		err := test.variant.Check()
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%+v: error = %v, want ... %s ...", test.variant, err, test.want)
		}
	}
}

func TestVariantLabel(t *testing.T) {
	tests := []struct {
		variant Variant
		want    string
	}{
		{Variant{}, ""},
		{with("google.golang.org/protobuf@v1.36.6"), "protobuf@v1.36.6"},
		{with("github.com/vmihailenco/msgpack/v5@v5.4.1", "gopkg.in/yaml.v3@v3.0.1"), "msgpack@v5.4.1,yaml.v3@v3.0.1"},
		{with("github.com/json-iterator/go@v1.1.12"), "json-iterator/go@v1.1.12"},
		{Variant{Go: "1.25.3"}, "go1.25.3"},
		{Variant{Go: "go1.26rc1", Env: []string{"GOAMD64=v3"}}, "go1.26rc1,GOAMD64=v3"},
		{Variant{Go: filepath.FromSlash("sdk/gotip")}, "gotip"},
		{Variant{Replace: []Replacement{{Dir: filepath.FromSlash("work/fast")}}}, "fast"},
		{Variant{Replace: []Replacement{{Path: "example.com/codec", Dir: "x", Name: "main"}}}, "codec@main"},
	}
	for _, test := range tests {
		if got := test.variant.Label(); got != test.want {
			t.Errorf("label of %+v = %q, want %q", test.variant, got, test.want)
		}
	}
}

func TestToolchain(t *testing.T) {
	for _, name := range []string{"go1.25", "1.25", "go1.25.x"} {
		_, _, err := Variant{Go: name}.toolchain("")
		if want := name + " names no one release of Go; name it exactly, such as go1.25.0"; err == nil || err.Error() != want {
			t.Errorf("%s: error = %v, want %s", name, err, want)
		}
	}
	for name, want := range map[string]string{"go1.25.3": "GOTOOLCHAIN=go1.25.3", "1.26rc2": "GOTOOLCHAIN=go1.26rc2", "local": "GOTOOLCHAIN=local"} {
		_, env, err := Variant{Go: name}.toolchain("")
		if err != nil || len(env) != 1 || env[0] != want {
			t.Errorf("%s: %v, %v; want %s", name, env, err, want)
		}
	}
}

func FuzzParseModuleVersion(f *testing.F) {
	for _, s := range []string{"example.com/a@v1.0.0", "a@b", "@", "example.com/a@v1@v2", "example.com/../a@v1", "gopkg.in/@latest"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseModuleVersion(s)
		if err == nil && v.String() != s {
			t.Errorf("%q became %q", s, v)
		}
		if label := (Variant{With: []ModuleVersion{v}}).Label(); err == nil && label == "" {
			t.Errorf("%q has no label", s)
		}
	})
}
