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
	// freshTries is on how many sets of new values a case is tried; freshLeast is the least
	// number and freshFor the time limit. If a case seems to remember values, it is tried on up
	// to freshSure sets, for freshLong at most: disturbances make times longer, so more tries
	// bring both least times closer to the true ones.
	freshTries = 11
	freshSure  = 44
	freshLeast = 5
	freshFor   = 50 * time.Millisecond
	freshLong  = 400 * time.Millisecond
	// freshInputs is how many values a set must have for one pass over it to be a valid
	// measurement.
	freshInputs = 8
)

// fresh measures a case on values that are new to the process and on values that it has seen
// many times. It returns the least time of one operation on each, in nanoseconds, or zeros if
// op cannot run on new values. Both kinds of values are written to memory right before their
// pass, so that the caches treat them alike.
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

// Contents are the content of a pass: models, the slice that holds them, and, for ops that read
// messages, their messages. values is nil for the inputs.
type contents struct {
	values   any
	models   []workload.Model
	messages [][]byte
}

// otherContent returns content that is new to the process. All of it is made beforehand, so
// that no work stands between a pass over known content and a pass over new content.
func (s *session) otherContent(op result.Op, from result.Subject, inputs int) (c contents, err error) {
	if c.values, c.models, err = s.loaded.others(); err == nil && reads(op) {
		c.messages, err = s.messagesOf(from, c.values, inputs)
	}
	return c, err
}

// untaken handles an error of op on new content. If the values are a user's, the new content is
// a variant that the contender need not accept, and untaken returns zero times without an
// error.
func (s *session) untaken(b *bound, op result.Op, err error) (fresh, seen float64, _ error) {
	if s.loaded.load.Data == "" {
		return 0, 0, err
	}
	return 0, 0, s.restore(b, op)
}

// restore puts the content of the inputs back after op ran on other content.
func (s *session) restore(b *bound, op result.Op) error {
	if op != result.Encode {
		return nil
	}
	return b.fill(s.loaded.models)
}

// renewable reports whether op can run on values that are new to the process. The codec must
// read messages or be able to change content in place, and have enough inputs for one pass over
// them to be a valid measurement.
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

// An exchange puts other values into the slice that codecs were bound to, where convert finds
// the inputs, and restores the inputs.
type exchange struct{ place, own reflect.Value }

// exchange keeps a copy of the inputs.
func (v *values) exchange() exchange {
	place := reflect.ValueOf(v.slice)
	own := reflect.MakeSlice(place.Type(), place.Len(), place.Len())
	reflect.Copy(own, place)
	return exchange{place, own}
}

// put replaces the inputs by copies of values; nil means copies of the inputs.
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

// copies returns copies of the messages, each in memory of its own.
func copies(messages [][]byte) [][]byte {
	out := make([][]byte, len(messages))
	for i, m := range messages {
		out[i] = slices.Clone(m)
	}
	return out
}

// messagesOf returns the messages that a subject writes for values other than the loaded ones.
// It uses a new codec.
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

// pass runs op over every input once and returns the nanoseconds of one operation.
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

// others returns as many other values as there are inputs. No process had them before, so
// neither another case nor a file that an earlier process left can know them.
func (v *values) others() (any, []workload.Model, error) {
	slice, err := v.source(rand.Uint64() >> 32)
	if err != nil {
		return nil, nil, err
	}
	ms, err := models(slice, 0)
	return slice, ms, err
}
