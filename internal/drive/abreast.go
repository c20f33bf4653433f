package drive

import (
	"runtime"
	"sync"
)

// mostAbreast is the largest number of runner processes that work at the same time while nothing
// is timed. Each process may need the memory of the largest workload.
const mostAbreast = 4

// Width is the number of our own runner processes that work at the same time while nothing is
// timed: while verifying and counting. Their results do not depend on how long they take.
func Width() int { return max(1, min(runtime.GOMAXPROCS(0), mostAbreast)) }

// Abreast calls piece for the numbers 0 to n-1, with so many workers at the same time. A piece
// emits its results. Abreast passes all results to done, one by one and in the order of the
// pieces, on the calling goroutine, so that the output does not depend on which worker was
// faster. A piece also gets the number of its worker, which identifies what belongs to that
// worker, such as its process.
//
// If done returns an error, Abreast returns that error: emit then returns false, no other piece
// begins, and Abreast waits for the pieces under way. With one worker, a piece begins after done
// has returned for everything that earlier pieces emitted.
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

// A board is the state that the workers of Abreast share.
type board[T any] struct {
	mu      sync.Mutex
	changed *sync.Cond
	lanes   []lane[T]
	next    int // the next piece to take
	stopped bool
}

// A lane holds the results that one piece has emitted and Abreast has not received yet.
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

// receive waits for the next result of piece i. It returns false after the last one.
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

// Serial returns an event func that several goroutines may call at the same time.
func Serial(event func(Event)) func(Event) {
	var mu sync.Mutex
	return func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		event(e)
	}
}
