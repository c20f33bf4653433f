package build

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/module"
)

// A Variant is how a runner differs from the ordinary one, which uses the versions of go.mod
// and the go command's own toolchain. The zero Variant is the ordinary one.
type Variant struct {
	// With are modules at other versions than those of go.mod.
	With []ModuleVersion `json:"with,omitempty"`
	// Replace are modules taken from directories.
	Replace []Replacement `json:"replace,omitempty"`
	// Go is one of three things: a release of Go such as go1.25.3, which the go command
	// downloads if it must; "local", the go command's own toolchain; or the name or path of
	// another go command.
	//
	// If the release is older than go.mod asks for, go.mod is changed to ask for that release.
	// Packages that need the newer language then do not compile, and the defaults of GODEBUG
	// are those of the older release.
	Go string `json:"go,omitempty"`
	// Env are variables of the go command, as NAME=value. Only variables that change what is
	// compiled and that are part of the runner's key are allowed.
	Env []string `json:"env,omitempty"`
}

// A ModuleVersion is a module at a version. Before a runner is made, the version may be a query
// that the go command knows, such as latest or v1.36. A Runner has the exact version.
type ModuleVersion struct {
	Path    string `json:"path"`
	Version string `json:"version"`
}

// A Replacement is a module taken from a directory.
type Replacement struct {
	// Path is the module's path. Empty: the path that the directory's go.mod declares.
	Path string `json:"path"`
	// Dir holds the module. Its content is part of the runner's key: an edit makes another
	// runner.
	Dir string `json:"dir"`
	// Name stands for the version in labels. Empty: the last element of Dir.
	Name string `json:"name"`

	given string // the directory that Dir is a copy of
}

// ParseModuleVersion reads module@version.
func ParseModuleVersion(s string) (ModuleVersion, error) {
	p, version, ok := strings.Cut(s, "@")
	if !ok || p == "" || version == "" {
		return ModuleVersion{}, fmt.Errorf("%q is not a module with a version; write module@version, such as google.golang.org/protobuf@v1.36.6 or google.golang.org/protobuf@latest", s)
	}
	if err := module.CheckPath(p); err != nil {
		return ModuleVersion{}, fmt.Errorf("%q does not begin with a module's path: %w", s, errors.Unwrap(err))
	}
	if strings.ContainsAny(version, " @") {
		return ModuleVersion{}, fmt.Errorf("%q does not end with one version", s)
	}
	return ModuleVersion{p, version}, nil
}

func (v ModuleVersion) String() string { return v.Path + "@" + v.Version }

