package published

import (
	"runtime"
	"sync"
)

// A Fixture keeps what the benchmark that ran last made for itself. A benchmark
// function is called several times with a growing number of iterations, and
// must not make a large input again each time; but only one input is kept,
// because those of a whole set do not fit in memory together.
//
// A Fixture belongs to one set, and is shared by its benchmarks. The zero
// Fixture is empty.
type Fixture struct {
	mu    sync.Mutex
	key   string
	value any
}

// Keep returns the value that was kept under key, or makes it and keeps it in
// place of the one before, which is let go first. The garbage of making it is
// collected before Keep returns, so that no timed part pays for it. A key
// stands for one type T and one way to make it.
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
