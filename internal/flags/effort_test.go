package flags

import (
	"testing"
	"time"
)

// A default budget includes the time for reading. A budget from a flag is for measuring only.
func TestLeft(t *testing.T) {
	for _, tt := range []struct {
		effort  Effort
		reading time.Duration
		want    time.Duration
	}{
		{Effort{Budget: 30 * time.Second, usual: true}, 300 * time.Millisecond, 29 * time.Second},
		{Effort{Budget: 30 * time.Second, usual: true}, 4200 * time.Millisecond, 25 * time.Second},
		{Effort{Budget: 30 * time.Second, usual: true}, time.Minute, 15 * time.Second},
		{Effort{Budget: 30 * time.Second}, 300 * time.Millisecond, 30 * time.Second},
	} {
		if got := tt.effort.Left(tt.reading); got != tt.want {
			t.Errorf("%+v after reading for %v: %v, want %v", tt.effort, tt.reading, got, tt.want)
		}
	}
}
