package bench

import (
	"bytes"
	"reflect"
	"slices"
	"time"

	"assay/result"
)

// encodes is how often the same value is encoded to see whether its bytes vary. A map of eight
// entries, written in the order of Go's iteration, gives the same bytes that often once in 8 to
// the power of 29. If encoding takes longer than stretchFor, the value is large and has many
// maps or large ones, and two encodings suffice.
const encodes = 30

// habits observes how a subject treats the first input. It returns nil if the subject cannot
// write it. If the subject cannot read it, habits reports no aliases.
func (s *session) habits(who result.Subject) *result.Habits {
	writer, err := s.attach(s.partner(who, result.Encode), result.Encode)
	if err != nil {
		return nil
	}
	h := &result.Habits{}
	var message []byte
	start := time.Now()
	for i := range encodes {
		if i >= 2 && time.Since(start) > stretchFor {
			break
		}
		writer.restart(result.Encode)
		if _, err := writer.run(result.Encode, 1); err != nil {
			return nil
		}
		got := writer.codec.Encoded()
		if i == 0 {
			message = slices.Clone(got)
			h.Encoded = len(got)
		}
		h.Varies = h.Varies || !bytes.Equal(message, got)
	}
	if !s.offers(who, result.Encode) {
		h.Varies = false // the writer is another mode
	}
	if !s.offers(who, result.Decode) {
		return h
	}
	kept, err := s.decoded(who, slices.Clone(message))
	if err != nil {
		return h
	}
	reader, err := s.decoded(who, message)
	if err != nil {
		return h
	}
	for i := range message {
		message[i] = '#'
	}
	whole, after := kept.codec.Decoded(), reader.codec.Decoded()
	defer s.loaded.mark.meanwhile()()
	want, got := contentOf(whole), contentOf(after)
	if !slices.Equal(want.strings, got.strings) {
		h.Aliases = append(h.Aliases, "strings")
	}
	if !slices.Equal(want.bytes, got.bytes) {
		h.Aliases = append(h.Aliases, "bytes")
	}
	return h
}

// A content is all strings of a value, including map keys, and all its byte slices, each
// sorted: if map keys were overwritten, their entries cannot be found by key.
type content struct{ strings, bytes []string }

func contentOf(v any) content {
	var c content
	c.add(reflect.ValueOf(v))
	slices.Sort(c.strings)
	slices.Sort(c.bytes)
	return c
}

func (c *content) add(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			c.add(v.Elem())
		}
	case reflect.String:
		c.strings = append(c.strings, v.String())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				c.add(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			c.bytes = append(c.bytes, string(v.Bytes()))
			return
		}
		for i := range v.Len() {
			c.add(v.Index(i))
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			c.add(it.Key())
			c.add(it.Value())
		}
	}
}

// decoded returns a new codec of the subject that has decoded a message.
func (s *session) decoded(who result.Subject, message []byte) (*bound, error) {
	c, err := s.attach(who, result.Decode)
	if err != nil {
		return nil, err
	}
	c.use([][]byte{message}, who)
	_, err = c.call(result.Decode, 1)
	return c, err
}
