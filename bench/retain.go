package bench

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"

	"assay/result"
)

// retain measures by how much the live heap grows if decoded values are kept and nothing else
// changes. Sometimes the runtime starts a thread during a measurement, which takes 5 KB. This
// only adds bytes, so the measurement is repeated until its least value was seen three times.
func (s *session) retain(r Retain) (*Retained, error) {
	v, err := s.need()
	if err != nil {
		return nil, err
	}
	inputs := len(v.models)
	passes, err := wholePasses("messages", r.Messages, inputs)
	if err != nil {
		return nil, err
	}
	s.dropBallast() // it does not belong to the retained heap
	c, err := s.prepare(r.Subject, result.Decode)
	if err != nil {
		return nil, err
	}
	if c.codec.Value == nil {
		return nil, fmt.Errorf("%s does not give its decoded values away: the codec has no Value", r.Subject)
	}
	messages, err := s.messages(c.from)
	if err != nil {
		return nil, err
	}
	if err := v.mark.set(r.Subject, result.Decode); err != nil {
		return nil, err
	}
	w := beginWatch()
	// The pass before the measurements fills caches.
	if _, err := c.decodeAll(messages, make([]any, 0, inputs)); err != nil {
		return nil, failed(r.Subject, result.Decode, err)
	}
	out := &Retained{Messages: passes * inputs}
	for _, m := range messages {
		out.Encoded += int64(len(m)) * int64(passes)
	}
	for try, seen := 0, 0; try < memoryTries && seen < memoryAgree; try++ {
		bytes, err := c.keep(messages, passes)
		if err != nil {
			return nil, failed(r.Subject, result.Decode, err)
		}
		switch {
		case try == 0 || bytes < out.Bytes:
			out.Bytes, seen = bytes, 1
		case bytes == out.Bytes:
			seen++
		}
	}
	runtime.KeepAlive(s)
	err = s.rightValue(c, inputs-1, c.codec.Decoded())
	if err != nil {
		err = input(inputs-1, err)
	}
	if !s.intact() {
		err = errors.New(s.change())
	}
	if err != nil {
		return nil, wrongly(r.Subject, result.Decode, fmt.Errorf("seen in values that were kept: %w", err))
	}
	if err := w.charge(r.Subject, result.Decode, "retain"); err != nil {
		return nil, err
	}
	return out, nil
}

// keep decodes all messages passes times, keeps the values, and returns by how many bytes the
// live heap grew.
func (c *bound) keep(messages [][]byte, passes int) (bytes int64, err error) {
	kept := make([]any, 0, passes*len(messages))
	// The codec holds its last value before and after the measurement. last keeps the value of
	// before alive, so that both heaps contain one such value.
	last := c.codec.Value()
	before := liveBytes()
	for range passes {
		if kept, err = c.decodeAll(messages, kept); err != nil {
			return 0, err
		}
	}
	bytes = liveBytes() - before
	return bytes, distinct(append(kept, last))
}

// decodeAll decodes a copy of each message and appends the values to kept. When
// it returns, only the values may refer to the copies.
func (c *bound) decodeAll(messages [][]byte, kept []any) ([]any, error) {
	copies := make([][]byte, len(messages))
	for i, m := range messages {
		copies[i] = slices.Clone(m)
	}
	from := c.from
	c.use(copies, from)
	defer c.use(messages, from)
	for i := range copies {
		sum, err := c.run(result.Decode, 1)
		if err == nil {
			err = counted(sum, 1)
		}
		if err != nil {
			return nil, input(i, err)
		}
		value := c.codec.Value()
		if value == nil {
			return nil, input(i, errors.New("there is no decoded value"))
		}
		kept = append(kept, value)
	}
	return kept, nil
}

// liveBytes returns the total size of all reachable objects on the heap, in bytes as the
// allocator rounds them.
func liveBytes() int64 {
	runtime.GC()
	runtime.GC() // objects in pools survive the first collection
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// distinct reports values that are the same object. A mode that decodes into the previous value
// keeps only one value, however many messages it decodes.
func distinct(values []any) error {
	seen := make(map[uintptr]bool, len(values))
	for _, v := range values {
		p := reflect.ValueOf(v)
		if p.Kind() != reflect.Pointer {
			continue
		}
		if seen[p.Pointer()] {
			return errors.New("two messages were decoded into the same value: only modes with a new value for each can be asked what their values keep")
		}
		seen[p.Pointer()] = true
	}
	return nil
}
