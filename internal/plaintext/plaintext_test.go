package plaintext

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

var texts = []struct{ name, text, line, whole string }{
	{"ordinary", "a b  c é 日本 👍🏽 e\u0301", "a b  c é 日本 👍🏽 e\u0301", "a b  c é 日本 👍🏽 e\u0301"},
	{"empty", "", "", ""},
	{"lines", "a\n\tb \r\n c", "a b c", "a\n\tb \\u000d\n c"},
	{"escape sequence", "\x1b[31mred\x1b[0m", `\u001b[31mred\u001b[0m`, `\u001b[31mred\u001b[0m`},
	{"bell, backspace and delete", "\a\b\x7f", `\u0007\u0008\u007f`, `\u0007\u0008\u007f`},
	{"C1", "\u009b31m\u0085", `\u009b31m`, `\u009b31m\u0085`},
	{"override", "cnys\u202efdp", `cnys\u202efdp`, `cnys\u202efdp`},
	{"embeddings and isolates", "\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069", `\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069`, `\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069`},
	{"marks", "\u061c\u200e\u200f", `\u061c\u200e\u200f`, `\u061c\u200e\u200f`},
	{"separators", "a\u2028b\u2029c", "a b c", `a\u2028b\u2029c`},
	{"no UTF-8", "a\xffb\xed\xa0\x80", `a\ufffdb\ufffd\ufffd\ufffd`, `a\ufffdb\ufffd\ufffd\ufffd`},
	{"a replacement character that was there", "a\ufffdb", "a\ufffdb", "a\ufffdb"},
	{"joiners stay", "a\u200db\u200c", "a\u200db\u200c", "a\u200db\u200c"},
}

func TestTexts(t *testing.T) {
	for _, test := range texts {
		t.Run(test.name, func(t *testing.T) {
			if got := Line(test.text); got != test.line {
				t.Errorf("Line(%q) = %q, want %q", test.text, got, test.line)
			}
			if got := Text(test.text); got != test.whole {
				t.Errorf("Text(%q) = %q, want %q", test.text, got, test.whole)
			}
			if got := Clean(test.text); got != (test.text == test.line) {
				t.Errorf("Clean(%q) = %t", test.text, got)
			}
		})
	}
}

// TestWriter checks that the Writer writes what Text returns, however the text is divided into
// writes.
func TestWriter(t *testing.T) {
	for _, test := range texts {
		for size := 1; size <= 5; size++ {
			var out strings.Builder
			w := NewWriter(&out)
			for rest := test.text; rest != ""; {
				n := min(size, len(rest))
				if _, err := io.WriteString(w, rest[:n]); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if out.String() != test.whole {
				t.Errorf("%s in pieces of %d: %q, want %q", test.name, size, &out, test.whole)
			}
		}
	}
}

// TestWriteTrusted checks that trusted text is written unchanged, after all text written before.
func TestWriteTrusted(t *testing.T) {
	var out strings.Builder
	w := NewWriter(&out)
	io.WriteString(w, "a\x1b\xc3")
	if err := WriteTrusted(w, "\x1b[1m"); err != nil {
		t.Fatal(err)
	}
	if want := `a\u001b\ufffd` + "\x1b[1m"; out.String() != want {
		t.Errorf("%q, want %q", &out, want)
	}
	out.Reset()
	if err := WriteTrusted(&out, "\x1b[1m"); err != nil || out.String() != "\x1b[1m" {
		t.Errorf("to a writer that trusts nobody: %q, %v", &out, err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriterError(t *testing.T) {
	w := NewWriter(broken{})
	if n, err := io.WriteString(w, "a"); n != 0 || err == nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := w.WriteTrusted("a"); err == nil {
		t.Error("no error")
	}
}

// FuzzText checks that no active character passes, and that escaped JSON keeps its meaning.
func FuzzText(f *testing.F) {
	for _, test := range texts {
		f.Add(test.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, got := range []string{Line(text), Text(text)} {
			if !utf8.ValidString(got) || strings.IndexFunc(got, activeInText) >= 0 {
				t.Errorf("%q became %q", text, got)
			}
		}
		if got := Line(text); !Clean(got) || Line(got) != got {
			t.Errorf("Line(%q) = %q, which is not clean", text, got)
		}
		value, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var before, after string
		if err := errors.Join(json.Unmarshal(value, &before), json.Unmarshal([]byte(Text(string(value))), &after)); err != nil {
			t.Fatal(err)
		}
		if before != after {
			t.Errorf("JSON of %q: %q became %q", text, before, after)
		}
	})
}
