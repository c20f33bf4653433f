package build

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"assay/internal/cachedir/cachetest"
)

// However the go command is set up, Make builds a runner, or says before it compiles anything
// what prevents the build and where that is set.
func TestGoSetUp(t *testing.T) {
	builds(t)
	const goos, goarch = "plan9", "mips" // this machine is neither
	here := runtime.GOOS + "/" + runtime.GOARCH
	file := filepath.Join(t.TempDir(), "file")
	put(t, file, "use nothing\n")
	type test struct {
		name string
		env  map[string]string
		file string // content of the file that go env -w writes
		want string // empty: a runner is built
	}
	tests := []test{
		{name: "GOOS", env: map[string]string{"GOOS": goos}, want: "GOOS is plan9 in the environment, and programs for plan9/" + runtime.GOARCH + " do not run on this machine, which is " + here + ": unset it, or run assay on such a machine"},
		{name: "GOARCH", env: map[string]string{"GOARCH": goarch}, want: "GOARCH is mips in the environment, and programs for " + runtime.GOOS + "/mips do not run on this machine"},
		{name: "GOOS in a file", file: "GOOS=" + goos, want: "GOOS is plan9 by go env -w, and programs for plan9/" + runtime.GOARCH + " do not run on this machine, which is " + here + ": take it away with go env -u GOOS"},
		{name: "this platform", env: map[string]string{"GOOS": runtime.GOOS, "GOARCH": runtime.GOARCH}},
		{name: "race", env: map[string]string{"GOFLAGS": "-race"}, want: "GOFLAGS holds -race in the environment, and runners cannot be built with it: it needs cgo, and would measure the race detector; unset it, or set GOFLAGS without it"},
		{name: "race in a file", file: "GOFLAGS=-race", want: "GOFLAGS holds -race by go env -w"},
		{name: "toolexec", env: map[string]string{"GOFLAGS": "-tags=x '-toolexec=strace -f'"}, want: "GOFLAGS holds -toolexec in the environment"},
		{name: "output", env: map[string]string{"GOFLAGS": "-o=/tmp/x"}, want: "GOFLAGS holds -o in"},
		{name: "dry", env: map[string]string{"GOFLAGS": "--n"}, want: "GOFLAGS holds -n in"},
		{name: "profile", env: map[string]string{"GOFLAGS": "-pgo=cpu.pprof"}, want: "GOFLAGS holds -pgo in"},
		{name: "no profile", env: map[string]string{"GOFLAGS": "-pgo=off"}},
		{name: "vendor", env: map[string]string{"GOFLAGS": "-mod=vendor"}},
		{name: "linker flags", env: map[string]string{"GOFLAGS": "'-ldflags=-X a.b=c -race'"}},
		{name: "others", env: map[string]string{"GOFLAGS": "-tags=x -trimpath -race=false -buildvcs=false"}},
		{name: "workspace", env: map[string]string{"GOWORK": file}},
		{name: "no modules", env: map[string]string{"GO111MODULE": "off"}},
		{name: "its own toolchain", env: map[string]string{"GOTOOLCHAIN": "local"}},
		{name: "no file", env: map[string]string{"GOENV": "off"}},
		{name: "a file", file: "GOFLAGS=-tags=x\nGOTOOLCHAIN=local\nCGO_ENABLED=1"},
		{name: "cgo", env: map[string]string{"CGO_ENABLED": "1"}},
		{name: "no flag", env: map[string]string{"GOFLAGS": "-nosuch"}, want: "assay's own packages do not build with " + runtime.Version() + ": go: parsing $GOFLAGS: unknown flag -nosuch"},
		{name: "no directory for what is temporary", env: map[string]string{"GOTMPDIR": filepath.Join(t.TempDir(), "none")}, want: "assay's own packages do not build with " + runtime.Version() + ": go: creating work dir: "},
	}
	if runtime.GOARCH == "amd64" {
		tests = append(tests, test{name: "level", env: map[string]string{"GOAMD64": "v99"}, want: `GOAMD64 is v1, v2, v3 or v4, not "v99"; unset it`})
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, name := range []string{"GOOS", "GOARCH", "GOFLAGS", "GOWORK", "GOTOOLCHAIN", "CGO_ENABLED"} {
				t.Setenv(name, "")
			}
			t.Setenv("GOENV", filepath.Join(t.TempDir(), "env"))
			put(t, os.Getenv("GOENV"), test.file+"\n")
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			o, steps := options(t)
			o.Env = []string{"GOPROXY=off"}
			source := o.Source.(fstest.MapFS)
			source["go.mod"] = &fstest.MapFile{Data: []byte("module assay\n\ngo 1.26.0\n")}
			r, err := Make(t.Context(), o, Spec{Contenders: contenders("good:tick")}, nil)
			if test.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				if got := output(t, r, 0); !strings.Contains(got, "binding good tick") {
					t.Errorf("it prints %q", got)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error = %v\nwant ... %s ...", err, test.want)
			}
			if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "good") {
				t.Errorf("error %q has several lines or blames a contender", err)
			}
			if s := steps(); strings.HasPrefix(test.want, "GO") && slices.Contains(s, Compiling) {
				t.Errorf("something was compiled before: %v", s)
			}
		})
	}
}

