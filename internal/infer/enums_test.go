package infer

import (
	"strings"
	"testing"
)

// Texts that may be an enum give one guess for all kinds of a union. The guess counts all texts that
// the flag makes an enum.
func TestEnumsOfKinds(t *testing.T) {
	sample := func(begin, end string) string {
		var b strings.Builder
		for i := range 20 {
			b.WriteString(`{"ph":"` + string(begin[i%2]) + `","cat":"x` + string("ab"[i%2]) + `","dur":1,"start":2,"thread":3}` + "\n")
			b.WriteString(`{"ph":"` + end + `","cat":"y` + string("ab"[i%2]) + `","id":"0x1","scope":"s","name":"n"}` + "\n")
		}
		return b.String()
	}
	for _, test := range []struct{ name, sample, want string }{
		{"texts of all", sample("XB", "e"), "ph: 40 texts are one of 3, such as \"X\"|cat: 40 texts are one of 4, such as \"xa\""},
		{"texts that would have one name", sample("EB", "e"), "cat: 40 texts are one of 4, such as \"xa\""},
	} {
		r := inferred(t, test.sample)
		var got []string
		for _, g := range r.Guesses {
			if strings.HasSuffix(g.Overrule, "=enum") {
				got = append(got, g.Path+": "+g.Reason)
			}
		}
		if all := strings.Join(got, "|"); all != test.want {
			t.Errorf("%s: the guesses are %s, want %s", test.name, all, test.want)
		}
		if len(unionsOf(r.Schema)) != 1 {
			t.Errorf("%s: it is no union", test.name)
		}
		overruleAll(t, test.name, "", Bytes("f", []byte(test.sample)))
	}
}
