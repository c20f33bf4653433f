package build

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/internal/process"
	"assay/result"
)

// A gocmd runs the go command in one directory.
type gocmd struct {
	path string   // of the go command
	dir  string   // of the module
	env  []string // added to the environment
	// flags are added to go build. They change no program that it makes.
	flags []string
	// replaced are modules outside of dir. Messages name their files by module path.
	replaced []Replacement
	// low makes the command yield the CPUs to other programs.
	low bool
	// told, unless it is nil, receives the lines of standard error that are one word, such as
	// the packages that go build -v names. These lines are removed from error messages.
	told func(word string)
}

// A goError is the message of a go command that failed.
type goError struct {
	out string // its standard error
	dir string // the directory it ran in, which its messages may name

	replaced []Replacement
}

func (e *goError) Error() string { return e.reason(nil) }

// findGo returns the absolute path of the go command. An empty name means the one on PATH.
func findGo(name string) (string, error) {
	if name == "" {
		path, err := exec.LookPath("go")
		if err != nil {
			return "", errors.New("the go command is not on PATH; install Go 1.26 or newer from go.dev, or name it with --go")
		}
		return filepath.Abs(path)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s is not a go command that can be run; give --go a release such as go1.25.0, or the path of the go command of Go 1.25 or newer", name)
	}
	return filepath.Abs(path)
}

// run runs the go command and returns its standard output. The error is a
// *goError when the command ran and failed.
//
// Cgo is off because runners must build without a C compiler. Modules are on,
// workspaces off: runners are built from the embedded go.mod and nothing else.
func (g gocmd) run(ctx context.Context, stdin []byte, env []string, args ...string) ([]byte, error) {
	out, _, err := g.process(ctx, stdin, env, args...)
	return out, err
}

// process is run, and also returns the state of the process, nil if it did not start. If a
// program was killed, had too little memory or could not be started, process runs the command once
// more, because the shortage may be over. The error is a *MachineError if the machine is at fault.
func (g gocmd) process(ctx context.Context, stdin []byte, env []string, args ...string) ([]byte, *os.ProcessState, error) {
	out, state, err := g.once(ctx, stdin, env, args...)
	said := (*goError)(nil)
	if errors.As(err, &said) && (starved.MatchString(said.out) || brief.MatchString(said.out)) {
		out, state, err = g.once(ctx, stdin, env, args...)
	}
	return out, state, blamed(err)
}

// blamed returns the *MachineError if the machine is at fault for the error of a go command, and
// otherwise the error.
func blamed(err error) error {
	if said := (*goError)(nil); errors.As(err, &said) {
		if fault := said.fault(); fault != nil {
			return fault
		}
	}
	return err
}

// once runs the go command once.
func (g gocmd) once(ctx context.Context, stdin []byte, env []string, args ...string) ([]byte, *os.ProcessState, error) {
	cmd := exec.Command(g.path, args...)
	cmd.Dir = g.dir
	cmd.Env = append(cmd.Environ(), g.env...)
	cmd.Env = append(cmd.Env, env...)
	cmd.Env = append(cmd.Env, "CGO_ENABLED=0", "GO111MODULE=on", "GOWORK=off")
	cmd.Stdin = bytes.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	words := &sieve{told: g.told, rest: &stderr}
	if g.told != nil {
		cmd.Stderr = words
	}
	err := g.start(ctx, cmd)
	words.end()
	if ctx.Err() != nil {
		return nil, cmd.ProcessState, context.Cause(ctx)
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		if stderr.Len() == 0 {
			fmt.Fprintf(&stderr, "go %s: %v", args[0], err)
		}
		return nil, cmd.ProcessState, &goError{stderr.String(), g.dir, g.replaced}
	}
	if err != nil {
		return nil, cmd.ProcessState, fmt.Errorf("running the go command: %w", err)
	}
	return stdout.Bytes(), cmd.ProcessState, nil
}

