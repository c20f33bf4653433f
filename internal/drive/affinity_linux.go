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

// CPUs returns the CPUs that this process may run on, nil where processes
// cannot be pinned.
func CPUs() []int {
	m, err := affinity()
	if err != nil {
		return nil
	}
	return m.cpus()
}

// pinned calls start with this thread confined to the given CPUs, and gives the
// thread its own back. A process that start starts inherits them, all of its
// threads included: set later, they would have to be set for each thread, and
// one that is just being made would be missed. It must be called on a locked
// thread. Start is called in any event; err says that it was not confined.
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
		// The thread ends with its goroutine rather than serve another one.
		runtime.LockOSThread()
	}
	return nil, startErr
}
