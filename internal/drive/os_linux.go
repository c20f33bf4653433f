package drive

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// residentSet returns the resident set of a process in bytes.
func residentSet(pid int) (int64, bool) {
	all, _, ok := memoryOf(pid)
	return all, ok
}

// ownMemory returns the resident bytes of a process that are not part of a file, such as its
// program. It returns 0 where that is unknown.
func ownMemory(pid int) int64 {
	all, files, _ := memoryOf(pid)
	return all - files
}

// memoryOf returns the resident bytes of a process, and how many of them are part of files. It
// does not use package os, which takes several times as long, because it runs before every
// command.
func memoryOf(pid int) (all, files int64, ok bool) {
	var line [128]byte
	fd, err := syscall.Open("/proc/"+strconv.Itoa(pid)+"/statm", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0, 0, false
	}
	n, err := syscall.Read(fd, line[:])
	syscall.Close(fd)
	fields := bytes.Fields(line[:max(0, n)])
	if err != nil || len(fields) < 3 {
		return 0, 0, false
	}
	page := int64(os.Getpagesize())
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	shared, bad := strconv.ParseInt(string(fields[2]), 10, 64)
	return pages * page, shared * page, err == nil && bad == nil
}

// livePeak returns the largest resident set so far of a living process. The value that the system
// reports at the end of a process is wrong here: it counts memory that the process shared with us
// until it became the runner.
func livePeak(pid int) int64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	_, rest, ok := bytes.Cut(text, []byte("\nVmHWM:"))
	if !ok {
		return 0
	}
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, err := strconv.ParseInt(string(fields[0]), 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}

// endPeak returns 0, because livePeak is better on this system.
func endPeak(*os.ProcessState) int64 { return 0 }

// cpuTime returns the CPU time that all threads of a process have used, or -1.
func cpuTime(pid int) time.Duration {
	const scheduled = 2 // CPUCLOCK_SCHED, the precise CPU clock
	var t syscall.Timespec
	id := uintptr(^pid<<3 | scheduled)
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, id, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		return -1
	}
	return time.Duration(t.Nano())
}

// raiseOOMScore makes the process the first one that the system kills when memory runs out, so
// that it kills neither us nor the user's editor. Failure does no harm.
func raiseOOMScore(pid int) {
	os.WriteFile("/proc/"+strconv.Itoa(pid)+"/oom_score_adj", []byte("1000"), 0)
}

// oomKills returns how many processes the system has killed since it booted because memory ran
// out, or -1. It distinguishes such a kill from a kill by a person.
func oomKills() int64 {
	text, err := os.ReadFile("/proc/vmstat")
	if err != nil {
		return -1
	}
	_, rest, ok := bytes.Cut(text, []byte("\noom_kill "))
	if !ok {
		return -1
	}
	digits, _, _ := bytes.Cut(rest, []byte{'\n'})
	n, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil {
		return -1
	}
	return n
}
