package bench

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"assay/result"
)

// A state is what a contender may change of the process that all of them share.
type state struct {
	procs, percent, limit, cycles, goroutines uint64
	faults                                    bool // a fault of memory is a panic
	// queued and executed are the finalizers and cleanups that were due and that ran.
	queued, executed uint64
}

// A stateReader reads the state. Reading takes about a microsecond.
type stateReader struct{ samples [8]metrics.Sample }

func newStateReader() *stateReader {
	r := &stateReader{}
	for i, name := range []string{
		"/sched/gomaxprocs:threads", "/gc/gogc:percent", "/gc/gomemlimit:bytes", "/gc/cycles/total:gc-cycles",
		"/gc/finalizers/executed:finalizers", "/gc/cleanups/executed:cleanups",
		"/gc/finalizers/queued:finalizers", "/gc/cleanups/queued:cleanups",
	} {
		r.samples[i].Name = name
	}
	return r
}

func (r *stateReader) read() state {
	metrics.Read(r.samples[:])
	at := func(i int) uint64 { return r.samples[i].Value.Uint64() }
	// The metric of goroutines counts those of the runtime, which starts workers of its
	// collector when it first needs them.
	faults := debug.SetPanicOnFault(false)
	debug.SetPanicOnFault(faults)
	return state{at(0), at(1), at(2), at(3), uint64(runtime.NumGoroutine()), faults, at(6) + at(7), at(4) + at(5)}
}

// changed says what of the settings is not as it was, and puts it back.
func (s state) changed(was state) (what string) {
	if s.procs != was.procs {
		runtime.GOMAXPROCS(int(was.procs))
		what = fmt.Sprintf("it sets GOMAXPROCS from %d to %d", was.procs, s.procs)
	}
	if s.percent != was.percent {
		debug.SetGCPercent(int(int64(was.percent)))
		what = fmt.Sprintf("it sets the garbage collector's percentage from %s to %s", percentText(was.percent), percentText(s.percent))
	}
	if s.limit != was.limit {
		debug.SetMemoryLimit(int64(was.limit))
		what = fmt.Sprintf("it sets the memory limit from %d to %d bytes", was.limit, s.limit)
	}
	if s.faults != was.faults {
		debug.SetPanicOnFault(was.faults)
		what = "it calls debug.SetPanicOnFault"
	}
	return what
}

func percentText(p uint64) string {
	if int64(p) < 0 || p == noCollection {
		return "off"
	}
	return fmt.Sprint(p)
}

// noCollection is what the runtime reports as the percentage when its collector is
// off, besides a negative one.
const noCollection = 1<<32 - 1

const (
	// leave is how long goroutines may take to end after a contender's visit.
	leave = 50 * time.Millisecond
	// moment is how long finalizers and cleanups get at a time, and idle how often. Working is
	// the CPU time that is not the runtime's: waking up ten times takes up to 3 ms on a host
	// that gives its time to others.
	moment  = 10 * time.Millisecond
	idle    = 10
	working = 6 * time.Millisecond
)

// works reports whether the process uses CPU time when nothing is asked of it: in four
// stretches of time, of which the one with most does not count, because the runtime has work
// of its own now and then. A program at work gets more than this on a busy machine.
func works() bool {
	if !hasProcessCPU {
		return false
	}
	all, most := time.Duration(0), time.Duration(0)
	for range 4 {
		took := used(5 * moment)
		all, most = all+took, max(most, took)
		if all-most > working {
			return true
		}
	}
	return false
}

// used is the CPU time that the process takes within a time when nothing is asked of it.
func used(within time.Duration) time.Duration {
	cpu := processCPU()
	time.Sleep(within)
	return time.Duration(processCPU() - cpu)
}

// settles waits until the finalizers and cleanups that are due have run, for a second at most.
func (r *stateReader) settles() {
	for range 100 {
		if now := r.read(); now.queued == now.executed {
			return
		}
		time.Sleep(moment)
	}
}

// stirs reports whether the process uses CPU time for a moment when nothing is asked of it,
// which it may do by chance.
func stirs() bool {
	if !hasProcessCPU {
		return false
	}
	cpu := processCPU()
	for range 2 {
		time.Sleep(moment)
		if time.Duration(processCPU()-cpu) > moment/10 {
			return true
		}
	}
	return false
}

// ticks reports whether the process goes on using a fifth of a processor or more when nothing
// is asked of it. The runtime may use more than working does, for a while, with nobody's
// goroutines left.
func (r *stateReader) ticks() bool {
	runtime.GC()
	r.settles()
	for range 3 {
		if used(5*moment) < moment {
			return false
		}
	}
	return true
}

// A watch is over what all contenders share of the process while one of them works: from
// beginWatch to changed.
type watch struct {
	reader *stateReader
	before state
	place  surroundings
}

func beginWatch() watch {
	w := watch{reader: newStateReader(), place: readSurroundings()}
	w.before = w.reader.read()
	return w
}

// changed says what is not as it was, and puts it back where it can. It has to come before
// who began the watch undoes settings of its own.
func (w *watch) changed() string {
	if what := w.reader.read().changed(w.before); what != "" {
		return what
	}
	return readSurroundings().changed(w.place)
}

