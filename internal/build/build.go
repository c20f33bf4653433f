// Package build makes runners, the programs that link the libraries. It uses the user's go
// command: it writes the source out, generates a main package, compiles it, and links it once
// for every layout. It keeps the results in a cache of bounded size, so that a second request
// for the same runner needs no build.
//
// Several processes may use one cache at the same time: see package cachedir. The package keeps
// every program with its hash, and checks the hash before it hands the program out. It links a
// damaged program again.
package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"assay/contender"
	"assay/internal/cachedir"
	"assay/result"
)

// Options say from what, with what and where runners are made.
type Options struct {
	// Source is the module that runners are part of: assay.Source.
	Source fs.FS
	// Generated are the packages of contenders: files named by their slash-separated path in
	// the module. Unless Generated is nil, they replace all generated packages of Source,
	// contenders/*/gen/*.
	Generated []contender.File
	// Extra are further files to add to Source: the code generated from the user's own data.
	Extra []contender.File
	// Cache holds the source, the runners and all else that is kept.
	Cache cachedir.Dir
	// Go is the go command. Empty: the one on PATH.
	Go string
	// Env are variables added to the environment of the go command, such as
	// GOPROXY. CGO_ENABLED=0 is always set.
	Env []string
	// Variant is how the runner differs from the ordinary one.
	Variant Variant
	// Lazy makes Make return as soon as the first layout is linked. Runner.Linked and
	// Runner.LinkAhead link the others.
	Lazy bool
	// Progress, when set, receives the events. Several goroutines may call it, but never two at
	// once.
	Progress func(Event)
}

// Check returns an error if the variant or the go command is invalid, as far as that can be
// told without running anything.
func (o Options) Check() error {
	v, err := o.Variant.normal()
	if err == nil {
		err = v.CheckGo(o.Go)
	}
	return err
}

// A Spec is what a runner links.
type Spec struct {
	Contenders []Contender `json:"contenders"`
	// Workloads are the names of the workloads that the runner offers. Make adds the workloads
	// of the contenders.
	Workloads []string `json:"workloads"`
	// Codecs adds the modes of package compress, and links the compression libraries.
	Codecs bool `json:"codecs,omitempty"`
	// Streams makes the runner link only the streams of its contenders, not their bindings.
	Streams bool `json:"streams,omitempty"`
	// Main is the directory of a main package in the source that is linked as it is. Only
	// Program sets it.
	Main string `json:"main,omitempty"`
}

// A Contender is one contender of a runner.
type Contender struct {
	Name string `json:"name"`
	// Dir is its directory below contenders.
	Dir string `json:"dir"`
	// Workloads are the workloads that the contender has generated packages for.
	Workloads []string `json:"workloads"`
}

// A Runner is a program that was built, in one or more layouts.
type Runner struct {
	// Key is a hash of everything that could change the program. Runners with equal keys are
	// equal.
	Key string
	// Spec is what the runner links: the requested spec without what failed.
	Spec Spec
	// Failed are the contenders that are not linked in full, by name.
	Failed map[string]Failure
	// Build is what the runner was built with and from. A module taken from a directory has as
	// its version "source-" and a hash of the directory's content.
	Build result.Build
	// Variant is the requested variant with exact versions and the exact release of Go.
	Variant Variant
	// Changed are the versions that differ from the ordinary runner's without being asked for
	// by the variant, as "module: v1.2.3 → v1.2.4": modules require one another. "go" is the
	// language version of go.mod. If a module is "→ none that agrees", its contenders could not
	// be built.
	Changed []string
	// Dir is the directory that holds the layouts.
	Dir string
	// Source is the directory that the runner was built in.
	Source string

	entry, source cachedir.Entry // of Dir and of Source
	goos          string
	later         *pieces // nil: all layouts are linked
}

