package drive

import (
	"fmt"
	"sync"
	"time"
)

const (
	// beat is how often a clock looks at the time.
	beat = 100 * time.Millisecond
	// stopped is how long it must not have looked for the process to have been
	// stopped meanwhile, as Ctrl-Z does. A busy machine makes it late by less.
	stopped = 2 * time.Second
)

// A clock counts the time in which this process runs, which a budget is of. A
// process that is stopped uses nothing up, and the programs that it drives wait.
type clock struct {
	mu    sync.Mutex
	last  time.Time     // when it was looked at
	ran   time.Duration // up to then
	stood time.Duration // and did not run
}

// look takes the time.
func (c *clock) look(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	gap := now.Sub(c.last)
	c.last = now
	if gap > stopped {
		c.stood += gap
		return
	}
	c.ran += gap
}

// now returns the time that it has counted.
func (c *clock) now() time.Duration {
	c.look(time.Now())
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ran
}

// budgeted starts a clock for a pass. What is returned besides ends it with the
// error of the pass, and notes for how long the process was stopped.
func (l *ledger) budgeted() (now func() time.Duration, end func(error) error) {
	c := &clock{last: time.Now()}
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				c.look(time.Now())
			}
		}
	}()
	return c.now, func(err error) error {
		close(done)
		c.now()
		if c.stood == 0 {
			return err
		}
		l.event(Stood{c.stood})
		noted := l.note(fmt.Sprintf("this program was stopped for %v while it measured, which its budget does not count", c.stood.Round(time.Second)))
		if err == nil {
			return noted
		}
		return err
	}
}

// shareOf returns the part of a budget for the next of what is left to do, after so much
// was spent; false: nothing is left of it. Without a budget it is 0.
func shareOf(budget, spent time.Duration, left int) (share time.Duration, ok bool) {
	if budget <= 0 {
		return 0, true
	}
	share = (budget - spent) / time.Duration(left)
	return share, share > 0
}

// A deadline is over when this process has run for so long: what came while it was
// stopped is not late.
type deadline struct {
	mu   sync.Mutex
	over bool
	off  bool
	done chan struct{}
}

// newDeadline calls late when the limit is over, unless it is called off before.
func newDeadline(limit time.Duration, late func()) *deadline {
	d := &deadline{done: make(chan struct{})}
	step := min(max(limit/20, time.Millisecond), time.Second)
	go func() {
		tick := time.NewTicker(step)
		defer tick.Stop()
		var ran time.Duration
		for last := time.Now(); ran < limit; {
			select {
			case <-d.done:
				return
			case <-tick.C:
				now := time.Now()
				ran += min(now.Sub(last), max(2*step, stopped))
				last = now
			}
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if !d.off {
			d.over = true
			late()
		}
	}()
	return d
}

// callOff ends the deadline and reports whether it was not over.
func (d *deadline) callOff() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.off {
		d.off = true
		close(d.done)
	}
	return !d.over
}
