package host

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// siblings returns the groups of CPUs that share a core, in order and as the system writes
// them; nil if the system does not show them.
func siblings(root string) []string {
	if runtime.GOOS != "linux" {
		return nil
	}
	dirs, _ := filepath.Glob(filepath.Join(root, "sys/devices/system/cpu/cpu[0-9]*"))
	slices.SortFunc(dirs, func(a, b string) int { return cpuNumber(a) - cpuNumber(b) })
	var groups []string
	for _, dir := range dirs {
		data, err := os.ReadFile(filepath.Join(dir, "topology/thread_siblings_list"))
		if g := strings.TrimSpace(string(data)); err == nil && g != "" && !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	return groups
}

// cpuNumber returns the number of a directory such as cpu12.
func cpuNumber(dir string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(filepath.Base(dir), "cpu"))
	return n
}

// turbo returns whether the CPU may exceed its nominal frequency, the file that controls
// this, relative to the root, and the text that turns it off. The file is empty if the system
// does not show it.
func turbo(root string) (on bool, file, off string) {
	if runtime.GOOS != "linux" {
		return false, "", ""
	}
	for _, f := range []struct{ name, on, off string }{
		{"sys/devices/system/cpu/intel_pstate/no_turbo", "0", "1"},
		{"sys/devices/system/cpu/cpufreq/boost", "1", "0"},
	} {
		data, err := os.ReadFile(filepath.Join(root, f.name))
		if value := strings.TrimSpace(string(data)); err == nil && (value == f.on || value == f.off) {
			return value == f.on, f.name, f.off
		}
	}
	return false, "", ""
}

// availableMB returns the memory in MiB that programs can still get without swapping: the
// system's, or what the control group of this process leaves if that is less. It returns 0 if
// the system does not show it.
func availableMB(root string) int64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	data, _ := os.ReadFile(filepath.Join(root, "proc/meminfo"))
	system := megabytes(data, "MemAvailable")
	if left, limited := groupMemory(root); limited && (system == 0 || left>>20 < system) {
		return max(1, left>>20)
	}
	return system
}

// groupMemory returns how many bytes this process can still get in its control group of
// version 2 or 1. A group above it may be stricter. Pages of files that are not in active use
// count as free.
func groupMemory(root string) (left int64, limited bool) {
	own, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	for line := range strings.Lines(string(own)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		in, most, used, idle := "", "memory.max", "memory.current", "inactive_file"
		if parts[0] != "0" || parts[1] != "" {
			if !slices.Contains(strings.Split(parts[1], ","), "memory") {
				continue
			}
			in, most, used, idle = parts[1], "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
		}
		// In a container, the path may be the host's and not exist here.
		for dir := path.Clean("/" + parts[2]); ; dir = path.Dir(dir) {
			read := func(name string) string {
				data, _ := os.ReadFile(filepath.Join(root, "sys/fs/cgroup", in, dir, name))
				return strings.TrimSpace(string(data))
			}
			limit, err1 := strconv.ParseInt(read(most), 10, 64)
			taken, err2 := strconv.ParseInt(read(used), 10, 64)
			if err1 == nil && err2 == nil && limit > 0 {
				free := limit - max(0, taken-statOf(read("memory.stat"), idle))
				if !limited || free < left {
					left, limited = free, true
				}
			}
			if dir == "/" {
				break
			}
		}
	}
	return left, limited
}

// statOf returns a number of a memory.stat file, 0 if it is absent.
func statOf(text, name string) int64 {
	for line := range strings.Lines(text) {
		if key, value, _ := strings.Cut(strings.TrimSpace(line), " "); key == name {
			n, _ := strconv.ParseInt(value, 10, 64)
			return max(0, n)
		}
	}
	return 0
}

// Available returns how many bytes of memory programs can still get without swapping; 0 if
// the system does not show it.
func Available() int64 { return availableMB("/") << 20 }
