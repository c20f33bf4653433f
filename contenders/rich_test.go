package contenders_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"assay/bench"
	"assay/contender"
	"assay/contender/contendertest"
	"assay/contender/emit"
	"assay/contenders"
	"assay/internal/build"
	"assay/result"
	"assay/schema"
	"assay/schema/text"
)

// allLosses are the losses that a contender may declare.
var allLosses = []contender.Loss{
	contender.NilEmpty, contender.ZeroPointer, contender.TimeZone, contender.TimeRange,
	contender.NegZero, contender.NaNInf, contender.BadUTF8, contender.NUL,
}

// faults are the values in testdata/rich that a contender is known to get
// wrong, although no loss is declared: its Text must say so.
var faults = map[string][]string{
	"fault=negative-enums": {"gogo/protobuf"},
}

// TestRich generates, builds and runs every contender for a schema that has
// every kind in every position: each must give back what it was given, read
// what the others of its format wrote, and lose what it declares and nothing
// else.
func TestRich(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	groups := map[string][]*contender.Contender{}
	for _, c := range contenders.All() {
		groups[c.Group] = append(groups[c.Group], c)
	}
	for name, all := range groups {
		t.Run("group="+name, func(t *testing.T) {
			r := startRich(t, all)
			t.Run("values", r.values)
			t.Run("losses", r.losses)
			t.Run("faults", r.faults)
		})
	}
}

// A rich is the program in testdata/rich and the contenders that it links.
type rich struct {
	*contendertest.Server
	contenders []*contender.Contender
}

func (r *rich) values(t *testing.T) {
	for _, size := range []string{"root=everything", "root=items", "root=index"} {
		r.load(t, size)
		for _, c := range r.contenders {
			for _, mode := range modes(c) {
				if got := r.ask(t, c, mode, c.Losses); !got.OK {
					t.Errorf("%s %s %q: %s: %s", size, c.Name, mode, got.Op, got.Reason)
				}
			}
			for _, from := range r.contenders {
				if from == c || from.Format != c.Format {
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

// losses checks that a value which suffers one loss comes back exactly from
// those contenders that do not declare it, and from no other.
func (r *rich) losses(t *testing.T) {
	for _, loss := range allLosses {
		r.load(t, "loss="+string(loss))
		for _, c := range r.contenders {
			rest := slices.DeleteFunc(slices.Clone(c.Losses), func(l contender.Loss) bool { return l == loss })
			declared := len(rest) < len(c.Losses)
			switch got := r.ask(t, c, "", rest); {
			case !got.OK && !declared:
				t.Errorf("%s suffers the loss %s, which it does not declare: %s: %s", c.Name, loss, got.Op, got.Reason)
			case got.OK && declared:
				t.Errorf("%s declares the loss %s and does not suffer it", c.Name, loss)
			}
		}
	}
}

func (r *rich) faults(t *testing.T) {
	for size, wrong := range faults {
		r.load(t, size)
		for _, c := range r.contenders {
			got := r.ask(t, c, "", c.Losses)
			if known := slices.Contains(wrong, c.Name); got.OK == known {
				t.Errorf("%s %s: round trip is right: %v (%s %s); known to be wrong: %v", size, c.Name, got.OK, got.Op, got.Reason, known)
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

// modes returns the modes of a contender, the default one first.
func modes(c *contender.Contender) []string {
	keys := []string{""}
	for _, m := range c.Modes {
		keys = append(keys, m.Key)
	}
	return keys
}

// startRich generates the packages of the contenders for the schema in
// testdata/rich, lays them over the module without writing into it, builds the
// program there, and starts it. A contender that says it cannot hold the schema
// is left out.
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
	o := newOverlay(t)
	o.add(t, "workload/rich", contender.File{Name: "model.go", Data: model})
	r := &rich{}
	var imports, lists bytes.Buffer
	for _, c := range all {
		pkg := "contenders/" + c.Dir() + "/gen/rich"
		files, err := generate(c, s, "assay/"+pkg)
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
	o.add(t, "contenders/testdata/rich", contender.File{
		Name: "bindings.go",
		Data: fmt.Appendf(nil, "package main\n\nimport (\n\"slices\"\n%s)\n\nvar bindings = slices.Concat(\n%s)\n", &imports, &lists),
	})
	program := o.build(t, "./testdata/rich")

	cmd := exec.Command(program)
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

func generate(c *contender.Contender, s *schema.Schema, pkg string) ([]contender.File, error) {
	return build.Generate(context.Background(), "", "..", c, contender.Request{
		Schema:    s,
		Package:   pkg,
		Model:     "assay/workload/" + s.Name,
		Contender: c.Name,
	})
}

// An overlay is files that the go command takes to be in the module.
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
	return &overlay{root, t.TempDir(), map[string]string{}}
}

func (o *overlay) add(t *testing.T, pkg string, f contender.File) {
	t.Helper()
	file := filepath.Join(o.dir, fmt.Sprintf("%d-%s", len(o.replace), f.Name))
	if err := os.WriteFile(file, f.Data, 0o666); err != nil {
		t.Fatal(err)
	}
	o.replace[filepath.Join(o.root, filepath.FromSlash(pkg), f.Name)] = file
}

// build builds a program and returns its file.
func (o *overlay) build(t *testing.T, pkg string) string {
	t.Helper()
	list, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		t.Fatal(err)
	}
	listed, program := filepath.Join(o.dir, "overlay.json"), filepath.Join(o.dir, "rich.exe")
	if err := os.WriteFile(listed, list, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-overlay", listed, "-o", program, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}
