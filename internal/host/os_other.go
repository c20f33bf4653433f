//go:build !linux

package host

import (
	"errors"
	"runtime"
)

// threadCPU says that there is no thread CPU clock that the standard library
// can read.
func threadCPU() (int64, bool) { return 0, false }

// ownCPU is compared with what Linux says of the machine.
func ownCPU() int64 { return 0 }

// Pinning returns why a thread cannot be confined to one CPU, nil when it can.
func Pinning() error { return errors.New(runtime.GOOS + " has no call for it that assay uses") }
