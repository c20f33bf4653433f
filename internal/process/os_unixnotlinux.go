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

func limit(int, uint64) {}

// linger cannot tell that a program has ended without taking its number away.
func linger(*exec.Cmd) bool { return false }
