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

func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"plain, text.":           "plain, text.",
		"<img src=x> & more":     "&lt;img src=x> &amp; more",
		"a*b*_c_|[d](e) `f` \\g": "a\\*b\\*\\_c\\_\\|\\[d](e) \\`f\\` \\\\g",
		"one\ntwo":               "one two",
	} {
		if got := Markdown(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
