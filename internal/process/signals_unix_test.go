//go:build unix

package process

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// The first signal cancels the context. A second signal, or the end of patience, calls abandon.
// After the end of the command, signals have no effect.
func TestInterruptible(t *testing.T) {
	send := func(s syscall.Signal) {
		t.Helper()
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name     string
		second   bool
		patience time.Duration
	}{{"second", true, time.Hour}, {"patience", false, time.Millisecond}} {
		t.Run(test.name, func(t *testing.T) {
			abandoned := make(chan bool)
			ctx, done := Interruptible(t.Context(), test.patience, func() { close(abandoned) })
			defer done()
			if signal.Ignored(syscall.SIGHUP) { // started by nohup
				send(syscall.SIGINT)
			} else {
				send(syscall.SIGHUP)
			}
			<-ctx.Done()
			if test.second {
				send(syscall.SIGQUIT)
			}
			<-abandoned
		})
	}
	ctx, done := Interruptible(t.Context(), 0, func() { t.Error("abandoned after its end") })
	done()
	done() // a second call has no effect
	<-ctx.Done()
	send(syscall.SIGTERM)
	send(syscall.SIGTERM)
}
