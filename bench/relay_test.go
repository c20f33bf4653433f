package bench

import (
	"strings"
	"testing"

	"assay/result"
)

// TestRelayRefused: a relay with arguments out of range, or with descriptors that are not open,
// is an error.
func TestRelayRefused(t *testing.T) {
	rounds := func(change func(*Rounds)) *Rounds {
		r := &Rounds{
			Cases:  []CaseSpec{{Subject: result.Subject{Contender: "a"}, Op: result.Encode, N: 20}},
			Rounds: 2, Relay: &Relay{In: 1003, Out: []int{1004, 1005}},
		}
		change(r)
		return r
	}
	for want, r := range map[string]*Rounds{
		"relay: place 2 of 2 processes":                         rounds(func(r *Rounds) { r.Relay.Place = 2 }),
		"relay: place -1 of 2 processes":                        rounds(func(r *Rounds) { r.Relay.Place = -1 }),
		"relay: place 0 of 1 processes":                         rounds(func(r *Rounds) { r.Relay.Out = r.Relay.Out[:1] }),
		"relay: descriptor 0 is none that was handed on":        rounds(func(r *Rounds) { r.Relay.In = 0 }),
		"relay: descriptor 1 is none that was handed on":        rounds(func(r *Rounds) { r.Relay.Out[1] = 1 }),
		"so that there is no limit_ns and no sentinel":          rounds(func(r *Rounds) { r.Sentinel = true }),
		"take the same turns, so that there is no limit_ns and": rounds(func(r *Rounds) { r.LimitNS = 1 }),
		"relay: bad file descriptor":                            rounds(func(*Rounds) {}),
	} {
		a := ask(t, program(), 7, Command{Cmd: "rounds", Rounds: r})
		if !strings.Contains(a.Error, want) {
			t.Errorf("error %q, want %q", a.Error, want)
		}
	}
}
