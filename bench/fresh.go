package bench

import (
	"math"
	"reflect"
	"slices"
	"time"

	"assay/result"
	"assay/workload"
)

const (
	// freshTries is how many sets of new values a case is tried on, freshLeast how many
	// at least, and freshFor how long. A case that seems to remember values is tried on
	// freshSure sets, and for freshLong at most: what disturbs the machine makes times
	// longer, so that more tries bring both least times closer to what they are.
	freshTries = 11
	freshSure  = 44
	freshLeast = 5
	freshFor   = 50 * time.Millisecond
	freshLong  = 400 * time.Millisecond
	// freshInputs is how many values a set must have for one pass to be a measure.
	freshInputs = 8
)

// fresh measures a case on values that are new to the process and on values that it
// has seen many times: the least time of an operation of each, in nanoseconds, or
// zeros where there is no telling. Right before its pass either kind of values was
// written to memory, so that the caches know both alike.
func (s *session) fresh(b *bound, op result.Op, g *collector) (fresh, seen float64, err error) {
	v := s.loaded
	if !renewable(b, op) {
		return 0, 0, nil
	}
	var pass func(values any, models []workload.Model) (float64, error)
	switch op {
	case result.Encode:
		pass = func(_ any, models []workload.Model) (float64, error) { return s.filledPass(b, models) }
	case result.Decode:
		messages, from := b.messages, b.from
		defer func() { b.use(messages, from) }()
		pass = func(values any, _ []workload.Model) (float64, error) { return s.readPass(b, from, messages, values) }
	}
	start := time.Now()
	fresh, seen = math.Inf(1), math.Inf(1)
	for try := range freshSure {
		took := time.Since(start)
		enough := try >= freshTries || try >= freshLeast && took > freshFor
		if enough && (took > freshLong || !result.Remembers(fresh, seen)) {
			break
		}
		values, models, err := v.others(try)
		if err != nil {
			return 0, 0, err
		}
		g.between()
		for _, of := range []struct {
			values any
			models []workload.Model
			least  *float64
		}{{nil, v.models, nil}, {nil, v.models, nil}, {nil, v.models, &seen}, {values, models, &fresh}} {
			took, err := pass(of.values, of.models)
			if err != nil {
				if of.least == &fresh && v.load.Data != "" {
					return 0, 0, s.restore(b, op) // a variant need not be a value that it takes
				}
				return 0, 0, err
			}
			if of.least != nil {
				*of.least = min(*of.least, took)
			}
		}
	}
	return fresh, seen, s.restore(b, op)
}

// restore puts the inputs' own content back after op ran on another.
func (s *session) restore(b *bound, op result.Op) error {
	if op != result.Encode {
		return nil
	}
	return b.fill(s.loaded.models)
}

// renewable reports whether op can be run on values that are new to the process: encode
// where content changes in place, and decode, with enough inputs for a pass over them to
// be a measure.
func renewable(b *bound, op result.Op) bool {
	if b.codec.Placed || b.inputs < freshInputs || streams(b.Mode) || streams(b.from.Mode) {
		return false
	}
	return op == result.Encode && b.codec.Fill != nil || op == result.Decode && len(b.messages) == b.inputs
}

// fill puts contents into all inputs.
func (c *bound) fill(models []workload.Model) error {
	for i, m := range models {
		if err := c.codec.Fill(i, m); err != nil {
			return input(i, err)
		}
	}
	return nil
}

// filledPass encodes every input once, after it got its content.
func (s *session) filledPass(b *bound, models []workload.Model) (float64, error) {
	if err := b.fill(models); err != nil {
		return 0, err
	}
	return b.pass(result.Encode)
}

// readPass decodes every message once, after it was copied. Values are those to be
// encoded first; nil: the messages are those that there are.
func (s *session) readPass(b *bound, from result.Subject, messages [][]byte, values any) (float64, error) {
	if values != nil {
		var err error
		if messages, err = s.messagesOf(from, values, b.inputs); err != nil {
			return 0, err
		}
	}
	copies := make([][]byte, len(messages))
	for i, m := range messages {
		copies[i] = slices.Clone(m)
	}
	b.use(copies, from)
	return b.pass(result.Decode)
}

// messagesOf returns the messages that a subject writes of other values than those
// loaded, with a codec of its own.
func (s *session) messagesOf(from result.Subject, values any, inputs int) ([][]byte, error) {
	binding, err := s.binding(from)
	if err != nil {
		return nil, err
	}
	codec, err := binding.New(values)
	if err != nil {
		return nil, err
	}
	writer := newBound(from, codec, inputs)
	writer.restart(result.Encode)
	messages := make([][]byte, inputs)
	for i := range messages {
		if _, err := writer.run(result.Encode, 1); err != nil {
			return nil, err
		}
		messages[i] = slices.Clone(codec.Encoded())
	}
	return messages, nil
}

// pass runs op over every input once and returns the nanoseconds of an operation.
func (c *bound) pass(op result.Op) (float64, error) {
	c.restart(op)
	c.seek(op)
	_, t, err := timed(c.codec.op(op), c.inputs)
	if err != nil {
		return 0, err
	}
	c.advance(op, c.inputs)
	return float64(t.best()) / float64(c.inputs), nil
}

// others returns set i of as many other values, made once.
func (v *values) others(i int) (any, []workload.Model, error) {
	for len(v.further) <= i {
		slice, err := v.source(uint64(len(v.further) + 1))
		if err != nil {
			return nil, nil, err
		}
		v.further = append(v.further, slice)
	}
	all := reflect.ValueOf(v.further[i])
	ms, err := models(v.further[i], all.Len())
	return v.further[i], ms, err
}
