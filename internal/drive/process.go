// Package drive runs runner processes from the outside: it starts them, holds
// them to their limits, says why one died and whom to charge, and runs the
// passes of a run over them. It links no contender and prints nothing: what it
// measured goes to a sink, and what happens goes to an event func.
package drive

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"assay/bench"
	"assay/result"
)

// A Binary is a runner and how to start it.
type Binary struct {
	Path string
	Args []string
	// Env is added to the environment that all runners get.
	Env []string
	// Dir is the working directory; empty: that of this process.
	Dir string
	// Family says that it may start other programs, which are to end even if this
	// process is killed. A runner sees that by itself.
	Family bool
}

// Limits are what one runner process may use. Zero is no limit.
type Limits struct {
	// Memory is the largest resident set in bytes. It is looked at every 20 ms,
	// on Linux only; elsewhere the system's own limits apply.
	Memory int64
	// Raise names what raises Memory, as in "assay run --memory", for whoever reads that a
	// process outgrew it; empty: nothing does.
	Raise string
	// Spare is what a verify, calibrate, memory or rounds command may add to the
	// resident set, in bytes, besides spareTimes what loading the values added. It is the
	// limit of a case, where Memory is that of the process. 0: no limit of its own.
	Spare int64
	// Answer is the longest wait for one answer. A rounds command may take its
	// LimitNS on top of it, a steady command its MaxNS.
	Answer time.Duration
	// Hang is the longest time without a sign of life, which a runner of ours gives in
	// its mark file. It is not for loading.
	Hang time.Duration
	// CPUs are those that it may run on; nil: any. Where processes cannot be
	// pinned, Process.Unpinned says so.
	CPUs []int
}

// A Process is a running runner. Its methods are for one goroutine.
type Process struct {
	*child
	mark string // the file that names what it works on
	// values is what loading the values added to the resident set, in bytes.
	values int64
	// took is how long the last command took, and used how much CPU time the
	// process used meanwhile; -1: that cannot be seen.
	took, used time.Duration
}

// Start starts a runner. The process is killed when the context is cancelled;
// whoever started it must Close it in any event.
func Start(ctx context.Context, b Binary, limits Limits) (*Process, error) {
	mark, err := os.CreateTemp("", "assay-mark-")
	if err != nil {
		return nil, fmt.Errorf("cannot start the runner %s: %w", b.Path, err)
	}
	p := &Process{mark: mark.Name()}
	// The file has its size before the runner has it: if the disk is full, that is
	// found here, where no contender is at work that could be blamed.
	_, err = mark.Write(bytes.Repeat([]byte{' '}, bench.MarkSize))
	if err = errors.Join(err, mark.Close()); err != nil {
		p.removeMark()
		return nil, fmt.Errorf("cannot start the runner %s: %w", b.Path, err)
	}
	if p.child, err = startChild(ctx, b, limits); err != nil {
		p.removeMark()
		return nil, err
	}
	return p, nil
}

// MarkFile is the file to name in the Load command, so that a death can be
// charged to what the runner was working on.
func (p *Process) MarkFile() string { return p.mark }

// Do sends a command and returns its answer. Its error is a *Failure when the
// process died or was killed for what it did, and the context's when that was
// cancelled. An answer whose Error is set is an answer. After an error only
// Close is of use.
func (p *Process) Do(cmd bench.Command) (bench.Answer, error) {
	onTime := p.within(p.allowed(cmd))
	defer p.alive(cmd)()
	defer p.confine(cmd)()
	start, used := time.Now(), p.cpuTime()
	if err := p.send(cmd); err != nil {
		onTime()
		return bench.Answer{}, fmt.Errorf("cannot encode command %s: %w", cmd.Cmd, err)
	}
	answer, err := p.read(cmd)
	if !onTime() || err != nil {
		return bench.Answer{}, p.failure()
	}
	p.took, p.used = time.Since(start), -1
	if now := p.cpuTime(); used >= 0 && now >= 0 {
		p.used = now - used
	}
	if why := impossible(cmd, answer, p.took); why != "" {
		p.kill(untrue, why)
		return bench.Answer{}, p.failure()
	}
	return answer, nil
}

// slack is what clocks may differ by.
const slack = time.Millisecond

// impossible says what cannot be true of an answer to a command that took so
// long; empty: nothing.
func impossible(cmd bench.Command, a bench.Answer, took time.Duration) string {
	if a.Error != "" {
		return ""
	}
	longest := took + took/100 + slack
	switch {
	case cmd.Rounds != nil && a.Measured != nil:
		var all time.Duration
		for i, s := range a.Measured.Series {
			if asked := cmd.Rounds.Cases[i].N; s.N != asked {
				return fmt.Sprintf("reported batches of %d operations where %d were asked for", s.N, asked)
			}
			for _, ns := range s.Wall {
				all += time.Duration(ns)
			}
		}
		if all > longest {
			return fmt.Sprintf("reported batches of %v in a command that took %v", readable(all), readable(took))
		}
	case cmd.Calibrate != nil:
		for _, c := range a.Calibrated {
			if ns := time.Duration(c.NS); ns > longest {
				return fmt.Sprintf("reported an operation of %v in a command that took %v", readable(ns), readable(took))
			}
		}
	case cmd.Memory != nil && a.Counted != nil && a.Counted.Ops < cmd.Memory.Ops:
		return fmt.Sprintf("counted %d operations where %d were asked for", a.Counted.Ops, cmd.Memory.Ops)
	case cmd.Steady != nil && a.Steadied != nil && time.Duration(a.Steadied.Wall) > longest:
		return fmt.Sprintf("reported work of %v in a command that took %v", readable(time.Duration(a.Steadied.Wall)), readable(took))
	case cmd.Stream != nil && a.Streamed != nil && time.Duration(a.Streamed.Wall) > longest:
		return fmt.Sprintf("reported work of %v in a command that took %v", readable(time.Duration(a.Streamed.Wall)), readable(took))
	}
	return ""
}

