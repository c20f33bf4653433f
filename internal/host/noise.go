package host

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
)

// Steal returns the CPU time that the hypervisor has taken from this machine
// since it started, over all CPUs, in clock ticks; 0 where that is not shown.
// The difference between two readings is what was taken in between.
func Steal() int64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	data, _ := os.ReadFile("/proc/stat")
	return stolen(data)
}

// Load returns the one-minute load average; 0 where that is not shown.
func Load() float64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	data, _ := os.ReadFile("/proc/loadavg")
	return loadAverage(data)
}

// stolen returns the steal time of the first line of /proc/stat, which adds up
// all CPUs: "cpu user nice system idle iowait irq softirq steal ...".
func stolen(stat []byte) int64 {
	line, _, _ := bytes.Cut(stat, []byte{'\n'})
	fields := bytes.Fields(line)
	if len(fields) < 9 || string(fields[0]) != "cpu" {
		return 0
	}
	n, err := strconv.ParseInt(string(fields[8]), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
