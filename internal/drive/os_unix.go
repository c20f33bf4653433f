//go:build unix

package drive

import (
	"os/exec"
	"syscall"
)

// killGroup kills the command's process group.
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
