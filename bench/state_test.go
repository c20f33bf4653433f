package bench

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// What the runtime does for itself is nobody's fault: a collection starts workers.
func TestVisitOfTheRuntime(t *testing.T) {
	v := beginVisit()
	for range 3 {
		runtime.GC()
	}
	if fault, traces := v.end(); fault != "" || len(traces) != 0 {
		t.Errorf("fault %q, traces %q", fault, traces)
	}
}

func TestVisitLeavesGoroutines(t *testing.T) {
	v := beginVisit()
	stop := make(chan struct{})
	defer close(stop)
	go func() { <-stop }()
	if fault, traces := v.end(); fault != "" || strings.Join(traces, "") != "leaves 1 goroutine behind" {
		t.Errorf("one that waits: fault %q, traces %q", fault, traces)
	}
	v = beginVisit()
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				for end := time.Now().Add(time.Millisecond); time.Now().Before(end); {
				}
			}
		}
	}()
	if fault, _ := v.end(); hasProcessCPU && !strings.Contains(fault, "leaves 1 goroutine behind, at work") {
		t.Errorf("one that works: fault %q", fault)
	}
}
