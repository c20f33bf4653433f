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
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/internal/process"
	"assay/result"
)

const (
	watchEvery  = 20 * time.Millisecond
	exitWait    = 2 * time.Second // how long a runner may take to exit by itself
	longestLine = 256 << 20       // the largest number of bytes of an answer
)

// withheld are the environment variables that a runner does not inherit. People set them in their
// shells to tune other programs. They change what is measured and are not in the run's record.
// GODEBUG is passed on, because it is how one chooses the behaviour of an older toolchain.
var withheld = []string{"GOMAXPROCS", "GOGC", "GOMEMLIMIT", "GOTRACEBACK"}

func environment(own, added []string) []string {
	env := slices.DeleteFunc(slices.Clone(own), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(withheld, name)
	})
	return append(env, added...)
}

// A child is a running program that reads JSON from its standard input and
// writes JSON to its standard output, one value a line. It has a process group
// of its own, so that Ctrl-C in the terminal does not reach it and whatever it
// starts ends with it. Its methods are for one goroutine.
type child struct {
	ctx      context.Context
	cmd      *exec.Cmd
	limits   Limits
	started  time.Time
	stdin    io.WriteCloser
	stdout   *os.File
	answers  *bufio.Reader
	stderr   *os.File
	said     log           // standard error; read it after drained
	drained  chan struct{} // closed at the end of stderr
	exited   chan struct{} // closed when the process has ended and was waited for
	oomKills int64         // out-of-memory kills of the whole system before the start; -1: unknown
	unwatch  func() bool   // stops watching the context
	unpinned error         // why it may run on CPUs outside of its limits
	peak     int64         // largest resident set; known after Close
	bound    atomic.Pointer[bound]
	seen     atomic.Int64 // largest resident set that watch saw

	mu    sync.Mutex
	gone  bool // it was waited for, so its pid may belong to another process
	cause cause
	why   string // details of the cause
}

// A cause is the reason why we killed a process.
type cause int

const (
	notKilled cause = iota
	cancelled
	tooBig
	tooLate
	garbled
	untrue
	closed
)

// startChild starts a program. It kills the program when the context is cancelled. The caller
// must Close the child in any case.
func startChild(ctx context.Context, b Binary, limits Limits) (*child, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	c := &child{ctx: ctx, limits: limits, drained: make(chan struct{}), exited: make(chan struct{})}
	if err := c.start(b); err != nil {
		return nil, fmt.Errorf("cannot start the runner %s: %w", b.Path, err)
	}
	c.unwatch = context.AfterFunc(ctx, func() { c.kill(cancelled, "") })
	return c, nil
}

func (c *child) start(b Binary) error {
	var err error
	c.cmd = exec.Command(b.Path, b.Args...)
	c.cmd.Dir = b.Dir
	c.cmd.ExtraFiles = b.Files
	c.cmd.Env = environment(os.Environ(), b.Env)
	c.cmd.SysProcAttr = process.Group()
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return err
	}
	// We make the output pipes ourselves: the pipes of exec are closed when the process ends, and
	// what was not read yet is lost.
	var childOut, childErr *os.File
	if c.stdout, childOut, err = os.Pipe(); err != nil {
		return err
	}
	if c.stderr, childErr, err = os.Pipe(); err != nil {
		c.stdout.Close()
		childOut.Close()
		return err
	}
	c.cmd.Stdout, c.cmd.Stderr = childOut, childErr
	c.oomKills = oomKills()
	c.started = time.Now()
	failed := make(chan error)
	go c.attend(failed, b.Family)
	err = <-failed
	childOut.Close()
	childErr.Close()
	if err != nil {
		c.stdout.Close()
		c.stderr.Close()
		return err
	}
	c.answers = bufio.NewReaderSize(c.stdout, 64<<10)
	go func() {
		defer close(c.drained)
		io.Copy(&c.said, c.stderr)
	}()
	return nil
}

