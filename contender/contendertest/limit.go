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

// stack is how large a goroutine's stack may become: a thousandth of it does for
// every message that is no attack, and what overflows it would first fill more
// memory than a small machine has.
const stack = 64 << 20

// Limit has the process end, with a message, when it has more than so many bytes of
// memory in use, and when a stack grows without end. Neither can be recovered from:
// whoever runs contenders that may do so runs each in a process. 0 bytes is no limit
// of memory.
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

// inUse returns the bytes of memory that the process has in use: the resident set
// where the system shows it, and otherwise what the runtime has mapped.
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
