// Package host describes and checks the machine that measures.
package host

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"assay/result"
)

// Facts returns what is known about this machine. Where the operating system shows no more,
// the result has only what the Go runtime knows.
func Facts() result.Host { return facts("/") }

// facts reads the files of Linux below root. An absent file leaves its fields empty.
func facts(root string) result.Host {
	h := result.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU()}
	if runtime.GOOS != "linux" {
		return h
	}
	read := func(name string) []byte {
		data, _ := os.ReadFile(filepath.Join(root, name))
		return data
	}
	h.Kernel = strings.TrimSpace(string(read("proc/sys/kernel/osrelease")))
	info := read("proc/cpuinfo")
	h.CPU, h.Virtual = cpuModel(info), hypervisor(info)
	if h.CPU == "" {
		// Some boards have their name here and none in cpuinfo.
		h.CPU = strings.Trim(string(read("proc/device-tree/model")), "\x00\n ")
	}
	h.MemoryMB = megabytes(read("proc/meminfo"), "MemTotal")
	h.Load = loadAverage(read("proc/loadavg"))
	h.Governor = strings.TrimSpace(string(read("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")))
	return h
}

// Key returns a short name for the machine. It is equal for equal hardware, kernel and
// architecture, so that what assay learned on one machine is not used on another. The load
// does not affect it.
func Key(h result.Host) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %d %d", h.OS, h.Kernel, h.Arch, h.CPU, h.CPUs, h.MemoryMB))
	return hex.EncodeToString(sum[:8])
}

// field returns the trimmed value of the first "name : value" line of a file such as
// /proc/cpuinfo, or "".
func field(file []byte, name string) string {
	for s := bufio.NewScanner(bytes.NewReader(file)); s.Scan(); {
		key, value, ok := strings.Cut(s.Text(), ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// cpuModel returns the processor's name in /proc/cpuinfo. Architectures use different keys
// for it; arm64 has none.
func cpuModel(cpuinfo []byte) string {
	for _, name := range []string{"model name", "Model Name", "cpu model", "cpu", "uarch", "Model"} {
		if value := field(cpuinfo, name); value != "" {
			return value
		}
	}
	return ""
}

// hypervisor reports whether /proc/cpuinfo has the flag that x86 guests see.
func hypervisor(cpuinfo []byte) bool {
	for flag := range strings.FieldsSeq(field(cpuinfo, "flags")) {
		if flag == "hypervisor" {
			return true
		}
	}
	return false
}

// megabytes returns a value of /proc/meminfo in MiB, 0 if it is absent.
func megabytes(meminfo []byte, name string) int64 {
	kb, _ := strings.CutSuffix(field(meminfo, name), " kB")
	n, err := strconv.ParseInt(kb, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n / 1024
}

// loadAverage returns the one-minute load average of /proc/loadavg, 0 if it is absent.
func loadAverage(loadavg []byte) float64 {
	first, _, _ := strings.Cut(string(loadavg), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil || !(load >= 0 && load < 1e9) {
		return 0
	}
	return load
}
