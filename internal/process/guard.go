package process

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A guard is this program once more, between us and a program that starts others,
// such as the go command and its compilers: those would go on if we were killed.
// The guard sees that, and kills all of them.

// guardName is the first argument of a guard. The others are our process, with a colon and
// the memory that the program may have where that is limited, and the program with its
// arguments; or watchName and a process group.
const (
	guardName = "__guard"
	watchName = "group"
)

// orphaned is how often a guard looks whether it has lost its parent.
const orphaned = 200 * time.Millisecond

type guardKey struct{}

// Guarded returns a context whose commands run under a guard: self, a program that
// calls Guard. On systems without process groups it makes no difference.
func Guarded(ctx context.Context, self string) context.Context {
	return context.WithValue(ctx, guardKey{}, self)
}

// guard puts a guard before a command if the context says so. memory is as in
// StartLimited.
func guard(ctx context.Context, cmd *exec.Cmd, memory uint64) bool {
	self, _ := ctx.Value(guardKey{}).(string)
	if self == "" || !groups || cmd.Err != nil {
		return false
	}
	if _, err := os.Stat(self); err != nil {
		return false // it was removed since we began
	}
	parent := strconv.Itoa(os.Getpid())
	if memory > 0 {
		parent += ":" + strconv.FormatUint(memory, 10)
	}
	cmd.Args = append([]string{self, guardName, parent, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = self
	return true
}

// Watch has a guard kill the process group of a program that runs, should this
// process end before it calls the func that is returned, which waits for the guard
// to end. It is for programs that are started without one, as are those whose
// memory is watched. Without a guard in the context it does nothing.
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
		out.Write([]byte{'.'}) // the end without it is ours
		out.Close()
		w.Wait()
	}, nil
}

// watchGroup waits for its parent to say that all is well, and kills a process
// group if it ends instead.
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

// Guard runs what its arguments say, if they are those of a guard, and returns
// the exit code. A signal ends the program and whatever it has started, and so
// does the end of our parent.
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
		limit(os.Getpid(), most) // what we start has it too
	}
	runtime.LockOSThread() // which Group ties the program to
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
	go watch(cmd, parent, signals, ended)
	reap(cmd, func() { KillGroup(cmd) }) // what came of it is in ProcessState
	close(ended)
	if code = cmd.ProcessState.ExitCode(); code < 0 {
		code = 130
	}
	return code, true
}

// watch ends the program when it is time.
func watch(cmd *exec.Cmd, parent int, signals <-chan os.Signal, ended <-chan struct{}) {
	tick := time.NewTicker(orphaned)
	defer tick.Stop()
	var late <-chan time.Time
	for {
		select {
		case <-ended:
			return
		case <-signals:
			interruptGroup(cmd)
			late = time.After(grace)
		case <-late:
			KillGroup(cmd)
		case <-tick.C:
			if os.Getppid() != parent {
				KillGroup(cmd)
			}
		}
	}
}
