package screen

import (
	"context"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestScreen(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"lines", "one\ntwo\r\nthree", []string{"one", "two", "three"}},
		{"painted over", "long line\rshort\x1b[K", []string{"short"}},
		{"up and cleared", "a\nb\nc\r\x1b[2Ax\x1b[J", []string{"x"}},
		{"up one", "a\nb\r\x1b[AA\nB", []string{"A", "B"}},
		{"scrolled", "1\n2\n3\n4\n5", []string{"2", "3", "4", "5"}},
		{"broken", "0123456789ab", []string{"0123456789", "ab"}},
		{"wide", "012345678宽x", []string{"012345678", "宽x"}},
	} {
		s := New(10, 4)
		io.WriteString(s, test.text)
		if diff := cmp.Diff(test.want, s.Lines()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		whole := New(10, 4)
		for _, b := range []byte(test.text) { // in the smallest pieces
			whole.Write([]byte{b})
		}
		if diff := cmp.Diff(s.Lines(), whole.Lines()); diff != "" {
			t.Errorf("%s, byte by byte (-want +got):\n%s", test.name, diff)
		}
	}
	s := New(10, 4)
	io.WriteString(s, "plain\na \x1b[2mgrey\x1b[0m b\x1b[5n")
	if s.Style(0) != "" || s.Style(1) != "2" || len(s.Unknown()) != 1 {
		t.Errorf("styles %q and %q, unknown %q", s.Style(0), s.Style(1), s.Unknown())
	}
}

// A recording that is written and read again is unchanged.
func TestRecording(t *testing.T) {
	r := &Recording{Width: 20, Height: 3, Title: "assay run", Output: []Output{
		{0, "first\r\n"}, {1500 * time.Millisecond, "\x1b[2mgrey\x1b[0m ±"}, {2 * time.Second, "\r\x1b[Klast"},
	}}
	var out strings.Builder
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	const want = `{"version":2,"width":20,"height":3,"title":"assay run"}
[0.000,"o","first\r\n"]
[1.500,"o","\u001b[2mgrey\u001b[0m ±"]
[2.000,"o","\r\u001b[Klast"]
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, err := Read(strings.NewReader(out.String() + `[3,"i","typed"]` + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, want := r.Plain(), "first\nlast"; got != want {
		t.Errorf("plain it is %q, want %q", got, want)
	}
	still := r.Still(func(s *Screen) bool { return strings.Contains(s.Text(), "±") })
	if still == nil || still.Text() != "first\ngrey ±\n" {
		t.Errorf("the still is %v", still)
	}
	if r.Still(func(*Screen) bool { return false }) != nil {
		t.Error("there is a still of what was never shown")
	}
	for _, bad := range []string{"", "x", `{"version":1,"width":3,"height":3}`, `{"version":2}`, out.String() + "[1]\n", out.String() + `["a","o","x"]` + "\n"} {
		if _, err := Read(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// A recorded program runs on a terminal of the given size.
func TestRecord(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("programs are recorded on Linux only")
	}
	seen := 0
	r, err := Record(context.Background(), exec.Command("sh", "-c", "stty size; test -t 1 && echo a terminal; exit 3"), 91, 17, func(*Screen) { seen++ })
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 3 {
		t.Fatal(err)
	}
	text := ""
	for _, o := range r.Output {
		text += o.Text
	}
	if text != "17 91\r\na terminal\r\n" || seen == 0 {
		t.Errorf("it wrote %q, seen %d times", text, seen)
	}
}

// A picture is seen that the next one replaces at once, so that one read has both.
func TestRecordPictures(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("programs are recorded on Linux only")
	}
	var seen []string
	_, err := Record(context.Background(), exec.Command("printf", `a\nfirst\r\033[Ab\nsecond\r\033[Kthird`), 20, 5, func(s *Screen) { seen = append(seen, s.Text()) })
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a\nfirst\n", "b\nsecond\n", "b\nthird\n"} {
		if !slices.Contains(seen, want) {
			t.Errorf("%q was not seen, only %q", want, seen)
		}
	}
}

func FuzzScreen(f *testing.F) {
	f.Add("a\x1b[2mb\x1b[0m\r\x1b[A\x1b[K\x1b[J\n宽")
	f.Add("\x1b[99999999999999999999A\x1b")
	f.Fuzz(func(t *testing.T, text string) {
		s := New(7, 3)
		io.WriteString(s, text)
		if n := len(s.Lines()); n > 3 {
			t.Errorf("%d lines", n)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(`{"version":2,"width":20,"height":3}` + "\n" + `[0,"o","x"]`)
	f.Fuzz(func(t *testing.T, text string) {
		if r, err := Read(strings.NewReader(text)); err == nil {
			r.Still(func(*Screen) bool { return true })
		}
	})
}
