//go:build !unix

package process

import (
	"os/exec"
	"syscall"
)

// groups says whether there are process groups.
const groups = false

// Group returns nil, because there are no process groups.
func Group() *syscall.SysProcAttr { return nil }

func aside() *syscall.SysProcAttr { return nil }

// KillGroup kills only the process, because its children are unknown without process groups.
func KillGroup(cmd *exec.Cmd) { cmd.Process.Kill() }

func interruptGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
func interruptOne(cmd *exec.Cmd)   { cmd.Process.Kill() }
func killOne(cmd *exec.Cmd)        { cmd.Process.Kill() }

// Humble does nothing here.
func Humble(*exec.Cmd) {}

func limit(int, uint64) {}

// linger returns false: it cannot detect the end of a program without releasing its process ID.
func linger(*exec.Cmd) bool { return false }
