//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
)

// Group puts a process into a group of its own.
func Group() *syscall.SysProcAttr { return aside() }

// Humble has a program yield to others on Linux only.
func Humble(*exec.Cmd) {}

// Limit limits the memory of a program on Linux only.
func Limit(*exec.Cmd, uint64) error { return nil }
