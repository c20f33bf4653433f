package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"

	"assay/contender"
	"assay/internal/cachedir"
	"assay/internal/process"
)

// Tools are the generators that emitters name as their plugins: programs of modules that go.mod
// pins, or of this module. Each generator is built once and kept in the cache. Several
// goroutines may call the methods.
type Tools struct {
	m     *maker
	goCmd string
	files []contender.File // the source of generators
	name  string           // a hash of the files

	mu     sync.Mutex
	ready  bool   // the files are written and the go command's settings are read
	goRoot string // of the go command; generators find its bin directory first
	built  map[string]builtTool
}

// A builtTool is a generator that was built, or the reason why it could not be built.
type builtTool struct {
	file string
	err  error
}

// NewTools reads the source of emitters and generators. Nothing is written or run until a
// generator is needed. The options' variant has no effect.
func NewTools(o Options) (*Tools, error) {
	files, err := readSource(o.Source, nil)
	if err != nil {
		return nil, err
	}
	t := &Tools{m: starting(o), goCmd: o.Go, files: slices.DeleteFunc(files, measuring), built: map[string]builtTool{}}
	t.m.own = false // the source holds nothing of the user's
	t.m.gocmd.env = o.Env
	t.name = hashSource(t.files)
	return t, nil
}

// Prepare writes the source of generators and reads the go command's settings. Without it, the
// first use of a generator does so. It is an error if generators could not run with the
// settings.
func (t *Tools) Prepare(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.prepare(ctx)
}

// prepare does Prepare's work on the first call only.
func (t *Tools) prepare(ctx context.Context) error {
	if t.ready {
		return nil
	}
	t.m.emit(Event{Step: Copying})
	if err := t.m.write(t.files); err != nil {
		return err
	}
	var err error
	if t.m.gocmd.path, err = findGo(t.goCmd); err != nil {
		return err
	}
	if t.m.env, err = t.m.readEnv(ctx); err != nil {
		return err
	}
	if err := t.lower(); err != nil {
		return err
	}
	root, err := t.m.gocmd.run(ctx, nil, nil, "env", "GOROOT")
	t.goRoot, t.ready = strings.TrimSpace(string(root)), err == nil
	return err
}

// lower makes the go.mod of the generators ask for no newer Go than the go command is, as that of runners.
func (t *Tools) lower() error {
	mod, err := modfile.Parse("go.mod", file(t.files, "go.mod"), nil)
	if err != nil {
		return fmt.Errorf("reading the source's go.mod: %w", err)
	}
	if _, now := lowerGo(mod, plainVersion(t.m.env["GOVERSION"])); now == "" {
		return nil
	}
	return t.m.write(withFiles(t.files, contender.File{Name: "go.mod", Data: modfile.Format(mod.Syntax)}))
}

// measuring says whether a file belongs to what measures or is measured. Neither emitters nor
// generators need such files.
func measuring(f contender.File) bool {
	top, _, _ := strings.Cut(f.Name, "/")
	return slices.Contains([]string{"bench", "published", "workload"}, top) || committed(f)
}

// Source returns a name for the content of everything that emitters and generators are made of,
// module versions included. Equal names mean equal code.
func (t *Tools) Source() string { return t.name }

// Build builds the generators that are not in the cache, with one command. If a generator
// cannot be built, its first use reports the error. Build itself returns only errors of the
// machine and of the context.
func (t *Tools) Build(ctx context.Context, names ...string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(names) == 0 {
		return nil
	}
	if err := t.prepare(ctx); err != nil {
		return err
	}
	var missing []string
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		if _, known := t.built[name]; known {
			continue
		}
		if one := t.program(name); one.stands(toolFile(name)) {
			one.entry.Touch()
			t.built[name] = builtTool{file: one.entry.Path(toolFile(name))}
			continue
		}
		missing = append(missing, name)
	}
	if len(missing) == 0 {
		return nil
	}
	t.m.emit(Event{Step: Tooling, N: len(missing)})
	// Built together, generators share the libraries' packages. If one fails, all fail, and
	// each is then built by itself.
	err := t.link(ctx, nil, missing...)
	whole := (*goError)(nil)
	if !errors.As(err, &whole) {
		return err
	}
	// The first command downloaded what it could. To ask again could take a time-out for each
	// generator.
	causes := whole.fetches()
	var env []string
	if len(causes) > 0 {
		env = []string{"GOPROXY=off"}
	}
	for _, name := range missing {
		err := t.link(ctx, env, name)
		if said := (*goError)(nil); errors.As(err, &said) {
			t.built[name] = builtTool{err: fmt.Errorf("building %s: %s", path.Base(name), oneLine(said.reason(causes)))}
		} else if err != nil {
			return err
		}
	}
	return nil
}

