package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"assay/internal/analysis"
	"assay/result"
)

// If the samples take too much room, a page has some launches of each cell, evenly spread, and says which.
// A launch that was repeated is never among them.
func TestPacked(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const each = 30
	var records []result.Record
	for i := range each {
		for _, op := range []result.Op{result.Encode, result.Decode} {
			l := &result.Launch{Cell: result.Cell{Workload: "movie", Size: "one", Op: op}, Index: i}
			s := result.Series{Subject: result.Subject{Contender: "msgp"}, N: 10}
			for range 20 {
				s.Wall = append(s.Wall, random.Int64N(1e6))
			}
			l.Series = []result.Series{s}
			records = append(records, result.Record{Launch: l})
		}
	}
	repeated := *records[0].Launch
	repeated.Index, repeated.Disturbed = -1, "other programs"
	records = append(records, result.Record{Launch: &repeated})
	whole, every, err := packed(records, 1e6)
	if err != nil || every != 1 {
		t.Fatalf("every launch number %d, %v, with room for all", every, err)
	}
	checkSamples(t, whole, every, each)
	for _, part := range []int{2, 3, 7} {
		room := len(whole) / part
		text, every, err := packed(records, room)
		if err != nil || len(text) > room || every < part || every > 2*part {
			t.Errorf("%d bytes of every launch number %d in the room of %d, %v", len(text), every, room, err)
		}
		checkSamples(t, text, every, each)
	}
	if text, every, err := packed(records, 1); err != nil || every < each {
		t.Errorf("without room: every launch number %d, %v", every, err)
	} else {
		checkSamples(t, text, every, each)
	}
	if text, every, err := packed(records[len(records)-1:], 1e6); text != "" || every != 1 || err != nil {
		t.Errorf("of a repeated launch: %d bytes, every launch number %d, %v", len(text), every, err)
	}
}

// checkSamples checks that packed samples have the launches 0, every, 2*every and so on of two cells with so
// many launches each.
func checkSamples(t *testing.T, text string, every, launches int) {
	t.Helper()
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var got []packedLaunch
	if err := json.NewDecoder(z).Decode(&got); err != nil {
		t.Fatal(err)
	}
	seen := map[result.Op]int{}
	for _, l := range got {
		if l.Index != every*seen[l.Op] || len(l.Series) != 1 || len(l.Series[0].NS) != 20 {
			t.Fatalf("every launch number %d: launch %d of %s is number %d", every, l.Index, l.Op, seen[l.Op])
		}
		seen[l.Op]++
	}
	for _, op := range []result.Op{result.Encode, result.Decode} {
		if want := (launches + every - 1) / every; seen[op] != want {
			t.Errorf("every launch number %d: %d launches of %s, want %d", every, seen[op], op, want)
		}
	}
}

// The parts of decoded values that verification saw pointing into messages keep a contender from being the
// fastest that is safe, at the size where it saw that.
func TestAliasesOfPage(t *testing.T) {
	with := func(change func(v *result.Verification)) []string {
		s := ofStored(t, "passes")
		v := &result.Verification{Workload: "movie", Size: "record=one", Subject: result.Subject{Contender: "protobuf"}, OK: true, Habits: &result.Habits{Aliases: []string{"bytes"}}}
		change(v)
		s.Records = append(s.Records, result.Record{Verification: v})
		s.Contenders = abouts
		p := &builder{Source: s}
		return p.answerOf(result.Cell{Workload: "movie", Size: "record=one"}).Answer.Candidate(v.Subject).Unsafe
	}
	if got := strings.Join(with(func(*result.Verification) {}), ", "); got != "bytes point into the message" {
		t.Errorf("it is not safe because %q", got)
	}
	for name, change := range map[string]func(v *result.Verification){
		"another size":     func(v *result.Verification) { v.Size = "record=other" },
		"another workload": func(v *result.Verification) { v.Workload = "order" },
		"another's bytes":  func(v *result.Verification) { v.From = &result.Subject{Contender: "msgp"} },
		"a failure":        func(v *result.Verification) { v.OK = false },
	} {
		if got := with(change); len(got) > 0 {
			t.Errorf("of %s: it is not safe because %q", name, got)
		}
	}
}

// A long text is cut between characters.
func TestCleanOfLongText(t *testing.T) {
	for _, before := range []string{"", "a", "ab"} {
		long := before + strings.Repeat("€", mostText)
		got := clean(long)
		cut, _, found := strings.Cut(got, "… (3.00 kB in all)")
		if !found || !utf8.ValidString(got) || !strings.HasPrefix(long, cut) || len(cut) > mostText || len(cut) < mostText-2 {
			t.Errorf("%d bytes of %d: …%s", len(cut), len(long), got[len(cut)-6:])
		}
	}
	if s := strings.Repeat("€", mostName); short(s) != s || short(s+"€") != strings.Repeat("€", mostName-1)+"…" {
		t.Errorf("%s is shortened to %s", s+"€", short(s+"€"))
	}
}

// A mode that does not change the size of a message is not listed again.
func TestSizesOfModes(t *testing.T) {
	s := ofStored(t, "passes")
	p := &builder{Source: s}
	table := &s.Results.Tables[0]
	for mode, bytes := range map[string]float64{"output=reuse": 0, "ints=fixed": 1000} {
		one := table.Cell.Case(result.Subject{Contender: "protobuf", Mode: mode})
		size, _ := table.Row(table.Cell.Case(result.Subject{Contender: "protobuf"}), analysis.EncodedSize)
		v := size.Number.Value + bytes
		table.Rows = append(table.Rows, analysis.Row{Case: one, Metric: analysis.EncodedSize, Unit: "B", Number: &analysis.Interval{Value: v, Lo: v, Hi: v}})
	}
	var names []string
	for _, row := range p.sizesOf(table)[0].Table.Rows {
		names = append(names, row.Cells[0].Text)
	}
	if got := strings.Join(names, ", "); got != "protobuf, encoding/json, protobuf (ints=fixed)" {
		t.Errorf("sizes of %s", got)
	}
}
