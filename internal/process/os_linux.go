package process

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// Group puts a process into a group of its own, and has the system kill it when
// the thread that starts it ends, as it does when this process is killed.
func Group() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// humbleness is how much a program yields: a tenth of what others of the same CPU get.
const humbleness = 10

// Humble has a program that was started just now, and what it starts, yield to others, on
// Linux only. Only speed depends on it.
func Humble(cmd *exec.Cmd) { syscall.Setpriority(syscall.PRIO_PROCESS, cmd.Process.Pid, humbleness) }

// limit has the system give a process, and what it starts from now on, no more than so
// many bytes each. Where it may not be limited it is not.
func limit(pid int, bytes uint64) {
	most := unix.Rlimit{Cur: bytes, Max: bytes}
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &most, nil)
}

// linger waits until a program has ended and leaves it to be waited for: until then no
// other process has its number. It reports false where that cannot be.
func linger(cmd *exec.Cmd) bool {
	for {
		var info unix.Siginfo
		if err := unix.Waitid(unix.P_PID, cmd.Process.Pid, &info, unix.WEXITED|unix.WNOWAIT, nil); err != unix.EINTR {
			return err == nil
		}
	}
}
