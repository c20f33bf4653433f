package published

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/published/protocol"
)

var (
	sink     []byte
	failures int // calls of "fails once"
)

// sets returns benchmarks that end in every possible way.
func sets() []Set {
	return []Set{{Name: "sources/ways", Benchmarks: []Benchmark{
		{Name: "good", Memory: 1 << 20, Benchtime: "3x", Run: func(b *testing.B) {
			for range b.N {
				sink = make([]byte, 64)
			}
			b.ReportMetric(7, "encoded-bytes")
		}},
		{Name: "stopped", Run: func(b *testing.B) { b.StopTimer() }},
		{Name: "own units", Run: func(b *testing.B) {
			b.ReportMetric(12.5, "ns/op")
			b.ReportMetric(3, "B/op")
			b.ReportMetric(2, "allocs/op")
		}},
		{Name: "fatal", Run: func(b *testing.B) { b.Fatalf("want %d elements, got %d", 10, 1) }},
		{Name: "error", Run: func(b *testing.B) { b.Error("first"); b.Error("second") }},
		{Name: "fails without a word", Run: func(b *testing.B) { b.FailNow() }},
		{Name: "fails once", Run: func(b *testing.B) {
			if failures++; failures == 1 {
				b.Fatal("once")
			}
		}},
		{Name: "panics", Run: func(*testing.B) { panic("at the disco") }},
		{Name: "panics for real", Run: func(*testing.B) { var none []int; none[3]++ }},
		{Name: "skips", Run: func(b *testing.B) { b.Skip("not today") }},
		{Name: "NaN", Run: func(b *testing.B) { b.ReportMetric(math.NaN(), "x") }},
	}}, {Name: "exhibits/none"}}
}

// served returns the answers to lines.
func served(t *testing.T, lines string) []protocol.Answer {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(strings.NewReader(lines), &out, sets()...); err != nil {
		t.Fatal(err)
	}
	var answers []protocol.Answer
	for line := range strings.Lines(out.String()) {
		var a protocol.Answer
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&a); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		answers = append(answers, a)
	}
	return answers
}

func run(names ...string) string {
	line, _ := json.Marshal(protocol.Request{Cmd: "run", Set: "sources/ways", Names: names, Rounds: 1, Benchtime: "2x"})
	return string(line) + "\n"
}

func TestMeasure(t *testing.T) {
	tests := []struct {
		name              string
		n                 int
		bytes, allocs     int64
		extra             map[string]float64
		error             string // the whole error, or its beginning and its end with … in between
		panicked, skipped bool
	}{
		{name: "good", n: 3, bytes: 64, allocs: 1, extra: map[string]float64{"encoded-bytes": 7}},
		{name: "stopped", n: 2},
		{name: "own units", n: 2, bytes: 3, allocs: 2},
		{name: "fatal", error: "main_test.go:…want 10 elements, got 1"},
		{name: "error", error: "main_test.go:…second"},
		{name: "fails without a word", error: "failed without a message"},
		{name: "fails once", error: "failed, but not when it was run again for one operation"},
		{name: "panics", error: "panic: at the disco", panicked: true},
		{name: "panics for real", error: "panic: runtime error: index out of range [3] with length 0", panicked: true},
		{name: "skips", error: "the benchmark skips itself", skipped: true},
		{name: "NaN", error: "the benchmark reports NaN x"},
	}
	failures = 0
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answers := served(t, run(tt.name))
			// The allocations of other goroutines are counted too, so a count that is too high is
			// taken again.
			for again := 0; again < 5 && tt.error == "" && answers[0].Reading != nil && answers[0].Bytes > tt.bytes; again++ {
				answers = served(t, run(tt.name))
			}
			if len(answers) != 2 || answers[0].Reading == nil || !answers[1].OK {
				t.Fatalf("answers %+v", answers)
			}
			a := answers[0]
			begin, end, _ := strings.Cut(tt.error, "…")
			if !strings.HasPrefix(a.Error, begin) || !strings.HasSuffix(a.Error, end) || (a.Error == "") != (tt.error == "") {
				t.Errorf("error %q, want %q", a.Error, tt.error)
			}
			if a.Panicked != tt.panicked || a.Skipped != tt.skipped {
				t.Errorf("panicked %v, skipped %v", a.Panicked, a.Skipped)
			}
			if tt.error != "" {
				return
			}
			if a.Name != tt.name || a.N != tt.n || a.Bytes != tt.bytes || a.Allocs != tt.allocs {
				t.Errorf("reading %+v", *a.Reading)
			}
			if diff := cmp.Diff(tt.extra, a.Extra); diff != "" {
				t.Errorf("extra (-want +got):\n%s", diff)
			}
		})
	}
	if a := served(t, run("own units"))[0]; a.NS != 12.5 {
		t.Errorf("%v ns of its own, want 12.5", a.NS)
	}
}

