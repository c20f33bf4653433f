package texttab

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func format(t *testing.T, table *Table, color bool) string {
	t.Helper()
	var out strings.Builder
	if err := table.Format(&out, color); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestFormat(t *testing.T) {
	tests := []struct {
		name  string
		build func(*Table)
		want  string
	}{
		{"empty", func(*Table) {}, ""},
		{"numbers on the right", func(t *Table) {
			t.Row().Cell("name").Cell("ns", Right)
			t.Row().Cell("a").Cell("7", Right)
			t.Row().Cell("longer").Cell("1234", Right)
		}, "" +
			"name      ns\n" +
			"a          7\n" +
			"longer  1234\n"},
		{"no trailing spaces", func(t *Table) {
			t.Row().Cell("a").Cell("b")
			t.Row().Cell("wide").Cell("")
		}, "a     b\nwide\n"},
		{"span inside its columns", func(t *Table) {
			t.Row().Cell("").Span(2, "x", Center)
			t.Row().Cell("a").Cell("123").Cell("456")
		}, "      x\na  123  456\n"},
		{"span that widens by equal shares", func(t *Table) {
			t.Row().Span(2, "123456789").Cell("|")
			t.Row().Cell("a").Cell("b").Cell("|")
		}, "123456789  |\na     b    |\n"},
		{"rest does not widen", func(t *Table) {
			t.Row().Cell("a").Cell("1", Right).Cell("2", Right)
			t.Row().Cell("b").Rest("a reason that is long")
		}, "a  1  2\nb  a reason that is long\n"},
		{"rest goes on in the next line", func(t *Table) {
			t.Limit = 30
			t.Row().Cell("a").Cell("1", Right)
			t.Row().Cell("bb").Rest("a reason that is too long for one line")
			t.Row().Cell("c").Cell("2", Right)
		}, "" +
			"a   1\n" +
			"bb  a reason that is too long\n" +
			"    for one line\n" +
			"c   2\n"},
		{"rest that hangs", func(t *Table) {
			t.Limit = 30
			t.Row().Cell("a title:").Rest("a value that is too long for one line", Margin(" "), Hang(2))
		}, "" +
			"a title: a value that is too\n" +
			"  long for one line\n"},
		{"rest that hangs and finds no room", func(t *Table) {
			t.Limit = 30
			t.Row().Cell("a title of some length:").Rest("considerable values", Margin(" "), Hang(2))
		}, "" +
			"a title of some length:\n" +
			"  considerable values\n"},
		{"margin of a column", func(t *Table) {
			t.Row().Cell("a").Cell("1", Margin(" ± "))
			t.Row().Cell("a").Cell("2")
		}, "a ± 1\na   2\n"},
		{"wide and combining runes", func(t *Table) {
			t.Row().Cell("日本").Cell("1")
			t.Row().Cell("e\u0301").Cell("2")
			t.Row().Cell("µs ±").Cell("3")
		}, "日本  1\ne\u0301     2\nµs ±  3\n"},
		{"control characters are escaped", func(t *Table) {
			t.Row().Cell("a\nb\x1b[31m").Cell("c")
		}, "a b\\u001b[31m  c\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var table Table
			test.build(&table)
			if diff := cmp.Diff(test.want, format(t, &table, false)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestColorDoesNotCount(t *testing.T) {
	var table Table
	table.Row().Cell("a", Styled(Bold)).Cell("1", Right, Styled(Red))
	table.Row().Cell("longer").Cell("22", Right)
	plain, colored := format(t, &table, false), format(t, &table, true)
	if !strings.Contains(colored, "\x1b[1ma\x1b[0m") {
		t.Errorf("no bold cell in %q", colored)
	}
	stripped := strings.NewReplacer("\x1b[1m", "", "\x1b[31m", "", "\x1b[0m", "").Replace(colored)
	if stripped != plain {
		t.Errorf("colour moved columns:\n%s\nplain:\n%s", stripped, plain)
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one two three", 100, []string{"one two three"}},
		{"abcdefgh i", 3, []string{"abc", "def", "gh", "i"}},
		{"日本語", 4, []string{"日本", "語"}},
		{"a\tb\nc", 0, []string{"a", "b", "c"}},
	}
	for _, test := range tests {
		if got := Wrap(test.text, test.width); !slices.Equal(got, test.want) {
			t.Errorf("Wrap(%q, %d) = %q, want %q", test.text, test.width, got, test.want)
		}
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("one two", 3)
	f.Add("日\u0301本\x1b[1m", 1)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width %= 200
		for _, line := range Wrap(text, width) {
			// A rune of two cells does not fit into a narrower line.
			if Width(line) > max(width, 2) {
				t.Errorf("line %q has %d cells, limit %d", line, Width(line), width)
			}
		}
	})
}

func TestNotes(t *testing.T) {
	var notes Notes
	var marks []string
	for _, text := range []string{"a", "b", "a"} {
		marks = append(marks, notes.Mark(text))
	}
	if want := []string{"¹", "²", "¹"}; !slices.Equal(marks, want) {
		t.Errorf("marks %q, want %q", marks, want)
	}
	if want := []string{"a", "b"}; !slices.Equal(notes.Texts(), want) {
		t.Errorf("texts %q, want %q", notes.Texts(), want)
	}
	if got := Superscript(120); got != "¹²⁰" {
		t.Errorf("Superscript(120) = %q", got)
	}
}

func TestHeaded(t *testing.T) {
	var table Headed
	table.Head("size", ">cases", "what it is")
	table.Line("one", "7", "a few")
	table.Line("records=100", "12", "many")
	var b strings.Builder
	if err := table.Format(&b, false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("size         cases  what it is\none              7  a few\nrecords=100     12  many\n", b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	table.Line("two", "8", "many words that have no room here, and go on")
	for limit, want := range map[int]string{
		60: "two              8  many words that have no room here, and\n                    go on\n",
		40: "two              8  many words that have\n    no room here, and go on\n",
		28: "two              8\n    many words that have no\n    room here, and go on\n",
	} {
		table := table
		table.Limit = limit
		b.Reset()
		if err := table.Format(&b, false); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(b.String(), "many\n"+want) {
			t.Errorf("on %d columns:\n%s", limit, &b)
		}
	}
}

// Spare columns are left out, the last one first, and named below the table.
func TestHeadedSpare(t *testing.T) {
	var table Headed
	table.Head("name", "?version", "?license", ">modes", "what it is")
	table.Line("one", "v1.2.3", "MIT", "7", "a few words")
	for limit, want := range map[int]string{
		0:  "name  version  license  modes  what it is\none   v1.2.3   MIT          7  a few words\n",
		41: "name  version  license  modes  what it is\none   v1.2.3   MIT          7\n    a few words\n",
		40: "name  version  modes  what it is\none   v1.2.3       7  a few words\nno room: license (a wider terminal, or\n--format json, has them)\n",
		31: "name  modes  what it is\none       7  a few words\nno room: version, license (a\nwider terminal, or --format\njson, has them)\n",
	} {
		table.Limit = limit
		for range 2 { // Format does not change the table
			var b strings.Builder
			if err := table.Format(&b, false); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, b.String()); diff != "" {
				t.Errorf("on %d columns (-want +got):\n%s", limit, diff)
			}
		}
	}
}
