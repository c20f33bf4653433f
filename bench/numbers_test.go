package bench

import (
	"encoding/binary"
	"math"
	"testing"
)

// TestUnreadWords: a number of 32 bits that is in memory as part of a message only was not decoded,
// in either order of its bytes.
func TestUnreadWords(t *testing.T) {
	type message struct{ raw []byte }
	for name, test := range map[string]struct {
		model any
		word  uint32
	}{
		"int32":                      {&struct{ N int32 }{-30_000_001}, math.MaxUint32 - 30_000_000},
		"uint32":                     {&struct{ N uint32 }{4_000_000_001}, 4_000_000_001},
		"an int64 that fits":         {&struct{ N int64 }{30_000_001}, 30_000_001},
		"float32":                    {&struct{ N float32 }{1234.567}, math.Float32bits(1234.567)},
		"a float64 has no such form": {&struct{ N float64 }{1234.567}, 0},
	} {
		for order, put := range map[string]func([]byte, uint32) []byte{
			"little-endian": binary.LittleEndian.AppendUint32, "big-endian": binary.BigEndian.AppendUint32,
		} {
			before := memoryOf(&message{put([]byte("id"), test.word)})
			if got := before.unread(test.model, memoryOf(struct{}{})); (got != "") != (test.word != 0) {
				t.Errorf("%s, %s: unread %q", name, order, got)
			}
		}
	}
}
