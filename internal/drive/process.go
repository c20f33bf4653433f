// Package drive runs runner processes from the outside: it starts them, holds
// them to their limits, says why one died and whom to charge, and runs the
// passes of a run over them. It links no contender and prints nothing: what it
// measured goes to a sink, and what happens goes to an event func.
package drive

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
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
}

// Limits are what one runner process may use. Zero is no limit.
type Limits struct {
	// Memory is the largest resident set in bytes. It is looked at every 20 ms,
	// on Linux only; elsewhere the system's own limits apply.
	Memory int64
	// Answer is the longest wait for one answer. A rounds command may take its
	// LimitNS on top of it, a steady command its MaxNS.
	Answer time.Duration
	// CPUs are those that it may run on; nil: any. Where processes cannot be
	// pinned, Process.Unpinned says so.
	CPUs []int
}

const (
	watchEvery  = 20 * time.Millisecond
	exitWait    = 2 * time.Second // for a runner to end of its own accord
	longestLine = 256 << 20       // bytes of an answer; what is longer is no answer
)

// withheld are the variables that a runner does not inherit: they are set in
// the shells of people who tune something else, change what is measured, and
// are not in the run's record. GODEBUG is passed on: it is how one chooses the
// behaviour of an older toolchain.
var withheld = []string{"GOMAXPROCS", "GOGC", "GOMEMLIMIT", "GOTRACEBACK"}

func environment(own, added []string) []string {
	env := slices.DeleteFunc(slices.Clone(own), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(withheld, name)
	})
	return append(env, added...)
}

// A Process is a running runner. It has a process group of its own, so that
// Ctrl-C in the terminal does not reach it and whatever it starts ends with it.
// Its methods are for one goroutine.
type Process struct {
	ctx      context.Context
	cmd      *exec.Cmd
	limits   Limits
	started  time.Time
	stdin    io.WriteCloser
	stdout   *os.File
	answers  *bufio.Reader
	stderr   *os.File
	said     log           // what came on stderr; read it after drained
	drained  chan struct{} // closed at the end of stderr
	exited   chan struct{} // closed when the process has ended and was waited for
	mark     string        // the file that names what it works on
	oomKills int64         // of the whole system when it started; -1: unknown
	unwatch  func() bool   // of the context
	unpinned error         // why it may run on other CPUs than its limits say
	peak     int64         // largest resident set; known after Close

	mu    sync.Mutex
	gone  bool // it was waited for: its pid is no longer its own
	cause cause
	why   string // details of the cause
}

// A cause is why we killed a process.
type cause int

const (
	notKilled cause = iota
	cancelled
	tooBig
	tooLate
	garbled
	closed
)

// Start starts a runner. The process is killed when the context is cancelled;
// whoever started it must Close it in any event.
func Start(ctx context.Context, b Binary, limits Limits) (*Process, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	p := &Process{ctx: ctx, limits: limits, drained: make(chan struct{}), exited: make(chan struct{})}
	if err := p.start(b); err != nil {
		p.removeMark()
		return nil, fmt.Errorf("cannot start the runner %s: %w", b.Path, err)
	}
	p.unwatch = context.AfterFunc(ctx, func() { p.kill(cancelled, "") })
	return p, nil
}

func (p *Process) start(b Binary) error {
	mark, err := os.CreateTemp("", "assay-mark-")
	if err != nil {
		return err
	}
	p.mark = mark.Name()
	if err := mark.Close(); err != nil {
		return err
	}
	p.cmd = exec.Command(b.Path, b.Args...)
	p.cmd.Env = environment(os.Environ(), b.Env)
	p.cmd.SysProcAttr = ownGroup()
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	// The pipes for output are our own: those of exec are closed when the
	// process ends, with whatever was not yet read.
	var childOut, childErr *os.File
	if p.stdout, childOut, err = os.Pipe(); err != nil {
		return err
	}
	if p.stderr, childErr, err = os.Pipe(); err != nil {
		p.stdout.Close()
		childOut.Close()
		return err
	}
	p.cmd.Stdout, p.cmd.Stderr = childOut, childErr
	p.oomKills = oomKills()
	p.started = time.Now()
	failed := make(chan error)
	go p.attend(failed)
	err = <-failed
	childOut.Close()
	childErr.Close()
	if err != nil {
		p.stdout.Close()
		p.stderr.Close()
		return err
	}
	p.answers = bufio.NewReaderSize(p.stdout, 64<<10)
	go func() {
		defer close(p.drained)
		io.Copy(&p.said, p.stderr)
	}()
	return nil
}

// attend starts the process and waits for its end. It keeps its thread for as
// long, because where the system ends a process along with its parent it means
// the parent's thread.
func (p *Process) attend(failed chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var err error
	if p.unpinned, err = pinned(p.limits.CPUs, p.cmd.Start); err != nil {
		failed <- err
		return
	}
	failed <- nil
	raiseOOMScore(p.cmd.Process.Pid)
	if p.limits.Memory > 0 {
		go p.watch()
	}
	p.cmd.Wait() // its error is in ProcessState
	p.mu.Lock()
	killGroup(p.cmd) // what it may have started
	p.gone = true
	p.mu.Unlock()
	// Output that is still held open by a process that left the group is not
	// waited for.
	end := time.Now().Add(exitWait)
	p.stdout.SetReadDeadline(end)
	p.stderr.SetReadDeadline(end)
	close(p.exited)
}

