package verify

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBlame(t *testing.T) {
	tests := []struct{ name, names, quarrels, want string }{
		{"none", "a b c", "", ""},
		{"two", "a b", "ab", "a b"},
		{"the odd one", "a b c", "ca bc", "c"},
		{"a third agrees with both", "a b c", "ac", "a c"},
		{"one at odds with one of four", "a b c d", "ad", "a d"},
		{"two camps", "a b c d", "ac ad bc bd", "a b c d"},
		{"one against three that quarrel too", "a b c d", "ab ac ad bc", "a b c"},
		{"all", "a b c", "ab bc ac", "a b c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := make(quarrels)
			for _, p := range strings.Fields(tt.quarrels) {
				q.add(p[:1], p[1:], "why")
			}
			var got []string
			for _, f := range q.blame(strings.Fields(tt.names)) {
				got = append(got, f.name)
				if !strings.Contains(f.reason, "why") {
					t.Errorf("%s: reason %q", f.name, f.reason)
				}
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("at fault (-want +got):\n%s", diff)
			}
		})
	}
}
