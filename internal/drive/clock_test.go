package drive

import (
	"sync/atomic"
	"testing"
	"time"
)

// A clock counts short gaps between looks as running time and long ones as stopped time.
func TestClock(t *testing.T) {
	start := time.Now()
	c := &clock{last: start}
	at := time.Duration(0)
	for _, step := range []struct{ gap, ran, stood time.Duration }{
		{beat, beat, 0},
		{stopped, beat + stopped, 0},
		{stopped + 1, beat + stopped, stopped + 1},
		{0, beat + stopped, stopped + 1},
		{beat, 2*beat + stopped, stopped + 1},
		{time.Hour, 2*beat + stopped, stopped + 1 + time.Hour},
	} {
		at += step.gap
		c.look(start.Add(at))
		if c.ran != step.ran || c.stood != step.stood {
			t.Errorf("after %v: %v ran, %v stood; want %v, %v", at, c.ran, c.stood, step.ran, step.stood)
		}
	}
}

func TestDeadline(t *testing.T) {
	var late atomic.Int32
	d := newDeadline(time.Hour, func() { late.Add(1) })
	for range 2 { // a second call returns the same
		if !d.callOff() || late.Load() != 0 {
			t.Error("an hour was over at once")
		}
	}
	over := make(chan bool)
	d = newDeadline(5*time.Millisecond, func() { late.Add(1); close(over) })
	<-over
	if d.callOff() || late.Load() != 1 {
		t.Error("it was in time")
	}
}
