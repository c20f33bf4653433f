package bench

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

func TestHabits(t *testing.T) {
	for _, test := range []struct {
		contender, mode string
		want            *result.Habits
	}{
		{contender: "copying", want: &result.Habits{Encoded: 512}},
		{contender: "alias", want: &result.Habits{Encoded: 512, Aliases: []string{"strings"}}},
		{contender: "varying", want: &result.Habits{Encoded: 61, Varies: true}},
		{contender: "json", mode: "target=reuse", want: &result.Habits{Encoded: 60}},
		{contender: "lossy", want: &result.Habits{Encoded: 60}},
		{contender: "failing", want: &result.Habits{Encoded: 60}},
		{contender: "mute"},
		{contender: "wrongconvert"},
	} {
		subject := result.Subject{Contender: test.contender, Mode: test.mode}
		a := ask(t, program(), 1, Command{Cmd: "verify", Verify: &Verify{Subject: subject, Habits: true}})
		if a.Verified == nil {
			t.Errorf("%v: %+v", subject, a)
			continue
		}
		if diff := cmp.Diff(test.want, a.Verified.Habits); diff != "" {
			t.Errorf("%v (-want +got):\n%s", subject, diff)
		}
	}
}
