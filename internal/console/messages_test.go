package console

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/plaintext"
	"assay/internal/texttab"
)

// Messages to a terminal of 80 columns wrap between words. Command lines stay whole.
func TestMessages(t *testing.T) {
	for _, test := range []struct{ name, message, want string }{
		{"short", "assay: no\n", "assay: no\n"},
		{"an error", "assay: there is no contender \"msgpp\" (did you mean \"msgp\"?); assay list contenders shows all of them\n",
			"assay: there is no contender \"msgpp\" (did you mean \"msgp\"?);\n       assay list contenders shows all of them\n"},
		{"progress", "runner    compiling the contenders; the first time takes a few minutes, later it is cached\n",
			"runner    compiling the contenders; the first time takes a few minutes, later it\n            is cached\n"},
		{"a command", "assay: interrupted; what was measured is kept and is not lost: go on with assay run --resume 20260102-150405-ab12; then look\n",
			"assay: interrupted; what was measured is kept and is not lost: go on with\n       assay run --resume 20260102-150405-ab12; then look\n"},
		{"a command beside its text", "next      assay show 20260102-150405-ab12 --run x   the same again; --tables has every table\n",
			"next      assay show 20260102-150405-ab12 --run x   the same again; --tables has\n            every table\n"},
		{"no command", "note      this version of assay was built by someone who keeps a directory of their own at hand\n",
			"note      this version of assay was built by someone who keeps a directory of\n            their own at hand\n"},
		{"several lines", "assay: two are wrong:\n\tgen/x.go:12:2: undefined: " + strings.Repeat("X", 80) + "\n",
			"assay: two are wrong:\n\tgen/x.go:12:2: undefined: " + strings.Repeat("X", 80) + "\n"},
		{"a long word", "left out  " + strings.Repeat("x", 90) + ": no\n", "left out\n            " + strings.Repeat("x", 90) + ":\n            no\n"},
		{"wide and hostile", strings.Repeat("宽", 39) + " \x1b[2J\n", strings.Repeat("宽", 39) + "\n  \\u001b[2J\n"},
		{"unfinished", strings.Repeat("word ", 20), strings.Repeat("word ", 20)},
	} {
		t.Run(test.name, func(t *testing.T) {
			for width, want := range map[int]string{80: test.want, 0: plaintext.Text(test.message)} {
				var out strings.Builder
				m := messagesTo(&out, []string{"list", "run", "show"})
				if width > 0 { // a strings.Builder is no terminal
					m.width = func() int { return width }
				}
				if n, err := io.WriteString(m, test.message); n != len(test.message) || err != nil {
					t.Errorf("%d columns: %d, %v", width, n, err)
				}
				if diff := cmp.Diff(want, out.String()); diff != "" {
					t.Errorf("%d columns (-want +got):\n%s", width, diff)
				}
			}
		})
	}
}

// At every width, no word is lost and no line is wider than necessary. Text from WriteTrusted is
// not changed.
func TestMessagesFit(t *testing.T) {
	text := "assay: warning: 3 of 24 contenders cannot be built and are left out: a, b and 2 more; a: module example.com/a@v1.0.0 is not in the cache"
	for _, begin := range []string{"", "stored    ", "          "} {
		for width := 10; width < 200; width++ {
			var out strings.Builder
			m := messagesTo(&out, nil)
			m.width = func() int { return width }
			fmt.Fprintln(m, begin+text)
			if got, want := strings.Join(strings.Fields(out.String()), " "), strings.Join(strings.Fields(begin+text), " "); got != want {
				t.Errorf("%d columns: %q became %q", width, want, got)
			}
			for line := range strings.Lines(out.String()) {
				line = strings.TrimSuffix(line, "\n")
				if texttab.Width(line) > width && len(strings.Fields(line)) > 1 {
					t.Errorf("%d columns: %q", width, line)
				}
				if strings.TrimRight(line, " ") != line {
					t.Errorf("%d columns: spaces at the end of %q", width, line)
				}
				if indent := len(line) - len(strings.TrimLeft(line, " ")); indent > max(width/2, len(begin)) {
					t.Errorf("%d columns: %d of them are empty before %q", width, indent, line)
				}
			}
		}
	}
	var out strings.Builder
	m := messagesTo(&out, nil)
	m.width = func() int { return 20 }
	painted := "\r\x1b[J" + strings.Repeat("painted ", 10) + "\n"
	if err := plaintext.WriteTrusted(m, painted); err != nil || out.String() != painted {
		t.Errorf("%v; what is painted became %q", err, &out)
	}
}
