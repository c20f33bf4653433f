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

// A Failure is the reason why a command got no useful answer: its process died, was killed for
// what it did, or answered with an error.
type Failure struct {
	Status result.Status
	// Reason says what happened, for example "grew past 4.0 GiB", "no answer in 30s" or "panic:
	// runtime error: index out of range [3]".
	Reason string
	// Case is the case that the process last named in its mark file; nil if it named none.
	Case *bench.CaseSpec
	// Loading says that the process failed while it made the values, before any contender ran.
	Loading bool
	// Outside says that a signal from outside killed the process, which says nothing about its
	// contenders.
	Outside bool
	// Answered says that the process is alive and answered with an error.
	Answered bool
	// Certain says that a contender's result was seen to be wrong. The command is not tried
	// again, because a right result the next time would not change that.
	Certain bool
	// Untrue says that the process gave an impossible answer.
	Untrue bool
	// Limit is Limits.Memory, in bytes, if the process was killed for its memory, by that limit
	// or by the one of its case; 0: it ended for another reason.
	Limit int64
	// Seen is the largest resident set of the process that was seen, in bytes; 0: none was seen.
	Seen int64
	// Stderr is the beginning and the end of what the process wrote to standard error. It is
	// empty if the process was killed for its memory, for its time or for an impossible answer.
	Stderr string
}

// once says that a case is not tried again after this failure. A second try of a case that hangs
// would take as long again.
func (f *Failure) once() bool { return f.Certain || f.Status == result.Timeout && !f.Loading }

func (f *Failure) Error() string { return string(f.Status) + ": " + f.Reason }

// Outcome returns the failure as the outcome of a case.
func (f *Failure) Outcome(c result.Case) result.Outcome {
	return result.Outcome{Case: c, Status: f.Status, Reason: f.Reason, Stderr: f.Stderr}
}

// failure waits for the end of the process and returns a *Failure that says why it ended, or the
// context's error if the context was cancelled.
func (c *child) failure() error {
	select {
	case <-c.exited:
	case <-time.After(exitWait): // it is still alive, but useless
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
	if cause != tooBig && cause != tooLate && cause != untrue { // otherwise stderr is no evidence
		f.Stderr = c.said.String()
	}
	return f
}

// diagnose says why a process ended. It uses the most certain evidence first: our own reason to
// kill the process, then what the Go runtime wrote, then how the process exited.
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

// lastWords returns the failure that the Go runtime reports when it ends a process, or nil.
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

// fromOutside says whether a signal that we did not send comes from a person or the system rather
// than from a fault of the process.
func fromOutside(s syscall.Signal) bool {
	switch s {
	case syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP:
		return true
	}
	return false
}