// cpuTime returns the CPU time that the process has used, or -1.
func (p *Process) cpuTime() time.Duration { return cpuTime(p.cmd.Process.Pid) }

// allowed is the longest wait for the answer to cmd; 0: any.
func (p *Process) allowed(cmd bench.Command) time.Duration {
	limit := p.limits.Answer
	if limit <= 0 {
		return 0
	}
	if cmd.Rounds != nil {
		limit += time.Duration(cmd.Rounds.LimitNS)
	}
	if cmd.Steady != nil {
		limit += time.Duration(cmd.Steady.MaxNS)
	}
	return limit
}

// read reads the answer to cmd, and kills a process that writes anything else.
func (p *Process) read(cmd bench.Command) (bench.Answer, error) {
	var answer bench.Answer
	if err := p.receive(&answer); err != nil {
		return bench.Answer{}, err
	}
	if answer.Error != "" {
		return answer, nil
	}
	if err := complete(cmd, answer); err != nil {
		p.kill(garbled, err.Error())
		return bench.Answer{}, err
	}
	return answer, nil
}

// complete says whether the answer holds what the command asks for.
func complete(cmd bench.Command, a bench.Answer) error {
	missing := func(has bool) error {
		if has {
			return nil
		}
		return fmt.Errorf("answered %s without what it asks for", cmd.Cmd)
	}
	switch cmd.Cmd {
	case "describe":
		return missing(a.Described != nil)
	case "load":
		return missing(a.Loaded != nil)
	case "verify":
		return missing(a.Verified != nil)
	case "calibrate":
		ok := len(a.Calibrated) == len(cmd.Calibrate.Cases)
		for _, c := range a.Calibrated {
			ok = ok && c.N > 0 && c.NS >= 0
		}
		return missing(ok)
	case "rounds":
		return missing(a.Measured != nil && seriesMatch(cmd.Rounds, a.Measured))
	case "memory":
		return missing(a.Counted != nil && a.Counted.Ops > 0)
	case "steady":
		return missing(a.Steadied != nil && a.Steadied.Ops > 0)
	case "cold":
		return missing(a.First != nil)
	case "retain":
		return missing(a.Retained != nil && a.Retained.Messages > 0)
	case "write":
		return missing(a.Written != nil && (len(a.Written.Messages) > 0 || cmd.Write.First > 0))
	case "export":
		return missing(a.Exported != nil)
	case "compare":
		return missing(a.Verified != nil)
	case "stream":
		return missing(a.Streamed != nil && a.Streamed.Messages > 0 && a.Streamed.Bytes > 0 && a.Streamed.Wall > 0)
	case "parallel":
		return missing(a.Paralleled != nil && len(a.Paralleled.Wall) == cmd.Parallel.Rounds)
	}
	return nil
}

func seriesMatch(asked *bench.Rounds, m *bench.Measured) bool {
	cases := asked.Cases
	if len(m.Series) != len(cases) {
		return false
	}
	for i, s := range m.Series {
		if s.Subject != cases[i].Subject || s.Role != cases[i].Role || !sound(s, asked.Rounds) {
			return false
		}
	}
	for _, i := range m.Varying {
		if i < 0 || i >= len(cases) {
			return false
		}
	}
	return true
}

// sound says whether a series holds samples of that many rounds: in order, each
// with a time that has passed, and a CPU time of each or of none.
func sound(s result.Series, rounds int) bool {
	if len(s.Wall) != len(s.Round) || len(s.CPU) != 0 && len(s.CPU) != len(s.Round) {
		return false
	}
	for i, round := range s.Round {
		if round < 0 || round >= rounds || i > 0 && round <= s.Round[i-1] || s.Wall[i] <= 0 {
			return false
		}
	}
	return !slices.ContainsFunc(s.CPU, func(ns int64) bool { return ns < 0 })
}

// Marked returns what the process last said it was about to work on, or nil if
// it said nothing. The mark file's first line is the contender, the mode and
// the op with tabs between them; what follows it is padding.
func (p *Process) Marked() *bench.CaseSpec {
	f, err := os.Open(p.mark)
	if err != nil {
		return nil
	}
	defer f.Close()
	line, err := readLine(bufio.NewReader(f), 64<<10)
	if err != nil {
		return nil
	}
	fields := strings.Split(strings.TrimSuffix(string(line), "\n"), "\t")
	if len(fields) != 3 || fields[0] == "" {
		return nil
	}
	return &bench.CaseSpec{
		Subject: result.Subject{Contender: fields[0], Mode: fields[1]},
		Op:      result.Op(fields[2]),
	}
}

// failure is the child's, charged to what it last said it was working on.
func (p *Process) failure() error {
	err := p.child.failure()
	var f *Failure
	if errors.As(err, &f) {
		f.Case = p.Marked()
	}
	return err
}

// Close asks the process to exit, kills it if it does not, and frees what it
// held. It returns the time from its start to its end.
func (p *Process) Close() time.Duration {
	defer p.removeMark()
	return p.child.Close()
}

func (p *Process) removeMark() { os.Remove(p.mark) }
