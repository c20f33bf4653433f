package userdata

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay"
	"assay/bench"
	"assay/contender"
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

// TestRandom has every contender generate its package for random schemas. Each package must
// compile and round-trip random values, except for declared losses, or the contender must say
// what it cannot hold. A failure is printed with its seed, and reduced with a few attempts.
func TestRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	const together = 5 // schemas in one program, because linking takes long
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

// A program is a runner of random schemas. Its packages are not written to the module: the go
// command sees them there through an overlay.
type program struct {
	root, dir string
	tools     *build.Tools
	data      []*Data              // one for each schema
	cases     map[string]*packaged // by the package's directory in the module
	// asked holds the requests to easyjson's generator by the same directories. The generator
	// links one program for all requests at once.
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

// modes returns the default mode and the contender's modes for the schema.
func (c *packaged) modes() []contender.Mode {
	return append([]contender.Mode{{}}, c.contender.ModesFor(c.data.Schema)...)
}

// emit makes the schema of a seed and generates the packages of all contenders for it.
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

// add generates the packages of the wanted contenders for the schema of a seed.
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

// stop ends the program and waits for it.
func (p *program) stop() {
	p.in.Close()
	_ = p.cmd.Wait() // complaints has the reason
}

// do sends a command to the program and returns the answer. It kills a program that hangs.
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

// A refusal is an error that the program survives.
type refusal string

func (r refusal) Error() string { return string(r) }

// values has the contenders encode and decode random values of one root. Contenders that
// refuse the same values share a file.
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

// refused returns the losses of a contender that verification does not forgive, because there
// may be no value to compare.
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

// load writes values to a file and has the program load it.
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

// loadLines has the program load values in neutral form.
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

// ask returns what is wrong with a round trip of the loaded values. If the program died, ask
// starts it again and loads inputs.
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

// least returns the smallest value found that does not survive the round trip, and why.
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
