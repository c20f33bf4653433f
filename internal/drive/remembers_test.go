package drive

import (
	"testing"
	"time"

	"assay/result"
)

// TestUnseenGoesOn: a case that would lose its numbers is tried again and again, up to a limit
// that is generous enough for a busy machine.
func TestUnseenGoesOn(t *testing.T) {
	const none = 1 + result.SeenMargin/2
	const some = 1 + (result.SeenMargin+result.RenewMargin)/2
	const much = 1 + 2*result.RenewMargin
	for _, test := range []struct {
		name  string
		gain  float64 // time on new values over time on known ones
		tries int
		took  time.Duration
		want  bool
	}{
		{"two tries tell nothing", none, unseenLeast - 1, 2 * unseenLong, true},
		{"no gain", none, unseenTries - 1, 0, true},
		{"no gain is enough", none, unseenTries, 0, false},
		{"no gain, and long", none, unseenLeast, unseenFor + 1, false},
		{"a gain", some, unseenSure - 1, 0, true},
		{"a gain is sure", some, unseenSure, 0, false},
		{"a gain, and long", some, unseenLeast, unseenFor + 1, false},
		{"withdrawn", much, unseenSure - 1, unseenLong, true},
		{"withdrawn is sure", much, unseenSure, 0, false},
		{"withdrawn, and too long", much, unseenLeast, unseenLong + 1, false},
	} {
		u := &unseen{times: []Times{{Fresh: 1, Seen: 1}, {Fresh: test.gain, Seen: 1}}}
		if got := u.goesOn(test.tries, test.took); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
