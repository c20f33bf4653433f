package published

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"testing"

	"assay/bench"
	"assay/published/protocol"
)

// Main serves the protocol on standard input and output until exit or the end of the input. The
// program's main only calls Main.
func Main(sets ...Set) {
	// With this limit a runaway recursion ends at 64 MiB instead of a gigabyte.
	debug.SetMaxStack(64 << 20)
	testing.Init()
	err := flag.CommandLine.Parse(nil) // package testing checks that flags were parsed
	if err == nil {
		var out *os.File
		if out, err = bench.Answers(); err == nil {
			err = Serve(os.Stdin, out, sets...)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "published:", err)
		os.Exit(1)
	}
}

// Serve reads requests from in, one on each line, and writes the answers of package protocol to
// out. It returns after exit or at the end of in. If it cannot carry out a request, it answers with
// an error and reads the next one. Serve returns an error only if it cannot read in or write out,
// or if names of sets or benchmarks are missing or not unique. Package testing must have been
// initialised and its flags parsed.
func Serve(in io.Reader, out io.Writer, sets ...Set) error {
	if err := distinct(sets); err != nil {
		return err
	}
	s := server{sets: sets, out: out}
	lines := bufio.NewReader(in)
	for {
		line, readErr := lines.ReadBytes('\n')
		if readErr != nil && readErr != io.EOF {
			return fmt.Errorf("read request: %w", readErr)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			done, err := s.request(line)
			if done || err != nil {
				return err
			}
		}
		if readErr == io.EOF {
			return nil
		}
	}
}

// distinct returns an error if a set or a benchmark is there twice, or if a benchmark lacks its
// name or function.
func distinct(sets []Set) error {
	seen := map[[2]string]bool{}
	for _, s := range sets {
		if seen[[2]string{s.Name}] {
			return fmt.Errorf("two sets are named %q", s.Name)
		}
		seen[[2]string{s.Name}] = true
		for _, b := range s.Benchmarks {
			if b.Name == "" || b.Run == nil {
				return fmt.Errorf("%s: benchmark %q lacks a name or a function", s.Name, b.Name)
			}
			if seen[[2]string{s.Name, b.Name}] {
				return fmt.Errorf("%s: two benchmarks are named %q", s.Name, b.Name)
			}
			seen[[2]string{s.Name, b.Name}] = true
		}
	}
	return nil
}

type server struct {
	sets []Set
	out  io.Writer
}

// request carries out one line. It returns an error only if writing fails.
func (s server) request(line []byte) (done bool, err error) {
	var r protocol.Request
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return false, s.refuse(fmt.Errorf("cannot read the request: %w", err))
	}
	switch r.Cmd {
	case "list":
		return false, s.write(protocol.Answer{Sets: list(s.sets), OK: true})
	case "run":
		return false, s.run(r)
	case "exit":
		return true, nil
	}
	return false, s.refuse(fmt.Errorf("there is no command %q", r.Cmd))
}

func (s server) refuse(err error) error { return s.write(protocol.Answer{Error: err.Error()}) }

// write writes an answer and its newline in one call.
func (s server) write(a protocol.Answer) error {
	line, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	if _, err := s.out.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write answer: %w", err)
	}
	return nil
}

// list returns the sets without their functions.
func list(sets []Set) []protocol.Set {
	all := []protocol.Set{} // never null
	for _, s := range sets {
		one := protocol.Set{Name: s.Name, Benchmarks: []protocol.Benchmark{}}
		for _, b := range s.Benchmarks {
			one.Benchmarks = append(one.Benchmarks, protocol.Benchmark{Name: b.Name, Memory: b.Memory, Benchtime: b.Benchtime})
		}
		all = append(all, one)
	}
	return all
}

// choose returns the benchmarks that a request asks for.
func (s server) choose(r protocol.Request) ([]Benchmark, error) {
	i := slices.IndexFunc(s.sets, func(one Set) bool { return one.Name == r.Set })
	switch {
	case i < 0:
		return nil, fmt.Errorf("there is no set %q", r.Set)
	case r.Rounds < 1:
		return nil, fmt.Errorf("rounds is %d; it must be at least 1", r.Rounds)
	case len(r.Names) == 0:
		return slices.Clone(s.sets[i].Benchmarks), nil
	}
	var chosen []Benchmark
	for k, name := range r.Names {
		j := slices.IndexFunc(s.sets[i].Benchmarks, func(b Benchmark) bool { return b.Name == name })
		if j < 0 {
			return nil, fmt.Errorf("%s has no benchmark %q", r.Set, name)
		}
		if slices.Contains(r.Names[:k], name) {
			return nil, fmt.Errorf("benchmark %q is asked for twice", name)
		}
		chosen = append(chosen, s.sets[i].Benchmarks[j])
	}
	return chosen, nil
}

