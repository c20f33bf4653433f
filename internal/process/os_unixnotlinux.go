//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
)

// Group puts a process into a group of its own.
func Group() *syscall.SysProcAttr { return aside() }

// Humble does nothing here.
func Humble(*exec.Cmd) {}

func limit(int, uint64) {}

// linger returns false: it cannot detect the end of a program without releasing its process ID.
func linger(*exec.Cmd) bool { return false }