// charge is changed as the fault of the one contender that worked meanwhile.
func (w *watch) charge(who result.Subject, op result.Op, where string) error {
	if what := w.changed(); what != "" {
		return wrongly(who, op, fmt.Errorf("during %s, %s", where, what))
	}
	return nil
}

// A visit is a contender's time in the process, between two readings of its state.
type visit struct {
	watch
	keeps   []string // what is said of what it keeps of its results
	files   int
	threads int
	locked  bool // the goroutine, to its thread
	long    bool // see Verify.Long
}

func beginVisit() *visit {
	return &visit{files: openFiles(), threads: threads(), locked: locked(), watch: beginWatch()}
}

// locked reports whether the calling goroutine is locked to its thread, which the runtime
// tells in a trace only.
func locked() bool {
	var head [128]byte
	line, _, _ := bytes.Cut(head[:runtime.Stack(head[:], false)], []byte("\n"))
	return bytes.Contains(line, []byte("locked to thread"))
}

// ownFinalizer is the CPU time that one finalizer or cleanup may take.
const ownFinalizer = 20 * time.Microsecond

// finalizers says what is wrong with the finalizers and cleanups that the contender left
// behind: they work in somebody else's time.
func (t *visit) finalizers() string {
	if !hasProcessCPU {
		return ""
	}
	runtime.GC()
	began, cpu := t.reader.read(), processCPU()
	if began.queued == began.executed {
		return ""
	}
	var ran uint64
	var took time.Duration
	for range idle {
		time.Sleep(moment)
		ran, took = t.reader.read().executed-began.executed, time.Duration(processCPU()-cpu)
		if took > working+time.Duration(ran+1)*ownFinalizer {
			return fmt.Sprintf("it leaves %d finalizers or cleanups behind, at work when nothing is asked of it", began.queued-began.executed)
		}
	}
	if took > working && ran > 0 {
		t.keeps = append(t.keeps, fmt.Sprintf("leaves finalizers or cleanups behind, which take about %v each, later", (took/time.Duration(ran)).Round(time.Microsecond)))
	}
	return ""
}

// manyThreads is how many threads the Go runtime may start by itself.
const manyThreads = 16

// end says what is wrong with what the contender left behind, and what is not wrong
// and good to know.
func (t *visit) end() (fault string, traces []string) {
	after := t.reader.read()
	for end := time.Now().Add(leave); after.goroutines > t.before.goroutines && time.Now().Before(end); after = t.reader.read() {
		time.Sleep(time.Millisecond)
	}
	if fault = t.changed(); fault != "" {
		return fault, nil
	}
	if t.locked && !locked() {
		runtime.LockOSThread()
		return "it calls runtime.UnlockOSThread, and the clock of its CPU time is the thread's", nil
	}
	if after.goroutines > t.before.goroutines {
		// A collection of our own ends the one that may be under way, whose work, and
		// finalizers, are nobody's fault.
		runtime.GC()
		t.reader.settles()
		after = t.reader.read()
		busy := works()
		again := t.reader.read()
		if n := int(again.goroutines) - int(t.before.goroutines); n > 0 {
			text := fmt.Sprintf("leaves %s behind", plural(n, "goroutine"))
			if busy {
				return fmt.Sprintf("it %s, at work when nothing is asked of it", text), nil
			}
			if again.cycles > after.cycles {
				return fmt.Sprintf("it %s, which run the garbage collector", text), nil
			}
			traces = append(traces, text)
		}
	} else if t.long && stirs() && t.reader.ticks() {
		return "it leaves timers behind, at work when nothing is asked of it", nil
	}
	traces = append(traces, t.keeps...)
	if n := openFiles() - t.files; n > 0 {
		traces = append(traces, fmt.Sprintf("leaves %s open", plural(n, "file")))
	}
	if n := threads() - t.threads; n > manyThreads {
		traces = append(traces, fmt.Sprintf("starts %s", plural(n, "thread")))
	}
	return "", traces
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// A guard watches over the process while batches are timed.
type guard struct {
	reader *stateReader
	// left is how many goroutines each contender has left behind.
	left map[result.Subject]int
}

func newGuard() *guard { return &guard{newStateReader(), map[result.Subject]int{}} }

// check compares the state before and after a contender's batch.
func (g *guard) check(who result.Subject, before, after state) (fault string) {
	if n := int(after.goroutines) - int(before.goroutines); n != 0 {
		g.left[who] += n
	}
	if what := after.changed(before); what != "" {
		return what
	}
	if after.cycles != before.cycles {
		return "the garbage collector was run during a timed batch, in which it is off"
	}
	return ""
}

// leftovers returns who left goroutines behind that go on working when nothing is
// asked of them, and what to say of it. It takes a moment if there are any.
func (g *guard) leftovers(began state) (who result.Subject, fault string) {
	most := 0
	for other, n := range g.left {
		if n > most {
			who, most = other, n
		}
	}
	if most == 0 || g.reader.read().goroutines <= began.goroutines {
		return who, ""
	}
	g.reader.settles()
	if !works() || g.reader.read().goroutines <= began.goroutines {
		return who, ""
	}
	return who, fmt.Sprintf("it leaves %s behind, at work when nothing is asked of it", plural(most, "goroutine"))
}
