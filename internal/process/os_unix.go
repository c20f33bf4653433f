//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// groups says whether there are process groups.
const groups = true

// KillGroup kills a command's process group.
func KillGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

func interruptGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
func interruptOne(cmd *exec.Cmd)   { syscall.Kill(cmd.Process.Pid, syscall.SIGINT) }
func killOne(cmd *exec.Cmd)        { syscall.Kill(cmd.Process.Pid, syscall.SIGKILL) }

// aside puts a process into a group of its own.
func aside() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
