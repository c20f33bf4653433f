//go:build unix && !linux

package process

import "syscall"

// Group puts a process into a group of its own.
func Group() *syscall.SysProcAttr { return aside() }
