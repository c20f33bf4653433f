package userdata

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay"
	"assay/bench"
	"assay/contender"
	"assay/contender/emit"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/cachedir/cachetest"
	"assay/result"
	"assay/schema"
	"assay/schema/text"
)

var (
	schemas   = flag.Int("schemas", 2, "how many random schemas TestRandom tries")
	firstSeed = flag.Uint64("seed", 1, "the seed of the first of them; the others follow")
	only      = flag.String("contenders", "", "the contenders that TestRandom tries, by their directories, with commas; empty: all")
)

// TestRandom has every contender generate its package for random schemas. Each
// must compile and give back random values, but for what it declares to lose, or
// say what it cannot hold. What fails is printed with its seed, made as small as
// a few attempts can.
func TestRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	const together = 5 // schemas in one program, which takes long to link
	for first := 0; first < *schemas; first += together {
		p := newProgram(t)
		for i := first; i < min(first+together, *schemas); i++ {
			p.emit(t, *firstSeed+uint64(i))
		}
		if !p.build(t) {
			return
		}
		for _, d := range p.data {
			for _, root := range d.Schema.Roots {
				p.values(t, dataOf(d.Schema, root))
			}
		}
		p.stop()
	}
}

func newProgram(t *testing.T) *program {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	tools, err := build.NewTools(build.Options{Source: assay.Source, Cache: cachetest.Shared(t)})
	if err != nil {
		t.Fatal(err)
	}
	return &program{root: root, dir: t.TempDir(), tools: tools, cases: map[string]*packaged{}, asked: map[string][]byte{}}
}

// A program is a runner of random schemas. The go command takes its packages to
// be in the module, where they are not written.
type program struct {
	root, dir string
	tools     *build.Tools
	data      []*Data              // one for each schema
	cases     map[string]*packaged // by the package's directory in the module
	// asked is what easyjson's generator has still to be asked for, by that directory. It
	// links a program of all that it is asked for at once.
	asked map[string][]byte

	cmd        *exec.Cmd
	in         io.WriteCloser
	out        *json.Decoder
	complaints *bytes.Buffer
}

// packaged is one contender's package for one schema.
type packaged struct {
	seed      uint64
	data      *Data
	contender *contender.Contender
	files     []contender.File
}

// modes are the default mode and those that the contender has for the schema.
func (c *packaged) modes() []contender.Mode {
	return append([]contender.Mode{{}}, c.contender.ModesFor(c.data.Schema)...)
}

// emit makes the schema of a seed and has all contenders write for it.
func (p *program) emit(t *testing.T, seed uint64) {
	t.Helper()
	s := randomSchema(seed)
	if err := s.Validate(); err != nil {
		t.Fatalf("seed %d: the schema is not valid: %v\n%s", seed, err, text.Format(s))
	}
	p.add(t, seed, dataOf(s, s.Roots[0]), func(c *contender.Contender) bool {
		return c.Format != "none" && (*only == "" || slices.Contains(strings.Split(*only, ","), c.Dir()))
	})
}

// add has the wanted contenders write for a schema, which is the seed's.
func (p *program) add(t *testing.T, seed uint64, d *Data, wanted func(*contender.Contender) bool) {
	t.Helper()
	p.data = append(p.data, d)
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2)
	for _, c := range contenders.All() {
		if !wanted(c) {
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			files, later, err := p.emitted(d, c)
			var no *contender.Unsupported
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.As(err, &no) && no.Field != "" && no.Reason != "":
				t.Logf("seed %d: %v", seed, err)
			case err != nil:
				t.Errorf("seed %d: %s", seed, p.smallest(t, &packaged{seed, d, c, nil}, err.Error()))
			default:
				dir := d.target().Dir(c)
				p.cases[dir] = &packaged{seed, d, c, files}
				if later != nil {
					p.asked[dir] = later
				}
			}
		})
	}
	wg.Wait()
}

func dataOf(s *schema.Schema, root string) *Data {
	return &Data{Source: Source{Schema: s, Root: root}}
}

