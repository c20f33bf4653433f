package process

import "syscall"

// Group puts a process into a group of its own, and has the system kill it when
// the thread that starts it ends, as it does when this process is killed.
func Group() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
