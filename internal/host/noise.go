package host

import (
	"os"
	"runtime"
)

// Steal returns the CPU time that the hypervisor has taken from this machine
// since it started, over all CPUs, in clock ticks; 0 where that is not shown.
// The difference between two readings is what was taken in between.
func Steal() int64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	data, _ := os.ReadFile("/proc/stat")
	return parseStat(data).steal
}

// Load returns the one-minute load average; 0 where that is not shown.
func Load() float64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	data, _ := os.ReadFile("/proc/loadavg")
	return loadAverage(data)
}
