package drive

import (
	"runtime"
	"sync"
)

// mostAbreast is how many processes work at a time where nothing is timed. Each of them
// may need the memory of the largest workload.
const mostAbreast = 4

// Width is how many processes of a runner of ours work at a time where nothing is timed:
// verifying and counting. What these find out does not depend on the time that they take.
func Width() int { return max(1, min(runtime.GOMAXPROCS(0), mostAbreast)) }

// Abreast does n pieces of work with so many workers at a time. A piece emits what it
// finds out, and done gets all of that one by one, in the order of the pieces, on the
// calling goroutine: what comes out does not depend on who was faster. The number of the
// worker is for what belongs to it, such as its process.
//
// The first error of done ends everything: emit then returns false, no other piece
// begins, and those under way are waited for. With one worker a piece begins when all
// that was emitted before it is done.
func Abreast[T any](workers, n int, piece func(worker, i int, emit func(T) bool), done func(T) error) error {
	if min(workers, n) <= 1 {
		return inRow(n, piece, done)
	}
	b := &board[T]{lanes: make([]lane[T], n)}
	b.changed = sync.NewCond(&b.mu)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer b.stop()
	for w := range min(workers, n) {
		wg.Go(func() {
			for i, ok := b.take(); ok; i, ok = b.take() {
				piece(w, i, func(t T) bool { return b.emit(i, t) })
				b.finish(i)
			}
		})
	}
	for i := range n {
		for t, ok := b.receive(i); ok; t, ok = b.receive(i) {
			if err := done(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// inRow is Abreast with one worker.
func inRow[T any](n int, piece func(int, int, func(T) bool), done func(T) error) (err error) {
	for i := range n {
		piece(0, i, func(t T) bool {
			if err == nil {
				err = done(t)
			}
			return err == nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// A board is what the workers of Abreast share.
type board[T any] struct {
	mu      sync.Mutex
	changed *sync.Cond
	lanes   []lane[T]
	next    int // piece to be taken
	stopped bool
}

// A lane is what a piece has emitted and nobody has received yet.
type lane[T any] struct {
	waiting []T
	over    bool
}

func (b *board[T]) take() (i int, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped || b.next == len(b.lanes) {
		return 0, false
	}
	b.next++
	return b.next - 1, true
}

func (b *board[T]) emit(i int, t T) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lanes[i].waiting = append(b.lanes[i].waiting, t)
	b.changed.Broadcast()
	return !b.stopped
}

func (b *board[T]) finish(i int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lanes[i].over = true
	b.changed.Broadcast()
}

// receive waits for what piece i emits next; false: nothing more.
func (b *board[T]) receive(i int) (t T, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := &b.lanes[i]
	for len(l.waiting) == 0 {
		if l.over {
			return t, false
		}
		b.changed.Wait()
	}
	t, l.waiting = l.waiting[0], l.waiting[1:]
	return t, true
}

func (b *board[T]) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stopped = true
}

// Serial returns an event func that several workers may call.
func Serial(event func(Event)) func(Event) {
	var mu sync.Mutex
	return func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		event(e)
	}
}
