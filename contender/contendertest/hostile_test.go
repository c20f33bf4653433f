package contendertest

import (
	"bytes"
	"slices"
	"testing"

	"assay/bench"
)

// The default mode reads every lie. The other modes together read every lie too, and each of
// them reads the lies in the place of a list or map.
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

// unsafeReads gives modes different turns: the other modes together read all that the default
// mode reads.
func TestTurns(t *testing.T) {
	c, bindings := fake(none)
	read := map[string]map[string]bool{}
	var all []bench.Binding
	for _, mode := range []string{"", "x=1", "x=2"} {
		b := bindings[0]
		b.Mode = mode
		read[mode] = map[string]bool{}
		open := b.New
		b.New = func(values any) (*bench.Codec, error) {
			codec, err := open(values)
			if err == nil {
				use := codec.Use
				codec.Use = func(messages [][]byte) {
					read[mode][string(messages[0])] = true
					use(messages)
				}
			}
			return codec, err
		}
		all = append(all, b)
	}
	if wrong, err := unsafeReads(c, all, []text{{"seven"}}); err != nil || len(wrong) > 0 {
		t.Fatal(wrong, err)
	}
	for message := range read[""] {
		if !read["x=1"][message] && !read["x=2"][message] {
			t.Errorf("only the default mode reads %q", message)
		}
	}
	for _, mode := range []string{"x=1", "x=2"} {
		if len(read[mode]) >= len(read[""]) {
			t.Errorf("%s reads %d messages, as the default mode does", mode, len(read[mode]))
		}
	}
}
