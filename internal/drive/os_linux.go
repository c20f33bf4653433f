package drive

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// residentSet returns the bytes of memory that a process has in use.
func residentSet(pid int) (int64, bool) {
	all, _, ok := memoryOf(pid)
	return all, ok
}

// ownMemory returns the bytes of a process that are no part of a file, such as its
// program; 0 where that cannot be seen.
func ownMemory(pid int) int64 {
	all, files, _ := memoryOf(pid)
	return all - files
}

// memoryOf returns the bytes of memory that a process has in use, and those of them that
// are parts of files. It goes before every command, so it does without package os, which
// takes several times as long.
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

// livePeak returns the largest resident set so far of a process that is alive.
// What the system reports at the end of a process will not do here: it counts
// the memory that the process had in common with us until it became the runner.
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

// endPeak knows nothing better than livePeak.
func endPeak(*os.ProcessState) int64 { return 0 }

// cpuTime returns the CPU time that all threads of a process have used, or -1.
func cpuTime(pid int) time.Duration {
	const scheduled = 2 // of the clocks that a process has, the precise one
	var t syscall.Timespec
	id := uintptr(^pid<<3 | scheduled)
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, id, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		return -1
	}
	return time.Duration(t.Nano())
}

// raiseOOMScore makes the process the first that the system kills when memory
// runs out: better it than us or the user's editor. Not being allowed to is no
// harm.
func raiseOOMScore(pid int) {
	os.WriteFile("/proc/"+strconv.Itoa(pid)+"/oom_score_adj", []byte("1000"), 0)
}

// oomKills returns how many processes the system has killed for want of memory
// since it started, or -1. It tells a kill for that reason from one by a person.
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
