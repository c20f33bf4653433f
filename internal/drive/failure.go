package drive

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"assay/bench"
	"assay/internal/process"
	"assay/result"
)

// A Failure is why a command got no answer of use: its process died, was killed
// for what it did, or answered with an error.
type Failure struct {
	Status result.Status
	// Reason is made from what is known, for example "grew past 4.0 GiB",
	// "no answer in 30s" or "panic: runtime error: index out of range [3]".
	Reason string
	// Case is what the process last said it was working on; nil if it did not.
	Case *bench.CaseSpec
	// Loading says that it happened while the values were being made, before
	// any contender was at work.
	Loading bool
	// Outside says that the process was killed by a signal from outside, which
	// says nothing about its contenders.
	Outside bool
	// Answered says that the process is well and answered with an error.
	Answered bool
	// Certain says that a contender's result was seen to be wrong. It is not tried
	// again: what is right the next time was still wrong.
	Certain bool
	// Untrue says that the process is well and answered what cannot be.
	Untrue bool
	// Limit is the limit on the resident set that the process outgrew, in bytes; 0: it
	// ended of another cause.
	Limit int64
	// Seen is the largest resident set of the process that was seen, in bytes; 0: none was.
	Seen int64
	// Stderr is the beginning and the end of what the process wrote there, unless it was
	// ended for its memory, its time or what it answered.
	Stderr string
}

// once says that one failure of a case is enough. To wait again for one that hangs
// takes as long again.
func (f *Failure) once() bool { return f.Certain || f.Status == result.Timeout && !f.Loading }

func (f *Failure) Error() string { return string(f.Status) + ": " + f.Reason }

// Outcome charges the failure to a case.
func (f *Failure) Outcome(c result.Case) result.Outcome {
	return result.Outcome{Case: c, Status: f.Status, Reason: f.Reason, Stderr: f.Stderr}
}

// failure waits for the end of the process and says why it came, or returns
// the context's error when it was that.
func (c *child) failure() error {
	select {
	case <-c.exited:
	case <-time.After(exitWait): // it lives on, but is of no more use
		c.kill(closed, "closed its output without answering")
		<-c.exited
	}
	<-c.drained
	c.mu.Lock()
	cause, why := c.cause, c.why
	c.mu.Unlock()
	if cause == cancelled {
		return context.Cause(c.ctx)
	}
	f := diagnose(cause, why, c.cmd.ProcessState, &c.said)
	if now := oomKills(); f.Outside && c.oomKills >= 0 && now > c.oomKills {
		f.Outside = false
		f.Status, f.Reason = result.OOM, "killed by the system, which was out of memory"
	}
	if cause == tooBig {
		f.Limit = c.limits.Memory
	}
	f.Seen = c.seen.Load()
	if cause != tooBig && cause != tooLate && cause != untrue { // we ended it, whatever it said
		f.Stderr = c.said.String()
	}
	return f
}

// diagnose says why a process ended, from the most certain evidence to the
// least: our own reason to kill it, what the Go runtime said, how it exited.
func diagnose(c cause, why string, state *os.ProcessState, said *log) *Failure {
	switch c {
	case tooBig:
		return &Failure{Status: result.OOM, Reason: why}
	case tooLate:
		return &Failure{Status: result.Timeout, Reason: why}
	case garbled:
		return &Failure{Status: result.Panic, Reason: why}
	case untrue:
		return &Failure{Status: result.Unverified, Reason: why, Untrue: true}
	}
	if f := lastWords(said); f != nil {
		return f
	}
	if c == closed {
		return &Failure{Status: result.Panic, Reason: why}
	}
	if s, ok := state.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return &Failure{
			Status:  result.Panic,
			Reason:  "killed by signal: " + s.Signal().String(),
			Outside: fromOutside(s.Signal()),
		}
	}
	reason := fmt.Sprintf("exited with status %d before answering", state.ExitCode())
	if line := said.lastLine(); line != "" {
		reason += fmt.Sprintf(": %.200s", line)
	}
	return &Failure{Status: result.Panic, Reason: reason}
}

// lastWords reads what the Go runtime says when it ends a process.
func lastWords(said *log) *Failure {
	for _, text := range process.MemoryWords() {
		if line := said.tells(text); line != "" && !strings.HasPrefix(line, "panic: ") {
			return &Failure{Status: result.OOM, Reason: strings.TrimPrefix(line, "fatal error: ")}
		}
	}
	if line := said.tells("goroutine stack exceeds"); line != "" {
		return &Failure{Status: result.Panic, Reason: "stack overflow: " + strings.TrimPrefix(line, "runtime: ")}
	}
	for _, text := range []string{"panic: ", "fatal error: ", "SIG"} {
		if line := said.tells(text); strings.HasPrefix(line, text) {
			return &Failure{Status: result.Panic, Reason: line}
		}
	}
	return nil
}

// fromOutside says whether a signal that we did not send comes from people and
// systems rather than from the process's own faults.
func fromOutside(s syscall.Signal) bool {
	switch s {
	case syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP:
		return true
	}
	return false
}
