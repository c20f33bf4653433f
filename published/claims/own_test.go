package claims

import (
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/published/sources"
	"assay/result"
)

// reproduced returns a run of assay reproduce that has rounds of benchmarks of a source, in one link
// layout.
func reproduced(source string, rounds map[string][]float64) Reproduction {
	r := Reproduction{Run: &result.Run{ID: "reproduction"}, Rounds: map[[2]string][]*result.Bench{}}
	for name, times := range rounds {
		key := [2]string{sources.Set(source), name}
		for i, ns := range times {
			r.Rounds[key] = append(r.Rounds[key], &result.Bench{Set: key[0], Name: name, Round: i, N: 1000, NS: ns})
		}
	}
	return r
}

// TestOwnMethod checks that the source's own method rules where the loop around an op leaves a
// condition as published undecided, and nowhere else.
func TestOwnMethod(t *testing.T) {
	l := newLab()
	l.time("level=1", result.Open, 0, 8, map[result.Subject]float64{of("flatbuffers"): 0.5})
	l.time("level=1", result.Decode, 0, 8, map[result.Subject]float64{of("protobuf"): 100, of("flatbuffers"): 90})
	around := func(ns float64) []float64 {
		return []float64{ns, 1.01 * ns, 0.99 * ns, ns, 1.02 * ns, 0.98 * ns, ns, ns}
	}
	const (
		open  = "sizes = [\"level=1\"]\nops = [\"open\"]\npredicate = \"exact\"\nof = \"flatbuffers\"\nbenchmarks = { of = \"decode/SIZE/flatbuffers\" }\n"
		ratio = "sizes = [\"level=1\"]\nops = [\"decode\"]\npredicate = \"ratio\"\nof = \"protobuf\"\nto = { contender = \"flatbuffers\", op = \"open\" }\nsays = \"80 to 120\"\n" +
			"benchmarks = { of = \"decode/SIZE/protobuf\", to = \"decode/SIZE/flatbuffers\" }\n"
	)
	for name, test := range map[string]struct {
		keys   string
		rounds map[string][]float64
		want   Verdict
		own    bool
		reason string
	}{
		"holds":        {open + "says = \"1 to 2 ns\"", map[string][]float64{"decode/level=1/flatbuffers": around(3)}, Holds, true, "3.00 ns"},
		"refuted":      {open + "says = \"1 to 2 ns\"", map[string][]float64{"decode/level=1/flatbuffers": around(7)}, Refuted, true, "7.00 ns"},
		"at the limit": {open + "says = \"1 to 2 ns\"", map[string][]float64{"decode/level=1/flatbuffers": around(6)}, Undecided, true, "from 8 rounds by the source's own method is too wide"},
		"ratio":        {ratio, map[string][]float64{"decode/level=1/protobuf": around(300), "decode/level=1/flatbuffers": around(3)}, Holds, true, "100 times"},
		"another":      {ratio, map[string][]float64{"decode/level=1/protobuf": around(600), "decode/level=1/flatbuffers": around(3)}, Refuted, true, "200 times"},
		"one round":    {open + "says = \"1 to 2 ns\"", map[string][]float64{"decode/level=1/flatbuffers": {3}}, Undecided, false, "assay reproduce customer, then --reproduced RUN"},
		"one missing":  {ratio, map[string][]float64{"decode/level=1/protobuf": around(300)}, Undecided, false, "assay reproduce customer, then --reproduced RUN"},
		"not needed":   {open + "at_most = 10\n", map[string][]float64{"decode/level=1/flatbuffers": around(70)}, Holds, false, "0.500 ns"},
	} {
		l := *l
		rulings := Rule(ledgerOf(t, test.keys), analysis.Of(l.run, l.records, analysis.View{}), reproduced("customer", test.rounds))
		r := rulings[0]
		f := r.Findings[0]
		if r.Verdict != test.want || (f.OwnMethod != "") != test.own || !strings.Contains(r.Reason, test.reason) {
			t.Errorf("%s: %s by %q: %s; want %s: %s", name, r.Verdict, f.OwnMethod, r.Reason, test.want, test.reason)
		}
		if test.own && (f.Code == nil || !strings.Contains(r.RuledBy(), "the source's own method")) {
			t.Errorf("%s: code-only time %v beside it, ruled by %q", name, f.Code, r.RuledBy())
		}
	}
	rulings := Rule(ledgerOf(t, open+"says = \"1 to 2 ns\""), analysis.Of(l.run, l.records, analysis.View{}), reproduced("customer", nil), reproduced("other", map[string][]float64{"decode/level=1/flatbuffers": around(3)}))
	if r := rulings[0]; r.Verdict != Undecided || r.Findings[0].OwnMethod != "" {
		t.Errorf("no benchmark, and one of another source: %s by %q", r.Verdict, r.Findings[0].OwnMethod)
	}
}

// Elsewhere the source measured nothing, so its method does not rule there.
func TestOwnMethodElsewhere(t *testing.T) {
	l := newLab()
	l.time("level=1", result.Open, 0, 8, map[result.Subject]float64{of("flatbuffers"): 0.5})
	l.time("level=2", result.Open, 0, 8, map[result.Subject]float64{of("flatbuffers"): 0.5})
	keys := "sizes = [\"level=1\"]\nops = [\"open\"]\npredicate = \"exact\"\nof = \"flatbuffers\"\nsays = \"1 to 2 ns\"\nbenchmarks = { of = \"decode/level=1/flatbuffers\" }\n" +
		"[[claim.also]]\nname = \"at level 2\"\nsizes = [\"level=2\"]\n"
	r := Rule(ledgerOf(t, keys), analysis.Of(l.run, l.records, analysis.View{}), reproduced("customer", map[string][]float64{"decode/level=1/flatbuffers": {3, 3, 3, 3, 3, 3, 3, 3}}))[0]
	if r.Verdict != Holds || r.Elsewhere != Undecided {
		t.Errorf("%s, elsewhere %s; want holds by the source's own method, elsewhere undecided", r.Verdict, r.Elsewhere)
	}
}

