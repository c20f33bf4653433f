package bench

import "errors"

// cold times the first call of an op in this process. The collector is off during the call,
// because a collection that loading the values caused does not belong to it.
func (s *session) cold(c Cold) (*First, error) {
	v, err := s.need()
	if err != nil {
		return nil, err
	}
	if s.warm {
		return nil, errors.New("a contender's code has already run in this process: start a new runner and send cold right after load")
	}
	b, err := s.prepare(c.Subject, c.Op)
	if err != nil {
		return nil, err
	}
	if err := v.mark.set(c.Subject, c.Op); err != nil {
		return nil, err
	}
	g := takeCollector()
	defer g.release()
	w := beginWatch()
	start := b.seek(c.Op)
	sum, t, err := timed(b.codec.op(c.Op), 1)
	if err != nil {
		return nil, failed(c.Subject, c.Op, err)
	}
	b.advance(c.Op, 1)
	if err := s.settled(b, c.Op, "the first call", w, 0, 1); err != nil {
		return nil, err
	}
	// The check runs the op again, so it comes after the timed call.
	k, err := newChecker(b, c.Op, g.between)
	if err == nil {
		err = k.check(start, 1, sum)
	}
	if err != nil {
		return nil, failed(c.Subject, c.Op, err)
	}
	return &First{NS: t.wall}, nil
}
