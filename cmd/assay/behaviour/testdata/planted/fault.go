// Package planted is the hand-written part of a planted contender: the functions that its faults
// use. It is copied into the generated package of each planted contender.
package planted

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// within reports whether the runner is carrying out one of the named commands. It looks at the
// call stack, as a contender could.
func within(commands ...string) bool {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	for {
		frame, more := frames.Next()
		for _, c := range commands {
			if strings.HasSuffix(frame.Function, "bench.(*session)."+c) {
				return true
			}
		}
		if !more {
			return false
		}
	}
}

// calls counts calls in this process.
var calls atomic.Int64

// after reports whether there were more than n calls, this one included.
func after(n int64) bool { return calls.Add(1) > n }

// once calls do the first time only.
func once(do func()) {
	if calls.Add(1) == 1 {
		do()
	}
}

// zeros returns as many zero bytes as b has.
func zeros(b []byte) []byte { return make([]byte, len(b)) }

// burn uses a processor for the given time.
func burn(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}

// tick burns four fifths of the time. Between its calls there is no goroutine.
func tick() {
	burn(4 * time.Millisecond)
	time.AfterFunc(time.Millisecond, tick)
}

// half sets the second half of a struct's fields to zero.
func half(v any) {
	s := reflect.ValueOf(v).Elem()
	for i := (s.NumField() + 1) / 2; i < s.NumField(); i++ {
		s.Field(i).SetZero()
	}
}

// same reports whether two structs are equal.
func same(a, b any) bool { return reflect.DeepEqual(a, b) }

// copied returns a copy of a struct that shares no map with it.
func copied[T any](v T) T {
	s := reflect.ValueOf(&v).Elem()
	for i := range s.NumField() {
		if f := s.Field(i); f.Kind() == reflect.Map && !f.IsNil() {
			m := reflect.MakeMap(f.Type())
			for it := f.MapRange(); it.Next(); {
				m.SetMapIndex(it.Key(), it.Value())
			}
			f.Set(m)
		}
	}
	return v
}

// alias makes the strings of a struct point into data.
func alias(v any, data []byte) {
	s := reflect.ValueOf(v).Elem()
	for i := range s.NumField() {
		f := s.Field(i)
		if f.Kind() != reflect.String || f.Len() == 0 {
			continue
		}
		if at := bytes.Index(data, []byte(f.String())); at >= 0 {
			f.SetString(unsafe.String(&data[at], f.Len()))
		}
	}
}

// first changes the first string of a struct.
func first(v any) {
	s := reflect.ValueOf(v).Elem()
	for i := range s.NumField() {
		if s.Field(i).Kind() == reflect.String {
			s.Field(i).SetString("changed")
			return
		}
	}
}

// kept holds memory that is never freed.
var kept [][]byte

// more allocates memory without end.
func more() {
	for {
		b := make([]byte, 1<<20)
		for i := range b {
			b[i] = 1
		}
		kept = append(kept, b)
	}
}

// forever never returns.
func forever() {
	for {
		time.Sleep(time.Second)
	}
}

// open leaves n open files behind.
func open(n int) {
	for range n {
		f, err := os.Open(os.Args[0])
		if err != nil {
			panic(err)
		}
		runtime.SetFinalizer(f, nil)
		files = append(files, f)
	}
}

var files []*os.File

// shut closes the file descriptors of the process from 3 to 63.
func shut() {
	for fd := uintptr(3); fd < 64; fd++ {
		os.NewFile(fd, "").Close()
	}
}

// lock leaves n locked threads behind.
func lock(n int) {
	ready := make(chan bool)
	for range n {
		go func() {
			runtime.LockOSThread()
			ready <- true
			select {}
		}()
	}
	for range n {
		<-ready
	}
}

// later registers a finalizer or a cleanup, which burns after a garbage collection.
func later(cleanup bool) {
	p := new([64]byte)
	if cleanup {
		runtime.AddCleanup(p, func(int) { burn(2 * time.Millisecond) }, 0)
		return
	}
	runtime.SetFinalizer(p, func(*[64]byte) { burn(2 * time.Millisecond) })
}

// key returns a text for the content of a value.
func key(v any) string { return fmt.Sprintf("%+v", v) }

// start starts another process, which ends soon.
func start() {
	if err := exec.Command(os.Args[0]).Start(); err != nil {
		panic(err)
	}
}

// uncollected reports whether the garbage collector is off.
func uncollected() bool {
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	return int32(percent[0].Value.Uint64()) < 0
}

// restored returns what earlier processes stored in a file.
func restored(disk string) map[string][]byte {
	all := map[string][]byte{}
	text, _ := os.ReadFile(disk)
	for line := range bytes.Lines(text) {
		if k, v, ok := bytes.Cut(bytes.TrimSpace(line), []byte{'\t'}); ok {
			all[string(k)] = v
		}
	}
	return all
}

// store stores an entry for later processes.
func store(disk, k string, v []byte) {
	f, err := os.OpenFile(disk, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintf(f, "%s\t%s\n", k, v)
}

var _ = debug.SetGCPercent

// values holds the values of handle.
var values = struct {
	sync.Mutex
	kept [1 << 16]any
	next uint64
}{}

// handle keeps a value in the memory of the process and returns eight bytes that name it.
func handle(v any) []byte {
	values.Lock()
	defer values.Unlock()
	id := values.next
	values.kept[id%uint64(len(values.kept))] = v
	values.next++
	return binary.LittleEndian.AppendUint64(nil, id)
}

// behind returns the value that handle kept.
func behind(id []byte) (any, error) {
	if len(id) != 8 {
		return nil, errors.New("not the name of a value")
	}
	values.Lock()
	defer values.Unlock()
	v := values.kept[binary.LittleEndian.Uint64(id)%uint64(len(values.kept))]
	if v == nil {
		return nil, errors.New("no such value")
	}
	return v, nil
}
