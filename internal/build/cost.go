package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"assay/internal/cachedir"
	"assay/result"
)

// Costs measures what contenders cost to build for one workload. Each contender is built
// together with a base that every program has. Costs has its own build cache, which holds only
// the base and the standard library, so that no earlier build of a contender counts. The build
// cache is kept between uses, because no cost of the base is measured.
type Costs struct {
	*maker
	base     Contender
	workload string
	ordinary cachedir.Entry // the build cache of the base
	tmp      *cachedir.Temp // holds copies of ordinary, and programs
	size     int64          // of the program with only the base, in bytes
	modules  []result.Module
	built    result.Build
}

// NewCosts builds the base and compiles all that it needs. The caller must call Close.
func NewCosts(ctx context.Context, o Options, base Contender, workload string) (*Costs, error) {
	c := &Costs{base: base, workload: workload}
	spec := c.spec()
	var err error
	if c.maker, err = newMaker(ctx, o, spec); err != nil {
		return nil, err
	}
	if c.ordinary, err = c.kept(); err != nil {
		return nil, err
	}
	if c.tmp, err = c.temporary(); err != nil {
		return nil, err
	}
	if err := c.prepare(ctx, spec); err != nil {
		c.Close()
		return nil, fmt.Errorf("building a runner with nothing but %s: %w", base.Name, err)
	}
	return c, nil
}

// Built says what the programs are built with and from. Its key is the base's key: on one
// machine, equal keys give equal costs.
func (c *Costs) Built() result.Build { return c.built }

// Close removes the programs and the copies of the build cache.
func (c *Costs) Close() error { return c.tmp.Remove() }

// spec returns the spec of a program: the base, and more contenders if given.
func (c *Costs) spec(more ...Contender) Spec {
	var s Spec
	for _, one := range append([]Contender{c.base}, more...) {
		one.Workloads = []string{c.workload}
		s.Contenders = append(s.Contenders, one)
	}
	return s.normal()
}

// kept returns the build cache of the base and creates its directory.
func (c *Costs) kept() (cachedir.Entry, error) {
	data, err := json.Marshal(struct {
		Base string
		Env  goEnv
	}{c.base.Name, c.env})
	if err != nil {
		return cachedir.Entry{}, err
	}
	sum := sha256.Sum256(data)
	e := c.cache.Entry(cachedir.Compiled.Of(c.own), hex.EncodeToString(sum[:cachedir.KeySize]))
	if err := e.Fill(func(*cachedir.Writer) error { return nil }); err != nil {
		return cachedir.Entry{}, err
	}
	e.Touch()
	return e, nil
}

func (c *Costs) prepare(ctx context.Context, spec Spec) error {
	pkg, err := c.main(spec)
	if err != nil {
		return err
	}
	program := c.tmp.Path("base")
	if _, err := c.timed(ctx, c.ordinary.Path(), pkg, program); err != nil {
		return err
	}
	if c.size, c.modules, err = c.inspect(program); err != nil {
		return err
	}
	key, err := c.key(spec)
	if err != nil {
		return err
	}
	c.built, err = c.describe(key, program)
	return err
}

// main writes the main package of a spec and returns its directory.
func (c *Costs) main(spec Spec) (string, error) {
	key, err := c.key(spec)
	if err != nil {
		return "", err
	}
	return c.mainPackage("cost-"+key, spec)
}

// timed builds a program with the build cache in a directory and returns how long the build
// took.
func (c *Costs) timed(ctx context.Context, cache, pkg, program string, flags ...string) (result.BuildTime, error) {
	args := slices.Concat([]string{"build"}, buildFlags(0), flags, []string{"-o", program, "./" + pkg})
	start := time.Now()
	// Not process, which may run the command a second time, with a build cache that is full then.
	_, state, err := c.once(ctx, nil, buildCache(cache), args...)
	err = blamed(err)
	t := result.BuildTime{Wall: int64(time.Since(start))}
	// On Windows and Plan 9 the times of a process do not include its children, and the
	// compilers are children.
	if state != nil && runtime.GOOS != "windows" && runtime.GOOS != "plan9" {
		t.CPU = int64(state.UserTime() + state.SystemTime())
	}
	return t, err
}

func buildCache(dir string) []string { return []string{"GOCACHE=" + dir} }

// inspect returns the size of a program and its modules.
func (c *Costs) inspect(program string) (size int64, modules []result.Module, err error) {
	info, err := os.Stat(program)
	if err != nil {
		return 0, nil, err
	}
	built, err := c.describe("", program)
	return info.Size(), built.Modules, err
}

