package rootonly

import (
	"fmt"
	"runtime"
	"testing"
)

// A noted is a test that notes how it ends.
type noted struct {
	testing.TB
	ended string
}

func (n *noted) Helper() {}

func (n *noted) Skip(args ...any) { n.end("skipped: ", args) }

func (n *noted) Fatal(args ...any) { n.end("failed: ", args) }

func (n *noted) end(how string, args []any) {
	n.ended = how + fmt.Sprint(args...)
	runtime.Goexit()
}

func TestSkip(t *testing.T) {
	for value, want := range map[string]string{
		"":  "skipped: a small disk needs a right",
		"0": "skipped: a small disk needs a right",
		"1": "failed: a small disk needs a right; ASSAY_ROOT_REQUIRED=1 requires it",
	} {
		t.Setenv(Required, value)
		n := &noted{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			Skip(n, "a small disk needs a right")
		}()
		if <-done; n.ended != want {
			t.Errorf("%s=%s: %q, want %q", Required, value, n.ended, want)
		}
	}
}
