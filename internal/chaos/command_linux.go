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
	// patience is how long a command may take that nobody disturbs any more, and
	// prompt how long one may take that was told to end. An idle machine needs a tenth
	// of that.
	patience = 3 * time.Minute
	prompt   = 20 * time.Second
	// glance is how often a command is looked at.
	glance = 3 * time.Millisecond
)

// markName is the variable of the environment by which a command and whatever it
// starts are found.
const markName = "ASSAY_CHAOS_MARK"

// A place is where a command works.
type place struct {
	results, cache, tmp string
}

// A command is assay at work.
type command struct {
	kind    string // "try" or "run"
	cmd     *exec.Cmd
	mark    string
	place   place
	budget  string // by which the directory of its run is known
	out     string // the files of its standard output and error
	err     string
	ended   chan struct{} // closed when it was waited for
	failure error         // of Wait
	began   time.Time
	// first is when each phase was first seen.
	first map[Phase]time.Duration
}

// launched counts commands, for marks and for the names of files.
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

// over says whether it has ended.
func (c *command) over() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// said returns what is on standard error.
func (c *command) said() []byte {
	text, err := os.ReadFile(c.err)
	if err != nil {
		return []byte(err.Error())
	}
	return text
}

// dir returns the directory of its run; empty while there is none.
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

// samples returns the samples of its run.
func (c *command) samples() []byte {
	text, _ := os.ReadFile(filepath.Join(c.dir(), "samples.jsonl")) // there may be none yet
	return text
}

// phase returns what it does now.
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

// until waits until it comes to a phase, and returns the one that it is in then,
// which is a later one if it was too fast, or Over when it ended.
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

// wait waits until it ends, and says how: an exit code or a signal.
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

// A markedProcess has the mark of a command.
type markedProcess struct {
	pid  int
	line string
}

// processes returns the processes that have the mark: the command and whatever it
// started.
func (c *command) processes() []markedProcess {
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		return nil
	}
	var all []markedProcess
	for _, name := range files {
		env, _ := os.ReadFile(name) // it may have ended
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

// child returns a program that the command started and that is no guard; false when
// there is none before the command ends.
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

// remains checks that no process is left of a command that has ended, and ends those
// that are.
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

// destroy ends the command and whatever it started, at once.
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