func (p *program) generate(d *Data, c *contender.Contender) (files []contender.File, err error) {
	defer recovered(c, &err)
	return p.tools.Package(context.Background(), c, d.target().Request(c))
}

func recovered(c *contender.Contender, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s: panic: %v", c.Name, r)
	}
}

const easyjson = "assay/contenders/easyjson/generator"

// emitted is generate, but for what easyjson's generator is to be asked for later.
func (p *program) emitted(d *Data, c *contender.Contender) (files []contender.File, later []byte, err error) {
	defer recovered(c, &err)
	out, err := c.Emit(d.target().Request(c))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	if len(out.Plugins) == 1 && out.Plugins[0].Tool == easyjson {
		later, out.Plugins = out.Plugins[0].Request, nil
	}
	files, err = p.tools.Generate(context.Background(), c.Name, out)
	return files, later, err
}

// answer adds what easyjson's generator answers, of one program for all schemas unless that
// fails.
func (p *program) answer(t *testing.T) {
	t.Helper()
	const below = "contenders/easyjson/gen"
	dirs := slices.Sorted(maps.Keys(p.asked))
	if len(dirs) == 0 {
		return
	}
	var requests [][]byte
	for _, dir := range dirs {
		requests = append(requests, p.asked[dir])
	}
	clear(p.asked)
	files, err := p.tools.Generate(context.Background(), "easyjson", contender.Output{
		Plugins: []contender.Plugin{{Tool: easyjson, Request: bytes.Join(requests, []byte("\n")), Below: "assay/" + below}}})
	if err == nil {
		for _, f := range files {
			dir, name := path.Split(f.Name)
			c := p.cases[path.Join(below, dir)]
			c.files = append(c.files, contender.File{Name: name, Data: f.Data})
		}
		return
	}
	t.Logf("easyjson, all schemas at once: %v", err)
	for _, dir := range dirs {
		c := p.cases[dir]
		if c.files, err = p.generate(c.data, c.contender); err != nil {
			delete(p.cases, dir)
			t.Errorf("seed %d: %s", c.seed, p.smallest(t, c, err.Error()))
		}
	}
}

// build builds the program and starts it, without the packages that do not
// compile or that end it when it starts.
func (p *program) build(t *testing.T) bool {
	t.Helper()
	p.answer(t)
	for range 20 {
		out, err := p.link("random.exe", p.cases)
		if err != nil {
			if !p.blame(t, out, "does not compile") {
				t.Errorf("go build: %v\n%s", err, head(out))
				return false
			}
			continue
		}
		p.start(t)
		if _, err := p.do(bench.Command{Cmd: "describe"}); err != nil {
			p.stop()
			if !p.blame(t, p.complaints.String(), "ends the program that links it") {
				t.Errorf("the program: %v\n%s", err, head(p.complaints.String()))
				return false
			}
			continue
		}
		return true
	}
	t.Error("the program fails in too many ways")
	return false
}

var packages = regexp.MustCompile(`contenders/[a-z0-9]+/gen/[a-z0-9_]+`)

// blame reports the packages that a complaint is about, and leaves them out.
func (p *program) blame(t *testing.T, complaint, what string) bool {
	t.Helper()
	var found []string
	for line := range strings.Lines(complaint) {
		// Of a crash, the first package named is where it was.
		if name := packages.FindString(line); p.cases[name] != nil && !slices.Contains(found, name) {
			if len(found) == 0 || strings.HasPrefix(line, "# ") {
				found = append(found, name)
			}
		}
	}
	for _, name := range found {
		c := p.cases[name]
		delete(p.cases, name)
		t.Errorf("seed %d: %s: %s: %s", c.seed, c.contender.Dir(), what, p.smallest(t, c, about(complaint, name)))
	}
	return len(found) > 0
}

// about returns what the compiler said about a package, or else the beginning.
func about(complaint, name string) string {
	_, rest, ok := strings.Cut(complaint, "# assay/"+name+"\n")
	if !ok {
		return head(complaint)
	}
	rest, _, _ = strings.Cut(rest, "\n# ")
	return head(rest)
}

