//go:build !unix

package drive

import (
	"os"
	"os/exec"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return nil }

// killGroup kills the process alone: without groups its children cannot be told.
func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }

// endPeak is not to be had without a library.
func endPeak(*os.ProcessState) int64 { return 0 }
