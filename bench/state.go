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

// A state is the part of the process's state that all contenders share and that a contender may
// change.
type state struct {
	procs, percent, limit, cycles, goroutines uint64
	faults                                    bool // a memory fault causes a panic
	// queued is how many finalizers and cleanups were due, and executed how many of them ran.
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
	// NumGoroutine is used because the metric of goroutines also counts the runtime's own, such
	// as workers that the collector starts when it first needs them.
	faults := debug.SetPanicOnFault(false)
	debug.SetPanicOnFault(faults)
	return state{at(0), at(1), at(2), at(3), uint64(runtime.NumGoroutine()), faults, at(6) + at(7), at(4) + at(5)}
}

// changed describes a setting that differs from was, or returns an empty string. It restores
// all settings.
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

// noCollection is a percentage that the runtime reports if its collector is off. The runtime
// may also report a negative one.
const noCollection = 1<<32 - 1

const (
	// leave is how long goroutines may take to end after a contender's visit.
	leave = 50 * time.Millisecond
	// moment is how long the process sleeps at a time while finalizers and cleanups run, and
	// idle is how often. working is the CPU time above which the runtime alone cannot be the
	// cause: waking up ten times takes up to 3 ms on a host that gives its time to others.
	moment  = 10 * time.Millisecond
	idle    = 10
	working = 6 * time.Millisecond
)

// works reports whether the process uses CPU time while no contender is called. It measures
// four intervals and ignores the one with the most CPU time, because the runtime sometimes has
// work of its own. A program at work exceeds the limit even on a busy machine.
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

// used returns the CPU time that the process uses in an interval while no contender is called.
func used(within time.Duration) time.Duration {
	cpu := processCPU()
	time.Sleep(within)
	return time.Duration(processCPU() - cpu)
}

// settles waits until the finalizers and cleanups that are due have run, for one second at
// most.
func (r *stateReader) settles() {
	for range 100 {
		if now := r.read(); now.queued == now.executed {
			return
		}
		time.Sleep(moment)
	}
}

// stirs reports whether the process uses CPU time in a short interval while no contender is
// called. This may happen by chance.
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

// ticks reports whether the process continuously uses a fifth of a processor or more while no
// contender is called. The limit is higher than working, because the runtime may use more than
// working for a while even if no goroutine of a contender is left.
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

// A watch detects changes of the state that all contenders of the process share, from
// beginWatch to changed, while one contender works.
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

// changed describes what differs from the state at beginWatch, or returns an empty string. It
// restores what it can. The caller must call it before restoring settings that the caller
// changed before beginWatch.
func (w *watch) changed() string {
	if what := w.reader.read().changed(w.before); what != "" {
		return what
	}
	return readSurroundings().changed(w.place)
}

// charge charges a change to the one contender that worked during the watch.
func (w *watch) charge(who result.Subject, op result.Op, where string) error {
	if what := w.changed(); what != "" {
		return wrongly(who, op, fmt.Errorf("during %s, %s", where, what))
	}
	return nil
}

// A visit is the time in which one contender works in the process, between two readings of the
// state.
type visit struct {
	watch
	keeps   []string // traces of results that the contender retains
	files   int
	threads int
	locked  bool // the goroutine was locked to its thread
	long    bool // see Verify.Long
}

func beginVisit() *visit {
	return &visit{files: openFiles(), threads: threads(), locked: locked(), watch: beginWatch()}
}

// locked reports whether the calling goroutine is locked to its thread. The runtime reports
// this only in a stack trace.
func locked() bool {
	var head [128]byte
	line, _, _ := bytes.Cut(head[:runtime.Stack(head[:], false)], []byte("\n"))
	return bytes.Contains(line, []byte("locked to thread"))
}

// ownFinalizer is the CPU time that one finalizer or cleanup may take.
const ownFinalizer = 20 * time.Microsecond

// finalizers reports finalizers and cleanups that the contender left behind and that take too
// long: they use the time of other contenders.
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

// end returns the fault of what the contender left behind, or else traces: what it left behind
// without being at fault.
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
		// This forced collection also completes one that may be under way. Neither its work nor
		// its finalizers are a contender's fault.
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

// A guard watches the state of the process while batches are timed.
type guard struct {
	reader *stateReader
	// left is how many goroutines each subject has left behind.
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

// leftovers returns the subject that left the most goroutines behind, and a fault if goroutines
// work while no contender is called. It takes a moment if there are any.
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
