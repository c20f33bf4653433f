package claims

import (
	"slices"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	l := &Ledger{
		Sources: []Source{{ID: "x"}, {ID: "y"}},
		Claims:  []*Claim{{ID: "a", Source: "x"}, {ID: "b", Source: "x"}, {ID: "3", Source: "y"}},
	}
	for _, test := range []struct {
		source string
		wanted string
		want   string // the IDs, or the error
	}{
		{"", "", "a b 3"},
		{"x", "", "a b"},
		{"", "b 1", "a b"},
		{"", "02", "b"}, // a number, however it is written
		{"", "b 01", "a b"},
		{"", "3", "3"},
		{"", "4", `there is no claim "4"`},
		{"", "0", `there is no claim "0"`},
		{"", "-1", `there is no claim "-1"`},
		{"y", "a", "claim a is of source x, not of y"},
		{"z", "", `there is no source "z"`},
	} {
		got, err := l.Choose(test.source, strings.Fields(test.wanted))
		if err != nil {
			if !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("%q of %q: %v, want %s", test.wanted, test.source, err, test.want)
			}
			continue
		}
		if !slices.Equal(got, strings.Fields(test.want)) {
			t.Errorf("%q of %q: chosen %q, want %q", test.wanted, test.source, got, test.want)
		}
	}
}
