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
	// Files are open files that it inherits, from descriptor 3 on.
	Files []*os.File
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
	// LimitNS on top of it, a steady command its MaxNS, and every command of a runner of
	// ours loadTimes what making the values took: what is done to large ones takes long,
	// and Hang is for those that hang.
	Answer time.Duration
	// Hang is the longest time without a sign of life, which a runner of ours gives in
	// its mark file, and hangTimes what making the values took besides: an operation gives
	// none. It is not for loading.
	Hang time.Duration
	// CPUs are those that it may run on; nil: any. Where processes cannot be
	// pinned, Process.Unpinned says so.
	CPUs []int
}

// A Process is a running runner. Its methods are for one goroutine.
type Process struct {
	*child
	mark string // the file that names what it works on
	// external says that the program is none of ours.
	external bool
	// values is what loading the values added to the resident set, in bytes.
	values int64
	// took is how long the last command took, and used how much CPU time the
	// process used meanwhile; -1: that cannot be seen.
	took, used time.Duration
	// loading is how long it took to load the values.
	loading time.Duration
}

// What is done to large values may take as long as it takes to make them so often. To
// verify large values of the sources takes 50 to 150 times as long as to make them, and
// one operation of a YAML library 50 times.
const (
	loadTimes = 300 // a command
	hangTimes = 100 // an operation
	// soon is how long it may take to make values that are not large.
	soon = 100 * time.Millisecond
)

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
	if cmd.Load != nil {
		p.loading = p.took
	}
	if now := p.cpuTime(); used >= 0 && now >= 0 {
		p.used = now - used
	}
	if why := impossible(cmd, answer, p.took, p.external); why != "" {
		p.kill(untrue, why)
		return bench.Answer{}, p.failure()
	}
	return answer, nil
}

// cpuTime returns the CPU time that the process has used, or -1.
func (p *Process) cpuTime() time.Duration { return cpuTime(p.cmd.Process.Pid) }

// allowed is the longest wait for the answer to cmd; 0: any.
func (p *Process) allowed(cmd bench.Command) time.Duration {
	limit := p.limits.Answer
	if limit <= 0 {
		return 0
	}
	limit += p.ours(loadTimes)
	if cmd.Rounds != nil {
		limit += time.Duration(cmd.Rounds.LimitNS)
	}
	if cmd.Steady != nil {
		limit += time.Duration(cmd.Steady.MaxNS)
	}
	return limit * p.taking(cmd)
}

// hang is how long a sign of life may be waited for while cmd is carried out.
func (p *Process) hang(cmd bench.Command) time.Duration {
	return (p.limits.Hang + p.ours(hangTimes)) * p.taking(cmd)
}

// taking is how many processes take turns in carrying out cmd, while the others wait.
func (p *Process) taking(cmd bench.Command) time.Duration {
	if cmd.Rounds == nil || cmd.Rounds.Relay == nil {
		return 1
	}
	return time.Duration(len(cmd.Rounds.Relay.Out))
}

// ours is how long it takes to make the values so many times. An external contender, which
// gives no signs of life, gets none of that.
func (p *Process) ours(times int) time.Duration {
	if p.external {
		return 0
	}
	return (time.Duration(times) * max(0, p.loading-soon)).Round(time.Second)
}

// read reads the answer to cmd, and kills a process that writes anything else.
func (p *Process) read(cmd bench.Command) (bench.Answer, error) {
	var answer bench.Answer
	if err := p.receive(&answer); err != nil {
		return bench.Answer{}, err
	}
	if answer.Error != "" && single(answer) == nil {
		return answer, nil
	}
	if err := complete(cmd, answer); err != nil {
		p.kill(garbled, err.Error())
		return bench.Answer{}, err
	}
	return answer, nil
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
		Subject: result.Subject{Contender: brief(fields[0], 0), Mode: brief(fields[1], 0)},
		Op:      result.Op(brief(fields[2], 0)),
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
