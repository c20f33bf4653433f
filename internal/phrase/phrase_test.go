package phrase

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestCount(t *testing.T) {
	for want, got := range map[string]string{
		"0 cases": Count(0, "case"), "1 case": Count(1, "case"), "2 batches": Count(2, "batch"), "1 batch": Count(1, "batch"),
		"2 entries": Count(int64(2), "entry"), "3 keys": Count(3, "key"), "2 copies": Count(2, "copy"), "1 entry": Count(1, "entry"), "y": Things(1, "y"), "ys": Things(2, "y"),
		"1,234,567 of -1,000 and -100 in 999": Grouped(1234567) + " of " + Grouped(-1000) + " and " + Grouped(-100) + " in " + Grouped(999),
		"":                                    Sentence("") + Some(nil, 2), "a and b": Some([]string{"a", "b"}, 2), "a, b and 1 more": Some([]string{"a", "b", "c"}, 2), "a, b and 2 more": Some([]string{"a", "b", "c", "d"}, 2),
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

// Every line has as many words as fit, whatever number of bytes they have, and paragraphs are apart.
func TestParagraphs(t *testing.T) {
	for _, text := range []string{strings.Repeat("seven c ", 30), strings.Repeat("c ", 100), strings.Repeat("cc "+strings.Repeat("c ", 39), 3), strings.Repeat("µ ", 100), "c " + strings.Repeat("c", 90) + " c"} {
		var b strings.Builder
		if err := Paragraphs(&b, text, text); err != nil {
			t.Fatal(err)
		}
		first, second, found := strings.Cut(b.String(), "\n\n")
		if !found || first+"\n" != second {
			t.Errorf("not one paragraph twice, with an empty line between:\n%s", b.String())
		}
		wrapped(t, text, second, "", 80)
		once := Bullets([]string{text})
		if twice := Bullets([]string{text, text}); twice != once+once || !strings.HasPrefix(once, "- ") {
			t.Errorf("not one bullet twice:\n%s", twice)
		}
		wrapped(t, text, " "+once[1:], "  ", 78)
	}
}

// An error of the writer is passed on.
func TestParagraphsError(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	if err := Paragraphs(w, "a"); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
}

// wrapped checks that out has the words of a text, in lines that begin with an indent and have as many
// words as fit into a width.
func wrapped(t *testing.T, text, out, indent string, width int) {
	t.Helper()
	if strings.Join(strings.Fields(out), " ") != strings.Join(strings.Fields(text), " ") {
		t.Errorf("words are lost:\n%s", out)
	}
	before := width
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		words, indented := strings.CutPrefix(line, indent)
		n := utf8.RuneCountInString(line)
		if !indented || strings.Join(strings.Fields(words), " ") != words || n > width && strings.Contains(words, " ") {
			t.Errorf("%d of %d columns: %q", n, width, line)
		}
		first, _, _ := strings.Cut(words, " ")
		if before+1+utf8.RuneCountInString(first) <= width {
			t.Errorf("%q fits into the line before it:\n%s", first, out)
		}
		before = n
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
