//go:build !generated

package contenders_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay"
	"assay/contender"
	"assay/contender/contendertest"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/cachedir/cachetest"
	"assay/internal/codegen"
	"assay/internal/process"
	"assay/workload/builtin"
)

// The tests in this directory that need the contenders' code for every workload have the build
// tag generated. They do not compile with the committed module alone. TestGenerated generates
// the code, makes an overlay of it for the go command, builds the tagged tests, and runs them
// in separate processes.

// memoryLimit is the most memory in bytes that such a process may use. The tests encode
// messages of up to 57 MB.
const memoryLimit = 6 << 30

// tagged is the first line of the files with the tag.
const tagged = "//go:build generated\n"

// A tree is the module with an overlay of the generated code.
type tree struct {
	dir     string // holds the generated files
	overlay string // the file for -overlay
	program string // the test program of this package
}

// only restricts the tests to some contenders, so that work on one compiles nothing else.
var only = flag.String("only", "", "check the contenders of these `NAMES`, separated by commas, and no others")

// checked returns the contenders to check.
func checked(t *testing.T) []*contender.Contender {
	t.Helper()
	if *only == "" {
		return contenders.All()
	}
	names := strings.Split(*only, ",")
	some := slices.DeleteFunc(slices.Clone(contenders.All()), func(c *contender.Contender) bool { return !slices.Contains(names, c.Name) })
	if len(some) != len(names) {
		t.Fatalf("-only is %s, and not all of these are contenders; run go generate for a new one", *only)
	}
	return some
}

