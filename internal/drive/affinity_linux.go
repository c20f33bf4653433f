package drive

import (
	"math/bits"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// A cpuMask has one bit for each CPU, 1024 of them as in the C library's
// cpu_set_t.
type cpuMask [1024 / bits.UintSize]uint

func maskOf(cpus []int) (m cpuMask) {
	for _, c := range cpus {
		if c >= 0 && c < len(m)*bits.UintSize {
			m[c/bits.UintSize] |= 1 << (c % bits.UintSize)
		}
	}
	return m
}

func (m cpuMask) cpus() (out []int) {
	for i, word := range m {
		for ; word != 0; word &= word - 1 {
			out = append(out, i*bits.UintSize+bits.TrailingZeros(word))
		}
	}
	return out
}

// affinity returns the CPUs that this thread may run on.
func affinity() (m cpuMask, err error) {
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(m), uintptr(unsafe.Pointer(&m)))
	if errno != 0 {
		return m, os.NewSyscallError("sched_getaffinity", errno)
	}
	return m, nil
}

// setAffinity sets the CPUs that this thread may run on.
func setAffinity(m cpuMask) error {
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(m), uintptr(unsafe.Pointer(&m)))
	if errno != 0 {
		return os.NewSyscallError("sched_setaffinity", errno)
	}
	return nil
}

// CPUs returns the CPUs that this process may run on. It returns nil where processes cannot be
// pinned.
func CPUs() []int {
	m, err := affinity()
	if err != nil {
		return nil
	}
	return m.cpus()
}

// pinned calls start while this thread is confined to the given CPUs, and then restores the
// thread's own CPUs. A process that start starts inherits the CPUs for all of its threads.
// Setting them after the start would have to be done thread by thread and would miss a thread
// that is just being created. The caller must have locked its goroutine to the thread. pinned
// calls start in any case; err says why start was not confined, and startErr is the error of
// start.
func pinned(cpus []int, start func() error) (err, startErr error) {
	if len(cpus) == 0 {
		return nil, start()
	}
	own, err := affinity()
	if err == nil {
		err = setAffinity(maskOf(cpus))
	}
	if err != nil {
		return err, start()
	}
	startErr = start()
	if setAffinity(own) != nil {
		// The thread has the wrong CPUs, so it stays locked and ends with its goroutine.
		runtime.LockOSThread()
	}
	return nil, startErr
}