// attend starts the process and waits for its end. It keeps its thread locked until then: some
// systems end a process together with its parent, and take the thread that started it for the
// parent.
func (c *child) attend(failed chan<- error, family bool) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var err error
	if c.unpinned, err = pinned(c.limits.CPUs, c.cmd.Start); err != nil {
		failed <- &notRun{err}
		return
	}
	release := func() {}
	if family {
		if release, err = process.Watch(c.ctx, c.cmd); err != nil {
			process.KillGroup(c.cmd)
			c.cmd.Wait() // it was killed
			failed <- err
			return
		}
	}
	failed <- nil
	raiseOOMScore(c.cmd.Process.Pid)
	if c.limits.Memory > 0 {
		go c.watch()
	}
	process.Reap(c.cmd, func() { // the error is in ProcessState
		c.mu.Lock()
		defer c.mu.Unlock()
		process.KillGroup(c.cmd) // kills what the process may have started
		c.gone = true
	})
	release()
	// A process that left the group may still hold the output open. We do not wait for it longer
	// than exitWait.
	end := time.Now().Add(exitWait)
	c.stdout.SetReadDeadline(end)
	c.stderr.SetReadDeadline(end)
	close(c.exited)
}

// watch kills the process when its resident set outgrows the limit.
func (c *child) watch() {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-c.exited:
			return
		case <-tick.C:
		}
		rss, ok := residentSet(c.cmd.Process.Pid)
		if !ok {
			return
		}
		c.seen.Store(max(c.seen.Load(), rss))
		if why := c.tooMuch(rss); why != "" {
			c.kill(tooBig, why)
			return
		}
	}
}

// kill kills the process and its group, unless the process is gone. Only the first cause is kept.
func (c *child) kill(by cause, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone {
		return
	}
	if c.cause == notKilled {
		c.cause, c.why = by, why
	}
	process.KillGroup(c.cmd)
}

// send writes a value and a newline. It ignores write errors, because the following read reports
// them: a process that cannot be written to has ended, or runs out of time.
func (c *child) send(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	c.stdin.Write(append(line, '\n'))
	return nil
}

// within kills the process when the limit has passed; a limit of 0 is none. The function that it
// returns cancels that, and reports whether the limit had not passed yet.
func (c *child) within(limit time.Duration) (onTime func() bool) {
	if limit <= 0 {
		return func() bool { return true }
	}
	return newDeadline(limit, func() { c.kill(tooLate, result.NoAnswer+limit.String()) }).callOff
}

// receive reads a line into answer, which must be a pointer. It kills a process that writes
// anything but JSON, and shortens long texts.
func (c *child) receive(answer any) error {
	line, err := readLine(c.answers, longestLine)
	if err == errTooLong {
		c.kill(garbled, "wrote more than "+byteText(longestLine)+" without an end of line where an answer was due")
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(line, answer); err != nil {
		c.kill(garbled, fmt.Sprintf("wrote %.80q where an answer was due", bytes.TrimSpace(line)))
		return err
	}
	shorten(reflect.ValueOf(answer))
	return nil
}

var errTooLong = errors.New("line too long")

// readLine reads up to and including the next newline. It returns errTooLong if the line is
// longer than limit, and an error if the input ends without a newline.
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

// Unpinned returns why the process may run on CPUs outside of its limits, or nil if it may not.
func (c *child) Unpinned() error { return c.unpinned }

// Peak returns the largest resident set of the process in bytes, once the child is closed. It
// returns 0 where the system does not show it.
func (c *child) Peak() int64 { return c.peak }

// Close asks the process to exit, kills it if it does not, and frees its resources. It returns
// the time from the start of the process to its end.
func (c *child) Close() time.Duration {
	c.mu.Lock()
	if !c.gone {
		c.peak = livePeak(c.cmd.Process.Pid)
	}
	c.mu.Unlock()
	late := time.AfterFunc(exitWait, func() { c.kill(closed, "") })
	c.send(struct {
		Cmd string `json:"cmd"`
	}{"exit"})
	c.stdin.Close()
	<-c.exited
	elapsed := time.Since(c.started)
	late.Stop()
	c.unwatch()
	if c.peak == 0 {
		c.peak = endPeak(c.cmd.ProcessState)
	}
	<-c.drained
	c.stdout.Close()
	c.stderr.Close()
	return elapsed
}

// byteText writes a number of bytes with a binary unit.
func byteText(n int64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
}