// A Failure says why a contender is missing from a runner.
type Failure struct {
	// Workloads are the workloads that the contender is missing for.
	Workloads []string `json:"workloads"`
	// Reason is what the compiler or the go command said: at most three lines, or three for each
	// of several failures.
	Reason string `json:"reason"`
	// Fetch says that a module could not be downloaded. The next attempt may succeed.
	Fetch bool `json:"fetch,omitempty"`
}

// And returns the failure of a contender that failed twice, for different workloads: it has the
// workloads and the reasons of both.
func (f Failure) And(g Failure) Failure {
	f.Workloads = slices.Compact(slices.Sorted(slices.Values(slices.Concat(f.Workloads, g.Workloads))))
	switch {
	case f.Reason == "":
		f.Reason = g.Reason
	case g.Reason != "" && g.Reason != f.Reason:
		f.Reason += "\n" + g.Reason
	}
	f.Fetch = f.Fetch || g.Fetch
	return f
}

// Path returns the program file of a layout. The layout must be one of those that Make was
// called with.
func (r *Runner) Path(layout uint64) string { return filepath.Join(r.Dir, r.file(layout)) }

// file returns the name of a layout's program.
func (r *Runner) file(layout uint64) string {
	name := "layout-" + strconv.FormatUint(layout, 10)
	if r.goos == "windows" {
		name += ".exe"
	}
	return name
}

// AddSource writes a file into the directory that the runner was built in, for a program that
// links the same code as the runner. Name is the slash-separated path within that directory.
func (r *Runner) AddSource(name string, data []byte) error { return r.source.WriteFile(name, data) }

// layoutFile matches what file returns.
var layoutFile = regexp.MustCompile(`^layout-\d+(\.exe)?$`)

// A Step is what Make is doing.
type Step string

// The steps.
const (
	Copying   Step = "copying"   // writing the source into the cache
	Tooling   Step = "tooling"   // building generators of code
	Resolving Step = "resolving" // finding the module versions of a variant
	Compiling Step = "compiling" // compiling everything and linking the first layout
	Compiled  Step = "compiled"  // a package was compiled
	Searching Step = "searching" // building contenders one by one, to find those that fail
	Relinking Step = "relinking" // linking one more layout
	FromCache Step = "cached"    // every layout was there already
	Damaged   Step = "damaged"   // a layout in the cache is not what was linked
	Evicted   Step = "evicted"   // entries that were unused for long were removed from the cache
)

// An Event is progress.
type Event struct {
	Step Step
	// Contender is the contender that is built alone (Searching).
	Contender string
	// I of N counts from 1 (Searching, Relinking, Compiled). For Compiled, N is the number of
	// packages of the program, or of all generators together, whether or not they were compiled
	// before; it is 0 until the number is known. For Tooling, N is the number of generators to
	// build. For Evicted, N is the number of removed cache entries, and Bytes their size.
	I, N  int
	Bytes int64
	// Layout is the layout that will be linked again (Damaged).
	Layout uint64
	// Err is why the cache could not be kept within its size (Evicted).
	Err error
}

// Make returns a runner that links the spec's contenders, with a program for each of the
// layouts. Layout 0 is the linker's default layout. No layouts mean layout 0 alone. Make leaves
// out contenders that cannot be built and names them in Failed; it is an error if none remains.
// If ctx ends, Make returns the cause.
func Make(ctx context.Context, o Options, spec Spec, layouts []uint64) (*Runner, error) {
	if len(spec.Contenders) == 0 {
		return nil, errors.New("no contenders to build a runner of")
	}
	return produce(ctx, o, spec.normal(), layouts)
}

// produce makes the runner of a spec in normal form.
func produce(ctx context.Context, o Options, spec Spec, layouts []uint64) (*Runner, error) {
	m, err := newMaker(ctx, o, spec)
	if err != nil {
		return nil, err
	}
	if len(layouts) == 0 {
		layouts = []uint64{0}
	}
	r, err := m.make(ctx, spec, layouts, map[string]Failure{})
	if err != nil {
		return nil, err
	}
	keep := []string{r.Dir, m.dir}
	for _, d := range m.variant.Replace {
		keep = append(keep, d.Dir)
	}
	if m.wrote.Load() {
		m.evict(keep...)
	}
	return r, nil
}

