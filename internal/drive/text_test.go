package drive

import (
	"bufio"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"assay/bench"
	"assay/published/protocol"
	"assay/result"
)

// receive shortens long texts of an answer, in whatever field they are.
func TestTextsAreBrief(t *testing.T) {
	long := strings.Repeat("x", 1023) + strings.Repeat("é", 5000)
	want := strings.Repeat("x", 1023) + "… (10000 bytes left out)"
	read := func(sent, answer any) {
		t.Helper()
		line, err := json.Marshal(sent)
		if err != nil {
			t.Fatal(err)
		}
		c := &child{answers: bufio.NewReader(strings.NewReader(string(line) + "\n"))}
		if err := c.receive(answer); err != nil {
			t.Fatal(err)
		}
	}
	var a bench.Answer
	read(bench.Answer{
		Error: long, Wrong: &bench.Wrong{Subject: result.Subject{Contender: long}},
		Verified:  &bench.Verified{Reason: long, Losses: []string{"ok", long}},
		Described: &bench.Described{Modules: []result.Module{{Path: long}}},
		Measured:  &bench.Measured{Series: []result.Series{{Wall: []int64{1}}}},
		Written:   &bench.Written{Messages: [][]byte{[]byte(long)}},
	}, &a)
	var p protocol.Answer
	read(protocol.Answer{Error: long, Reading: &protocol.Reading{Name: "n", Extra: map[string]float64{long: 3}}}, &p)
	for _, got := range []string{a.Error, a.Wrong.Contender, a.Verified.Reason, a.Verified.Losses[1], a.Described.Modules[0].Path, p.Error} {
		if got != want {
			t.Errorf("%d bytes of a text are left, and it ends in %q", len(got), got[max(0, len(got)-40):])
		}
	}
	if p.Extra[want] != 3 || len(p.Extra) != 1 || p.Name != "n" || a.Verified.Losses[0] != "ok" || string(a.Written.Messages[0]) != long || a.Measured.Series[0].Wall[0] != 1 {
		t.Error("what is short or no text was changed")
	}
}

// The line of a panic is shortened too, and says how much is missing.
func TestPanicIsBrief(t *testing.T) {
	var l log
	line := "panic: " + strings.Repeat("é", 3000)
	for part := line + "\n\xffgoroutine 1\n"; part != ""; part = part[min(len(part), 700):] {
		l.Write([]byte(part[:min(len(part), 700)]))
	}
	got := l.tells("panic: ")
	if !utf8.ValidString(got) || !strings.HasSuffix(got, "é… (4984 bytes left out)") || len(got) > longestText+40 {
		t.Errorf("%d bytes, ending in %q", len(got), got[max(0, len(got)-40):])
	}
	if last := l.lastLine(); last != "\uFFFDgoroutine 1" {
		t.Errorf("the last line is %q", last)
	}
}
