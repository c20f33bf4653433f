//go:build generated

package contenders_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/bench"
	"assay/contender"
	"assay/contender/contendertest"
	"assay/contenders"
	"assay/result"
	"assay/workload"
	"assay/workload/builtin"
)

// linkedWorkloads are the workloads whose messages are compared. Together they have text,
// numbers, maps, lists, optional values and nested messages.
var linkedWorkloads = []string{"customer", "movie", "tick"}

// TestLinked links each contender alone, and together with all contenders of its group and
// those that every runner has. Other contenders must not change a contender. It writes the same
// bytes in both programs, even after all other contenders have worked, and in each program
// reads what it wrote in the other. Global state, such as the time zone, the settings of the
// garbage collector and the handlers of HTTP, is as in a program without contenders. The
// programs must also start without output on standard error, which shows that no two contenders
// share a name in a global registry.
func TestLinked(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program for each contender")
	}
	groups := map[string][]*contender.Contender{}
	for _, c := range contenders.All() {
		groups[c.Group] = append(groups[c.Group], c)
	}
	// One command builds all programs: it loads the packages once, and links as many programs
	// at a time as there are CPUs.
	b := newLinker(t)
	plain := b.add(t, "state", nil)
	var all []*linkedGroup
	for name, own := range groups {
		g := &linkedGroup{name: name, own: own, all: slices.Clone(own), alone: map[*contender.Contender]string{}}
		for _, c := range contenders.All() {
			if c.Group != name && (c.Name == "encoding/json" || c.Format == "none") {
				g.all = append(g.all, c)
			}
		}
		g.state, g.full = b.add(t, "state", g.all), b.add(t, "linked", g.all)
		for _, c := range own {
			if c.Format != "none" && slices.Contains(c.Ops, result.Encode) {
				g.alone[c] = b.add(t, "linked", []*contender.Contender{c})
			}
		}
		all = append(all, g)
	}
	b.build(t)
	want := stateOf(t, plain)
	for _, g := range all {
		t.Run("group="+g.name, func(t *testing.T) {
			t.Parallel()
			g.test(t, want)
		})
	}
}

// A linkedGroup has the contenders of a group, and programs that link them.
type linkedGroup struct {
	name        string
	own, all    []*contender.Contender // all: own and those that every runner has
	state, full string                 // programs that link all
	alone       map[*contender.Contender]string
}

// test compares a program with all contenders with one that has none, and with those that have
// one each.
func (g *linkedGroup) test(t *testing.T, plain map[string]any) {
	t.Run("state", func(t *testing.T) {
		if diff := cmp.Diff(plain, stateOf(t, g.state)); diff != "" {
			t.Errorf("what the contenders changed by being linked (-without +with):\n%s", diff)
		}
	})
	full := startLinked(t, g.full)
	work(t, full, g.all)
	for _, c := range g.own {
		program, ok := g.alone[c]
		if !ok {
			continue
		}
		t.Run(c.Dir(), func(t *testing.T) {
			compareLinked(t, c, startLinked(t, program), full)
		})
	}
}

// work makes every contender encode and decode in every mode.
func work(t *testing.T, s *contendertest.Server, all []*contender.Contender) {
	t.Helper()
	for _, w := range builtin.All() {
		own := slices.DeleteFunc(slices.Clone(all), func(c *contender.Contender) bool { return !slices.Contains(linkedFor(c), w) })
		if len(own) == 0 {
			continue
		}
		loadLinked(t, s, w)
		for _, c := range own {
			for _, mode := range modesFor(c, w.Schema) {
				got := s.Verify(t, bench.Verify{
					Subject: result.Subject{Contender: c.Name, Mode: mode}, Losses: contendertest.LossesIn(c, mode),
				})
				if !got.OK {
					t.Errorf("%s: %s %q: %s: %s", w.Name, c.Name, mode, got.Op, got.Reason)
				}
			}
		}
	}
}

// sameIn returns a function that says whether two messages of a contender in two programs are
// equal.
func sameIn(c *contender.Contender) func(a, b []byte) bool {
	if !c.SpacesVary {
		return bytes.Equal
	}
	return func(a, b []byte) bool {
		var x, y bytes.Buffer
		return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
	}
}