// Also where cpu-time rules, its loop may decide.
func TestOwnMethodOfCPUTime(t *testing.T) {
	l := newLab()
	l.time("level=1", result.Encode, 0, 8, map[result.Subject]float64{of("protobuf"): 2.9, of("encoding/json"): 300})
	c := result.Case{Workload: "customer", Size: "level=1", Contender: "protobuf", Op: result.Encode}
	for i := range 8 {
		l.records = append(l.records, result.Record{Steady: &result.Steady{Case: c, Index: i, Layout: uint64(i + 1), Round: []int{0, 1}, Ops: []int{1000, 1000}, CPU: []int64{2900, 2900}, GCCPU: []int64{0, 0}}})
	}
	keys := "sizes = [\"level=1\"]\nops = [\"encode\"]\npredicate = \"exact\"\nof = \"protobuf\"\nat_most = 3\nbenchmarks = { of = \"encode/SIZE/protobuf\" }\n"
	results := analysis.Of(l.run, l.records, analysis.View{})
	alone := Rule(ledgerOf(t, keys), results)[0]
	if f := alone.Findings[0]; f.Metric != analysis.CPUTime || alone.Verdict != Undecided || !strings.Contains(alone.Reason, "then --reproduced RUN") {
		t.Fatalf("without a reproduction: %s by %s: %s", alone.Verdict, f.Metric, alone.Reason)
	}
	r := Rule(ledgerOf(t, keys), results, reproduced("customer", map[string][]float64{"encode/level=1/protobuf": {2, 2, 2, 2}}))[0]
	f := r.Findings[0]
	if r.Verdict != Holds || f.OwnMethod == "" || f.Metric != analysis.Time || f.Code == nil || f.Code.Value < 2.8 || f.Code.Value > 3 {
		t.Errorf("%s by %q, %s, code-only %v; want holds, and 2.9 ns of code only beside it", r.Verdict, f.OwnMethod, f.Metric, f.Code)
	}
}

// Two measurements of the same cases are two tests of the family.
func TestOwnMethodIsAnotherTest(t *testing.T) {
	l := newLab()
	l.time("level=1", result.Open, 0, 8, map[result.Subject]float64{of("flatbuffers"): 0.5})
	const keys = "sizes = [\"level=1\"]\nops = [\"open\"]\npredicate = \"exact\"\nof = \"flatbuffers\"\nsays = \"1 to 2 ns\"\n"
	ledger, other := ledgerOf(t, keys+"metric = \"time\"\n"), ledgerOf(t, keys+"benchmarks = { of = \"decode/level=1/flatbuffers\" }\n")
	other.Claims[0].ID = "again"
	if err := ledger.Add(other); err != nil {
		t.Fatal(err)
	}
	rulings := Rule(ledger, analysis.Of(l.run, l.records, analysis.View{}), reproduced("customer", map[string][]float64{"decode/level=1/flatbuffers": {3, 3.1, 3, 3.1, 3}}))
	if rulings[0].Verdict != Undecided || rulings[1].Verdict != Holds || Discoveries(rulings).Timed != 2 {
		t.Errorf("%s and %s, %+v; want undecided, and holds by the source's own method", rulings[0].Verdict, rulings[1].Verdict, Discoveries(rulings))
	}
}

// TestBenchmarksExist checks that a claim names benchmarks that its source has, because assay reproduce
// runs no others.
func TestBenchmarksExist(t *testing.T) {
	const known = "chain, customer, movie, sizes, tick"
	for _, test := range []struct{ source, of, want string }{
		{"customer", "decode/SIZE/flatbuffers", ""},
		{"customer", "decode/level=1/flatbuffers", ""},
		{"design", "decode/SIZE/flatbuffers", "f:13:14: source design has no benchmarks that assay reproduce runs; these have: " + known},
		{"customer", "decode/SIZE/flatbufers", `f:13:21: source customer has no benchmark "decode/level=1/flatbufers"; did you mean "decode/level=1/flatbuffers"?`},
		{"customer", "SIZE", `f:13:21: source customer has no benchmark "level=1"; the rows of its tables name them in published/sources/customer/source.toml`},
		{"movie", "decode/SIZE/flatbuffers", `f:13:21: source movie has no benchmark "decode/level=1/flatbuffers"`},
	} {
		_, err := Parse("f", []byte("[[source]]\nid = \""+test.source+"\"\ntitle = \"t\"\n[[claim]]\nid = \"c\"\nsource = \""+test.source+"\"\nstatement = \"x\"\n"+
			"workload = \"customer\"\nsizes = [\"level=1\"]\nops = [\"open\"]\npredicate = \"exact\"\nof = \"flatbuffers\"\nbenchmarks = { of = \""+test.of+"\" }\nsays = \"2 to 3 ns\"\n"))
		switch {
		case test.want == "" && err != nil, test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), test.want)):
			t.Errorf("%s of source %s: error %v, want %q", test.of, test.source, err, test.want)
		}
	}
}
