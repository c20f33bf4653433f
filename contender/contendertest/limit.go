package contendertest

import (
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

// stack is the largest size in bytes of a goroutine's stack. Every honest message needs at most
// a thousandth of it. Without the limit, endless recursion would first fill more memory than a
// small machine has.
const stack = 64 << 20

// Limit makes the process exit with a message if it uses more than memory bytes, or if a stack
// grows beyond the limit. A program can recover from neither, so contenders that may fail this
// way must each run in their own process. A memory of 0 sets no memory limit.
func Limit(memory int64) {
	debug.SetMaxStack(stack)
	if memory <= 0 {
		return
	}
	go func() {
		for range time.Tick(20 * time.Millisecond) {
			if inUse() > memory {
				fmt.Fprintf(os.Stderr, "fatal error: the process has more than %d MiB of memory in use\n", memory>>20)
				os.Exit(2)
			}
		}
	}()
}

// inUse returns the memory that the process uses, in bytes: the resident set if the system
// reports it, and otherwise what the runtime has mapped.
func inUse() int64 {
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			if pages, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				return pages * int64(os.Getpagesize())
			}
		}
	}
	all := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(all)
	return int64(all[0].Value.Uint64() - all[1].Value.Uint64())
}