// start runs a command to its end.
func (g gocmd) start(ctx context.Context, cmd *exec.Cmd) error {
	p, err := process.Start(ctx, cmd)
	if err != nil {
		return err
	}
	if g.low {
		process.Humble(cmd)
	}
	return p.Wait()
}

// buildFlags are the flags of go build for a layout.
//
// Paths are trimmed for three reasons: equal keys give equal programs wherever the cache is, a
// panic names module and version instead of somebody's home directory, and packages compiled
// for one source serve the next. The price is that the first runner of a toolchain compiles the
// standard library anew, about ten CPU seconds, because other builds do not trim. The symbol
// table and DWARF are left out because nobody reads them and linking is faster without. The
// module versions stay in the program.
func buildFlags(layout uint64) []string {
	ld := "-s -w"
	if layout != 0 {
		// The linker's flag is signed.
		ld += " -randlayout=" + strconv.FormatInt(int64(layout), 10)
	}
	return []string{"-trimpath", "-buildvcs=false", "-mod=readonly", "-ldflags=" + ld}
}

// undebugged makes compilers leave out debug information, which no program here keeps. The
// functions are the same, and compiling takes an eighth less time. Costs measures builds without
// this flag, because nobody else builds with it.
const undebugged = "-gcflags=all=-dwarf=false"

// compilerFlags are flags of go build that programs do not need. There are none if GOFLAGS has
// -gcflags, which the command line would override.
func (e goEnv) compilerFlags() []string {
	for _, flag := range splitFlags(e["GOFLAGS"]) {
		if name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "="); name == "gcflags" {
			return nil
		}
	}
	return []string{undebugged}
}

// build runs go build with the flags of a layout.
func (g gocmd) build(ctx context.Context, env []string, layout uint64, args ...string) error {
	_, err := g.run(ctx, nil, env, slices.Concat([]string{"build"}, buildFlags(layout), g.flags, args)...)
	return err
}

// A goEnv is the part of go env that can change a program.
type goEnv map[string]string

// readEnv returns the settings that the go command reports. It is an error if the settings
// prevent it from building runners, or the runners from running here.
func (g gocmd) readEnv(ctx context.Context) (goEnv, error) {
	out, err := g.run(ctx, nil, nil, "env", "-json", "GOVERSION", "GOFLAGS", "GOEXPERIMENT",
		"GOOS", "GOARCH", "GO386", "GOAMD64", "GOARM", "GOARM64", "GOPPC64", "GORISCV64", "GOFIPS140", "CGO_ENABLED", "GOHOSTOS", "GOHOSTARCH", "GOROOT", "GOTOOLDIR")
	if err != nil {
		return nil, err
	}
	env := goEnv{}
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, fmt.Errorf("reading the answer of go env: %w", err)
	}
	host := goEnv{}
	for _, name := range []string{"GOHOSTOS", "GOHOSTARCH", "GOROOT", "GOTOOLDIR"} {
		host[name] = env[name]
		delete(env, name) // they do not change what a release builds
	}
	if !released.MatchString(env["GOVERSION"]) {
		if env["unreleased"], err = unreleased(host["GOROOT"], host["GOTOOLDIR"]); err != nil {
			return nil, err
		}
	}
	return env, env.check(host)
}

// describe says what the runner program was built with and from. It reads the module versions
// from the program itself.
func (m *maker) describe(key, path string) (result.Build, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return result.Build{}, fmt.Errorf("reading the module versions of the runner: %w", err)
	}
	b := result.Build{
		Go:           info.GoVersion,
		GOAMD64:      m.env["GOAMD64"],
		GOFLAGS:      m.env["GOFLAGS"],
		GOEXPERIMENT: m.env["GOEXPERIMENT"],
		Modules:      []result.Module{},
		Key:          key,
	}
	for _, dep := range info.Deps {
		if hash := m.contents[dep.Path]; hash != "" {
			// The directory is private, and its content may change.
			b.Modules = append(b.Modules, result.Module{Path: dep.Path, Version: "source-" + hash})
			continue
		}
		if dep.Replace != nil {
			dep = dep.Replace
		}
		b.Modules = append(b.Modules, result.Module{Path: dep.Path, Version: dep.Version})
	}
	return b, nil
}

