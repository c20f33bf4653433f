//go:build !unix

package process

import (
	"os/exec"
	"syscall"
)

// groups says that there are process groups.
const groups = false

// Group is nothing where there are no groups.
func Group() *syscall.SysProcAttr { return nil }

func aside() *syscall.SysProcAttr { return nil }

// KillGroup kills the process alone: without groups its children cannot be told.
func KillGroup(cmd *exec.Cmd) { cmd.Process.Kill() }

func interruptGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
func interruptOne(cmd *exec.Cmd)   { cmd.Process.Kill() }
func killOne(cmd *exec.Cmd)        { cmd.Process.Kill() }

// Humble has a program yield to others on Linux only.
func Humble(*exec.Cmd) {}

func limit(int, uint64) {}

// linger cannot tell that a program has ended without taking its number away.
func linger(*exec.Cmd) bool { return false }
