// Package process starts programs that end when this process ends. Each program has a process
// group of its own, so that a signal from the terminal does not reach it, and everything that it
// starts ends with it.
package process

import (
	"context"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// grace is the time between interrupting a program and killing it with its group.
const grace = 500 * time.Millisecond

// A Process is a running program.
type Process struct {
	ctx     context.Context
	cmd     *exec.Cmd
	guarded bool
	unwatch func() bool   // stops watching the context
	asked   chan struct{} // closed by the first Wait
	ended   chan struct{} // closed when the program was reaped
	once    sync.Once
	err     error

	mu   sync.Mutex
	gone bool // it has ended, so its pid may soon belong to another process
}

// Run runs a command until it ends. If the context is cancelled, Run interrupts the program and
// its group and kills them half a second later. The error is then the context's cause. The
// command must not have a context of its own.
func Run(ctx context.Context, cmd *exec.Cmd) error {
	p, err := Start(ctx, cmd)
	if err != nil {
		return err
	}
	return p.Wait()
}

// Start starts a command like Run, and returns without waiting. The caller must call Wait in any
// case.
func Start(ctx context.Context, cmd *exec.Cmd) (*Process, error) { return StartLimited(ctx, cmd, 0) }

// StartLimited is Start with a memory limit in bytes for the program and for each process that it
// starts, on Linux only; 0: no limit. A Go program that exceeds the limit ends with "out of
// memory".
func StartLimited(ctx context.Context, cmd *exec.Cmd, memory uint64) (*Process, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	p := &Process{ctx: ctx, cmd: cmd, asked: make(chan struct{}), ended: make(chan struct{})}
	p.guarded = guard(ctx, cmd, memory)
	cmd.SysProcAttr = Group()
	if p.guarded {
		cmd.SysProcAttr = aside()
	}
	cmd.WaitDelay = 2 * time.Second
	started := make(chan error)
	go p.attend(started)
	if err := <-started; err != nil {
		return nil, err
	}
	if memory > 0 && !p.guarded {
		limit(cmd.Process.Pid, memory) // a guard limits itself
	}
	p.unwatch = context.AfterFunc(ctx, p.interrupt)
	return p, nil
}

// attend starts the program and waits for it. It keeps its thread locked until then: some systems
// end a program together with its parent, and take the thread that started it for the parent.
func (p *Process) attend(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := p.cmd.Start(); err != nil {
		started <- err
		return
	}
	started <- nil
	<-p.asked
	p.err = Reap(p.cmd, p.finish)
	close(p.ended)
}

// finish kills what the program left running and marks the program as gone. It is called when the
// program has ended and, where that is possible, while the program still has its process ID.
func (p *Process) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.guarded {
		KillGroup(p.cmd) // kills what the program may have left running
	}
	p.gone = true
}

// Reap waits for a program and calls finish when it has ended. Where linger works, it calls
// finish before the system can give the process ID, which is also that of the group, to another
// process.
func Reap(cmd *exec.Cmd, finish func()) error {
	if linger(cmd) {
		finish()
		return cmd.Wait()
	}
	defer finish()
	return cmd.Wait()
}

// Wait waits for the end of the program. The caller must have finished reading pipes of the
// command.
func (p *Process) Wait() error {
	p.once.Do(func() { close(p.asked) })
	<-p.ended
	p.unwatch()
	if cause := context.Cause(p.ctx); cause != nil && p.err != nil {
		return cause
	}
	return p.err
}

// interrupt asks the program to end, and kills it if it does not.
func (p *Process) interrupt() {
	if p.guarded {
		p.do(interruptOne)
		time.AfterFunc(2*grace, func() { p.do(killOne) })
		return
	}
	p.do(interruptGroup)
	time.AfterFunc(grace, func() { p.do(KillGroup) })
}

// do calls what with the command unless the program is gone.
func (p *Process) do(what func(*exec.Cmd)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		what(p.cmd)
	}
}

// MemoryWords returns the words by which the Go runtime reports that the system gives it no more
// memory. That includes limits on the address space, such as that of ulimit -v.
func MemoryWords() []string {
	return []string{"out of memory", "cannot allocate memory", "cannot map pages in arena address space", "failed to reserve page summary memory"}
}
