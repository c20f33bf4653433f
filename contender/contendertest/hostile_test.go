package contendertest

import (
	"bytes"
	"slices"
	"testing"
)

// The default mode reads every lie. Between them, all other modes read every one too, and
// each of them those in the place of a list or map.
func TestLies(t *testing.T) {
	const turns = 3
	for format, message := range map[string][]byte{
		"msgpack": {0x82, 0xA2, 'a', 'b', 0x91, 0xC0, 0xA1, 'c', 0xDC, 0, 1, 5, 6, 7},
		"cbor":    {0xA2, 0x62, 'a', 'b', 0x81, 0xF6, 0x61, 'c', 0x99, 0, 1, 5, 6, 7},
	} {
		nested := []int{0, 4, 5, 8}
		all := lies(format, message, 0, 1)
		if want := 2 * len(message); len(all) != want {
			t.Errorf("%s: the default mode reads %d lies, want %d", format, len(all), want)
		}
		seen := map[string]int{}
		for turn := range turns {
			for _, d := range lies(format, message, turn, turns) {
				seen[d.how]++
				if !slices.ContainsFunc(all, func(a damage) bool { return a.how == d.how && bytes.Equal(a.data, d.data) }) {
					t.Errorf("%s: the default mode does not read the message %s", format, d.how)
				}
			}
		}
		for i, d := range all {
			want := 1
			if slices.Contains(nested, i/2) {
				want = turns
			}
			if seen[d.how] != want {
				t.Errorf("%s: %d modes read the message %s, want %d", format, seen[d.how], d.how, want)
			}
		}
	}
}
