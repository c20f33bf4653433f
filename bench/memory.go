package bench

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"

	"assay/result"
)

// A measurement of memory is repeated until its least value was seen memoryAgree times, or
// memoryTries times at most.
const (
	memoryAgree = 3
	memoryTries = 15
	// memoryGarbage is how many bytes a count may leave uncollected. If it leaves more, the
	// next count collects them first, which empties pools and costs another pass.
	memoryGarbage = 64 << 20
	// memoryMany is the number of allocations from which on one more or less is too little to
	// matter, and memoryStray how many of a count the runtime may have added.
	memoryMany  = 2048
	memoryStray = 2
)

// MemoryPasses is how many times as many operations are counted as asked if not every count is the
// same, so that what a codec allocates once in several operations is in proportion.
const MemoryPasses = 16

// memory counts exactly what Ops operations allocate. The count of a deterministic codec is the
// same to the byte each time: the collector is off, so that no pool is emptied during the
// count; there is one processor, so that a pool has one place; and a whole pass before the
// first count fills pools, type caches and buffers.
//
// One disturbance remains: the runtime grows the caches of interface type switches at random,
// about once in a thousand misses. This only adds allocations, so the count is repeated until
// its least value was seen three times. If a codec allocates another number each time, its
// least value is not seen three times, and the answer also gives the largest counts. A codec that
// takes memory in blocks allocates one block more in some counts, and its least count would be too
// low: of 64 operations that need 3.6 blocks, 3. It is counted over MemoryPasses as many operations.
func (s *session) memory(m Memory) (*Counted, error) {
	v, err := s.need()
	if err != nil {
		return nil, err
	}
	inputs := len(v.models)
	passes, err := wholePasses("ops", m.Ops, inputs)
	if err != nil {
		return nil, err
	}
	c, err := s.prepare(m.Subject, m.Op)
	if err != nil {
		return nil, err
	}
	out := &Counted{Ops: passes * inputs, Messages: inputs}
	if out.Encoded, err = s.encoded(m); err != nil {
		return nil, err
	}
	if err := v.mark.set(m.Subject, m.Op); err != nil {
		return nil, err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	g := takeCollector()
	defer g.release()
	w := beginWatch()
	got, done, err := countAgreed(c, m, out.Ops)
	if err == nil && got.least.allocs < got.most.allocs && got.most.allocs < memoryMany {
		// Other passes allocate more: a codec that takes memory in blocks needs one now and then.
		var long counts
		var more int
		long, more, err = countAgreed(c, m, out.Ops*MemoryPasses)
		done += more
		if long.least.allocs > got.least.allocs*MemoryPasses+memoryStray {
			got, out.Ops = long, out.Ops*MemoryPasses
		}
	}
	if err != nil {
		return nil, failed(m.Subject, m.Op, err)
	}
	out.Bytes, out.Allocs = got.least.bytes, got.least.allocs
	if !got.agreed {
		out.MostBytes, out.MostAllocs = got.most.bytes, got.most.allocs
	}
	return out, s.settled(c, m.Op, "a count of memory", w, done, out.Ops)
}

// A count is what some operations allocate.
type count struct{ bytes, allocs uint64 }

// counts sum up several counts of the same operations. agreed says that the least one, by
// allocations first, was seen memoryAgree times. Then least is that count. Otherwise least has the
// least of each number, as most has the largest.
type counts struct {
	least, most count
	agreed      bool
}

// countAgreed counts n operations until the least count is agreed. It returns how many operations it did.
func countAgreed(c *bound, m Memory, n int) (sum counts, done int, err error) {
	var seen []count
	fresh := true
	for len(seen) < memoryTries && !sum.agreed {
		if fresh {
			if err := warmUp(c, m.Op); err != nil {
				return sum, done, err
			}
		}
		one, err := countOnce(c, m.Op, n)
		if err != nil {
			return sum, done, err
		}
		done += n
		fresh = one.bytes > memoryGarbage
		seen = append(seen, one)
		sum = sumUp(seen)
	}
	return sum, done, nil
}

// sumUp sums up at least one count.
func sumUp(seen []count) counts {
	least := slices.MinFunc(seen, func(a, b count) int {
		return cmp.Or(cmp.Compare(a.allocs, b.allocs), cmp.Compare(a.bytes, b.bytes))
	})
	out := counts{least: least, most: least}
	times := 0
	for _, c := range seen {
		out.least.bytes, out.most.bytes = min(out.least.bytes, c.bytes), max(out.most.bytes, c.bytes)
		out.most.allocs = max(out.most.allocs, c.allocs)
		if c == least {
			times++
		}
	}
	if out.agreed = times >= memoryAgree; out.agreed {
		out.least = least
	}
	return out
}

// wholePasses returns how many passes over the inputs make at least n
// operations. field names n in an error.
func wholePasses(field string, n, inputs int) (int, error) {
	if n < 1 || n > maxCount {
		return 0, fmt.Errorf("%s is %d, want 1 to %d", field, n, maxCount)
	}
	passes := (n + inputs - 1) / inputs
	if passes > maxCount/inputs {
		return 0, fmt.Errorf("%s is %d: whole passes over %d inputs are more than %d", field, n, inputs, maxCount)
	}
	return passes, nil
}

// warmUp empties pools and does a pass over the inputs.
func warmUp(c *bound, op result.Op) error {
	runtime.GC()
	runtime.GC() // objects in pools survive the first collection
	c.restart(op)
	_, err := c.run(op, c.inputs)
	return err
}

// countOnce counts what n operations allocate. n is a whole number of passes, from the first
// input on.
func countOnce(c *bound, op result.Op, n int) (count, error) {
	c.mark.beat()
	c.seek(op)
	f := c.codec.op(op)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := f(n)
	runtime.ReadMemStats(&after)
	return count{after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs}, err
}

// encoded returns the total size of all inputs as the subject writes them. If its mode does not
// write, the contender's default mode does. The size is 0 for a contender that writes nothing.
func (s *session) encoded(m Memory) (total int64, err error) {
	writer := s.partner(m.Subject, result.Encode)
	if !s.offers(writer, result.Encode) {
		return 0, nil
	}
	messages, err := s.messages(writer)
	for _, b := range messages {
		total += int64(len(b))
	}
	return total, err
}