func head(s string) string {
	lines := strings.SplitN(s, "\n", 9)
	if len(lines) == 9 {
		lines[8] = "…"
	}
	return strings.Join(lines, "\n")
}

// smallest returns what is wrong with a contender's package, and the smallest
// schema found that has something wrong too.
func (p *program) smallest(t *testing.T, c *packaged, wrong string) string {
	t.Helper()
	best, left := c.data.Schema, 15
	fails := func(s *schema.Schema) bool {
		if left == 0 || s.Validate() != nil {
			return false
		}
		left--
		d := dataOf(s, s.Roots[0])
		files, err := p.generate(d, c.contender)
		if no := (*contender.Unsupported)(nil); errors.As(err, &no) {
			return false
		}
		said := ""
		if err == nil {
			said, err = p.link("", map[string]*packaged{d.target().Dir(c.contender): {c.seed, d, c.contender, files}})
		}
		if err == nil {
			return false
		}
		wrong = about(said, d.target().Dir(c.contender))
		if said == "" {
			wrong = err.Error()
		}
		return true
	}
	var parts []*schema.Schema
	for _, m := range best.Messages {
		parts = append(parts, reachable(best, m.Name))
	}
	slices.SortStableFunc(parts, func(a, b *schema.Schema) int { return len(a.Messages) - len(b.Messages) })
	if i := slices.IndexFunc(parts, fails); i >= 0 {
		best = parts[i]
	}
	for again := true; again; {
		again = false
		for mi, m := range best.Messages {
			for fi := range m.Fields {
				s := *best
				s.Messages = slices.Clone(s.Messages)
				less := *m
				less.Wraps = false
				less.Fields = slices.Delete(slices.Clone(m.Fields), fi, fi+1)
				s.Messages[mi] = &less
				if s := reachable(&s, s.Roots[0]); fails(s) {
					best, again = s, true
					break
				}
			}
			if again {
				break
			}
		}
	}
	return wrong + "\n" + string(text.Format(best))
}

// reachable returns the schema of one message and what is in it.
func reachable(s *schema.Schema, root string) *schema.Schema {
	out := &schema.Schema{Name: s.Name, Doc: s.Doc, Roots: []string{root}, Unescaped: s.Unescaped}
	seen := map[string]bool{}
	var visit func(t *schema.Type)
	visit = func(t *schema.Type) {
		if t.Elem != nil {
			visit(t.Elem)
		}
		if t.Ref == "" || seen[t.Ref] {
			return
		}
		seen[t.Ref] = true
		if e := s.Enum(t.Ref); e != nil {
			out.Enums = append(out.Enums, e)
			return
		}
		m := s.Message(t.Ref)
		out.Messages = append(out.Messages, m)
		for _, f := range m.Fields {
			visit(&f.Type)
		}
	}
	visit(&schema.Type{Kind: schema.MessageKind, Ref: root})
	return out
}