// watch kills the process when its resident set outgrows the limit.
func (p *Process) watch() {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-p.exited:
			return
		case <-tick.C:
		}
		rss, ok := residentSet(p.cmd.Process.Pid)
		if !ok {
			return
		}
		if rss > p.limits.Memory {
			p.kill(tooBig, "grew past "+byteText(p.limits.Memory))
			return
		}
	}
}

// kill kills the process and its group, unless it is gone. The first cause is
// the one that counts.
func (p *Process) kill(c cause, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone {
		return
	}
	if p.cause == notKilled {
		p.cause, p.why = c, why
	}
	killGroup(p.cmd)
}

// MarkFile is the file to name in the Load command, so that a death can be
// charged to what the runner was working on.
func (p *Process) MarkFile() string { return p.mark }

// Do sends a command and returns its answer. Its error is a *Failure when the
// process died or was killed for what it did, and the context's when that was
// cancelled. An answer whose Error is set is an answer. After an error only
// Close is of use.
func (p *Process) Do(cmd bench.Command) (bench.Answer, error) {
	line, err := json.Marshal(cmd)
	if err != nil {
		return bench.Answer{}, fmt.Errorf("cannot encode command %s: %w", cmd.Cmd, err)
	}
	onTime := p.deadline(cmd)
	// An error of writing is left to the reading: a process that cannot be
	// written to has ended, or will be out of time.
	p.stdin.Write(append(line, '\n'))
	answer, err := p.read(cmd)
	if !onTime() || err != nil {
		return bench.Answer{}, p.failure()
	}
	return answer, nil
}

// deadline sees to it that the process is killed when the answer does not come
// in time. The function that it returns calls that off, and says whether it was
// in time.
func (p *Process) deadline(cmd bench.Command) (onTime func() bool) {
	limit := p.limits.Answer
	if limit <= 0 {
		return func() bool { return true }
	}
	if cmd.Rounds != nil {
		limit += time.Duration(cmd.Rounds.LimitNS)
	}
	if cmd.Steady != nil {
		limit += time.Duration(cmd.Steady.MaxNS)
	}
	timer := time.AfterFunc(limit, func() { p.kill(tooLate, "no answer in "+limit.String()) })
	return timer.Stop
}

// read reads the answer to cmd, and kills a process that writes anything else.
func (p *Process) read(cmd bench.Command) (bench.Answer, error) {
	line, err := readLine(p.answers, longestLine)
	if err == errTooLong {
		p.kill(garbled, "wrote more than "+byteText(longestLine)+" without an end of line where an answer was due")
	}
	if err != nil {
		return bench.Answer{}, err
	}
	var answer bench.Answer
	if err := json.Unmarshal(line, &answer); err != nil {
		p.kill(garbled, fmt.Sprintf("wrote %.80q where an answer was due", bytes.TrimSpace(line)))
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

var errTooLong = errors.New("line too long")

// readLine reads up to the next newline, which must come within limit bytes. A
// line that ends without one is an error.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		case len(line) > limit:
			return nil, errTooLong
		}
	}
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
			ok = ok && c.N > 0
		}
		return missing(ok)
	case "rounds":
		return missing(a.Measured != nil && seriesMatch(cmd.Rounds.Cases, a.Measured))
	case "memory":
		return missing(a.Counted != nil && a.Counted.Ops > 0)
	case "steady":
		return missing(a.Steadied != nil && a.Steadied.Ops > 0)
	case "cold":
		return missing(a.First != nil)
	case "retain":
		return missing(a.Retained != nil && a.Retained.Messages > 0)
	case "parallel":
		return missing(a.Paralleled != nil && len(a.Paralleled.Wall) == cmd.Parallel.Rounds)
	}
	return nil
}

func seriesMatch(cases []bench.CaseSpec, m *bench.Measured) bool {
	if len(m.Series) != len(cases) {
		return false
	}
	for i, s := range m.Series {
		if s.Subject != cases[i].Subject || s.Role != cases[i].Role || len(s.Wall) != len(s.Round) || len(s.CPU) != 0 && len(s.CPU) != len(s.Round) {
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

func (p *Process) removeMark() {
	if p.mark != "" {
		os.Remove(p.mark)
	}
}

// Unpinned says why the process may run on other CPUs than its limits name; nil
// if it may not.
func (p *Process) Unpinned() error { return p.unpinned }

// Peak returns the largest resident set that the process had, in bytes, once it
// is closed; 0 where that cannot be seen.
func (p *Process) Peak() int64 { return p.peak }

// Close asks the process to exit, kills it if it does not, and frees what it
// held. It returns the time from its start to its end.
func (p *Process) Close() time.Duration {
	p.mu.Lock()
	if !p.gone {
		p.peak = livePeak(p.cmd.Process.Pid)
	}
	p.mu.Unlock()
	late := time.AfterFunc(exitWait, func() { p.kill(closed, "") })
	if line, err := json.Marshal(bench.Command{Cmd: "exit"}); err == nil {
		p.stdin.Write(append(line, '\n'))
	}
	p.stdin.Close()
	<-p.exited
	elapsed := time.Since(p.started)
	late.Stop()
	p.unwatch()
	if p.peak == 0 {
		p.peak = endPeak(p.cmd.ProcessState)
	}
	<-p.drained
	p.stdout.Close()
	p.stderr.Close()
	p.removeMark()
	return elapsed
}

// byteText writes a number of bytes with a binary unit.
func byteText(n int64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
}