// link builds generators and keeps them.
func (t *Tools) link(ctx context.Context, env []string, names ...string) error {
	tmp, err := t.m.temporary()
	if err != nil {
		return err
	}
	defer tmp.Remove()
	// The go command names files by base name, which two generators may share.
	var same []string
	for i, name := range names {
		at := slices.ContainsFunc(names[:i], func(other string) bool { return toolFile(other) == toolFile(name) })
		if at {
			same = append(same, name)
		}
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(same, name) })
	by, end := t.m.telling(ctx, names...)
	err = by.build(ctx, env, 0, append([]string{"-o", tmp.Path() + string(filepath.Separator)}, names...)...)
	end()
	if err != nil {
		return err
	}
	for _, name := range names {
		one := t.program(name)
		if err := keepProgram(tmp, one.entry, toolFile(name)); err != nil {
			return err
		}
		t.built[name] = builtTool{file: one.entry.Path(toolFile(name))}
	}
	if len(same) > 0 {
		return t.link(ctx, env, same...)
	}
	return nil
}

// program returns where a generator is kept. The key of a generator of this module includes its
// whole source; the key of any other includes only the versions in go.mod.
func (t *Tools) program(name string) *Runner {
	of := t.m.source.Key()
	if !strings.HasPrefix(name, "assay/") {
		of = t.m.modules
	}
	data, err := json.Marshal(struct {
		Tool, Of string
		Env      goEnv
		Flags    []string
	}{name, of, t.m.env, buildFlags(0)})
	if err != nil {
		panic(err) // every type in it can be marshalled
	}
	sum := sha256.Sum256(data)
	key := hex.EncodeToString(sum[:cachedir.KeySize])
	return &Runner{Key: key, entry: t.m.cache.Entry(cachedir.Tools, key), goos: t.m.env["GOOS"]}
}

// toolFile returns the file name that the go command gives to a generator's program.
func toolFile(name string) string {
	file := path.Base(name)
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	return file
}

// Package returns the package that a contender's emitter writes for a schema, including the
// answers of its plugins: see Generate. An emitter's error, such as a *contender.Unsupported,
// is in the chain of the returned error.
func (t *Tools) Package(ctx context.Context, c *contender.Contender, req contender.Request) ([]contender.File, error) {
	out, err := c.Emit(req)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	return t.Generate(ctx, c.Name, out)
}

// Generate returns the package of the named contender: the files that its emitter has written
// to out and the answers of its plugins, formatted and sorted by name.
func (t *Tools) Generate(ctx context.Context, name string, out contender.Output) ([]contender.File, error) {
	var need []string
	for _, p := range out.Plugins {
		need = append(need, p.Tool)
		need = append(need, p.Uses...)
	}
	if err := t.Build(ctx, need...); err != nil {
		return nil, err
	}
	return assemble(name, out, func(p contender.Plugin) ([]byte, error) { return t.run(ctx, p) })
}

// generatorMemory is the most memory in bytes that a generator may use. Ordinary schemas need a
// hundredth of it; some generators take tens of GiB for messages of thousands of fields.
const generatorMemory = 4 << 30

// limited runs a generator to its end within generatorMemory.
func limited(ctx context.Context, cmd *exec.Cmd) error {
	p, err := process.StartLimited(ctx, cmd, generatorMemory)
	if err != nil {
		return err
	}
	return p.Wait()
}

// run runs a plugin and returns its standard output.
func (t *Tools) run(ctx context.Context, p contender.Plugin) ([]byte, error) {
	programs := make([]string, 0, 1+len(p.Uses))
	for _, name := range append([]string{p.Tool}, p.Uses...) {
		t.mu.Lock()
		one := t.built[name]
		t.mu.Unlock()
		if one.err != nil {
			return nil, one.err
		}
		programs = append(programs, one.file)
	}
	cmd := exec.Command(programs[0], programs[1:]...)
	cmd.Dir = t.m.dir
	cmd.Env = append(cmd.Environ(), t.m.gocmd.env...)
	// Generators that run the go command use the one that built them.
	cmd.Env = append(cmd.Env, "CGO_ENABLED=0", "GO111MODULE=on", "GOWORK=off",
		"PATH="+filepath.Join(t.goRoot, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	cmd.Stdin = bytes.NewReader(p.Request)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := limited(ctx, cmd)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil && slices.ContainsFunc(process.MemoryWords(), func(words string) bool { return strings.Contains(stderr.String(), words) }) {
		return nil, fmt.Errorf("its generator takes more than %d GiB of memory for this schema", generatorMemory>>30)
	}
	exit := (*exec.ExitError)(nil)
	if !errors.As(err, &exit) {
		return stdout.Bytes(), err
	}
	if stderr.Len() == 0 {
		fmt.Fprintf(&stderr, "%s: %v", path.Base(p.Tool), err)
	}
	said := &goError{stderr.String(), t.m.dir, nil}
	if fault := said.fault(); fault != nil {
		return nil, fault
	}
	return nil, said
}