// A maker is the state of one Make.
type maker struct {
	gocmd
	cache    cachedir.Dir
	lazy     bool
	own      bool           // the source has files generated from a user's own data
	source   cachedir.Entry // the entry that the source was written to
	modules  string         // names the module versions that go.mod and go.sum pin
	env      goEnv
	variant  Variant
	lowered  bool              // the variant's Go is older than go.mod asks for
	contents map[string]string // hashes of the replaced modules, by module path
	changed  []string
	wrote    atomic.Bool // something was added to the cache, which may be too large now
	mu       sync.Mutex  // serialises progress
	progress func(Event)
}

// starting returns a maker that has neither written nor run anything.
func starting(o Options) *maker {
	return &maker{cache: o.Cache, lazy: o.Lazy, own: len(o.Extra) > 0, progress: o.Progress, contents: map[string]string{}}
}

func newMaker(ctx context.Context, o Options, spec Spec) (*maker, error) {
	m := starting(o)
	var err error
	if m.variant, err = o.Variant.normal(); err != nil {
		return nil, err
	}
	for i, r := range m.variant.Replace {
		if m.variant.Replace[i], m.contents[r.Path], err = r.kept(o.Cache); err != nil {
			return nil, err
		}
	}
	path, toolchain, err := m.variant.toolchain(o.Go)
	if err != nil {
		return nil, err
	}
	files, err := readOptions(o)
	if err != nil {
		return nil, err
	}
	m.emit(Event{Step: Copying})
	m.gocmd = gocmd{path: path, env: slices.Concat(o.Env, m.variant.Env, toolchain), replaced: m.variant.Replace}
	if err := m.write(files); err != nil {
		return nil, err
	}
	if m.env, err = m.readEnv(ctx); err != nil {
		return nil, m.variant.refused(err)
	}
	m.gocmd.flags = m.env.compilerFlags()
	if m.variant.zero() {
		return m, nil
	}
	if files, err = m.vary(ctx, files, spec); err != nil {
		return nil, err
	}
	return m, m.write(files)
}

// write writes the files to the cache and makes them the source that is built.
func (m *maker) write(files []contender.File) error {
	m.source = m.cache.Entry(cachedir.Sources.Of(m.own), hashSource(files))
	m.dir, m.modules = m.source.Path(), hashModules(files)
	if err := writeSource(m.source, files); err != nil {
		return err
	}
	m.source.Touch()
	return nil
}

// make builds the spec. If some contenders cannot be built, it adds them to failed and builds
// the rest.
func (m *maker) make(ctx context.Context, spec Spec, layouts []uint64, failed map[string]Failure) (*Runner, error) {
	key, err := m.key(spec)
	if err != nil {
		return nil, err
	}
	if known := m.readFailures(key); known != nil {
		return m.without(ctx, spec, layouts, failed, known)
	}
	entry := m.cache.Entry(cachedir.Programs.Of(m.own), key)
	r := &Runner{Key: key, Spec: spec, Failed: failed, Source: m.dir, goos: m.env["GOOS"], Dir: entry.Path(), entry: entry, source: m.source}
	entry.Touch() // so that no other process evicts the entry while its programs are checked
	missing, err := m.missing(ctx, r, layouts)
	if err != nil {
		return nil, err
	}
	if len(missing) == 0 {
		m.emit(Event{Step: FromCache})
	} else {
		found, err := m.linkAll(ctx, r, missing, layouts[0])
		if err != nil {
			return nil, err
		}
		if found != nil {
			return m.without(ctx, spec, layouts, failed, found)
		}
	}
	entry.Touch()
	r.Variant, r.Changed = m.variant, m.changed
	r.Build, err = m.describe(key, r.Path(layouts[0]))
	return r, err
}

