package drive

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// Results arrive in the order of the pieces, even if a later piece finishes first.
func TestAbreast(t *testing.T) {
	for _, workers := range []int{1, 2, 4, 9} {
		var got []string
		second := make(chan struct{})
		var once sync.Once
		err := Abreast(workers, 5, func(_, i int, emit func(string) bool) {
			if workers > 1 && i == 0 {
				<-second // the first piece ends after another one
			}
			for k := range 3 {
				emit(fmt.Sprintf("%d.%d", i, k))
			}
			if i > 0 {
				once.Do(func() { close(second) })
			}
		}, func(s string) error {
			got = append(got, s)
			return nil
		})
		var want []string
		for i := range 5 {
			for k := range 3 {
				want = append(want, fmt.Sprintf("%d.%d", i, k))
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d workers: %v, %v", workers, got, err)
		}
	}
}

// Two workers run at the same time, and each piece has a worker of its own.
func TestAbreastTogether(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	numbers := map[int]bool{}
	err := Abreast(2, 2, func(w, i int, emit func(int) bool) {
		both.Done()
		both.Wait() // for the other one
		emit(w)
	}, func(w int) error {
		numbers[w] = true
		return nil
	})
	if err != nil || len(numbers) != 2 {
		t.Errorf("workers %v, %v", numbers, err)
	}
}

// After an error, emit tells the pieces under way to stop, Abreast waits for them, and no other
// piece begins.
func TestAbreastError(t *testing.T) {
	wrong := errors.New("wrong")
	for _, workers := range []int{1, 3} {
		var began, told atomic.Int32
		err := Abreast(workers, 100, func(_, i int, emit func(int) bool) {
			began.Add(1)
			for emit(i) {
				runtime.Gosched()
			}
			told.Add(1)
		}, func(int) error { return wrong })
		if !errors.Is(err, wrong) || int(began.Load()) > workers || began.Load() != told.Load() {
			t.Errorf("%d workers: %v, %d pieces began and %d were told", workers, err, began.Load(), told.Load())
		}
	}
}
