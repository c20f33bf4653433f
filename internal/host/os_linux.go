package host

import (
	"errors"
	"math/bits"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// threadCPU returns the CPU time of the calling thread in nanoseconds, and whether the clock
// could be read.
func threadCPU() (int64, bool) {
	const clockThreadCPUTime = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockThreadCPUTime, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano(), errno == 0
}

// ownCPU returns the CPU time in nanoseconds of this process and of the descendants that have
// been waited for.
func ownCPU() int64 {
	var sum int64
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		if syscall.Getrusage(who, &r) == nil {
			sum += r.Utime.Nano() + r.Stime.Nano()
		}
	}
	return sum
}

// Pinning tries to confine a thread to one CPU, and returns the error or nil. It uses a
// thread that ends afterwards.
func Pinning() error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread() // without unlocking, so that the thread ends
		result <- pin()
	}()
	return <-result
}

// pin confines the calling thread to the first CPU that it may run on.
func pin() error {
	var may, one, now [1024 / bits.UintSize]uint // as in the C library's cpu_set_t
	if err := affinity("sched_getaffinity", syscall.SYS_SCHED_GETAFFINITY, &may); err != nil {
		return err
	}
	for i, word := range may {
		if word != 0 {
			one[i] = word & -word
			break
		}
	}
	if err := affinity("sched_setaffinity", syscall.SYS_SCHED_SETAFFINITY, &one); err != nil {
		return err
	}
	if err := affinity("sched_getaffinity", syscall.SYS_SCHED_GETAFFINITY, &now); err != nil {
		return err
	}
	if now != one {
		return errors.New("the system ignored the requested CPU")
	}
	return nil
}

func affinity(name string, call uintptr, mask *[1024 / bits.UintSize]uint) error {
	_, _, errno := syscall.RawSyscall(call, 0, unsafe.Sizeof(*mask), uintptr(unsafe.Pointer(mask)))
	if errno != 0 {
		return os.NewSyscallError(name, errno)
	}
	return nil
}