// Benchmarks take turns, forward and backward. A benchmark that fails runs no more.
func TestTurns(t *testing.T) {
	var got []string
	for _, a := range served(t, `{"cmd":"run","set":"sources/ways","names":["good","fatal","stopped"],"rounds":3,"benchtime":"1x"}`) {
		if a.Reading != nil {
			got = append(got, strings.Repeat("|", a.Round)+a.Name+" "+a.Benchtime)
		}
	}
	want := []string{"good 3x", "fatal 1x", "stopped 1x", "|stopped 1x", "|good 3x", "||good 3x", "||stopped 1x"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("readings (-want +got):\n%s", diff)
	}
	a := served(t, `{"cmd":"run","set":"sources/ways","names":["good"],"rounds":1,"benchtime":"2x","override":true}`)
	if a[0].Benchtime != "2x" || a[0].N != 2 {
		t.Errorf("overridden, a benchmark ran with %+v", *a[0].Reading)
	}
}

func TestRefusals(t *testing.T) {
	tests := []struct{ line, want string }{
		{`hello`, "cannot read the request: invalid character"},
		{`{"cmd":"run","rond":1}`, `cannot read the request: json: unknown field "rond"`},
		{`[]`, "cannot read the request"},
		{`{}`, `there is no command ""`},
		{`{"cmd":"stop"}`, `there is no command "stop"`},
		{`{"cmd":"run","set":"sources/way","rounds":1}`, `there is no set "sources/way"`},
		{`{"cmd":"run","set":"sources/ways","names":["goood"],"rounds":1}`, `sources/ways has no benchmark "goood"`},
		{`{"cmd":"run","set":"sources/ways","names":["good","good"],"rounds":1}`, `benchmark "good" is asked for twice`},
		{`{"cmd":"run","set":"sources/ways"}`, "rounds is 0; it must be at least 1"},
		{`{"cmd":"run","set":"sources/ways","names":["stopped"],"rounds":1,"benchtime":"ten"}`, `benchtime "ten": invalid duration`},
		{`{"cmd":"run","set":"sources/ways","names":["stopped"],"rounds":1,"benchtime":"0x"}`, `benchtime "0x": invalid count`},
	}
	for _, tt := range tests {
		// The request after a refused one must be served.
		answers := served(t, "\n"+tt.line+"\n"+run("stopped")+`{"cmd":"exit"}`+"\nnever read\n")
		if len(answers) != 3 || answers[0].Reading != nil || answers[0].OK || !strings.HasPrefix(answers[0].Error, tt.want) {
			t.Errorf("%s: %+v, want %s", tt.line, answers, tt.want)
		}
	}
}

func TestList(t *testing.T) {
	answers := served(t, `{"cmd":"list"}`)
	if len(answers) != 1 || !answers[0].OK || len(answers[0].Sets) != 2 {
		t.Fatalf("answers %+v", answers)
	}
	want := protocol.Benchmark{Name: "good", Memory: 1 << 20, Benchtime: "3x"}
	if diff := cmp.Diff(want, answers[0].Sets[0].Benchmarks[0]); diff != "" {
		t.Errorf("the first benchmark (-want +got):\n%s", diff)
	}
}

func TestDistinct(t *testing.T) {
	nothing := func(*testing.B) {}
	tests := []struct {
		name string
		sets []Set
		want string
	}{
		{"sets", []Set{{Name: "a"}, {Name: "a"}}, `two sets are named "a"`},
		{"benchmarks", []Set{{Name: "a", Benchmarks: []Benchmark{{Name: "x", Run: nothing}, {Name: "x", Run: nothing}}}}, `a: two benchmarks are named "x"`},
		{"no function", []Set{{Name: "a", Benchmarks: []Benchmark{{Name: "x"}}}}, `a: benchmark "x" lacks a name or a function`},
		{"no name", []Set{{Name: "a", Benchmarks: []Benchmark{{Run: nothing}}}}, `a: benchmark "" lacks a name or a function`},
	}
	for _, tt := range tests {
		if err := Serve(strings.NewReader(""), os.Stderr, tt.sets...); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

func FuzzServe(f *testing.F) {
	f.Add(`{"cmd":"list"}` + "\n" + `{"cmd":"exit"}`)
	f.Add(run("good", "fatal"))
	f.Add("\n{\n")
	f.Fuzz(func(t *testing.T, lines string) {
		if strings.Contains(strings.ToLower(lines), "ound") {
			t.Skip("rounds take as long as they ask for")
		}
		for _, a := range served(t, lines) {
			if !a.OK && a.Error == "" {
				t.Errorf("answer %+v", a)
			}
		}
	})
}
