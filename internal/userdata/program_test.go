package userdata

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/bench"
	"assay/contender"
	"assay/contender/emit"
	"assay/internal/cachedir/cachetest"
	"assay/schema"
	"assay/schema/text"
)

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

// emitted is like generate, but returns the request to easyjson's generator for later.
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

// answer runs easyjson's generator and adds the files. One program generates for all schemas,
// unless it fails.
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

// build builds the program and starts it. It reports and leaves out packages that do not
// compile or that end the program at its start.
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

// blame reports the packages that a complaint names, and leaves them out.
func (p *program) blame(t *testing.T, complaint, what string) bool {
	t.Helper()
	var found []string
	for line := range strings.Lines(complaint) {
		// In the trace of a crash, the first package is the one that crashed.
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

// about returns what the compiler said about a package, or the beginning of the complaint.
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

// smallest returns the error of a contender's package and the smallest schema found that also
// fails.
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

// reachable returns the schema of one message and of everything reachable from it.
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

// link compiles packages. If name is not empty, it also links them to a program of that name.
// It returns the output of the go command.
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
	// The flags are those of runners, so that the libraries are already compiled in the build
	// cache.
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

// mainSource is the source of the program.
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

// workloadSource is the source of the workload of a schema with up to two roots. The keys of
// its sizes are the names of the roots.
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
