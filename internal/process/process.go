// Package process starts programs that end with this one. Each has a process
// group of its own, so that a signal from the terminal does not reach it and
// whatever it starts ends with it.
package process

import (
	"context"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// grace is how long a program has to end when it was interrupted, before it is
// killed with its group.
const grace = 500 * time.Millisecond

// A Process is a running program.
type Process struct {
	ctx     context.Context
	cmd     *exec.Cmd
	guarded bool
	unwatch func() bool   // of the context
	asked   chan struct{} // closed by the first Wait
	ended   chan struct{} // closed when the program was waited for
	once    sync.Once
	err     error

	mu   sync.Mutex
	gone bool // it has ended: its pid will soon be no longer its own
}

// Run runs a command to its end. When the context is cancelled, the program and
// all of its group are interrupted and, half a second later, killed; the error is
// then the context's cause. The command must not have a context of its own.
func Run(ctx context.Context, cmd *exec.Cmd) error {
	p, err := Start(ctx, cmd)
	if err != nil {
		return err
	}
	return p.Wait()
}

// Start starts a command as Run does, for those who talk to it. Whoever started
// it must Wait for it in any event.
func Start(ctx context.Context, cmd *exec.Cmd) (*Process, error) { return StartLimited(ctx, cmd, 0) }

// StartLimited is Start of a program that the system gives no more than so many bytes of
// memory, on Linux only, and what it starts no more than that each; 0: any. A Go program
// ends with "out of memory" then.
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
		limit(cmd.Process.Pid, memory) // a guard has limited itself
	}
	p.unwatch = context.AfterFunc(ctx, p.interrupt)
	return p, nil
}

// attend starts the program and waits for it. It keeps its thread for as long,
// because where the system ends a program along with its parent it means the
// parent's thread.
func (p *Process) attend(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := p.cmd.Start(); err != nil {
		started <- err
		return
	}
	started <- nil
	<-p.asked
	p.err = reap(p.cmd, p.finish)
	close(p.ended)
}

// finish is what is done when the program has ended, while its number is still its own
// where that can be.
func (p *Process) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.guarded {
		KillGroup(p.cmd) // what it may have left running
	}
	p.gone = true
}

// reap waits for a program, and calls finish when it has ended: before the system can
// give its number, which is that of its group, to another one, where linger can tell.
func reap(cmd *exec.Cmd, finish func()) error {
	if linger(cmd) {
		finish()
		return cmd.Wait()
	}
	defer finish()
	return cmd.Wait()
}

// Wait waits for the end of the program. Pipes that were made of the command must
// have been read before.
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

// do does something to the program unless it is gone.
func (p *Process) do(what func(*exec.Cmd)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		what(p.cmd)
	}
}

// MemoryWords are what the Go runtime says when the system gives it no more memory, also
// where that is for a limit on addresses, such as that of ulimit -v.
func MemoryWords() []string {
	return []string{"out of memory", "cannot allocate memory", "cannot map pages in arena address space", "failed to reserve page summary memory"}
}
