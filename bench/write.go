package bench

import (
	"fmt"

	"assay/result"
)

// write returns the encoded messages of the inputs.
func (s *session) write(w Write) (*Written, error) {
	if _, err := s.need(); err != nil {
		return nil, err
	}
	if w.Bytes < 1 || w.Bytes > maxCount {
		return nil, fmt.Errorf("bytes is %d, want 1 to %d", w.Bytes, maxCount)
	}
	if _, err := s.binding(w.Subject); err != nil {
		return nil, err
	}
	if w.First < 0 {
		return nil, fmt.Errorf("first is %d, want 0 or more", w.First)
	}
	if w.First > 0 {
		return s.writeFirst(w)
	}
	messages, err := s.messages(s.partner(w.Subject, result.Encode))
	if err != nil {
		return nil, err
	}
	var total int64
	for _, b := range messages {
		total += int64(len(b))
	}
	if total > w.Bytes {
		return nil, fmt.Errorf("the messages have %d bytes together, more than the %d allowed", total, w.Bytes)
	}
	return &Written{messages}, nil
}