// Of measures a contender the given number of times. If the contender does not build, the
// Status and Reason of the result say so; the error is of something else.
func (c *Costs) Of(ctx context.Context, one Contender, times int) (result.BuildCost, error) {
	out := result.BuildCost{Base: c.base.Name, BaseBytes: c.size}
	err := c.measure(ctx, one, times, &out)
	if said := (*goError)(nil); errors.As(err, &said) {
		return result.BuildCost{Base: c.base.Name, Status: result.BuildFailed, Reason: said.reason(nil)}, nil
	}
	return out, err
}

func (c *Costs) measure(ctx context.Context, one Contender, times int, out *result.BuildCost) error {
	pkg, err := c.main(c.spec(one))
	if err != nil {
		return err
	}
	if err := c.standard(ctx, pkg); err != nil {
		return err
	}
	gen := path.Join("contenders", one.Dir, "gen", c.workload)
	if out.Lines, err = generatedLines(os.DirFS(c.dir), gen); err != nil {
		return err
	}
	program := c.tmp.Path("program")
	for i := range times {
		cold, warm, err := c.build(ctx, pkg, gen, program, i)
		if err != nil {
			return err
		}
		out.Cold, out.Warm = append(out.Cold, cold), append(out.Warm, warm)
	}
	size, modules, err := c.inspect(program)
	if err != nil {
		return err
	}
	out.Bytes = size
	out.Modules = slices.DeleteFunc(modules, func(m result.Module) bool { return slices.Contains(c.modules, m) })
	return nil
}

// standard compiles the program's packages of the standard library into the ordinary build
// cache, and downloads the modules, so that neither counts as a cost of the contender.
func (c *Costs) standard(ctx context.Context, pkg string) error {
	list, err := c.run(ctx, nil, nil, "list", "-mod=readonly", "-deps", "-f", "{{if .Standard}}{{.ImportPath}}{{end}}", "./"+pkg)
	if err != nil {
		return err
	}
	// Packages that the standard library vendors cannot be named; they are compiled with it.
	packages := slices.DeleteFunc(strings.Fields(string(list)), func(p string) bool {
		return strings.HasPrefix(p, "vendor/") || p == "unsafe"
	})
	args := slices.Concat([]string{"build"}, buildFlags(0), packages)
	_, err = c.run(ctx, nil, buildCache(c.ordinary.Path()), args...)
	return err
}

// build builds a program with a copy of the ordinary build cache, and builds it once more after
// a change of the generated package.
func (c *Costs) build(ctx context.Context, pkg, gen, program string, nonce int) (cold, warm result.BuildTime, err error) {
	const cache = "copy"
	defer c.tmp.RemoveIn(cache)
	if err = c.tmp.Copy(ctx, c.ordinary, cache); err != nil {
		return cold, warm, err
	}
	if cold, err = c.timed(ctx, c.tmp.Path(cache), pkg, program); err != nil {
		return cold, warm, err
	}
	overlay, err := c.overlay(gen, nonce)
	if err != nil {
		return cold, warm, err
	}
	warm, err = c.timed(ctx, c.tmp.Path(cache), pkg, program+"-warm", "-overlay="+overlay)
	return cold, warm, err
}

// overlay returns an overlay file for the go command that replaces a file of the generated
// package by an equivalent text.
func (c *Costs) overlay(gen string, nonce int) (string, error) {
	const name = "bind.go"
	file := filepath.Join(c.dir, filepath.FromSlash(gen), name)
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {file: c.tmp.Path(name)}})
	if err != nil {
		return "", err
	}
	const overlay = "overlay.json"
	return c.tmp.Path(overlay), c.tmp.Fill(func(w *cachedir.Writer) error {
		changed := fmt.Appendf(text, "\n// Change %d.\n", nonce)
		return errors.Join(w.WriteFile(name, changed), w.WriteFile(overlay, list))
	})
}

// glue are the generated files that belong to assay: they bind a library to the timed loop.
var glue = []string{
	"bind.go", "convert.go",
	// Code of modes beside that of the default mode. vtprotobuf's is the library's under other names.
	"types_pool.pb.go", "types_unsafepool.pb.go", "reuse.go", "alias.go",
}

// generatedLines counts the lines of the Go files below a directory, without glue: types, and
// the methods that a code generator writes for them.
func generatedLines(source fs.FS, dir string) (int, error) {
	lines := 0
	err := fs.WalkDir(source, dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" || slices.Contains(glue, path.Base(name)) {
			return err
		}
		data, err := fs.ReadFile(source, name)
		lines += strings.Count(string(data), "\n")
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("there is no generated code in %s", dir)
	}
	return lines, err
}
