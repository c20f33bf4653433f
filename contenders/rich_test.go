//go:build generated

package contenders_test

import (
	"bytes"
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
	"testing"

	"assay"
	"assay/bench"
	"assay/contender"
	"assay/contender/contendertest"
	"assay/contender/emit"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/cachedir/cachetest"
	"assay/result"
	"assay/schema"
	"assay/schema/text"
	"assay/workload"
)

// strict are the contenders that cannot read nil as other contenders of their format write it,
// if a list or map is an element or the document. Their Text must say so.
var strict = []string{"msgp"}

// TestRich generates, builds and runs every contender for a schema that has every kind in every
// position. Each contender must give back its values. It must read what the other contenders of
// its format wrote, in its own group and in others, and what the judges made of that. The
// probes test losses.
func TestRich(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	groups := map[string][]*contender.Contender{}
	for _, c := range contenders.All() {
		groups[c.Group] = append(groups[c.Group], c)
	}
	var started []*rich
	for name, all := range groups {
		if r := startRich(t, all); r != nil {
			started = append(started, r)
			t.Run("group="+name, r.values)
		}
	}
	t.Run("across", func(t *testing.T) { across(t, started) })
	for _, j := range judges {
		t.Run(j.program, func(t *testing.T) { j.rich(t, started) })
	}
}

// rich judges the contenders' messages of the rich values.
func (j judge) rich(t *testing.T, all []*rich) {
	s := j.script(t)
	for _, r := range all {
		if slices.ContainsFunc(j.inexact, r.schema.Has) {
			t.Skip("the rich schema has kinds that the program is inexact about")
		}
		for _, root := range r.schema.Roots {
			r.load(t, "root="+strings.ToLower(root))
			j.judge(s, r.Server, r.contenders, exhibit{Workload: &workload.Workload{Name: r.schema.Name, Schema: r.schema}, root: root})
		}
	}
}

// richSizes are the sizes of testdata/rich that every contender is tested with.
var richSizes = []string{"root=everything", "root=items", "root=index", "nil=everything", "nil=items", "nil=index"}

// across makes the contenders read what contenders of other groups wrote.
func across(t *testing.T, all []*rich) {
	for _, size := range richSizes {
		for _, r := range all {
			r.load(t, size)
		}
		for _, from := range all {
			for _, writer := range from.contenders {
				if !slices.Contains(writer.Ops, result.Encode) {
					continue
				}
				written := messages(t, from.Server, result.Subject{Contender: writer.Name})
				for _, r := range all {
					if r != from {
						r.read(t, size, writer, written)
					}
				}
			}
		}
	}
}

// excused reports whether a contender need not read another's messages of the rich values of a
// size. The values with root Everything have the zero time, and NUL in a string.
func excused(size string, reader, writer *contender.Contender) bool {
	if strings.HasPrefix(size, "nil=") && slices.Contains(strict, reader.Name) {
		return true
	}
	return strings.HasSuffix(size, "=everything") && (slices.Contains(writer.Losses, contender.NUL) ||
		slices.ContainsFunc(exceptions, func(e exception) bool {
			return e.size == "probe=zero-time" && slices.Contains(strings.Fields(e.readers), reader.Name) && slices.Contains(strings.Fields(e.writers), writer.Name)
		}))
}

// read checks that the contenders with the writer's format read its messages.
func (r *rich) read(t *testing.T, size string, writer *contender.Contender, written [][]byte) {
	t.Helper()
	for _, reader := range r.contenders {
		if !reads(reader, writer) || excused(size, reader, writer) {
			continue
		}
		got := r.Verify(t, bench.Verify{
			Subject:  result.Subject{Contender: reader.Name},
			Messages: written,
			Losses:   slices.Concat(contendertest.Losses(reader), contendertest.Losses(writer)),
		})
		if !got.OK {
			t.Errorf("%s %s reads what %s wrote: %s", size, reader.Name, writer.Name, got.Reason)
		}
	}
}

// A rich is a running program of testdata/rich and the contenders that it links.
type rich struct {
	*contendertest.Server
	schema     *schema.Schema
	contenders []*contender.Contender
}

func (r *rich) values(t *testing.T) {
	for _, size := range richSizes {
		r.load(t, size)
		for _, c := range r.contenders {
			for _, mode := range modesFor(c, r.schema) {
				if got := r.ask(t, c, mode, c.LossesIn(mode)); !got.OK {
					t.Errorf("%s %s %q: %s: %s", size, c.Name, mode, got.Op, got.Reason)
				}
			}
			if strings.HasPrefix(size, "nil=") && slices.Contains(strict, c.Name) {
				continue
			}
			for _, from := range r.contenders {
				if !reads(c, from) {
					continue
				}
				got := r.Verify(t, bench.Verify{
					Subject: result.Subject{Contender: c.Name},
					From:    &result.Subject{Contender: from.Name},
					Losses:  slices.Concat(contendertest.Losses(c), contendertest.Losses(from)),
				})
				if !got.OK {
					t.Errorf("%s %s reads what %s wrote: %s", size, c.Name, from.Name, got.Reason)
				}
			}
		}
	}
}

