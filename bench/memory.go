package bench

import (
	"fmt"
	"runtime"

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
)

// memory counts exactly what Ops operations allocate. The count of a deterministic codec is the
// same to the byte each time: the collector is off, so that no pool is emptied during the
// count; there is one processor, so that a pool has one place; and a whole pass before the
// first count fills pools, type caches and buffers.
//
// One disturbance remains: the runtime grows the caches of interface type switches at random,
// about once in a thousand misses. This only adds allocations, so the count is repeated until
// its least value was seen three times. If a codec allocates another number each time, its
// least value is not seen three times, and the answer also gives the largest counts.
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
	fresh, seen, done := true, 0, 0
	var least, most struct{ bytes, allocs uint64 }
	for try := 0; try < memoryTries && seen < memoryAgree; try++ {
		if fresh {
			if err := warmUp(c, m.Op); err != nil {
				return nil, failed(m.Subject, m.Op, err)
			}
		}
		bytes, allocs, err := countOnce(c, m.Op, out.Ops)
		if err != nil {
			return nil, failed(m.Subject, m.Op, err)
		}
		done += out.Ops
		fresh = bytes > memoryGarbage
		most.bytes, most.allocs = max(most.bytes, bytes), max(most.allocs, allocs)
		if try == 0 {
			least.bytes, least.allocs = bytes, allocs
		}
		least.bytes, least.allocs = min(least.bytes, bytes), min(least.allocs, allocs)
		switch {
		case try == 0 || allocs < out.Allocs || allocs == out.Allocs && bytes < out.Bytes:
			out.Bytes, out.Allocs, seen = bytes, allocs, 1
		case allocs == out.Allocs && bytes == out.Bytes:
			seen++
		}
	}
	if seen < memoryAgree {
		out.Bytes, out.Allocs = least.bytes, least.allocs
		out.MostBytes, out.MostAllocs = most.bytes, most.allocs
	}
	return out, s.settled(c, m.Op, "a count of memory", w, done, out.Ops)
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
func countOnce(c *bound, op result.Op, n int) (bytes, allocs uint64, err error) {
	c.mark.beat()
	c.seek(op)
	f := c.codec.op(op)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = f(n)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs, err
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
