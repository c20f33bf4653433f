package bench

import (
	"slices"
	"strings"

	"assay/result"
)

// floor returns the codec of a subject's floor. It has op encode only, and encode copies the
// bytes that the subject's encode has to write. An encoder that returns bytes in a buffer
// cannot do less. The codec copies the messages of the first inputs; 0 means all inputs.
func (s *session) floor(who result.Subject, inputs int) (*bound, error) {
	at := seat{who, result.Floor, inputs}
	if c := s.loaded.bound[at]; c != nil {
		return c, nil
	}
	messages, err := s.outputs(who, result.Encode, inputs)
	if err != nil {
		return nil, err
	}
	c := newBound(who, newFloor(messages, who.Mode), len(messages))
	s.loaded.bound[at] = c
	return c, nil
}

// A floorCodec copies messages in turn. Its loops equal those of the generated codecs, so that
// the loop costs the same on both sides of a ratio.
type floorCodec struct {
	at       int
	messages [][]byte
	out      []byte
}

// newFloor returns the codec of the floor in a mode. It reuses its buffer if the mode says
// output=reuse, and allocates one for each message otherwise.
func newFloor(messages [][]byte, mode string) *Codec {
	c := &floorCodec{messages: messages}
	f := &Codec{
		Seek:    func(i int) { c.at = i },
		Encode:  c.fresh,
		Encoded: func() []byte { return c.out },
	}
	if slices.Contains(strings.Split(mode, ","), "output=reuse") {
		f.Encode = c.reuse
	}
	return f
}

func (c *floorCodec) fresh(n int) (sum uint64, err error) {
	messages, i, out := c.messages, c.at, c.out
	for ; n > 0; n-- {
		out = append([]byte(nil), messages[i]...)
		sum += uint64(len(out))
		if i++; i == len(messages) {
			i = 0
		}
	}
	c.at, c.out = i, out
	return sum, nil
}

func (c *floorCodec) reuse(n int) (sum uint64, err error) {
	messages, i, out := c.messages, c.at, c.out
	for ; n > 0; n-- {
		out = append(out[:0], messages[i]...)
		sum += uint64(len(out))
		if i++; i == len(messages) {
			i = 0
		}
	}
	c.at, c.out = i, out
	return sum, nil
}
