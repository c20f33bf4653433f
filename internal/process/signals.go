package process

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"
)

// Patience is how long a command has to end in order once it was told to.
const Patience = 2 * time.Second

// endings are the signals that end a command in order. SIGQUIT is among them, so
// that nothing is left behind by whichever key was pressed.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// Interruptible returns a context that the first signal cancels. After the
// second, or when the command does not heed the first, abandon is called, which
// is to end the process. Signals that are ignored, as those of nohup and of
// background jobs are, stay ignored. The func that is returned is for the end of
// the command: signals then are heard, and make no difference any more.
func Interruptible(parent context.Context, patience time.Duration, abandon func()) (context.Context, func()) {
	heard := slices.DeleteFunc(slices.Clone(endings), signal.Ignored)
	ctx, cancel := context.WithCancel(parent)
	if len(heard) == 0 { // Notify takes none for all
		return ctx, cancel
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, heard...)
	done := make(chan struct{})
	// another waits for one, or for the limit, and reports false at the end of the command.
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
	return ctx, func() {
		close(done)
		cancel()
	}
}
