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
)

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
	said     log           // what came on stderr; read it after drained
	drained  chan struct{} // closed at the end of stderr
	exited   chan struct{} // closed when the process has ended and was waited for
	oomKills int64         // of the whole system when it started; -1: unknown
	unwatch  func() bool   // of the context
	unpinned error         // why it may run on other CPUs than its limits say
	peak     int64         // largest resident set; known after Close
	bound    atomic.Pointer[bound]
	seen     atomic.Int64 // largest resident set that watch saw

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
	untrue
	closed
)

// startChild starts a program. It is killed when the context is cancelled;
// whoever started it must Close it in any event.
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
	// The pipes for output are our own: those of exec are closed when the
	// process ends, with whatever was not yet read.
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

// attend starts the process and waits for its end. It keeps its thread for as
// long, because where the system ends a process along with its parent it means
// the parent's thread.
func (c *child) attend(failed chan<- error, family bool) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var err error
	if c.unpinned, err = pinned(c.limits.CPUs, c.cmd.Start); err != nil {
		failed <- err
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
	c.cmd.Wait() // its error is in ProcessState
	c.mu.Lock()
	process.KillGroup(c.cmd) // what it may have started
	c.gone = true
	c.mu.Unlock()
	release()
	// Output that is still held open by a process that left the group is not
	// waited for.
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

// kill kills the process and its group, unless it is gone. The first cause is
// the one that counts.
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

// send writes a value and its newline. An error of writing is left to the
// reading: a process that cannot be written to has ended, or will be out of
// time.
func (c *child) send(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	c.stdin.Write(append(line, '\n'))
	return nil
}

// within sees to it that the process is killed when the limit is over; no limit
// is none. The function that it returns calls that off, and says whether it was
// in time.
func (c *child) within(limit time.Duration) (onTime func() bool) {
	if limit <= 0 {
		return func() bool { return true }
	}
	return newDeadline(limit, func() { c.kill(tooLate, "no answer in "+limit.String()) }).callOff
}

// receive reads a line into the answer, a pointer, and kills a process that writes
// anything else. Texts come out brief.
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

// Unpinned says why the process may run on other CPUs than its limits name; nil
// if it may not.
func (c *child) Unpinned() error { return c.unpinned }

// Peak returns the largest resident set that the process had, in bytes, once it
// is closed; 0 where that cannot be seen.
func (c *child) Peak() int64 { return c.peak }

// Close asks the process to exit, kills it if it does not, and frees what it
// held. It returns the time from its start to its end.
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