// linkAll compiles a runner and links it in the layouts. If the build fails because of
// contenders, linkAll returns them and remembers them in the cache. If the maker is lazy,
// linkAll links at most one layout and leaves the others for later.
func (m *maker) linkAll(ctx context.Context, r *Runner, layouts []uint64, first uint64) (map[string]Failure, error) {
	pkg, err := m.mainPackage(r.Key, r.Spec)
	if err != nil {
		return nil, err
	}
	if m.lazy && !slices.Contains(layouts, first) {
		m.emit(Event{Step: FromCache})
		m.leave(r, pkg, layouts)
		return nil, nil
	}
	m.emit(Event{Step: Compiling})
	if m.lowered && r.Spec.Main == "" {
		// Report it before compiling the contenders, which takes a minute.
		if err := m.checkOwn(ctx, nil, r.Spec); err != nil {
			return nil, err
		}
	}
	if err := m.linkFirst(ctx, r, pkg, layouts[0]); err != nil {
		var said *goError
		if !errors.As(err, &said) {
			return nil, err
		}
		if r.Spec.Main != "" {
			return nil, fmt.Errorf("%s does not build: %s", r.Spec.Main, oneLine(said.reason(nil)))
		}
		found, err := m.search(ctx, r.Spec, said)
		if err != nil {
			return nil, err
		}
		return found, m.writeFailures(r.Key, found)
	}
	if err := r.entry.WriteFile(labelFile, []byte(m.variant.Label()+"\n")); err != nil {
		return nil, err
	}
	if m.lazy {
		m.leave(r, pkg, layouts[1:])
		return nil, nil
	}
	return nil, m.relink(ctx, r, pkg, layouts[1:])
}

// leave leaves layouts to be linked later, one at a time.
func (m *maker) leave(r *Runner, pkg string, layouts []uint64) {
	low := m.gocmd
	low.low = true
	r.later = &pieces{left: slices.Clone(layouts), link: func(ctx context.Context, layout uint64) error {
		return m.linkBy(ctx, low, r, pkg, layout)
	}}
}

// without builds the spec without the contenders that were found to fail.
func (m *maker) without(ctx context.Context, spec Spec, layouts []uint64, failed, found map[string]Failure) (*Runner, error) {
	for name, f := range found {
		failed[name] = failed[name].And(f)
	}
	rest := spec.without(found)
	if len(rest.Contenders) == 0 {
		first := spec.Contenders[0].Name
		return nil, fmt.Errorf("no contender could be built; %s: %s", first, oneLine(found[first].Reason))
	}
	return m.make(ctx, rest, layouts, failed)
}

// relink links the layouts, up to four at a time on machines with enough CPUs.
func (m *maker) relink(ctx context.Context, r *Runner, pkg string, layouts []uint64) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		wg    sync.WaitGroup
		slots = make(chan struct{}, min(max(1, runtime.NumCPU()/2), 4))
	)
	for i, layout := range layouts {
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		m.emit(Event{Step: Relinking, I: i + 1, N: len(layouts)})
		wg.Go(func() {
			defer func() { <-slots }()
			if err := m.link(ctx, r, pkg, layout); err != nil {
				cancel(fmt.Errorf("linking layout %d: %w", layout, err))
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// link builds the runner's program in one layout.
func (m *maker) link(ctx context.Context, r *Runner, pkg string, layout uint64) error {
	return m.linkBy(ctx, m.gocmd, r, pkg, layout)
}

// linkBy is link with the given go command.
func (m *maker) linkBy(ctx context.Context, by gocmd, r *Runner, pkg string, layout uint64) error {
	tmp, err := m.temporary()
	if err != nil {
		return err
	}
	defer tmp.Remove()
	name := r.file(layout)
	if err := by.build(ctx, nil, layout, "-o", tmp.Path(name), "./"+pkg); err != nil {
		return err
	}
	m.wrote.Store(true)
	return keepProgram(tmp, r.entry, name)
}

func (m *maker) temporary() (*cachedir.Temp, error) { return m.cache.Temp(m.own) }

func (m *maker) emit(e Event) {
	if m.progress == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.progress(e)
}