// TestGenerated generates the contenders' code, compares it with the committed part of the
// code, and runs the tests that need all of it.
func TestGenerated(t *testing.T) {
	if testing.Short() && *only == "" {
		t.Skip("generates and compiles the code of all contenders")
	}
	all := checked(t)
	p, err := codegen.Generate(t.Context(), build.Options{Source: assay.Source, Cache: cachetest.Shared(t)}, codegen.Whole(builtin.All()), all)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range p.LeftOut {
		if contenders.Holds(l.Contender, l.Workload) {
			t.Errorf("%s has no code for %s: %s", l.Contender, l.Workload, l.Text)
		}
	}
	t.Run("committed", func(t *testing.T) { compareCommitted(t, all, p.Files) })
	tree := grow(t, p)
	t.Run("Conformance", func(t *testing.T) {
		for _, c := range all {
			t.Run(c.Dir(), func(t *testing.T) {
				t.Parallel()
				tree.run(t, "-test.run=^TestConformance$/^"+c.Dir()+"$")
			})
		}
	})
	if *only != "" {
		return
	}
	for _, name := range tree.tests(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree.run(t, "-test.run=^"+name+"$")
		})
	}
	t.Run("apart", func(t *testing.T) {
		t.Parallel()
		args := append([]string{"test"}, tree.flags()...)
		for _, dir := range apart(t) {
			args = append(args, "./"+dir)
		}
		cmd := exec.Command("go", args...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", contendertest.OverlayEnv+"="+tree.overlay)
		if out, err := output(t.Context(), cmd); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

// compareCommitted compares each committed package of generated code with the newly generated
// one, file by file, whether it is golden or not: internal/layers tests which packages are.
func compareCommitted(t *testing.T, all []*contender.Contender, files []contender.File) {
	made := map[string][]byte{} // by the path below this directory
	for _, f := range files {
		made[strings.TrimPrefix(f.Name, "contenders/")] = f.Data
	}
	var packages []string
	for _, c := range all {
		own, err := filepath.Glob(c.Dir() + "/gen/*")
		if err != nil || len(own) == 0 {
			t.Errorf("no code of %s is committed: %v", c.Name, err)
		}
		packages = append(packages, own...)
	}
	for _, pkg := range packages {
		pkg = filepath.ToSlash(pkg)
		err := filepath.WalkDir(pkg, func(file string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(file)
			data = bytes.TrimPrefix(data, []byte(codegen.Golden))
			if want, ok := made[filepath.ToSlash(file)]; !ok || !bytes.Equal(data, want) {
				t.Errorf("%s is not what is generated: run go generate", file)
			}
			delete(made, filepath.ToSlash(file))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for name := range made {
			if strings.HasPrefix(name, pkg+"/") {
				t.Errorf("%s is not committed: run go generate", name)
			}
		}
	}
}

// grow writes the generated code and the list of all bindings, and builds the tests of this
// package with them. If a contender does not compile, grow reports an error and leaves the
// contender out.
func grow(t *testing.T, p *codegen.Packages) *tree {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	g := &tree{dir: t.TempDir()}
	replace := map[string]string{}
	add := func(name string, data []byte) {
		file := filepath.Join(g.dir, strconv.Itoa(len(replace))+filepath.Ext(name))
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, filepath.FromSlash(name))] = file
	}
	for _, f := range p.Files {
		add(f.Name, f.Data)
	}
	g.overlay, g.program = filepath.Join(g.dir, "overlay.json"), filepath.Join(g.dir, "contenders.test.exe")
	linked := p.Contenders
	for {
		add("contenders/bindings_test.go", bindingsOf(linked))
		list, err := json.Marshal(map[string]any{"Replace": replace})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(g.overlay, list, 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", append(append([]string{"test", "-c"}, g.flags()...), "-o", g.program, ".")...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		out, err := output(t.Context(), cmd)
		if err == nil {
			return g
		}
		rest := slices.DeleteFunc(slices.Clone(linked), func(c build.Contender) bool {
			bad := bytes.Contains(out, []byte("contenders/"+c.Dir+"/gen/"))
			if bad {
				t.Errorf("%s does not compile:\n%s", c.Name, out)
			}
			return bad
		})
		if len(rest) == len(linked) {
			t.Fatalf("%v\n%s", err, out)
		}
		linked = rest
	}
}

// flags returns the build flags of the tests: those of runners, so that the libraries are
// compiled once for both. Cgo is off, as for runners.
func (g *tree) flags() []string {
	return slices.Concat(cachetest.BuildFlags, []string{"-vet=off", "-ldflags=-s -w", "-tags=generated", "-overlay=" + g.overlay})
}

// bindingsOf returns the file that lists the bindings of all contenders, including those with a
// separate group: their bytes must be right whichever other contenders are linked.
func bindingsOf(linked []build.Contender) []byte {
	var imports, lists bytes.Buffer
	for _, c := range linked {
		for _, w := range c.Workloads {
			fmt.Fprintf(&imports, "%s_%s %q\n", c.Dir, w, "assay/contenders/"+c.Dir+"/gen/"+w)
			fmt.Fprintf(&lists, "%s_%s.Bindings,\n", c.Dir, w)
		}
	}
	return fmt.Appendf(nil, "//go:build generated\n\npackage contenders_test\n\nimport (\n\"slices\"\n\n%s)\n\nvar bindings = slices.Concat(\n%s)\n", &imports, &lists)
}

// tests returns the names of the program's tests that run in a single process.
func (g *tree) tests(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(data, []byte(tagged)) {
			continue
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(t `).FindAllSubmatch(data, -1) {
			if name := string(m[1]); name != "TestConformance" {
				names = append(names, name)
			}
		}
	}
	if len(names) < 5 {
		t.Fatalf("found only the tests %v", names)
	}
	return names
}

// apart returns the directories of other packages with tagged tests.
func apart(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.HasPrefix(data, []byte(tagged)) && bytes.Contains(data, []byte("\nfunc Test")) {
			dirs = append(dirs, filepath.Dir(file))
		}
	}
	if dirs = slices.Compact(dirs); len(dirs) < 5 {
		t.Fatalf("found such tests in %v only", dirs)
	}
	return dirs
}

// slots limits the number of processes, because each may need much memory.
var slots = make(chan struct{}, max(1, min(4, runtime.NumCPU())))

// run runs tests of the program in a separate process, within limits.
func (g *tree) run(t *testing.T, args ...string) {
	t.Helper()
	slots <- struct{}{}
	defer func() { <-slots }()
	args = append(args, "-memory="+strconv.Itoa(memoryLimit), "-update="+strconv.FormatBool(*contendertest.Update), "-test.short="+strconv.FormatBool(testing.Short()))
	cmd := exec.Command(g.program, append(args, "-test.v")...)
	// YAML contenders allocate thousands of times their input, and there is enough memory.
	cmd.Env = append(os.Environ(), contendertest.OverlayEnv+"="+g.overlay, "GOGC=400")
	if err := limited(t, cmd); err != nil {
		t.Error(err)
	}
	if p := cmd.ProcessState; p != nil {
		t.Logf("%v of CPU time", (p.UserTime() + p.SystemTime()).Round(time.Second/10))
	}
}

// limited runs a test program until shortly before this test's deadline, and returns why it
// failed.
func limited(t *testing.T, cmd *exec.Cmd) error {
	ctx := t.Context()
	if end, ok := t.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadlineCause(ctx, end.Add(-10*time.Second), errors.New("the process has not ended in time"))
		defer cancel()
	}
	out, err := output(ctx, cmd)
	if err == nil && !bytes.Contains(out, []byte("\n--- ")) && !bytes.HasPrefix(out, []byte("--- ")) {
		return fmt.Errorf("no test was run:\n%s", out)
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, complaint(out))
	}
	return nil
}

// output runs a command and returns its standard output and standard error.
func output(ctx context.Context, cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	var mu sync.Mutex
	w := writer(func(p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return out.Write(p)
	})
	cmd.Stdout, cmd.Stderr = w, w
	err := process.Run(ctx, cmd)
	return out.Bytes(), err
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// quiet matches the lines of a test's output that do not say what is wrong.
var quiet = regexp.MustCompile(`(?m)^\s*(=== .*|--- PASS.*)\n`)

// complaint returns the part of a program's output that says what is wrong. For a crash it is
// the beginning, which names the place; the stacks that follow are long and alike. Repeated
// lines, as of a contender that prints, appear once, and the end of the output is kept.
func complaint(out []byte) []byte {
	const most, last = 8 << 10, 4 << 10
	out = quiet.ReplaceAll(out, nil)
	if i := bytes.Index(out, []byte("fatal error: ")); i >= 0 {
		out = out[i:]
		return out[:min(len(out), most)]
	}
	out = once(out)
	if len(out) <= most {
		return out
	}
	return fmt.Appendf(nil, "%s\n… %d bytes left out …\n%s", out[:most-last], len(out)-most, out[len(out)-last:])
}

// once returns a text in which repeated lines appear once, with the number of repetitions.
func once(text []byte) []byte {
	var b bytes.Buffer
	lines := bytes.Split(text, []byte("\n"))
	for i := 0; i < len(lines); {
		n := 1
		for i+n < len(lines) && bytes.Equal(lines[i], lines[i+n]) {
			n++
		}
		b.Write(lines[i])
		if n > 1 {
			fmt.Fprintf(&b, " (%d times)", n)
		}
		if i += n; i < len(lines) {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

func TestComplaint(t *testing.T) {
	text := "=== RUN   TestX\n" + strings.Repeat("hello from encode\n", 455) + "    x_test.go:3: it is wrong\n--- FAIL: TestX (0.00s)\nFAIL\n"
	if got, want := string(complaint([]byte(text))), "hello from encode (455 times)\n    x_test.go:3: it is wrong\n--- FAIL: TestX (0.00s)\nFAIL\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var long strings.Builder
	for i := range 5000 {
		fmt.Fprintln(&long, "line", i)
	}
	got := string(complaint([]byte(long.String() + "the reason\n")))
	if len(got) > 9<<10 || !strings.HasPrefix(got, "line 0\n") || !strings.HasSuffix(got, "the reason\n") || !strings.Contains(got, "bytes left out") {
		t.Errorf("%d bytes: %.40q … %.40q", len(got), got, got[len(got)-40:])
	}
}
