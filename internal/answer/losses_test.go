package answer

import (
	"slices"
	"testing"

	"assay/contender"
	"assay/result"
)

// What verification observed counts for a subject. What it observed of all records in a contender's
// default mode counts for its other modes too if these were verified on fewer.
func TestLossesOfModes(t *testing.T) {
	plain, mode := result.Subject{Contender: "sonic"}, result.Subject{Contender: "sonic", Mode: "config=std"}
	all := []bench{{"encoding/json", "", 1000, 3000, 200, 0}, {"sonic", "", 300, 500, 200, 0}, {"sonic", "config=std", 310, 510, 200, 0}}
	for _, test := range []struct {
		name        string
		losses      map[result.Subject][]contender.Loss
		unknown     bool // the mode was verified on some records only
		plain, mode bool // whether they meet lossless
	}{
		{"none", nil, false, true, true},
		{"of the default", map[result.Subject][]contender.Loss{plain: {contender.NegZero}}, false, false, true},
		{"of the default, on more records", map[result.Subject][]contender.Loss{plain: {contender.NegZero}}, true, false, false},
		{"of the mode", map[result.Subject][]contender.Loss{mode: {contender.NegZero}}, false, true, false},
	} {
		q := asks("encoding/json", []string{Lossless}, all...)
		q.Losses = test.losses
		if test.unknown {
			delete(q.Bytes, mode)
		}
		a := Of(q)
		for s, want := range map[result.Subject]bool{plain: test.plain, mode: test.mode} {
			if c := a.Candidate(s); (len(c.Unmet) == 0) != want || slices.Contains(c.Losses, contender.NegZero) == want {
				t.Errorf("%s: %s: losses %v, unmet %q", test.name, s, c.Losses, c.Unmet)
			}
		}
	}
}

// A mode that aliases says what verification saw: some libraries alias bytes only.
func TestWhatAliases(t *testing.T) {
	mode := result.Subject{Contender: "packer", Mode: "strings=alias"}
	for want, aliases := range map[string][]string{
		"strings point into the message":           nil,
		"bytes point into the message":             {"bytes"},
		"strings and bytes point into the message": {"strings", "bytes"},
	} {
		q := asks("encoding/json", nil, usual...)
		q.Aliases = map[result.Subject][]string{mode: aliases}
		if c := Of(q).Candidate(mode); !slices.Equal(c.Unsafe, []string{want}) {
			t.Errorf("%v: %q, want %q", aliases, c.Unsafe, want)
		}
	}
}