// link compiles packages and, if it is given a name, links the program of them.
// It returns what the go command said.
func (p *program) link(name string, cases map[string]*packaged) (string, error) {
	dir, err := os.MkdirTemp(p.dir, "link")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	replace := map[string]string{}
	var failed error
	written := 0
	add := func(file string, data []byte) {
		written++
		at := filepath.Join(dir, fmt.Sprint(written))
		failed = errors.Join(failed, os.WriteFile(at, data, 0o666))
		replace[filepath.Join(p.root, filepath.FromSlash(file))] = at
	}
	var imports, bindings, workloads bytes.Buffer
	for at, c := range cases {
		for _, f := range c.files {
			add(at+"/"+f.Name, f.Data)
		}
		id := c.contender.Dir() + "_" + c.data.Schema.Name
		fmt.Fprintf(&imports, "%s %q\n", id, "assay/"+at)
		fmt.Fprintf(&bindings, "%s.Bindings,\n", id)
		model, err := emit.Model(c.data.Schema, c.data.model())
		if err != nil {
			return "", err
		}
		add(strings.TrimPrefix(c.data.model(), "assay/")+"/model.go", model)
	}
	for _, d := range p.data {
		if name == "" {
			break
		}
		model, err := emit.Model(d.Schema, d.model())
		if err != nil {
			return "", err
		}
		add(strings.TrimPrefix(d.model(), "assay/")+"/model.go", model)
		id := d.Schema.Name
		fmt.Fprintf(&imports, "%s %q\n", id, d.model())
		fmt.Fprintf(&workloads, workloadSource, id, d.Schema.Roots[0], d.Schema.Roots[len(d.Schema.Roots)-1])
	}
	const main = "internal/userdata/testdata/random"
	add(main+"/main.go", fmt.Appendf(nil, mainSource, imports.String(), workloads.String(), bindings.String()))
	list, err := json.Marshal(map[string]any{"Replace": replace})
	listed := filepath.Join(dir, "overlay.json")
	if err = errors.Join(failed, err, os.WriteFile(listed, list, 0o666)); err != nil {
		return "", err
	}
	// The flags are those of runners, for which the libraries are compiled already.
	args := slices.Concat([]string{"build"}, cachetest.BuildFlags, []string{"-ldflags=-s -w", "-overlay", listed})
	if name == "" {
		for at := range cases {
			args = append(args, "assay/"+at)
		}
	} else {
		args = append(args, "-o", filepath.Join(p.dir, name), "./"+main)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = p.root, append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// mainSource is the program.
const mainSource = `package main

import (
	"slices"

	"assay/bench"
	"assay/workload"
%s)

func main() {
	bench.Main(bench.Program{Workloads: []*workload.Workload{
%s}, Bindings: slices.Concat([]bench.Binding(nil),
%s)})
}
`

// workloadSource is the workload of a schema with up to two roots; the keys of
// its sizes are they.
const workloadSource = `{
	Name: %[1]q, Schema: %[1]s.Schema,
	Custom: func(key string) (workload.Size, error) {
		return workload.Size{Key: key, Root: key, Bytes: 1, Items: 1}, nil
	},
	Read: func(size workload.Size, file string) (any, error) {
		if size.Root == %[2]q {
			return workload.ReadFile[%[1]s.%[2]s](%[1]s.Schema, size.Root, file)
		}
		return workload.ReadFile[%[1]s.%[3]s](%[1]s.Schema, size.Root, file)
	},
},
`

// start starts the program that was built.
func (p *program) start(t *testing.T) {
	t.Helper()
	p.cmd, p.complaints = exec.Command(filepath.Join(p.dir, "random.exe")), new(bytes.Buffer)
	p.cmd.Stderr = p.complaints
	in, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.in, p.out = in, json.NewDecoder(out)
}

// stop ends the program, or collects it if it has ended.
func (p *program) stop() {
	p.in.Close()
	_ = p.cmd.Wait() // what it died of is in its complaints
}

// do has the program carry out a command. One that hangs is ended.
func (p *program) do(c bench.Command) (bench.Answer, error) {
	const patience = 2 * time.Minute
	var a bench.Answer
	watch := time.AfterFunc(patience, func() { _ = p.cmd.Process.Kill() })
	defer watch.Stop()
	line, err := json.Marshal(c)
	if err == nil {
		_, err = p.in.Write(append(line, '\n'))
	}
	if err == nil {
		err = p.out.Decode(&a)
	}
	if err == nil && a.Error != "" {
		return a, refusal(a.Error)
	}
	return a, err
}

// A refusal is an error that the program lives on after.
type refusal string

func (r refusal) Error() string { return string(r) }

// values has the contenders encode and decode random values of one root. Those
// that refuse the same values get the same file.
func (p *program) values(t *testing.T, d *Data) {
	t.Helper()
	files := map[string][]*packaged{}
	for _, at := range slices.Sorted(maps.Keys(p.cases)) {
		if c := p.cases[at]; c.data.Schema == d.Schema {
			key := fmt.Sprint(refused(c.contender))
			files[key] = append(files[key], c)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(files)) {
		all := files[key]
		r := &values{Rand: rand.New(rand.NewPCG(all[0].seed, 1)), s: d.Schema, avoid: refused(all[0].contender)}
		var inputs []any
		for range 24 {
			inputs = append(inputs, r.message(d.Root, 0))
		}
		p.load(t, d, inputs)
		for _, c := range all {
			for _, mode := range c.modes() {
				if wrong := p.ask(t, d, c.contender, mode.Key, inputs); wrong != "" {
					v, wrong := p.least(t, d, c.contender, mode.Key, inputs, wrong)
					text, err := json.Marshal(v)
					t.Errorf("seed %d: %s %q: %s: %s\nof %.1500s %v", c.seed, c.contender.Dir(), mode.Key, d.Root, wrong, text, err)
					p.load(t, d, inputs)
					break
				}
			}
		}
	}
}

// refused are the losses of a contender that verification does not forgive,
// because there may be no value to compare.
func refused(c *contender.Contender) []contender.Loss {
	var out []contender.Loss
	for _, mode := range append([]contender.Mode{{}}, c.Modes...) {
		for _, l := range c.LossesIn(mode.Key) {
			switch l {
			case contender.UintRange, contender.NegEnum, contender.FloatRange, contender.NaNInf, contender.NUL, contender.Newline, contender.Syntax:
				out = append(out, l)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// load gives the program values.
func (p *program) load(t *testing.T, d *Data, inputs []any) {
	t.Helper()
	var lines bytes.Buffer
	for _, v := range inputs {
		if err := json.NewEncoder(&lines).Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	p.loadLines(t, d, &lines)
}

// loadLines gives the program values in neutral form.
func (p *program) loadLines(t *testing.T, d *Data, lines *bytes.Buffer) {
	t.Helper()
	file := filepath.Join(p.dir, "values.jsonl")
	if err := os.WriteFile(file, lines.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := p.do(bench.Command{Cmd: "load", Load: &bench.Load{Workload: d.Schema.Name, Size: d.Root, Data: file, Seed: 1}})
	if err != nil {
		t.Fatalf("loading values of %s of %s: %v\n%s\n%.500s", d.Root, d.Schema.Name, err, head(p.complaints.String()), lines)
	}
}

// ask returns what is wrong with a round trip of the values that are loaded; a
// program that died of it is started again, with the values.
func (p *program) ask(t *testing.T, d *Data, c *contender.Contender, mode string, inputs []any) string {
	t.Helper()
	ask := bench.Verify{Subject: result.Subject{Contender: c.Name, Mode: mode}}
	for _, l := range c.LossesIn(mode) {
		ask.Losses = append(ask.Losses, string(l))
	}
	a, err := p.do(bench.Command{Cmd: "verify", Verify: &ask})
	var no refusal
	switch {
	case errors.As(err, &no):
		return err.Error()
	case err != nil:
		p.stop()
		said := "the program ended: " + head(p.complaints.String())
		p.start(t)
		p.load(t, d, inputs)
		return said
	case !a.Verified.OK:
		return string(a.Verified.Op) + ": " + a.Verified.Reason
	}
	return ""
}

// least returns the least value found that does not come back, and why.
func (p *program) least(t *testing.T, d *Data, c *contender.Contender, mode string, inputs []any, wrong string) (any, string) {
	t.Helper()
	left := 400
	fails := func(v any) bool {
		if left--; left < 0 {
			return false
		}
		p.load(t, d, []any{v})
		said := p.ask(t, d, c, mode, []any{v})
		if said != "" {
			wrong = said
		}
		return said != ""
	}
	i := slices.IndexFunc(inputs, fails)
	if i < 0 {
		return inputs, wrong + " (none of the values fails alone)"
	}
	best := inputs[i]
	root := schema.Type{Kind: schema.MessageKind, Ref: d.Root}
	for {
		all := smaller(d.Schema, root, best)
		i := slices.IndexFunc(all, fails)
		if i < 0 {
			return best, wrong
		}
		best = all[i]
	}
}
