package measure

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/build"
	"assay/internal/cachedir"
	"assay/result"
)

// repository makes a git repository of a module in a directory. Its first commit is the module
// example.com/first, and its second one is example.com/second.
func repository(t *testing.T, dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on PATH")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	git("init", "-q")
	for _, name := range []string{"first", "second"} {
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/"+name+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		git("add", "go.mod")
		git("commit", "-q", "-m", name)
	}
}

// A directory and a revision may both have @ in their names.
func TestModule(t *testing.T) {
	parent := t.TempDir()
	plain, at, beside := filepath.Join(parent, "plain"), filepath.Join(parent, "plain@v2"), filepath.Join(parent, "none")
	for _, dir := range []string{plain, at, beside} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	repository(t, plain)
	repository(t, at)
	cfg := &Config{Cache: cachedir.In(t.TempDir())}
	for _, test := range []struct{ arg, path, err string }{
		{plain, "example.com/second", ""},
		{at, "example.com/second", ""},
		{plain + "@HEAD", "example.com/second", ""},
		{plain + "@HEAD~1", "example.com/first", ""},
		{plain + "@HEAD@{1}", "example.com/first", ""},
		{plain + "@@{1}", "example.com/first", ""},
		{at + "@HEAD@{1}", "example.com/first", ""},
		{at + "@HEAD", "example.com/second", ""},
		{plain + "@.", "example.com/second", ""},
		{plain + "@HEAD@{7}", "", "the repository of " + plain + ` has no revision "HEAD@{7}"`},
		{at + "@none", "", "the repository of " + at + ` has no revision "none"`},
		{plain + "@", "", "the repository of " + plain + ` has no revision ""`},
		{beside + "@HEAD", "", beside + " is not in a git repository"},
		{filepath.Join(parent, "absent") + "@HEAD", "", "is neither a directory nor DIR@REVISION"},
		{filepath.Join(parent, "absent"), "", "is neither a directory nor DIR@REVISION"},
		{"@HEAD", "", "is neither a directory nor DIR@REVISION"},
	} {
		r, err := cfg.Module(t.Context(), test.arg)
		switch {
		case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
			t.Errorf("%s: %v; want %q", test.arg, err, test.err)
		case test.err == "" && (err != nil || r.Path != test.path):
			t.Errorf("%s: %q, %v; want %s", test.arg, r.Path, err, test.path)
		}
	}
}

// Contenders change with the modules that are not the same in all versions.
func TestChanged(t *testing.T) {
	in := Builtin()
	const msgp, cbor = "github.com/tinylib/msgp", "github.com/fxamacker/cbor/v2"
	with := func(all ...build.ModuleVersion) Variant { return Variant{With: all} }
	for _, test := range []struct {
		name     string
		one, two Variant
		modules  []string
		all      bool
	}{
		{"nothing", Variant{}, Variant{}, nil, false},
		{"a version of the second", Variant{}, with(build.ModuleVersion{Path: msgp, Version: "v1"}), []string{msgp}, false},
		{"a version of the first", with(build.ModuleVersion{Path: msgp, Version: "v1"}), Variant{}, []string{msgp}, false},
		{"one version of both", with(build.ModuleVersion{Path: msgp, Version: "v1"}), with(build.ModuleVersion{Path: msgp, Version: "v1"}, build.ModuleVersion{Path: cbor, Version: "v1"}), []string{cbor}, false},
		{"two versions", with(build.ModuleVersion{Path: msgp, Version: "v1"}), with(build.ModuleVersion{Path: msgp, Version: "v2"}), []string{msgp}, false},
		{"a directory", Variant{Replace: []Replacement{{Path: msgp, Dir: "a"}}}, Variant{Replace: []Replacement{{Path: msgp, Dir: "b"}}}, []string{msgp}, false},
		{"Go", Variant{}, Variant{Go: "go1.25.3"}, nil, true},
		{"a variable", Variant{}, Variant{Env: []string{"GOEXPERIMENT=jsonv2"}}, nil, true},
	} {
		var want []string
		for _, c := range in.Contenders() {
			for _, m := range test.modules {
				if c.Module == m {
					want = append(want, c.Name)
				}
			}
		}
		if len(test.modules) > 0 && len(want) == 0 {
			t.Fatalf("%s: no contender uses %q", test.name, test.modules)
		}
		names, all := Changed(in, []Version{{Variant: test.one}, {Variant: test.two}})
		if diff := cmp.Diff(want, names); diff != "" || all != test.all {
			t.Errorf("%s: all %t, -want +got\n%s", test.name, all, diff)
		}
	}
}

// A run of two versions stores what each was built with: the exact versions that its program names, such
// as the one that a query like latest stands for.
func TestBuildsOfVersions(t *testing.T) {
	of := func(version string) runner {
		return runner{Runner: &build.Runner{Build: result.Build{Go: "go1.26.8", Key: version, Modules: []result.Module{{Path: "example.com/a", Version: version}}}}}
	}
	m := &Measurement{cfg: &Config{Cache: cachedir.In(t.TempDir()), Results: t.TempDir()}}
	m.versions = []runner{of("v1.2.0"), of("v1.3.0")}
	m.runners = m.versions[:1]
	if err := m.create(result.Plan{Sides: []string{"as it is", "a@latest"}}, 1); err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	stored, err := result.ReadRun(m.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for side, v := range m.versions {
		if diff := cmp.Diff(v.Build, stored.OfSide(side).Build); diff != "" {
			t.Errorf("side %d: -want +got\n%s", side, diff)
		}
	}
}