// fetchLine matches the go command's report of a module that it could not download: a position
// or "go", the module with its version if the line names it, and the cause.
var fetchLine = regexp.MustCompile(`^(?:go: |\S+\.go:\d+:\d+: )?(?:([^\s:@]+@v\d\S*): (.+)|((?:module lookup disabled|unrecognized import path) .+))$`)

// downloading matches the announcement of a download.
var downloading = regexp.MustCompile(`(?m)^go: downloading (\S+) (\S+)`)

// noise matches lines that do not say what is wrong: the heading of a package's errors,
// downloads, how to mend a go.mod that nobody can edit, and the exit status of a program after
// its message.
var noise = regexp.MustCompile(`^(# |go: downloading |go get |go mod |exit status \d+$)`)

// advice matches the end of a line that announces such a remedy.
var advice = regexp.MustCompile(`; to (add|add it|update it):$`)

// fetch returns the module that a line names, as path@version, and why it could not be
// downloaded. If a line names no module, fetch takes the first announced download: without a
// proxy all downloads fail alike.
func (e *goError) fetch(line string) (module, cause string, ok bool) {
	m := fetchLine.FindStringSubmatch(line)
	if m == nil || strings.Contains(m[2], " requires go >= ") {
		return "", "", false // the latter: the module is there, and refuses the toolchain
	}
	module, cause = m[1], m[2]
	if module == "" {
		first := downloading.FindStringSubmatch(e.out)
		if first == nil {
			return "", "", false
		}
		module, cause = first[1]+"@"+first[2], m[3]
	}
	return module, advice.ReplaceAllString(cause, ""), true
}

// fetches returns the modules that could not be downloaded, as path@version, with the causes.
func (e *goError) fetches() map[string]string {
	causes := map[string]string{}
	for line := range strings.Lines(e.out) {
		module, cause, ok := e.fetch(strings.TrimSpace(line))
		if ok && causes[module] == "" {
			causes[module] = cause
		}
	}
	return causes
}

// reason returns what went wrong: one line for a module that could not be downloaded, otherwise
// the first three lines of the message, with paths relative to the module. Causes are the
// causes of earlier failed downloads, by module; they take precedence.
func (e *goError) reason(causes map[string]string) string {
	var lines []string
	for line := range strings.Lines(e.out) {
		line = strings.TrimSpace(line)
		if module, cause, ok := e.fetch(line); ok {
			if earlier := causes[module]; earlier != "" {
				cause = earlier
			}
			return fmt.Sprintf("module %s is not in the module cache and could not be fetched: %s", module, cause)
		}
		if line == "" || noise.MatchString(line) {
			continue
		}
		lines = append(lines, advice.ReplaceAllString(e.within(line), ""))
	}
	if len(lines) == 0 {
		return strings.TrimSpace(e.out)
	}
	return strings.Join(lines[:min(len(lines), 3)], "\n")
}

// within returns a line with paths relative to the module. Paths in replaced modules begin with
// the module's path: the rest of a path is private.
func (e *goError) within(line string) string {
	const sep = string(filepath.Separator)
	for _, r := range e.replaced {
		for _, dir := range []string{r.Dir, r.given} {
			if dir == "" {
				continue
			}
			line = strings.ReplaceAll(line, dir+sep, r.Path+"/")
			if rel, err := filepath.Rel(e.dir, dir); err == nil {
				line = strings.ReplaceAll(line, rel+sep, r.Path+"/")
			}
		}
	}
	return strings.TrimPrefix(strings.ReplaceAll(line, e.dir+sep, ""), "."+sep)
}

// oneLine joins the lines of a reason.
func oneLine(reason string) string { return strings.ReplaceAll(reason, "\n", "; ") }
