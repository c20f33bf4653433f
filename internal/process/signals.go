package process

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Patience is the time that a command has to end in order after a signal.
const Patience = 2 * time.Second

// endings are the signals that end a command in order. SIGQUIT is included, so that nothing is
// left behind whichever key was pressed.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// Interruptible returns a context that the first signal cancels. It calls abandon, which must end
// the process, after a second signal, or if the command has not ended patience after the first.
// Ignored signals, such as those of nohup and of background jobs, stay ignored. The caller must
// call the returned func at the end of the command. From then on, signals are caught and have no
// effect.
func Interruptible(parent context.Context, patience time.Duration, abandon func()) (context.Context, func()) {
	heard := slices.DeleteFunc(slices.Clone(endings), signal.Ignored)
	ctx, cancel := context.WithCancel(parent)
	if len(heard) == 0 { // Notify without signals would catch all
		return ctx, cancel
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, heard...)
	done := make(chan struct{})
	// another waits for a signal or for the limit. It returns false at the end of the command.
	another := func(limit <-chan time.Time) bool {
		select {
		case <-signals:
		case <-limit:
		case <-done:
		}
		select {
		case <-done:
			return false
		default:
			return true
		}
	}
	go func() {
		if !another(nil) {
			return
		}
		cancel()
		if another(time.After(patience)) {
			abandon()
		}
	}()
	return ctx, sync.OnceFunc(func() {
		close(done)
		cancel()
	})
}