// compareLinked compares a contender linked alone with the same contender among all.
func compareLinked(t *testing.T, c *contender.Contender, alone, full *contendertest.Server) {
	for _, w := range linkedFor(c) {
		loadLinked(t, alone, w)
		loadLinked(t, full, w)
		for _, mode := range modesFor(c, w.Schema) {
			who := result.Subject{Contender: c.Name, Mode: mode}
			write := bench.Command{Cmd: "write", Write: &bench.Write{Subject: who, Bytes: 1 << 24}}
			one, other := alone.Do(t, write).Written.Messages, full.Do(t, write).Written.Messages
			habits := alone.Verify(t, bench.Verify{Subject: who, Losses: contendertest.LossesIn(c, mode), Habits: true}).Habits
			if habits != nil && !habits.Varies && !slices.EqualFunc(one, other, sameIn(c)) && !varies(t, alone, write, one) {
				t.Errorf("%s %q: it writes other bytes when others are linked", w.Name, mode)
			}
			if mode != "" || !slices.Contains(c.Ops, result.Decode) {
				continue
			}
			for _, x := range []struct {
				what     string
				reader   *contendertest.Server
				messages [][]byte
			}{{"among others it reads what it wrote alone", full, one}, {"alone it reads what it wrote among others", alone, other}} {
				if got := x.reader.Verify(t, bench.Verify{Subject: who, Messages: x.messages, Losses: contendertest.Losses(c)}); !got.OK {
					t.Errorf("%s: %s: %s", w.Name, x.what, got.Reason)
				}
			}
		}
	}
}

// varies says whether the bytes of a write command change from call to call. A mode that does
// not encode uses the default mode for it, so its own habits do not tell.
func varies(t *testing.T, s *contendertest.Server, write bench.Command, first [][]byte) bool {
	for range 8 {
		if !slices.EqualFunc(first, s.Do(t, write).Written.Messages, bytes.Equal) {
			return true
		}
	}
	return false
}

func loadLinked(t *testing.T, s *contendertest.Server, w *workload.Workload) {
	t.Helper()
	i := slices.IndexFunc(w.Sizes, func(s workload.Size) bool { return s.Quick })
	s.Load(t, bench.Load{Workload: w.Name, Size: w.Sizes[i].Key, Seed: 1, Inputs: 4})
}

// linkedFor returns the workloads for the comparison of a contender: the linkedWorkloads that
// it has code for, or if there are none, all workloads that it has code for.
func linkedFor(c *contender.Contender) []*workload.Workload {
	held := slices.DeleteFunc(slices.Clone(builtin.All()), func(w *workload.Workload) bool {
		return !contenders.Holds(c.Name, w.Name)
	})
	few := slices.DeleteFunc(slices.Clone(held), func(w *workload.Workload) bool { return !slices.Contains(linkedWorkloads, w.Name) })
	if len(few) == 0 {
		return held
	}
	return few
}

// A linkedProcess is a running runner.
type linkedProcess struct {
	*contendertest.Server
	end func(t *testing.T) // ends the process, and reports its standard error
}

// startLinked starts a built runner. The runner ends when the test does.
func startLinked(t *testing.T, program string) *contendertest.Server {
	t.Helper()
	p := runLinked(t, program)
	t.Cleanup(func() { p.end(t) })
	return p.Server
}

// runLinked starts a built runner, which the caller must end.
func runLinked(t *testing.T, program string) linkedProcess {
	t.Helper()
	cmd := exec.Command(program)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
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
	return linkedProcess{contendertest.Connect(in, out), func(t *testing.T) {
		in.Close()
		if err := cmd.Wait(); err != nil || complaints.Len() > 0 {
			t.Errorf("the program: %v\n%s", err, &complaints)
		}
	}}
}

// stateOf returns the output of a program from testdata/state.
func stateOf(t *testing.T, program string) map[string]any {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "TZ=Asia/Kathmandu")
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil || complaints.Len() > 0 {
		t.Fatalf("the program: %v\n%s", err, &complaints)
	}
	var s map[string]any
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// A linker builds programs from testdata that link contenders.
type linker struct {
	*overlay
	packages []string
}

func newLinker(t *testing.T) *linker {
	t.Helper()
	return &linker{overlay: newOverlay(t)}
}

// add adds the program testdata/NAME with the contenders, and returns the file that build will
// make of it.
func (l *linker) add(t *testing.T, name string, all []*contender.Contender) string {
	t.Helper()
	var imports, lists bytes.Buffer
	for _, c := range all {
		for _, w := range linkedFor(c) {
			fmt.Fprintf(&imports, "%s_%s %q\n", c.Dir(), w.Name, "assay/contenders/"+c.Dir()+"/gen/"+w.Name)
			fmt.Fprintf(&lists, "%s_%s.Bindings,\n", c.Dir(), w.Name)
		}
	}
	main, err := os.ReadFile(filepath.Join("testdata", name, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	pkg := fmt.Sprintf("testdata/%s-%d", name, len(l.packages))
	l.overlay.add(t, "contenders/"+pkg, contender.File{Name: "main.go", Data: main})
	l.overlay.add(t, "contenders/"+pkg, contender.File{
		Name: "bindings.go",
		Data: fmt.Appendf(nil, "package main\n\nimport (\n\"slices\"\n\n\"assay/bench\"\n%s)\n\nvar bindings = slices.Concat([]bench.Binding(nil),\n%s)\n", &imports, &lists),
	})
	l.packages = append(l.packages, "./"+pkg)
	return l.program(pkg)
}

// build builds all added programs.
func (l *linker) build(t *testing.T) {
	t.Helper()
	l.overlay.build(t, l.packages...)
}
