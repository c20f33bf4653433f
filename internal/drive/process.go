// Package drive runs runner processes: it starts them, enforces their limits, says why a process
// died and which case to charge, and runs the passes of a run over them. It links no contender
// and prints nothing. It sends measurements to a sink and progress to an event func.
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

// A Binary is a runner program and how to start it.
type Binary struct {
	Path string
	Args []string
	// Env is added to the environment of all runners.
	Env []string
	// Dir is the working directory; empty: that of this process.
	Dir string
	// Family says that the program may start other programs, which must end even if this process
	// is killed. A runner of ours ends by itself in that case.
	Family bool
	// Files are open files that the process inherits, from descriptor 3 on.
	Files []*os.File
}

// Limits are the limits of one runner process. Zero is no limit.
type Limits struct {
	// Memory is the largest resident set in bytes. It is checked every 20 ms, on Linux only.
	// Elsewhere the system's own limits apply.
	Memory int64
	// Raise names the option that raises Memory, as in "assay run --memory", for the reason of a
	// process that outgrew Memory; empty: there is no such option.
	Raise string
	// Spare is the number of bytes that a verify, calibrate, memory or rounds command may add to
	// the resident set, in addition to spareTimes times what loading the values added. It is the
	// limit of a case, while Memory is the limit of the process. 0: no limit for cases.
	Spare int64
	// Answer is the longest wait for one answer. A rounds command may take its LimitNS longer and
	// a steady command its MaxNS longer. Every command of a runner of ours may also take
	// loadTimes times as long as making the values took, because work on large values takes long.
	// Hang is the limit for runners that hang.
	Answer time.Duration
	// Hang is the longest time without a sign of life, which a runner of ours gives in its mark
	// file. A runner of ours may be silent for hangTimes times as long as making the values took
	// in addition, because it gives no sign of life during an operation. Hang does not apply to
	// loading.
	Hang time.Duration
	// CPUs are the CPUs on which the process may run; nil: any. Where processes cannot be pinned,
	// Process.Unpinned returns an error.
	CPUs []int
}

// A Process is a running runner. Its methods are for one goroutine.
type Process struct {
	*child
	mark string // the file that names the case at work
	// external says that the program is not a runner of ours.
	external bool
	// bare is the memory of the process before it loaded values for the first time, in bytes, and
	// values is what it had more after it had loaded the last ones, which may use the memory of
	// earlier ones.
	bare, values int64
	// took is how long the last command took. used is the CPU time that the process used
	// meanwhile; -1: unknown.
	took, used time.Duration
	// loading is how long it took to load the values.
	loading time.Duration
}

// Work on large values may take the time that making them took, times these constants. Verifying
// large values of the sources takes 50 to 150 times as long as making them, and one operation of
// a YAML library takes 50 times as long.
const (
	loadTimes = 300 // for a command
	hangTimes = 100 // for an operation
	// soon is how long making values may take if they are not large.
	soon = 100 * time.Millisecond
)

// Start starts a runner. It kills the process when the context is cancelled. The caller must
// Close the process in any case.
func Start(ctx context.Context, b Binary, limits Limits) (*Process, error) {
	mark, err := os.CreateTemp("", "assay-mark-")
	if err != nil {
		return nil, fmt.Errorf("cannot start the runner %s: %w", b.Path, &TempError{err})
	}
	p := &Process{mark: mark.Name()}
	// The file gets its full size before the runner starts. If the disk is full, the error
	// appears here, where no contender can be blamed.
	_, err = mark.Write(bytes.Repeat([]byte{' '}, bench.MarkSize))
	if err = errors.Join(err, mark.Close()); err != nil {
		p.removeMark()
		return nil, fmt.Errorf("cannot start the runner %s: %w", b.Path, &TempError{err})
	}
	if p.child, err = startChild(ctx, b, limits); err != nil {
		p.removeMark()
		return nil, err
	}
	return p, nil
}

// MarkFile returns the name of the file to pass in the Load command, so that a death can be
// charged to the case that the runner was working on.
func (p *Process) MarkFile() string { return p.mark }

// Do sends a command and returns its answer. The error is a *Failure if the process died or was
// killed for what it did, and the context's error if the context was cancelled. An answer whose
// Error is set is returned without an error. After an error, only Close may be called.
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

// allowed returns the longest wait for the answer to cmd; 0: no limit.
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

// hang returns the longest wait for a sign of life while cmd is carried out.
func (p *Process) hang(cmd bench.Command) time.Duration {
	return (p.limits.Hang + p.ours(hangTimes)) * p.taking(cmd)
}

// taking returns how many processes take turns in carrying out cmd.
func (p *Process) taking(cmd bench.Command) time.Duration {
	if cmd.Rounds == nil || cmd.Rounds.Relay == nil {
		return 1
	}
	return time.Duration(len(cmd.Rounds.Relay.Out))
}

// ours returns so many times the time that making the values took. It returns 0 for an external
// contender, which gives no signs of life.
func (p *Process) ours(times int) time.Duration {
	if p.external {
		return 0
	}
	return (time.Duration(times) * max(0, p.loading-soon)).Round(time.Second)
}

// read reads the answer to cmd. It kills a process that writes anything else.
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

// Marked returns the case that the process last named in its mark file, or nil if it named none.
// The first line of the file is the contender, the mode and the op, separated by tabs. The rest
// is padding.
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

// failure returns the failure of the child with Case set from the mark file.
func (p *Process) failure() error {
	err := p.child.failure()
	var f *Failure
	if errors.As(err, &f) {
		f.Case = p.Marked()
	}
	return err
}

// Close asks the process to exit, kills it if it does not, and frees its resources. It returns
// the time from the start of the process to its end.
func (p *Process) Close() time.Duration {
	defer p.removeMark()
	return p.child.Close()
}

func (p *Process) removeMark() { os.Remove(p.mark) }
