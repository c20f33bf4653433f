package phrase

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	for want, got := range map[string]string{
		"0 cases": Count(0, "case"), "1 case": Count(1, "case"), "2 batches": Count(2, "batch"), "1 batch": Count(1, "batch"),
		"2 entries": Count(int64(2), "entry"), "3 keys": Count(3, "key"), "1 entry": Count(1, "entry"), "y": Things(1, "y"), "ys": Things(2, "y"),
		"1,234,567 of -1,000 and -100 in 999": Grouped(1234567) + " of " + Grouped(-1000) + " and " + Grouped(-100) + " in " + Grouped(999),
		"":                                    Sentence("") + Some(nil, 2), "a and b": Some([]string{"a", "b"}, 2), "a, b and 2 more": Some([]string{"a", "b", "c", "d"}, 2),
		"1ms": Seconds(time.Microsecond), "230ms": Seconds(230 * time.Millisecond), "12.5s": Seconds(12_460 * time.Millisecond),
		"It ends.": Sentence("it ends"), "Once.": Sentence("once."), "a": FirstLine("a\nb"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSeveral(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "1", 20: "20", 21: "and 1 more like these", 50: "and 30 more like these"} {
		var lines, said []string
		for i := range n {
			lines = append(lines, fmt.Sprint(i+1))
		}
		Several(lines, func(line string) { said = append(said, line) })
		if last := append([]string{""}, said...)[len(said)]; last != want || len(said) != min(n, 21) {
			t.Errorf("of %d lines %d are said, the last %q; want %q", n, len(said), last, want)
		}
	}
}

func TestParagraphs(t *testing.T) {
	text := strings.Repeat("seven c ", 30)
	var b strings.Builder
	if err := Paragraphs(&b, text, "", text); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{b.String(), Bullets([]string{text, text})} {
		if strings.Join(strings.Fields(strings.ReplaceAll(out, "-", "")), " ") != strings.Join(strings.Fields(text+text), " ") {
			t.Errorf("words are lost:\n%s", out)
		}
		for _, line := range strings.Split(out, "\n") {
			if len(line) > 80 || strings.TrimRight(line, " ") != line {
				t.Errorf("%d columns: %q", len(line), line)
			}
		}
	}
}

func TestShellLine(t *testing.T) {
	for want, words := range map[string][]string{
		"assay show 20260102-150405-ab12":           {"assay", "show", "20260102-150405-ab12"},
		`assay run -c '^(a|b)$' -o 'encode|decode'`: {"assay", "run", "-c", "^(a|b)$", "-o", "encode|decode"},
		`assay show 'my runs/x' '' 'it'\''s' '~/a'`: {"assay", "show", "my runs/x", "", "it's", "~/a"},
		"a=1,b:2 ../x@v1.2.3+meta%":                 {"a=1,b:2", "../x@v1.2.3+meta%"},
	} {
		if got := ShellLine(words...); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

// One word has quotes only if a shell needs them.
func TestShellLineOfAWord(t *testing.T) {
	for s, want := range map[string]string{
		"":                    "''",
		"a.b=int64":           "a.b=int64",
		"A-z_09/x:y,z@w%1+2":  "A-z_09/x:y,z@w%1+2",
		"a b":                 "'a b'",
		"a\tb":                "'a\tb'",
		"a\nb":                "'a\nb'",
		"a\rb":                "'a\rb'",
		"it's":                `'it'\''s'`,
		`"a"[].*`:             `'"a"[].*'`,
		"^a":                  "'^a'",
		"größe":               "'größe'",
		"a\u00a0b":            "'a\u00a0b'",
		"$(x)`y`&&z|w;<>?~#!": "'$(x)`y`&&z|w;<>?~#!'",
	} {
		if got := ShellLine(s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
}

func TestList(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := List(words, "or"); got != want {
			t.Errorf("%q is written %q, want %q", words, got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	for s, want := range map[string]string{"": "", "a word": "A word.", "done.": "Done.", "ärger": "Ärger."} {
		if got := Sentence(s); got != want {
			t.Errorf("Sentence(%q) = %q, want %q", s, got, want)
		}
	}
}
