package process

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// A guard is another process of this program, between us and a program that starts others, such
// as the go command with its compilers. If we were killed, those would go on. The guard detects
// our end and kills all of them.

// guardName is the first argument of a guard. The next arguments are our process ID (followed by
// a colon and the memory limit in bytes, if there is one) and the program with its arguments. Or
// they are watchName and the ID of a process group.
const (
	guardName = "__guard"
	watchName = "group"
)

// orphaned is the interval at which a guard checks whether it has lost its parent.
const orphaned = 200 * time.Millisecond

type guardKey struct{}

// Guarded returns a context whose commands run under a guard. self is the path of a program that
// calls Guard. Guarded has no effect on systems without process groups.
func Guarded(ctx context.Context, self string) context.Context {
	return context.WithValue(ctx, guardKey{}, self)
}

// guard puts a guard before a command if the context asks for one. memory is as in StartLimited.
// It reports whether it did.
func guard(ctx context.Context, cmd *exec.Cmd, memory uint64) bool {
	self, _ := ctx.Value(guardKey{}).(string)
	if self == "" || !groups || cmd.Err != nil {
		return false
	}
	if _, err := os.Stat(self); err != nil {
		return false // it was removed since this process began
	}
	parent := strconv.Itoa(os.Getpid())
	if memory > 0 {
		parent += ":" + strconv.FormatUint(memory, 10)
	}
	cmd.Args = append([]string{self, guardName, parent, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = self
	return true
}

// Watch has a guard kill the process group of a running program if this process ends before it
// calls release. release waits for the guard to end. Watch is for programs that are started
// without a guard, such as those whose memory is watched. If the context asks for no guard, Watch
// does nothing.
func Watch(ctx context.Context, cmd *exec.Cmd) (release func(), err error) {
	self, _ := ctx.Value(guardKey{}).(string)
	if self == "" || !groups {
		return func() {}, nil
	}
	in, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	w := exec.Command(self, guardName, watchName, strconv.Itoa(cmd.Process.Pid))
	w.Stdin, w.SysProcAttr = in, aside()
	if err := w.Start(); err != nil {
		out.Close()
		return nil, err
	}
	return func() {
		out.Write([]byte{'.'}) // without this byte, the guard takes the end of the pipe for our end
		out.Close()
		w.Wait()
	}, nil
}

// watchGroup waits for its parent to write a byte to standard input, and kills a process group if
// the parent ends instead.
func watchGroup(group string) int {
	pid, err := strconv.Atoi(group)
	if err != nil || pid <= 1 {
		return 2
	}
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	if n, _ := os.Stdin.Read(make([]byte, 1)); n == 0 {
		KillGroup(&exec.Cmd{Process: &os.Process{Pid: pid}})
	}
	return 0
}

// Guard acts as a guard if args are the arguments of one, and returns the exit code. A signal, or
// the end of our parent, ends the program and everything that it has started. asked says whether
// args are those of a guard.
func Guard(args []string) (code int, asked bool) {
	if len(args) < 4 || args[1] != guardName {
		return 0, false
	}
	if args[2] == watchName {
		return watchGroup(args[3]), true
	}
	pid, memory, limited := strings.Cut(args[2], ":")
	parent, err := strconv.Atoi(pid)
	if err != nil {
		return 0, false
	}
	if most, err := strconv.ParseUint(memory, 10, 64); limited && err == nil {
		limit(os.Getpid(), most) // what we start inherits the limit
	}
	runtime.LockOSThread() // Group ties the program to this thread
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	cmd := exec.Command(args[3], args[4:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = Group()
	if err := cmd.Start(); err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		return 127, true
	}
	ended := make(chan struct{})
	var ending atomic.Bool
	go watch(cmd, parent, signals, ended, &ending)
	Reap(cmd, func() { KillGroup(cmd) }) // the result is in ProcessState
	close(ended)
	if code = cmd.ProcessState.ExitCode(); code < 0 {
		code = 130
		if !ending.Load() { // somebody else killed it, such as the system for lack of memory
			os.Stderr.WriteString(cmd.ProcessState.String() + "\n")
		}
	}
	return code, true
}

// watch ends the program after a signal or when the parent has ended, and sets ending before that.
func watch(cmd *exec.Cmd, parent int, signals <-chan os.Signal, ended <-chan struct{}, ending *atomic.Bool) {
	tick := time.NewTicker(orphaned)
	defer tick.Stop()
	var late <-chan time.Time
	for {
		select {
		case <-ended:
			return
		case <-signals:
			ending.Store(true)
			interruptGroup(cmd)
			if late == nil { // another signal does not put off the end
				late = time.After(grace)
			}
		case <-late:
			KillGroup(cmd)
		case <-tick.C:
			if os.Getppid() != parent {
				ending.Store(true)
				KillGroup(cmd)
			}
		}
	}
}
