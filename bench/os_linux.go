package bench

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"unsafe"
)

// hasThreadCPU says whether threadCPU works.
const hasThreadCPU = true

// threadCPU returns the CPU time that the calling thread has used, in
// nanoseconds. It costs about 0.3 µs.
func threadCPU() int64 {
	const clockThreadCPUTime = 3 // CLOCK_THREAD_CPUTIME_ID
	return clock(clockThreadCPUTime)
}

// hasProcessCPU says whether processCPU works.
const hasProcessCPU = true

// processCPU returns the CPU time that all threads of the process have used, in
// nanoseconds. It costs about 0.3 µs.
func processCPU() int64 {
	const clockProcessCPUTime = 2 // CLOCK_PROCESS_CPUTIME_ID
	return clock(clockProcessCPUTime)
}

// clock reads a system clock, in nanoseconds.
//
// It uses RawSyscall because the call cannot block. Syscall would tell the scheduler about it,
// which could let another goroutine take the processor in the middle of a sample.
func clock(id uintptr) int64 {
	var t syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, id, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}

// waits returns how often the calling thread has given up the processor voluntarily, to wait
// for something. It costs about 0.3 µs.
func waits() int64 {
	const ofThread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	syscall.RawSyscall(syscall.SYS_GETRUSAGE, ofThread, uintptr(unsafe.Pointer(&u)), 0)
	return int64(u.Nvcsw)
}

// pageFaults returns how many page faults the process has had.
func pageFaults() pageFault {
	const ofProcess = 0 // RUSAGE_SELF
	var u syscall.Rusage
	syscall.RawSyscall(syscall.SYS_GETRUSAGE, ofProcess, uintptr(unsafe.Pointer(&u)), 0)
	return pageFault{int64(u.Minflt), int64(u.Majflt)}
}

// threadID returns the ID of the calling thread.
func threadID() int {
	id, _, _ := syscall.RawSyscall(syscall.SYS_GETTID, 0, 0, 0)
	return int(id)
}

// peakMemory returns the largest resident set that the process had, in bytes, or 0 if it cannot
// be read.
func peakMemory() int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kb int64
	if _, err := fmt.Sscanf(rest, "%d kB", &kb); err != nil {
		return 0
	}
	return kb << 10
}

// resetPeak makes peakMemory begin anew, if the system supports it.
func resetPeak() {
	// If the system does not, the peak is the one of the whole process so far, which is at
	// least as large.
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// openFiles returns how many files the process has open.
func openFiles() int { return entries("/proc/self/fd") }

// threads returns how many threads the process has.
func threads() int { return entries("/proc/self/task") }

// entries counts the names in a directory; it returns 0 if the directory cannot be read.
func entries(dir string) int {
	f, err := os.Open(dir)
	if err != nil {
		return 0
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	return len(names)
}

// Answers returns a private copy of standard output and redirects its descriptor to standard
// error. So a library that prints does not corrupt the protocol, even if it copied os.Stdout
// while the program was initialised.
func Answers() (*os.File, error) {
	syscall.ForkLock.RLock()
	fd, err := syscall.Dup(1)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err == nil {
		err = syscall.Dup3(2, 1, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("set standard output aside: %w", err)
	}
	return os.NewFile(uintptr(fd), "answers"), nil
}

// A cpuSet has one bit for each CPU, and as many bits as the C library's cpu_set_t.
type cpuSet [1024 / 64]uint64

// threadCPUs returns the CPUs that the calling thread may run on.
func threadCPUs() (m cpuSet) {
	syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(m), uintptr(unsafe.Pointer(&m)))
	return m
}

// setThreadCPUs sets the CPUs that the calling thread may run on.
func setThreadCPUs(m cpuSet) {
	syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(m), uintptr(unsafe.Pointer(&m)))
}

// threadPriority returns the priority of the calling thread as the system call returns it: 20
// minus its nice value.
func threadPriority() int {
	const ofProcess = 0 // PRIO_PROCESS, which applies to the thread
	n, _, _ := syscall.RawSyscall(syscall.SYS_GETPRIORITY, ofProcess, 0, 0)
	return int(n)
}

// childless reports whether this process has no child process, running or ended. The system
// answers this a hundred times as fast as a list of the children.
func childless() bool {
	const (
		anyone = 0                                                                  // P_ALL
		look   = syscall.WEXITED | syscall.WNOHANG | syscall.WNOWAIT | syscall.WALL // leaves it waitable
	)
	_, _, errno := syscall.RawSyscall6(syscall.SYS_WAITID, anyone, 0, 0, look, 0, 0)
	return errno == syscall.ECHILD
}

// children returns the number of child processes; 0 if the system does not report them.
func children() (n int) {
	if childless() {
		return 0
	}
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return 0
	}
	for _, t := range tasks {
		text, err := os.ReadFile("/proc/self/task/" + t.Name() + "/children")
		if err == nil {
			n += len(strings.Fields(string(text)))
		}
	}
	return n
}

// childFaults returns the minor page faults of the child processes that this process has waited
// for.
func childFaults() int64 {
	const ofChildren = ^uintptr(0) // RUSAGE_CHILDREN
	var u syscall.Rusage
	syscall.RawSyscall(syscall.SYS_GETRUSAGE, ofChildren, uintptr(unsafe.Pointer(&u)), 0)
	return int64(u.Minflt)
}

// readToken waits for a byte from a pipe. The raw system call hides the waiting from the Go
// runtime, which would otherwise have another thread watch it. That thread's work continued
// into the next batch and took 15% of it.
func readToken(pipe *os.File) (byte, error) {
	var token [1]byte
	for {
		n, _, errno := syscall.RawSyscall(syscall.SYS_READ, pipe.Fd(), uintptr(unsafe.Pointer(&token)), 1)
		switch {
		case errno == syscall.EINTR:
			runtime.Gosched()
		case errno != 0:
			return 0, errno
		case n == 0:
			return 0, io.ErrUnexpectedEOF
		default:
			return token[0], nil
		}
	}
}

// writeToken writes a byte to a pipe that has room for it.
func writeToken(pipe *os.File, token byte) error {
	for {
		_, _, errno := syscall.RawSyscall(syscall.SYS_WRITE, pipe.Fd(), uintptr(unsafe.Pointer(&token)), 1)
		switch errno {
		case 0:
			return nil
		case syscall.EINTR:
		default:
			return errno
		}
	}
}
