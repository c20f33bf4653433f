package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"assay/result"
)

// Main serves the protocol on standard input and output until exit or the end
// of the input. A runner's main calls it and does nothing else.
//
// Main does not recover from panics. A contender that panics ends the process, and the parent
// reads in the mark file whom to charge. A process that recovered would continue with a state
// that may be corrupt.
func Main(p Program) {
	// This ends a runaway recursion in a moment; the default limit is a gigabyte.
	debug.SetMaxStack(64 << 20)
	// The call fixes the number. Otherwise the runtime follows a CPU limit that somebody
	// changes from outside, and the change would be charged to the contender whose batch it comes in.
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	out, err := Answers()
	if err == nil {
		err = Serve(p, os.Stdin, out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "runner:", err)
		os.Exit(1)
	}
}

// Serve reads commands from in, one JSON object a line, and writes one line to out for each. It
// returns after exit or at the end of in. If a command cannot be carried out, Serve answers it
// with Answer.Error and reads the next one. Serve returns an error only if it cannot read in or
// write out.
//
// Serve locks the calling goroutine to its thread until it returns, because it reads the
// thread's CPU clock.
func Serve(p Program, in io.Reader, out io.Writer) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := &session{program: p}
	defer s.drop()
	defer s.leave()
	lines := bufio.NewReader(in)
	for {
		// Unlike a Scanner, ReadBytes does not limit the length of a line.
		line, readErr := lines.ReadBytes('\n')
		if readErr != nil && readErr != io.EOF {
			return fmt.Errorf("read command: %w", readErr)
		}
		if len(line) > 0 {
			answer, done := s.answer(line)
			if err := write(out, answer); err != nil {
				return err
			}
			if done {
				return nil
			}
		}
		if readErr == io.EOF {
			return nil
		}
	}
}

// write writes an answer and its newline in one call.
func write(out io.Writer, a Answer) error {
	line, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	if _, err := out.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write answer: %w", err)
	}
	return nil
}

// answer carries out the command in line. It reports whether the command was exit.
func (s *session) answer(line []byte) (a Answer, done bool) {
	c, err := parse(line)
	if err == nil {
		a, err = s.do(c)
	}
	if err != nil {
		a = Answer{Error: err.Error()}
		var w *wrong
		if errors.As(err, &w) {
			a.Wrong = &w.Wrong
		}
		return a, false
	}
	return a, c.Cmd == "exit"
}

// parse decodes one command. An unknown field is an error: if the runner ignored an argument,
// it would measure something else than the caller asked for.
func parse(line []byte) (Command, error) {
	var c Command
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		if errors.Is(err, io.EOF) {
			return c, errors.New("empty line: send one JSON command a line")
		}
		return c, fmt.Errorf("not a command: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return c, errors.New("not a command: more than one JSON value on the line")
	}
	return c, nil
}

// do carries out one command.
func (s *session) do(c Command) (a Answer, err error) {
	missing := func() error {
		return fmt.Errorf("%s: the field %q with its arguments is missing", c.Cmd, c.Cmd)
	}
	if c.Cmd != "rounds" {
		s.leave()
	}
	switch c.Cmd {
	case "describe":
		a.Described = s.describe()
		return a, nil
	case "exit":
		return a, nil
	case "load":
		if c.Load == nil {
			return a, missing()
		}
		a.Loaded, err = s.load(*c.Load)
	case "verify":
		if c.Verify == nil {
			return a, missing()
		}
		a.Verified, err = s.verify(*c.Verify)
	case "calibrate":
		if c.Calibrate == nil {
			return a, missing()
		}
		a.Calibrated, err = s.calibrate(*c.Calibrate)
	case "rounds":
		if c.Rounds == nil {
			return a, missing()
		}
		a.Measured, err = s.rounds(*c.Rounds)
	case "memory":
		if c.Memory == nil {
			return a, missing()
		}
		a.Counted, err = s.memory(*c.Memory)
	case "steady":
		if c.Steady == nil {
			return a, missing()
		}
		a.Steadied, err = s.steady(*c.Steady)
	case "cold":
		if c.Cold == nil {
			return a, missing()
		}
		a.First, err = s.cold(*c.Cold)
	case "retain":
		if c.Retain == nil {
			return a, missing()
		}
		a.Retained, err = s.retain(*c.Retain)
	case "parallel":
		if c.Parallel == nil {
			return a, missing()
		}
		a.Paralleled, err = s.parallel(*c.Parallel)
	case "write":
		if c.Write == nil {
			return a, missing()
		}
		a.Written, err = s.write(*c.Write)
	case "export":
		if c.Export == nil {
			return a, missing()
		}
		a.Exported, err = s.export(*c.Export)
	case "compare":
		if c.Compare == nil {
			return a, missing()
		}
		a.Verified, err = s.compare(*c.Compare)
	case "stream":
		if c.Stream == nil {
			return a, missing()
		}
		a.Streamed, err = s.stream(*c.Stream)
	default:
		return a, fmt.Errorf("unknown command %q: want describe, load, verify, calibrate, rounds, memory, steady, cold, retain, parallel, write, export, compare, stream or exit", c.Cmd)
	}
	if err != nil {
		return Answer{}, fmt.Errorf("%s: %w", c.Cmd, err)
	}
	return a, nil
}

// describe returns the description of this program.
func (s *session) describe() *Described {
	d := &Described{
		Protocol:  Protocol,
		Go:        runtime.Version(),
		GOOS:      runtime.GOOS,
		GOARCH:    runtime.GOARCH,
		Modules:   []result.Module{},
		Bindings:  []BindingInfo{},
		ThreadCPU: hasThreadCPU,
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			d.Modules = append(d.Modules, module(m))
		}
	}
	for _, b := range s.program.Bindings {
		d.Bindings = append(d.Bindings, BindingInfo{b.Contender, b.Workload, b.Root, b.Mode, b.Ops})
	}
	return d
}

// module returns a linked module with its import path. If the module is replaced, the version
// names the replacement, because that is what was linked.
func module(m *debug.Module) result.Module {
	version := m.Version
	if r := m.Replace; r != nil {
		version = r.Path
		if r.Version != "" {
			version += "@" + r.Version
		}
	}
	return result.Module{Path: m.Path, Version: version}
}
