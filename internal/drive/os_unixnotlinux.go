//go:build unix && !linux

package drive

import "syscall"

// ownGroup puts the process into a group of its own.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
