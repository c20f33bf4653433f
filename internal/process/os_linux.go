package process

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// Group puts a process into a group of its own, and has the system kill it when the thread that
// starts it ends, which also happens when this process is killed.
func Group() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// humbleness is the nice value of a humble program, which gets a tenth of the time of others on
// the same CPU.
const humbleness = 10

// Humble lowers the priority of a program that was just started, and of what it starts, on Linux
// only. It affects only speed.
func Humble(cmd *exec.Cmd) { syscall.Setpriority(syscall.PRIO_PROCESS, cmd.Process.Pid, humbleness) }

// limit limits the memory of a process, and of each process that it starts from now on, to so
// many bytes. It ignores errors, so the process may be unlimited.
func limit(pid int, bytes uint64) {
	most := unix.Rlimit{Cur: bytes, Max: bytes}
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &most, nil)
}

// linger waits until a program has ended but does not reap it, so that no other process can get
// its process ID. It returns false where that is impossible.
func linger(cmd *exec.Cmd) bool {
	for {
		var info unix.Siginfo
		if err := unix.Waitid(unix.P_PID, cmd.Process.Pid, &info, unix.WEXITED|unix.WNOWAIT, nil); err != unix.EINTR {
			return err == nil
		}
	}
}
