package contendertest

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"sync"
	"time"

	"assay/bench"
	"assay/result"
	"assay/workload"
)

// Patience is how long one operation of a contender may take before the tests assume that it
// never ends. It does not measure speed.
var Patience = 30 * time.Second

// perByte is added to Patience for each byte of an operation's value: a minute for 12 MB.
const perByte = 5 * time.Microsecond

// A watch observes the operations of the contenders of one Server. Go cannot stop an operation
// that does not end, so the watch ends the process. As with Limit, contenders that may hang
// must each run in their own process.
type watch struct {
	mu   sync.Mutex
	size workload.Size // of the loaded values
	of   string        // the workload of the loaded values
	now  operations
	busy bool // now is under way
}

// operations are consecutive operations that one call requested.
type operations struct {
	who       result.Subject
	op        result.Op
	at, count int // the index of the first input, and the number of inputs
	began     time.Time
}

// loaded notes the workload and size of the following operations.
func (w *watch) loaded(of string, size workload.Size) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.of, w.size = of, size
}

// call runs f and marks the operations as under way meanwhile.
func (w *watch) call(o operations, f func()) {
	o.began = time.Now()
	w.mu.Lock()
	w.now, w.busy = o, true
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.busy = false
	}()
	f()
}

// late says which operation should have ended by now, and after how long. It is empty if there
// is none.
func (w *watch) late(now time.Time) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	patience := Patience + time.Duration(int64(w.now.count)*w.size.Bytes)*perByte
	if !w.busy || now.Sub(w.now.began) < patience {
		return ""
	}
	return fmt.Sprintf("%s: %s of %s of %s %s has not ended after %v", w.now.who, w.now.op, w.now.inputs(), w.of, w.size.Key, patience.Round(time.Second/10))
}

// inputs names the inputs as verification does, counting from 0.
func (o operations) inputs() string {
	if o.count == 1 {
		return fmt.Sprintf("input %d", o.at)
	}
	return fmt.Sprintf("%d inputs from input %d on", o.count, o.at)
}

// until ends the process if an operation takes too long. It returns when done is closed.
func (w *watch) until(done <-chan struct{}) {
	for tick := time.NewTicker(100 * time.Millisecond); ; {
		select {
		case <-done:
			tick.Stop()
			return
		case now := <-tick.C:
			if what := w.late(now); what != "" {
				giveUp(what)
			}
		}
	}
}

// giveUp ends the process and prints what has not ended, with the stacks of its goroutines.
func giveUp(what string) {
	fmt.Fprintf(os.Stderr, "fatal error: %s\n\n%s\n", what, stuck())
	os.Exit(2)
}

// stuck returns the stacks of the goroutines that called contenders.
func stuck() []byte {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	var called [][]byte
	for _, g := range bytes.Split(buf, []byte("\n\n")) {
		if bytes.Contains(g, []byte("contendertest.(*watch).call(")) || bytes.Contains(g, []byte("contendertest.attempt.")) {
			called = append(called, g)
		}
	}
	return bytes.Join(called, []byte("\n\n"))
}

// bindings returns the bindings with their operations watched.
func (w *watch) bindings(all []bench.Binding) []bench.Binding {
	watched := make([]bench.Binding, len(all))
	for i, b := range all {
		who := result.Subject{Contender: b.Contender, Mode: b.Mode}
		watched[i] = b
		watched[i].New = func(values any) (codec *bench.Codec, err error) {
			count := reflect.ValueOf(values).Len()
			w.call(operations{who: who, op: "binding", count: count}, func() { codec, err = b.New(values) })
			if codec != nil {
				w.codec(who, codec, count)
			}
			return codec, err
		}
	}
	return watched
}

// codec watches the operations of a codec over count inputs.
func (w *watch) codec(who result.Subject, c *bench.Codec, count int) {
	next, ring := 0, count // the index of the next input, and the number of inputs
	if seek := c.Seek; seek != nil {
		c.Seek = func(i int) {
			next = i
			seek(i)
		}
	}
	if use := c.Use; use != nil {
		c.Use = func(messages [][]byte) {
			next, ring = 0, len(messages)
			use(messages)
		}
	}
	for op, f := range map[result.Op]*bench.Op{
		result.Encode: &c.Encode, result.Decode: &c.Decode, result.Open: &c.Open, result.Scan: &c.Scan,
		result.Convert: &c.Convert, result.Compress: &c.Compress, result.Decompress: &c.Decompress,
	} {
		run := *f
		if run == nil {
			continue
		}
		*f = func(n int) (sum uint64, err error) {
			at := next
			next = (next + n) % max(ring, 1)
			w.call(operations{who: who, op: op, at: at, count: n}, func() { sum, err = run(n) })
			return sum, err
		}
	}
	for op, f := range map[result.Op]*func() any{result.Decode: &c.Decoded, result.Convert: &c.Converted} {
		take := *f
		if take == nil {
			continue
		}
		*f = func() (v any) {
			last := (next + ring - 1) % max(ring, 1)
			w.call(operations{who: who, op: op, at: last, count: 1}, func() { v = take() })
			return v
		}
	}
}
