//go:build !linux

package host

import (
	"errors"
	"runtime"
)

// threadCPU reports that the standard library cannot read a CPU clock of threads here.
func threadCPU() (int64, bool) { return 0, false }

// ownCPU returns 0: it is only compared with times that Linux shows.
func ownCPU() int64 { return 0 }

// Pinning returns the reason why a thread cannot be confined to one CPU.
func Pinning() error { return errors.New(runtime.GOOS + " has no call for it that assay uses") }
