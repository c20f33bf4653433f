package published

import (
	"runtime"
	"sync"
)

// A Fixture keeps what the last benchmark made for itself. Package testing calls a benchmark
// function several times with a growing number of iterations, and the function should not make a
// large input again each time. A Fixture keeps only one input, because the inputs of a whole set do
// not fit in memory together.
//
// A Fixture belongs to one set, and its benchmarks share it. The zero Fixture is empty.
type Fixture struct {
	mu    sync.Mutex
	key   string
	value any
}

// Keep returns the value that is kept under key. If there is none, it lets go of the value before,
// makes a new one and keeps that. It collects the garbage of making the value before it returns, so
// that no timed part pays for it. A key stands for one type T and one way to make it.
func Keep[T any](f *Fixture, key string, make func() T) T {
	f.mu.Lock()
	defer f.mu.Unlock()
	if kept, ok := f.value.(T); ok && f.key == key {
		return kept
	}
	f.key, f.value = "", nil
	made := make()
	f.key, f.value = key, made
	runtime.GC()
	return made
}