func (r *rich) load(t *testing.T, size string) {
	t.Helper()
	r.Load(t, bench.Load{Workload: "rich", Size: size, Seed: 1, Inputs: 3})
}

func (r *rich) ask(t *testing.T, c *contender.Contender, mode string, losses []contender.Loss) *bench.Verified {
	t.Helper()
	ask := bench.Verify{Subject: result.Subject{Contender: c.Name, Mode: mode}}
	for _, l := range losses {
		ask.Losses = append(ask.Losses, string(l))
	}
	return r.Verify(t, ask)
}

// modes returns the modes of a contender, the default mode first.
func modes(c *contender.Contender) []string { return keysOf(c.Modes) }

// modesFor returns those that do not refuse a schema.
func modesFor(c *contender.Contender, s *schema.Schema) []string { return keysOf(c.ModesFor(s)) }

func keysOf(modes []contender.Mode) []string {
	keys := []string{""}
	for _, m := range modes {
		keys = append(keys, m.Key)
	}
	return keys
}

// startRich generates the packages of the contenders for the schema in testdata/rich, makes an
// overlay of them, builds the program with the overlay, and starts it. It leaves out contenders
// that cannot hold the schema, and returns nil if none is left.
func startRich(t *testing.T, all []*contender.Contender) *rich {
	t.Helper()
	const file = "testdata/rich/schema.toml"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := text.Parse(file, data)
	if err != nil {
		t.Fatal(err)
	}
	model, err := emit.Model(s, "assay/workload/rich")
	if err != nil {
		t.Fatal(err)
	}
	tools, err := build.NewTools(build.Options{Source: assay.Source, Cache: cachetest.Shared(t)})
	if err != nil {
		t.Fatal(err)
	}
	o := newOverlay(t)
	o.add(t, "workload/rich", contender.File{Name: "model.go", Data: model})
	r := &rich{schema: s}
	var imports, lists bytes.Buffer
	for _, c := range all {
		pkg := "contenders/" + c.Dir() + "/gen/rich"
		files, err := tools.Package(t.Context(), c, contender.Request{Schema: s, Package: "assay/" + pkg, Model: "assay/workload/" + s.Name, Contender: c.Name})
		if no := (*contender.Unsupported)(nil); errors.As(err, &no) {
			t.Logf("%s cannot hold the schema: %v", c.Name, no)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			o.add(t, pkg, f)
		}
		r.contenders = append(r.contenders, c)
		fmt.Fprintf(&imports, "%s %q\n", c.Dir(), "assay/"+pkg)
		fmt.Fprintf(&lists, "%s.Bindings,\n", c.Dir())
	}
	if len(r.contenders) == 0 {
		return nil
	}
	o.add(t, "contenders/testdata/rich", contender.File{
		Name: "bindings.go",
		Data: fmt.Appendf(nil, "package main\n\nimport (\n\"slices\"\n%s)\n\nvar bindings = slices.Concat(\n%s)\n", &imports, &lists),
	})
	o.build(t, "./testdata/rich")

	cmd := exec.Command(o.program("testdata/rich"))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the program: %v", err)
		}
	})
	r.Server = contendertest.Connect(in, out)
	return r
}

// An overlay is a set of files that the go command takes to be in the module.
type overlay struct {
	root, dir string
	replace   map[string]string
}

func newOverlay(t *testing.T) *overlay {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	// The programs that this program builds also need the overlay that it was built with.
	replace, err := contendertest.Overlay()
	if err != nil {
		t.Fatal(err)
	}
	return &overlay{root, t.TempDir(), replace}
}

func (o *overlay) add(t *testing.T, pkg string, f contender.File) {
	t.Helper()
	file := filepath.Join(o.dir, fmt.Sprintf("%d-%s", len(o.replace), f.Name))
	if err := os.WriteFile(file, f.Data, 0o666); err != nil {
		t.Fatal(err)
	}
	o.replace[filepath.Join(o.root, filepath.FromSlash(pkg), f.Name)] = file
}

// build builds the programs of packages, such as ./testdata/rich: see program. It uses the
// flags of runners, so that packages are compiled once for both.
func (o *overlay) build(t *testing.T, packages ...string) {
	t.Helper()
	list, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		t.Fatal(err)
	}
	listed := filepath.Join(o.dir, "overlay.json")
	if err := os.WriteFile(listed, list, 0o666); err != nil {
		t.Fatal(err)
	}
	args := slices.Concat([]string{"build"}, cachetest.BuildFlags, []string{"-ldflags=-s -w", "-overlay", listed, "-o", filepath.Join(o.dir, "bin") + string(filepath.Separator)})
	cmd := exec.Command("go", append(args, packages...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
}

// program returns the file that build makes from a package.
func (o *overlay) program(pkg string) string {
	file := filepath.Join(o.dir, "bin", path.Base(pkg))
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	return file
}
