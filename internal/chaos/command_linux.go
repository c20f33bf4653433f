package chaos

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// patience is the time limit of an undisturbed command, and prompt that of a command that was
	// told to end. An idle machine needs a tenth of these times.
	patience = 3 * time.Minute
	prompt   = 20 * time.Second
	// glance is the interval between two checks of a command.
	glance = 3 * time.Millisecond
)

// markName is the environment variable that identifies a command and the processes that it
// starts.
const markName = "ASSAY_CHAOS_MARK"

// A place holds the directories that a command works in.
type place struct {
	results, cache, tmp string
}

// A command is a running or ended assay process.
type command struct {
	kind    string // "try" or "run"
	cmd     *exec.Cmd
	mark    string
	place   place
	budget  string // identifies the directory of its run
	out     string // the files of standard output and standard error
	err     string
	ended   chan struct{} // closed when Wait has returned
	failure error         // the result of Wait
	began   time.Time
	// first is the time from the start until each phase was first seen.
	first map[Phase]time.Duration
}

// launched counts commands and budgets. The counts make marks, file names and budgets unique.
type launched struct{ n atomic.Int64 }

// start starts assay.
func (h *harness) start(kind string, at place, budget string, args ...string) (*command, error) {
	n := h.launched.n.Add(1)
	c := &command{
		kind: kind, cmd: exec.Command(h.Assay, args...), mark: fmt.Sprintf("%s=%d-%d", markName, os.Getpid(), n), place: at, budget: budget,
		out: filepath.Join(h.Dir, fmt.Sprintf("out-%d", n)), err: filepath.Join(h.Dir, fmt.Sprintf("err-%d", n)),
		ended: make(chan struct{}), first: map[Phase]time.Duration{},
	}
	out, err := os.Create(c.out)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	stderr, err := os.Create(c.err)
	if err != nil {
		return nil, err
	}
	defer stderr.Close()
	c.cmd.Stdout, c.cmd.Stderr = out, stderr
	c.cmd.Env = append(os.Environ(), "TMPDIR="+at.tmp, c.mark)
	c.cmd.Dir = h.Dir
	c.began = time.Now()
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		c.failure = c.cmd.Wait()
		close(c.ended)
	}()
	return c, nil
}

// over reports whether the command has ended.
func (c *command) over() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// said returns the command's standard error.
func (c *command) said() []byte {
	text, err := os.ReadFile(c.err)
	if err != nil {
		return []byte(err.Error())
	}
	return text
}

// dir returns the directory of the command's run; empty if there is none yet.
func (c *command) dir() string {
	for _, name := range names(c.place.results) {
		dir := filepath.Join(c.place.results, name)
		text, err := os.ReadFile(filepath.Join(dir, "run.json"))
		if err == nil && bytes.Contains(text, []byte(strconv.Quote(c.budget))) {
			return dir
		}
	}
	return ""
}

// samples returns the samples of the command's run.
func (c *command) samples() []byte {
	text, _ := os.ReadFile(filepath.Join(c.dir(), "samples.jsonl")) // there may be none yet
	return text
}

// phase returns the command's present phase.
func (c *command) phase() Phase {
	if c.over() {
		return Over
	}
	now := phaseOf(c.kind, c.said(), nil)
	if now == Launches {
		now = phaseOf(c.kind, c.said(), c.samples())
	}
	if _, ok := c.first[now]; !ok {
		c.first[now] = time.Since(c.began)
	}
	return now
}

// until waits until the command reaches a phase, and returns the present phase. That is a later
// phase if the command was too fast, or Over if it ended.
func (c *command) until(ctx context.Context, wanted Phase) (Phase, error) {
	for limit := time.Now().Add(patience); ; time.Sleep(glance) {
		now := c.phase()
		if reached(now, wanted) {
			return now, nil
		}
		if err := ctx.Err(); err != nil {
			return now, err
		}
		if time.Now().After(limit) {
			return now, fmt.Errorf("it does not come to %s in %v", wanted, patience)
		}
	}
}

// wait waits until the command ends, and returns its exit code or signal.
func (c *command) wait(ctx context.Context, limit time.Duration) (exit string, err error) {
	select {
	case <-c.ended:
	case <-ctx.Done():
		return "", ctx.Err()
	case <-time.After(limit):
		return "", fmt.Errorf("it does not end in %v", limit)
	}
	if failed := (*exec.ExitError)(nil); errors.As(c.failure, &failed) {
		if status := failed.Sys().(syscall.WaitStatus); status.Signaled() {
			return unix.SignalName(status.Signal()), nil
		}
		return strconv.Itoa(failed.ExitCode()), nil
	}
	if c.failure != nil {
		return "", c.failure
	}
	return "0", nil
}

// A markedProcess is a process with the mark of a command.
type markedProcess struct {
	pid  int
	line string
}

// processes returns the processes that have the mark: the command and its descendants.
func (c *command) processes() []markedProcess {
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		return nil
	}
	var all []markedProcess
	for _, name := range files {
		env, _ := os.ReadFile(name) // the process may have ended
		if !slices.Contains(strings.Split(string(env), "\x00"), c.mark) {
			continue
		}
		dir := filepath.Dir(name)
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		all = append(all, markedProcess{pid, strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))})
	}
	return all
}

// child waits for a process that the command started and that is not a guard, and returns it. It
// returns false if the command ends first.
func (c *command) child(ctx context.Context) (markedProcess, bool) {
	for !c.over() && ctx.Err() == nil {
		for _, p := range c.processes() {
			if p.pid != c.cmd.Process.Pid && p.line != "" && !strings.Contains(p.line, "__guard") {
				return p, true
			}
		}
		time.Sleep(glance)
	}
	return markedProcess{}, false
}

// remains checks that an ended command leaves no process behind, and kills those that it did
// leave.
func (c *command) remains() []string {
	var alive []markedProcess
	for limit := time.Now().Add(prompt); time.Now().Before(limit); time.Sleep(5 * glance) {
		if alive = c.processes(); len(alive) == 0 {
			return nil
		}
	}
	var wrong []string
	for _, p := range alive {
		wrong = append(wrong, "a process is left: "+p.line)
	}
	c.destroy()
	return wrong
}

// destroy kills the command and all processes that it started.
func (c *command) destroy() {
	for range 50 {
		all := c.processes()
		for _, p := range all {
			syscall.Kill(p.pid, syscall.SIGCONT)
			syscall.Kill(p.pid, syscall.SIGKILL)
		}
		if len(all) == 0 {
			return
		}
		time.Sleep(5 * glance)
	}
}