// Make does not blame contenders for a fault in assay's own packages.
func TestOwnPackages(t *testing.T) {
	builds(t)
	for name, file := range map[string]string{"bench": "bench/broken.go", "workload/tick": "workload/tick/broken.go"} {
		o, steps := options(t)
		pkg := filepath.Base(filepath.Dir(file))
		o.Source.(fstest.MapFS)[file] = &fstest.MapFile{Data: []byte("package " + pkg + "\n\nvar x = new(1 << 999)\n")}
		_, err := Make(t.Context(), o, Spec{Contenders: contenders("good:tick", "half:tick")}, nil)
		want := "assay's own packages do not build with " + runtime.Version() + ": " + file + ":3:"
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error = %v, want %s...", name, err, want)
		}
		if slices.Contains(steps(), Searching) {
			t.Errorf("%s: contenders were tried", name)
		}
	}
}

// A release older than go.mod asks for may be too old for assay's own packages. Make says so
// before it compiles contenders.
func TestOwnPackagesOfOldRelease(t *testing.T) {
	builds(t)
	o, steps := options(t)
	source := o.Source.(fstest.MapFS)
	source["go.mod"] = &fstest.MapFile{Data: []byte("module assay\n\ngo 1.999.0\n")}
	source["bench/newer.go"] = &fstest.MapFile{Data: []byte("package bench\n\nvar newer = fromTheFuture\n")}
	o.Variant.Go = "local"
	o.Env = []string{"GOPROXY=off"}
	_, err := Make(t.Context(), o, Spec{Contenders: contenders("good:tick")}, nil)
	want := "assay's own packages do not build with " + runtime.Version() + ": bench/newer.go:3:13: undefined: fromTheFuture; take a newer release with --go"
	if err == nil || err.Error() != want {
		t.Errorf("error = %v, want %s", err, want)
	}
	if s := steps(); slices.Contains(s, Searching) {
		t.Errorf("steps = %v", s)
	}
}

func TestSplitFlags(t *testing.T) {
	for text, want := range map[string][]string{
		"":                       nil,
		" \t":                    nil,
		"-a -b=c":                {"-a", "-b=c"},
		` '-a=b c'  "-d=e 'f'" `: {"-a=b c", "-d=e 'f'"},
		"-a='b":                  {"-a='b"},
		"'-a b":                  {"-a b"},
		"''-a":                   {"", "-a"},
	} {
		if diff := cmp.Diff(want, splitFlags(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func FuzzSplitFlags(f *testing.F) {
	f.Add("-a '-b c' \"")
	f.Fuzz(func(t *testing.T, s string) {
		n := 0
		for _, flag := range splitFlags(s) {
			if !strings.Contains(s, flag) {
				t.Errorf("%q has no %q", s, flag)
			}
			n += len(flag)
		}
		if n > len(s) {
			t.Errorf("%q became %d bytes", s, n)
		}
	})
}

func TestCompilerFlags(t *testing.T) {
	for flags, want := range map[string][]string{
		"":                               {undebugged},
		"-trimpath -tags=gcflags":        {undebugged},
		"-gcflags=-l":                    nil,
		"-trimpath --gcflags=all=-N":     nil,
		"-v '-gcflags=std=-N -l' -a":     nil,
		"-ldflags=-s \"-gcflags=-N -l\"": nil,
	} {
		if got := (goEnv{"GOFLAGS": flags}).compilerFlags(); !slices.Equal(got, want) {
			t.Errorf("GOFLAGS=%s: %q, want %q", flags, got, want)
		}
	}
}

// TestBuildFlagsOfTests checks that cachetest compiles tests with the flags that runners are
// built with.
func TestBuildFlagsOfTests(t *testing.T) {
	own := append(buildFlags(0), goEnv{}.compilerFlags()...)
	for _, flag := range cachetest.BuildFlags {
		if !slices.Contains(own, flag) {
			t.Errorf("runners are not built with %s: %s", flag, own)
		}
	}
	for _, flag := range own {
		if what, _, _ := strings.Cut(flag, "="); (what == "-trimpath" || what == "-gcflags") && !slices.Contains(cachetest.BuildFlags, flag) {
			t.Errorf("runners are built with %s, and tests are not: %s", flag, cachetest.BuildFlags)
		}
	}
}