// run runs benchmarks in turn. Package testing collects garbage before each.
func (s server) run(r protocol.Request) error {
	chosen, err := s.choose(r)
	if err != nil {
		return s.refuse(err)
	}
	for i := range chosen {
		if r.Override {
			chosen[i].Benchtime = r.Benchtime
		}
		chosen[i].Benchtime = cmp.Or(chosen[i].Benchtime, r.Benchtime, "1s")
		if err := setBenchtime(chosen[i].Benchtime); err != nil {
			return s.refuse(err)
		}
	}
	failed := make([]bool, len(chosen))
	for round := range r.Rounds {
		for _, i := range protocol.Order(len(chosen), round) {
			if failed[i] {
				continue
			}
			a := measure(chosen[i], round)
			failed[i] = a.Error != ""
			if err := s.write(a); err != nil {
				return err
			}
		}
	}
	return s.write(protocol.Answer{OK: true})
}

// setBenchtime sets how long package testing runs benchmarks.
func setBenchtime(value string) error {
	if err := flag.Set("test.benchtime", value); err != nil {
		return fmt.Errorf("benchtime %q: %w; it is a duration such as 100ms or a number of operations such as 10x", value, err)
	}
	return nil
}

// measure runs one benchmark as go test does. It answers with what the benchmark reports, or with
// why it reports nothing.
func measure(b Benchmark, round int) protocol.Answer {
	a := protocol.Answer{Reading: &protocol.Reading{Name: b.Name, Round: round, Benchtime: b.Benchtime}}
	if err := setBenchtime(b.Benchtime); err != nil {
		a.Error = err.Error()
		return a
	}
	var end ending
	r := testing.Benchmark(end.of(b.Run))
	switch {
	case end.panicked != nil:
		a.Error, a.Panicked = fmt.Sprintf("panic: %v", end.panicked), true
	case end.failed:
		a.Error = complaint(b)
	case end.skipped:
		a.Error, a.Skipped = "the benchmark skips itself", true
	case r.N < 1:
		a.Error = "package testing reports no operations"
	default:
		if err := read(a.Reading, r); err != nil {
			a.Error = err.Error()
		}
	}
	return a
}

// An ending says how a benchmark function ended. testing.Benchmark does not: it returns a zero
// result for a benchmark that failed.
type ending struct {
	panicked        any
	failed, skipped bool
}

// of returns a function that calls run and records its ending. It turns a panic into a failed
// benchmark, so that the program can still write the answer.
func (e *ending) of(run func(*testing.B)) func(*testing.B) {
	return func(b *testing.B) {
		defer func() {
			if e.panicked = recover(); e.panicked != nil {
				b.FailNow()
			}
			e.failed, e.skipped = b.Failed(), b.Skipped()
		}()
		run(b)
	}
}

// read fills in a result. If the benchmark itself reports one of package testing's own units, that
// replaces the measured number, as in go test.
func read(to *protocol.Reading, r testing.BenchmarkResult) error {
	to.N = r.N
	to.NS = float64(r.T.Nanoseconds()) / float64(r.N)
	to.Bytes, to.Allocs = r.AllocedBytesPerOp(), r.AllocsPerOp()
	for unit, v := range r.Extra {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return fmt.Errorf("the benchmark reports %v %s", v, unit)
		case unit == "ns/op":
			to.NS = v
		case unit == "B/op", unit == "allocs/op": // AllocedBytesPerOp and AllocsPerOp return these
		default:
			if to.Extra == nil {
				to.Extra = map[string]float64{}
			}
			to.Extra[unit] = v
		}
	}
	return nil
}

// complaint returns the message of a benchmark that failed. testing.Benchmark discards it, so
// complaint runs the benchmark once more with a function that prints it: for one operation, with
// standard output redirected.
func complaint(b Benchmark) string {
	said, err := overheard(func() error {
		if err := flag.Set("test.bench", "."); err != nil {
			return err
		}
		defer flag.Set("test.bench", "")
		// In verbose mode, messages would come before the line that complaint looks for.
		verbose := flag.Lookup("test.v").Value.String()
		if err := flag.Set("test.v", "false"); err != nil {
			return err
		}
		defer flag.Set("test.v", verbose)
		var end ending
		all := func(pattern, _ string) (bool, error) { return pattern == ".", nil } // ignores the pattern of -test.skip
		testing.RunBenchmarks(all, []testing.InternalBenchmark{{Name: "b", F: end.of(b.Run)}})
		return nil
	})
	if err != nil {
		return "failed; what it says is lost: " + err.Error()
	}
	// The output is "--- FAIL: b", and then each message with its file and line.
	_, said, found := bytes.Cut(said, []byte("--- FAIL: "))
	_, said, _ = bytes.Cut(said, []byte("\n"))
	switch said = bytes.TrimSpace(said); {
	case !found:
		return "failed, but not when it was run again for one operation"
	case len(said) == 0:
		return "failed without a message"
	}
	return fmt.Sprintf("%.500s", said)
}

// overheard returns what f writes to os.Stdout.
func overheard(f func() error) ([]byte, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	type heard struct {
		text []byte
		err  error
	}
	all := make(chan heard)
	go func() {
		text, err := io.ReadAll(r)
		all <- heard{text, err}
	}()
	stdout := os.Stdout
	os.Stdout = w
	err = f()
	os.Stdout = stdout
	closed := w.Close()
	h := <-all
	return h.text, errors.Join(err, h.err, closed, r.Close())
}
