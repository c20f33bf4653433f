package bench

import (
	"fmt"
	"slices"
	"time"

	"assay/result"
)

// sums predict the sum of any batch of one case, so that a batch that skips work is detected.
type sums struct {
	// before[i] is the sum over the inputs before i; the last element is the sum of a whole
	// pass. It is nil for ops that return the number of operations.
	before []uint64
}

// measureSums learns the sum of each input from single operations. It starts
// at the first input and leaves the cursor there.
func measureSums(c *bound, op result.Op, between func()) (sums, error) {
	if !sized(op) {
		return sums{}, nil
	}
	before := make([]uint64, c.inputs+1)
	c.restart(op)
	for i := range c.inputs {
		between()
		sum, err := c.run(op, 1)
		if err != nil {
			return sums{}, input(i, err)
		}
		before[i+1] = before[i] + sum
	}
	return sums{before}, nil
}

// of returns the sum of n operations from input start on.
func (s sums) of(start, n int) uint64 {
	if s.before == nil {
		return uint64(n)
	}
	inputs := len(s.before) - 1
	end := start + n
	pass := s.before[inputs]
	return uint64(end/inputs)*pass + s.before[end%inputs] - s.before[start]
}

// varyFor is how long check measures lengths that may vary again before it decides that a
// differing sum is wrong.
const varyFor = 200 * time.Millisecond

// A checker compares the sums of batches with the predicted sums.
type checker struct {
	bound   *bound
	op      result.Op
	want    sums
	varying bool // the sums change from call to call and are not compared
	between func()
}

// newChecker returns a checker for a case. It learns the sums of the case unless they are
// known, and calls between before each operation.
func newChecker(c *bound, op result.Op, between func()) (*checker, error) {
	want, known := c.known[op]
	var err error
	if !known {
		want, err = measureSums(c, op, between)
	}
	return &checker{bound: c, op: op, want: want, between: between}, err
}

// check judges the sum of n operations that began at input start. The length of an encoding may
// legitimately change from call to call, for example with the order of a map. To tell this from
// wrong work, check measures the sums of single operations again: if they differ from the
// predicted ones, the lengths vary and there is no error.
func (k *checker) check(start, n int, got uint64) error {
	want := k.want.of(start, n)
	if got == want || k.varying {
		return nil
	}
	if k.want.before != nil {
		// Lengths that depend on the order of a small map are often the same in many
		// consecutive calls.
		start := time.Now()
		for try := 0; try < 8 || k.bound.mayVary && try < 200 && time.Since(start) < varyFor; try++ {
			again, err := measureSums(k.bound, k.op, k.between)
			if err != nil {
				return err
			}
			if !slices.Equal(k.want.before, again.before) {
				if !k.bound.mayVary {
					return errVaries
				}
				k.varying = true
				return nil
			}
		}
	}
	return fmt.Errorf("%d operations from input %d returned the sum %d, want %d", n, start, got, want)
}

// warm runs and checks the untimed operations before a batch of n.
func (k *checker) warm(n int) error {
	if n = untimed(n); n == 0 {
		return nil
	}
	return k.batch(n)
}

// untimed returns how many untimed operations come before a batch of n: a tenth, and none
// before a batch of one. They remove the effect of caches and branch predictors that the case
// before left behind.
func untimed(n int) int {
	if n == 1 {
		return 0
	}
	return max(1, n/10)
}

// batch runs and checks n operations.
func (k *checker) batch(n int) error {
	start := k.bound.seek(k.op)
	sum, err := k.bound.run(k.op, n)
	if err != nil {
		return err
	}
	return k.check(start, n, sum)
}
