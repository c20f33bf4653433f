package cli

import (
	"testing"
	"time"
)

// A default budget includes the time for reading. A budget from a flag is for measuring only.
func TestLeft(t *testing.T) {
	for _, tt := range []struct {
		effort  effort
		reading time.Duration
		want    time.Duration
	}{
		{effort{budget: 30 * time.Second, usual: true}, 300 * time.Millisecond, 29 * time.Second},
		{effort{budget: 30 * time.Second, usual: true}, 4200 * time.Millisecond, 25 * time.Second},
		{effort{budget: 30 * time.Second, usual: true}, time.Minute, 15 * time.Second},
		{effort{budget: 30 * time.Second}, 300 * time.Millisecond, 30 * time.Second},
	} {
		if got := tt.effort.left(tt.reading); got != tt.want {
			t.Errorf("%+v after reading for %v: %v, want %v", tt.effort, tt.reading, got, tt.want)
		}
	}
}
