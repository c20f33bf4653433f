package bench

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// The memory that the heap grows into is provided before the first count of a process, so that
// garbage meets few pages that were never written to.
func TestSettleHeap(t *testing.T) {
	if how := os.Getenv("ASSAY_SETTLE_HEAP"); how != "" {
		var s session
		if how == "settled" {
			s.settleHeap()
		}
		runtime.GC()
		before := pageFaults()
		var garbage []byte
		for range 4 << 20 / 1024 {
			garbage = make([]byte, 1024)
			garbage[0] = 1
		}
		runtime.KeepAlive(garbage)
		os.Stdout.WriteString("faults " + strconv.FormatInt(pageFaults().minor-before.minor, 10) + "\n")
		return
	}
	faults := func(how string) int {
		cmd := exec.Command(os.Args[0], "-test.run=^TestSettleHeap$", "-test.count=1")
		cmd.Env = append(os.Environ(), "ASSAY_SETTLE_HEAP="+how, "GOGC=100")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for line := range strings.Lines(string(out)) {
			if text, ok := strings.CutPrefix(line, "faults "); ok {
				n, err := strconv.Atoi(strings.TrimSpace(text))
				if err != nil {
					t.Fatal(err)
				}
				return n
			}
		}
		t.Fatalf("no faults in %q", out)
		return 0
	}
	settled, not := faults("settled"), faults("not")
	if not < 200 {
		t.Skipf("%d page faults: this system provides large pages", not)
	}
	if settled > not/2 {
		t.Errorf("%d page faults in settled memory, %d in other", settled, not)
	}
}