// Label returns a short name for the difference from the ordinary variant, such as
// protobuf@v1.36.6, go1.25.3 or GOAMD64=v3. Parts are joined by commas. The ordinary variant
// has the empty label.
func (v Variant) Label() string {
	var parts []string
	for _, w := range v.With {
		parts = append(parts, shortPath(w.Path)+"@"+w.Version)
	}
	for _, r := range v.Replace {
		name := r.Name
		if name == "" {
			name = filepath.Base(r.Dir)
		}
		if r.Path != "" {
			name = shortPath(r.Path) + "@" + name
		}
		parts = append(parts, name)
	}
	switch {
	case v.Go == "":
	case strings.ContainsAny(v.Go, `/\`):
		parts = append(parts, strings.TrimSuffix(filepath.Base(v.Go), ".exe"))
	default:
		parts = append(parts, releaseName(v.Go))
	}
	return strings.Join(append(parts, v.Env...), ",")
}

// shortPath returns the last element of a module's path without the major version. If that is
// "go", it includes the element before, as in json-iterator/go.
func shortPath(p string) string {
	if prefix, _, ok := module.SplitPathVersion(p); ok && !strings.HasPrefix(p, "gopkg.in/") {
		p = prefix
	}
	base := path.Base(p)
	if parent := path.Base(path.Dir(p)); base == "go" && parent != "." {
		return parent + "/" + base
	}
	return base
}

// zero says whether the variant is the ordinary one.
func (v Variant) zero() bool {
	return len(v.With) == 0 && len(v.Replace) == 0 && v.Go == "" && len(v.Env) == 0
}

// Check returns what is wrong with the variant, as far as that can be told without running
// anything: modules given twice, directories that hold no module, and variables that are not
// allowed.
func (v Variant) Check() error {
	_, err := v.normal()
	return err
}

// normal returns the variant with sorted parts, absolute directories, and the module paths of
// the directories filled in.
func (v Variant) normal() (Variant, error) {
	n := Variant{With: slices.Clone(v.With), Go: v.Go, Env: slices.Clone(v.Env)}
	var err error
	seen := map[string]bool{}
	once := func(p string) error {
		if seen[p] {
			return fmt.Errorf("module %s is given twice; a runner has one version of a module", p)
		}
		seen[p] = true
		return nil
	}
	for _, w := range n.With {
		if _, err := ParseModuleVersion(w.String()); err != nil {
			return Variant{}, err
		}
		if err := once(w.Path); err != nil {
			return Variant{}, err
		}
	}
	for _, r := range v.Replace {
		if r, err = r.normal(); err != nil {
			return Variant{}, err
		}
		if err := once(r.Path); err != nil {
			return Variant{}, err
		}
		n.Replace = append(n.Replace, r)
	}
	if err := checkEnv(n.Env); err != nil {
		return Variant{}, err
	}
	slices.SortFunc(n.With, func(a, b ModuleVersion) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(n.Replace, func(a, b Replacement) int { return strings.Compare(a.Path, b.Path) })
	slices.Sort(n.Env)
	return n, nil
}

// release matches the name of one release of Go. languageVersion matches a name of a language
// version, which has many releases.
var (
	release         = regexp.MustCompile(`^(?:go)?1\.\d+(?:\.\d+|rc\d+|beta\d+)$`)
	languageVersion = regexp.MustCompile(`^(?:go)?1\.\d+(?:\.x)?$`)
)

// releaseName returns the name of a release, with the prefix "go" added if it is missing.
func releaseName(s string) string {
	if release.MatchString(s) && !strings.HasPrefix(s, "go") {
		return "go" + s
	}
	return s
}

// toolchain returns the go command to run for the variant, and the variables to add to its
// environment so that it uses exactly the requested toolchain. Ordinary names the go command of
// the ordinary variant.
func (v Variant) toolchain(ordinary string) (command string, env []string, err error) {
	switch {
	case v.Go == "":
		command, err = findGo(ordinary)
		return command, nil, err
	case v.Go == "local", release.MatchString(v.Go):
		command, err = findGo(ordinary)
		return command, []string{"GOTOOLCHAIN=" + releaseName(v.Go)}, err
	case languageVersion.MatchString(v.Go):
		minor := "go" + strings.TrimSuffix(strings.TrimPrefix(v.Go, "go"), ".x")
		return "", nil, fmt.Errorf("%s names no one release of Go; name it exactly, such as %s.0", v.Go, minor)
	default:
		command, err = findGo(v.Go)
		return command, []string{"GOTOOLCHAIN=local"}, err
	}
}

// CheckGo returns an error if there is no go command for the variant, as far as that can be told
// without running anything. Ordinary names the go command of the ordinary variant.
func (v Variant) CheckGo(ordinary string) error {
	_, _, err := v.toolchain(ordinary)
	return err
}

// refused turns the error of the first go command that ran with the variant into a clear one.
func (v Variant) refused(err error) error {
	said := (*goError)(nil)
	if v.zero() || !errors.As(err, &said) {
		return err
	}
	reason := strings.TrimPrefix(oneLine(said.reason(nil)), "go: ")
	if v.Go == "" {
		return fmt.Errorf("%s: %s", v.Label(), reason)
	}
	return fmt.Errorf("%s is not on this machine and could not be fetched: %s; give --go the path of its go command, or the release that is here", releaseName(v.Go), reason)
}

// architectures maps variables that choose the instructions of an architecture to the values of
// GOARCH that they apply to.
var architectures = map[string][]string{
	"GO386":     {"386"},
	"GOAMD64":   {"amd64"},
	"GOARM":     {"arm"},
	"GOARM64":   {"arm64"},
	"GOPPC64":   {"ppc64", "ppc64le"},
	"GORISCV64": {"riscv64"},
}

// refusals are variables that a user may want to set, and why each is refused.
var refusals = map[string]string{
	"GOOS":        "runners run on this machine; to measure another one, run assay there",
	"GOARCH":      "runners run on this machine; to measure another one, run assay there",
	"CGO_ENABLED": "runners are built without a C compiler, so that every row is built alike",
	"GOTOOLCHAIN": "the toolchain is a part of its own: --go go1.25.3",
	"GODEBUG":     "it is read by a program that runs, not by the build",
	"GOGC":        "it is read by a program that runs, and the measuring engine sets it itself",
	"GOMEMLIMIT":  "it is read by a program that runs, and the measuring engine sets it itself",
	"GOMAXPROCS":  "it is read by a program that runs, and the measuring engine sets it itself",
	"GOWORK":      "runners are built from assay's own go.mod; to build with the module of a directory, use --source",
	"GO111MODULE": "runners are built as modules",
}

// flagRefusals are flags that GOFLAGS may not hold in a variant, and why.
var flagRefusals = map[string]string{
	"C":        "runners are built in a directory of the cache",
	"asan":     "it needs cgo, and would measure the sanitizer",
	"cover":    "it would measure the counting of coverage",
	"exec":     "it changes nothing that is built",
	"json":     "it changes what the go command says, which assay reads",
	"ldflags":  "assay sets it itself, to link in random layouts",
	"mod":      "assay sets it itself",
	"modfile":  "assay writes the go.mod itself; use --with or --source",
	"msan":     "it needs cgo, and would measure the sanitizer",
	"n":        "nothing would be built",
	"o":        "assay sets it itself",
	"overlay":  "the content of the files is not part of the runner's key; use --source",
	"pgo":      "the content of the profile is not part of the runner's key",
	"pkgdir":   "the content of the directory is not part of the runner's key",
	"race":     "it needs cgo, and would measure the race detector",
	"toolexec": "the program that it runs is not part of the runner's key",
	"work":     "it would leave the build's directory behind",
	"x":        "it changes what the go command says, which assay reads",
}

// switches are the flags of flagRefusals that are either on or off.
var switches = []string{"asan", "cover", "json", "msan", "n", "race", "work", "x"}

// refusedFlag returns the name of a flag of GOFLAGS and why it is refused, or no reason if it is
// not. A flag that is switched off changes nothing.
func refusedFlag(flag string) (name, reason string) {
	name, value, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
	if on, err := strconv.ParseBool(value); err == nil && !on && slices.Contains(switches, name) {
		return name, ""
	}
	if name == "pgo" && (value == "off" || value == "auto") {
		return name, ""
	}
	return name, flagRefusals[name]
}

// checkEnv returns an error if variables are not allowed in a variant.
func checkEnv(env []string) error {
	seen := map[string]bool{}
	for _, e := range env {
		name, value, ok := strings.Cut(e, "=")
		if !ok || name == "" {
			return fmt.Errorf("%q is not a variable; write NAME=value, such as GOAMD64=v3", e)
		}
		if seen[name] {
			return fmt.Errorf("variable %s is given twice", name)
		}
		seen[name] = true
		if err := checkVariable(name, value); err != nil {
			return err
		}
	}
	return nil
}

func checkVariable(name, value string) error {
	if arch, ok := architectures[name]; ok {
		if !slices.Contains(arch, runtime.GOARCH) {
			return fmt.Errorf("%s changes nothing on %s", name, runtime.GOARCH)
		}
		// The go command silently accepts any value of GOAMD64.
		if name == "GOAMD64" && !slices.Contains([]string{"v1", "v2", "v3", "v4"}, value) {
			return fmt.Errorf("GOAMD64 is v1, v2, v3 or v4, not %q", value)
		}
		return nil
	}
	switch reason, refused := refusals[name]; {
	case refused:
		return fmt.Errorf("%s cannot be part of a variant: %s", name, reason)
	case name == "GOEXPERIMENT", name == "GOFIPS140":
		return nil
	case name == "GOFLAGS":
		for _, flag := range splitFlags(value) {
			if flag, reason := refusedFlag(flag); reason != "" {
				return fmt.Errorf("GOFLAGS cannot hold -%s in a variant: %s", flag, reason)
			}
		}
		return nil
	}
	return fmt.Errorf("%s cannot be part of a variant: it is not known to change what is compiled. Those that do: GOEXPERIMENT, GOFLAGS, GOFIPS140, and of the architecture GOAMD64, GOARM64 and the like", name)
}
