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
		"~~a~~ and ~2":           `\~\~a\~\~ and \~2`,
		"# a":                    "# a",
	} {
		if got := Markdown(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// A paragraph or an item that begins with a text is that text, and no block of another kind.
func TestMarkdownParagraph(t *testing.T) {
	for text, want := range map[string]string{
		"# a.ndjson: 3 records": `\# a.ndjson: 3 records`,
		"###### a":              `\###### a`,
		"####### a":             "####### a",
		"#1 of 2":               "#1 of 2",
		">a":                    `\>a`,
		"- a":                   `\- a`,
		"+ a":                   `\+ a`,
		"+1.2%: more":           "+1.2%: more",
		"-":                     `\-`,
		"---":                   `\---`,
		"-- - -":                `\-- - -`,
		"--flag says":           "--flag says",
		"1. a":                  `1\. a`,
		"12) a":                 `12\) a`,
		"1.5 times":             "1.5 times",
		"1234567890. a":         "1234567890. a",
		"    a":                 "a",
		"* a ~b~":               `\* a \~b\~`,
		"":                      "",
	} {
		if got := MarkdownParagraph(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
