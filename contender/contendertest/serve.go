package contendertest

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"testing"

	"assay/bench"
	"assay/workload"
)

// A Server answers the commands of the runner protocol.
type Server struct {
	in    *json.Encoder
	out   *bufio.Reader
	watch *watch // nil: the contenders are in another process
	sizes map[string][]workload.Size
}

// Serve serves a program in this process until the test ends. As in a runner, a contender that
// panics ends the process. So does an operation that takes longer than Patience.
func Serve(t *testing.T, p bench.Program) *Server {
	t.Helper()
	w, sizes := new(watch), map[string][]workload.Size{}
	for _, of := range p.Workloads {
		sizes[of.Name] = of.Sizes
	}
	p.Bindings = w.bindings(p.Bindings)
	ended := make(chan struct{})
	go w.until(ended)
	commands, in := io.Pipe()
	out, answers := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := bench.Serve(p, commands, answers)
		answers.CloseWithError(io.ErrUnexpectedEOF)
		done <- err
	}()
	t.Cleanup(func() {
		in.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		close(ended)
	})
	s := Connect(in, out)
	s.watch, s.sizes = w, sizes
	return s
}

// Connect returns a Server for a runner in another process, which reads commands from in and
// writes answers to out.
func Connect(in io.Writer, out io.Reader) *Server {
	return &Server{in: json.NewEncoder(in), out: bufio.NewReader(out)}
}

// Do sends a command and returns the answer. If the command fails, the test ends.
func (s *Server) Do(t *testing.T, c bench.Command) bench.Answer {
	t.Helper()
	if err := s.in.Encode(c); err != nil {
		t.Fatalf("%s: %v", c.Cmd, err)
	}
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		t.Fatalf("%s: no answer: %v", c.Cmd, err)
	}
	var a bench.Answer
	if err := json.Unmarshal(line, &a); err != nil {
		t.Fatalf("%s: the answer is %q: %v", c.Cmd, line, err)
	}
	if a.Error != "" {
		t.Fatal(a.Error)
	}
	return a
}

// Load makes the runner generate and load values.
func (s *Server) Load(t *testing.T, l bench.Load) {
	t.Helper()
	if s.watch != nil {
		sizes := s.sizes[l.Workload]
		if i := slices.IndexFunc(sizes, func(size workload.Size) bool { return size.Key == l.Size }); i >= 0 {
			s.watch.loaded(l.Workload, sizes[i])
		}
	}
	s.Do(t, bench.Command{Cmd: "load", Load: &l})
}

// Verify verifies a subject with the loaded values.
func (s *Server) Verify(t *testing.T, v bench.Verify) *bench.Verified {
	t.Helper()
	return s.Do(t, bench.Command{Cmd: "verify", Verify: &v}).Verified
}
