package host

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// siblings returns the groups of CPUs that share a core, in order, as the
// system writes them; nil where it does not show them.
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

// turbo returns whether the CPU may go faster than its nominal frequency, and
// the file that says so, relative to the root, with what stops it; no file
// where that is not shown.
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

// availableMB returns the memory that programs can still get without swapping,
// in MiB; 0 where that is not shown.
func availableMB(root string) int64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	data, _ := os.ReadFile(filepath.Join(root, "proc/meminfo"))
	return megabytes(data, "MemAvailable")
}

// Available returns how many bytes of memory programs can still get without
// swapping; 0 where that is not shown.
func Available() int64 { return availableMB("/") << 20 }
