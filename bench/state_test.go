package bench

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/result"
)

// TestVisitOfTheRuntime: work of the runtime, such as a collection that starts workers, is not
// charged to a contender.
func TestVisitOfTheRuntime(t *testing.T) {
	v := beginVisit()
	for range 3 {
		runtime.GC()
	}
	if fault, traces := v.end(); fault != "" || len(traces) != 0 {
		t.Errorf("fault %q, traces %q", fault, traces)
	}
}

// leaving returns the fault and the traces of a visit that leaves a goroutine behind. It ends
// the goroutine, so that no other visit counts it.
func leaving(work func(stop <-chan struct{})) (fault, traces string) {
	stop := make(chan struct{})
	v := beginVisit()
	go work(stop)
	fault, all := v.end()
	close(stop)
	for uint64(runtime.NumGoroutine()) > v.before.goroutines {
		time.Sleep(time.Millisecond)
	}
	return fault, strings.Join(all, ", ")
}

// leavingOne is leaving for a goroutine that waits. If nothing is found, it tries again: the
// goroutine of the test before may have been counted at the beginning of the visit, and have ended.
func leavingOne() (fault, traces string) {
	for range 5 {
		if fault, traces = leaving(idles); fault != "" || traces != "" {
			break
		}
	}
	return fault, traces
}

// idles is a goroutine that waits.
func idles(stop <-chan struct{}) { <-stop }

// worksEvery returns a goroutine that works for so long after every pause.
func worksEvery(pause, work time.Duration) func(stop <-chan struct{}) {
	return func(stop <-chan struct{}) {
		for {
			select {
			case <-stop:
				return
			case <-time.After(pause):
				spin(work)
			}
		}
	}
}

func TestVisitLeavesGoroutines(t *testing.T) {
	const left = "leaves 1 goroutine behind"
	if fault, traces := leavingOne(); fault != "" || traces != left {
		t.Errorf("one that waits: fault %q, traces %q", fault, traces)
	}
	if !hasProcessCPU {
		t.Skip("there is no clock of the process's CPU time")
	}
	for name, work := range map[string]func(<-chan struct{}){
		"works":              worksEvery(0, time.Millisecond),
		"works now and then": worksEvery(40*time.Millisecond, 20*time.Millisecond),
	} {
		var fault string
		for range 5 { // the goroutine may get too little CPU time to be noticed
			if fault, _ = leaving(work); strings.Contains(fault, left+", at work") {
				break
			}
		}
		if !strings.Contains(fault, left+", at work") {
			t.Errorf("one that %s: fault %q", name, fault)
		}
	}
}

// TestVisitOfOthersCleanups: a contender with a waiting goroutine is not charged with the
// cleanups of another contender, which run when a collection finds them.
func TestVisitOfOthersCleanups(t *testing.T) {
	for range 5000 {
		runtime.AddCleanup(new([64]byte), func(int) { spin(10 * time.Microsecond) }, 0)
	}
	if fault, traces := leavingOne(); fault != "" || traces != "leaves 1 goroutine behind" {
		t.Errorf("fault %q, traces %q", fault, traces)
	}
}

// spin uses the CPU for d.
func spin(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

// TestTampers: if a contender changes the process in a measurement of it alone, the end of that
// measurement reports the change.
func TestTampers(t *testing.T) {
	who := result.Subject{Contender: "tampers"}
	commands := map[string]Command{
		"steady work":       {Cmd: "steady", Steady: &Steady{Subject: who, Op: result.Encode, MinCycles: 1, MinNS: 1, MaxNS: int64(time.Millisecond)}},
		"a count of memory": {Cmd: "memory", Memory: &Memory{Subject: who, Op: result.Encode, Ops: 1}},
		"calibration":       {Cmd: "calibrate", Calibrate: &Calibrate{Cases: []CaseSpec{{Subject: who, Op: result.Encode}}, BatchNS: 1000}},
		"the first call":    {Cmd: "cold", Cold: &Cold{Subject: who, Op: result.Encode}},
		"work on several goroutines, by number 0": {Cmd: "parallel", Parallel: &Parallel{
			Subject: who, Op: result.Encode, Goroutines: 2, N: 3, Rounds: 1,
		}},
	}
	var calls atomic.Int64
	procs := runtime.GOMAXPROCS(0)
	t.Setenv("ASSAY_TAMPERED", "") // restores the variable after the test
	for _, test := range []struct {
		found string
		do    func()
	}{
		{"it sets GOMAXPROCS from ", func() { runtime.GOMAXPROCS(procs + 2) }},
		{"it sets the garbage collector's percentage from ", func() { debug.SetGCPercent(400) }},
		{"it sets the memory limit from ", func() { debug.SetMemoryLimit(1 << 34) }},
		{"it changes the environment of the process: ASSAY_TAMPERED", func() { os.Setenv("ASSAY_TAMPERED", fmt.Sprint(calls.Add(1))) }},
		{"", func() {}},
	} {
		for where, command := range commands {
			p := program()
			p.Bindings = append(p.Bindings, Binding{
				Contender: who.Contender, Workload: "items", Root: "Item", Ops: []result.Op{result.Encode},
				New: func(values any) (*Codec, error) {
					f := newFake(values)
					c := f.codec()
					f.encode = before(f.encode, test.do)
					return c, nil
				},
			})
			got := ask(t, p, 2, command)
			found := test.found
			if strings.Contains(found, "percentage") && where == "steady work" {
				found += "100 to 400" // CPU time is that of Go's default setting
			}
			want := "tampers encode: during " + where + ", " + found
			if test.found == "" && got.Error != "" || test.found != "" && !strings.Contains(got.Error, want) {
				t.Errorf("error %q, want %q", got.Error, want)
			}
			runtime.GOMAXPROCS(procs) // the codec may have set it during preparation
		}
	}
}

// TestTampersStream: the same holds for streams.
func TestTampersStream(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	file := streamFile(t)
	wrote, err := streamSession(unchanged).stream(streamCommand(result.Encode, file))
	if err != nil {
		t.Fatal(err)
	}
	read := streamCommand(result.Decode, file)
	read.Sum = wrote.Sum
	_, err = streamSession(func(_ int, v *item) *item {
		debug.SetGCPercent(400)
		return v
	}).stream(read)
	if want := "during the pass, it sets the garbage collector's percentage from 100 to 400"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}
