package plaintext

import "testing"

func TestCode(t *testing.T) {
	for text, want := range map[string]string{
		"user.id":        "`user.id`",
		"a`<img src=x>`": "`` a`<img src=x>` ``",
		"``":             "``` `` ```",
		"one\ntwo":       "`one two`",
		"":               "`  `",
	} {
		if got := Code(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
