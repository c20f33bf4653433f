package drive

import (
	"fmt"
	"sync"
	"time"
)

const (
	// beat is how often a clock looks at the time.
	beat = 100 * time.Millisecond
	// stopped is the gap between two looks from which on the process must have been stopped in
	// between, as by Ctrl-Z. The delays on a busy machine are shorter.
	stopped = 2 * time.Second
)

// A clock counts the time for which this process runs. A budget is in this time: while this
// process is stopped it uses up no budget, and the programs that it drives wait.
type clock struct {
	mu    sync.Mutex
	last  time.Time     // when look was last called
	ran   time.Duration // running time until then
	stood time.Duration // stopped time until then
}

// look adds the time since the last look.
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

// now returns the running time so far.
func (c *clock) now() time.Duration {
	c.look(time.Now())
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ran
}

// budgeted starts a clock for a pass. The function end stops the clock, notes for how long the
// process was stopped, and returns the error of the pass or else that of the note.
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
		c.mu.Lock()
		stood := c.stood
		c.mu.Unlock()
		if stood == 0 {
			return err
		}
		l.event(Stood{stood})
		noted := l.note(fmt.Sprintf("this program was stopped for %v while it measured, which its budget does not count", stood.Round(time.Second)))
		if err == nil {
			return noted
		}
		return err
	}
}

// shareOf divides what is left of a budget, after so much was spent, equally among the pieces of
// work that are left, and returns the share of the next one. It returns false if nothing is left
// of the budget. Without a budget, the share is 0.
func shareOf(budget, spent time.Duration, left int) (share time.Duration, ok bool) {
	if budget <= 0 {
		return 0, true
	}
	share = (budget - spent) / time.Duration(left)
	return share, share > 0
}

// A deadline passes when this process has run for so long. Time for which the process was stopped
// does not count.
type deadline struct {
	mu   sync.Mutex
	over bool
	off  bool
	done chan struct{}
}

// newDeadline calls late when the limit has passed, unless callOff is called before.
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

// callOff cancels the deadline and reports whether it had not passed yet.
func (d *deadline) callOff() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.off {
		d.off = true
		close(d.done)
	}
	return !d.over
}
