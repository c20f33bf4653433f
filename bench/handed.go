package bench

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"assay/result"
)

// firstBytes is the largest total size in bytes of the messages of the first inputs.
const firstBytes = 4 << 20

// writeFirst returns the messages of the first inputs, for another process to read.
func (s *session) writeFirst(w Write) (*Written, error) {
	none := &Written{Messages: [][]byte{}}
	writer, reader := s.partner(w.Subject, result.Encode), s.partner(w.Subject, result.Decode)
	if writer != w.Subject && reader != w.Subject || !s.offers(reader, result.Decode) {
		return none, nil
	}
	if b, err := s.binding(writer); err != nil || !b.has(result.Encode) {
		return none, nil
	}
	c, err := s.bind(seat{Subject: writer}, result.Encode)
	if err != nil || c.codec.Placed {
		return none, err
	}
	var out [][]byte
	total := int64(0)
	c.restart(result.Encode)
	for i := range min(w.First, c.inputs) {
		if _, err := c.run(result.Encode, 1); err != nil {
			return nil, &elsewhere{input(i, failed(writer, result.Encode, err)), result.Encode}
		}
		b := c.codec.Encoded()
		total += int64(len(b))
		switch {
		case total > w.Bytes && i == 0:
			return none, nil
		case total > min(w.Bytes, firstBytes) && i > 0:
			return &Written{out}, nil
		}
		out = append(out, slices.Clone(b))
	}
	return &Written{out}, nil
}

// handing checks that a subject can read the messages of the first inputs.
func (s *session) handing(c Verify) error {
	reader := s.partner(c.Subject, result.Decode)
	switch n, all := len(c.Messages), len(s.loaded.models); {
	case !s.offers(reader, result.Decode):
		return fmt.Errorf("%s offers no decode", c.Subject)
	case n == 0 || n > all:
		return fmt.Errorf("there are %d messages for the first of %d inputs", n, all)
	}
	return nil
}

// handed checks that the subject decodes messages that it wrote in another process. In this
// process, the contender has none of the values.
func (v *verification) handed(messages [][]byte) error {
	c, err := v.bindNone(v.partner(v.who, result.Decode), len(messages))
	if err != nil {
		return err
	}
	c.use(messages, v.partner(v.who, result.Encode))
	if err := v.decode(c); err != nil {
		return err
	}
	return c.spares()
}

// bindNone binds a subject to no values, to decode so many messages. If the contender cannot be
// bound to an empty slice, bindNone binds it to the first value.
func (s *session) bindNone(who result.Subject, messages int) (*bound, error) {
	values := reflect.ValueOf(s.loaded.slice)
	c, err := s.tryAttach(who, result.Decode, values.Slice(0, 0).Interface(), messages)
	if errors.Is(err, errMark) {
		return nil, err
	}
	if err != nil {
		return s.attachTo(who, result.Decode, values.Slice(0, 1).Interface(), messages)
	}
	return c, nil
}

// tryAttach is attachTo for values that no workload has, such as an empty slice: it turns a
// contender's panic into an error.
func (s *session) tryAttach(who result.Subject, op result.Op, values any, inputs int) (b *bound, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return s.attachTo(who, op, values, inputs)
}
