//go:build unix && !linux

package drive

import (
	"os"
	"runtime"
	"syscall"
)

// endPeak returns the largest resident set of a process that has ended, in bytes. Apple's systems
// report it in bytes, the others in KiB.
func endPeak(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
