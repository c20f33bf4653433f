package bench

import (
	"math"
	"math/rand/v2"
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
	known := contents{models: v.models, messages: b.messages}
	place, from := v.exchange(), b.from
	defer place.undo()
	if reads(op) {
		defer func() { b.use(known.messages, from) }()
	}
	pass := func(c contents) (float64, error) {
		switch {
		case reads(op):
			b.use(copies(c.messages), from)
		case op == result.Convert:
			place.put(c.values)
		default:
			if err := b.fill(c.models); err != nil {
				return 0, err
			}
		}
		return b.pass(op)
	}
	start := time.Now()
	fresh, seen = math.Inf(1), math.Inf(1)
	for try := range freshSure {
		took := time.Since(start)
		enough := try >= freshTries || try >= freshLeast && took > freshFor
		if enough && (took > freshLong || !result.Remembers(fresh, seen)) {
			break
		}
		other, err := s.otherContent(op, from, b.inputs)
		if err != nil {
			return s.untaken(b, op, err)
		}
		g.between()
		for _, of := range []struct {
			contents
			least *float64
		}{{known, nil}, {known, nil}, {known, &seen}, {other, &fresh}} {
			took, err := pass(of.contents)
			if err != nil && of.least == &fresh {
				return s.untaken(b, op, err)
			}
			if err != nil {
				return 0, 0, err
			}
			if of.least != nil {
				*of.least = min(*of.least, took)
			}
		}
	}
	return fresh, seen, s.restore(b, op)
}

// Contents are what a pass is over: models, the slice of values that they are in, nil for
// the inputs, and for ops that read the messages of these.
type contents struct {
	values   any
	models   []workload.Model
	messages [][]byte
}

// otherContent returns content that is new to the process, made in full: no work stands
// between a pass over known content and one over new.
func (s *session) otherContent(op result.Op, from result.Subject, inputs int) (c contents, err error) {
	if c.values, c.models, err = s.loaded.others(); err == nil && reads(op) {
		c.messages, err = s.messagesOf(from, c.values, inputs)
	}
	return c, err
}

// untaken returns no times where other content fails that is a variant of a user's: it
// need not be what the contender takes.
func (s *session) untaken(b *bound, op result.Op, err error) (fresh, seen float64, _ error) {
	if s.loaded.load.Data == "" {
		return 0, 0, err
	}
	return 0, 0, s.restore(b, op)
}

// restore puts the inputs' own content back after op ran on another.
func (s *session) restore(b *bound, op result.Op) error {
	if op != result.Encode {
		return nil
	}
	return b.fill(s.loaded.models)
}

// renewable reports whether op can be run on values that are new to the process: where
// content changes in place, or messages are read, with enough inputs for a pass over them
// to be a measure.
func renewable(b *bound, op result.Op) bool {
	if b.codec.Placed || b.inputs < freshInputs || streams(b.Mode) || streams(b.from.Mode) {
		return false
	}
	switch op {
	case result.Encode:
		return b.codec.Fill != nil
	case result.Convert:
		return true
	case result.Decode, result.Open, result.Scan:
		return len(b.messages) == b.inputs
	}
	return false
}

// An exchange puts other values where convert finds the inputs, in the slice that codecs
// were bound to, and the inputs back.
type exchange struct{ place, own reflect.Value }

// exchange keeps the inputs apart.
func (v *values) exchange() exchange {
	place := reflect.ValueOf(v.slice)
	own := reflect.MakeSlice(place.Type(), place.Len(), place.Len())
	reflect.Copy(own, place)
	return exchange{place, own}
}

// put puts copies of values in the place of the inputs; nil: copies of the inputs.
func (x exchange) put(values any) {
	if values == nil {
		values = x.own.Interface()
	}
	reflect.Copy(x.place, reflect.ValueOf(workload.Clone(values)))
}

// undo puts the inputs back.
func (x exchange) undo() { reflect.Copy(x.place, x.own) }

// fill puts contents into all inputs.
func (c *bound) fill(models []workload.Model) error {
	for i, m := range models {
		if err := c.codec.Fill(i, m); err != nil {
			return input(i, err)
		}
	}
	return nil
}

// copies returns messages in memory of their own.
func copies(messages [][]byte) [][]byte {
	out := make([][]byte, len(messages))
	for i, m := range messages {
		out[i] = slices.Clone(m)
	}
	return out
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

// others returns as many other values, which no process had before: nothing that an
// earlier one left on a disk, and no other case, knows them.
func (v *values) others() (any, []workload.Model, error) {
	slice, err := v.source(rand.Uint64() >> 32)
	if err != nil {
		return nil, nil, err
	}
	ms, err := models(slice, 0)
	return slice, ms, err
}
