package answer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/analysis"
	"assay/result"
)

// pick returns the answer to a question.
func pick(t *testing.T, a *Answer, key string) Pick {
	t.Helper()
	i := slices.IndexFunc(a.Picks, func(p Pick) bool { return p.Key == key })
	if i < 0 {
		t.Fatalf("there is no question %q", key)
	}
	return a.Picks[i]
}

// The Pareto front must be right on a quiet machine, and on one that leaves much undecided.
func TestFront(t *testing.T) {
	json := bench{"encoding/json", "", 1000, 3000, 2000, 0}
	rough := machine{layouts: 5, rough: 0.05}
	for _, test := range []struct {
		name string
		machine
		all  []bench
		want []string // "name" is shown to belong on the front; "name?" is only not shown to be beaten
	}{
		// vtprotobuf is smaller than the others, and faster by disjoint intervals.
		{"one beats all", rough, []bench{json, {"vtprotobuf", "", 1200, 2620, 740, 0}, {"msgp", "", 1230, 3000, 1930, 0}, {"flatbuffers", "", 3160, 3000, 1270, 0}}, []string{"vtprotobuf"}},
		{"faster or smaller", quiet, []bench{json, {"vtprotobuf", "", 100, 200, 700, 0}, {"avro", "", 200, 300, 600, 0}, {"msgp", "", 300, 400, 650, 0}}, []string{"vtprotobuf", "avro"}},
		{"a tie in time and clearly smaller", quiet, []bench{json, {"vtprotobuf", "", 100, 200, 700, 0}, {"msgp", "", 100, 200, 900, 0}}, []string{"vtprotobuf"}},
		{"a little slower, by less than 2%, and clearly smaller", quiet, []bench{json, {"vtprotobuf", "", 101, 200, 700, 0}, {"msgp", "", 100, 200, 900, 0}}, []string{"vtprotobuf"}},
		{"a tie in both", quiet, []bench{json, {"vtprotobuf", "", 100, 200, 700, 0}, {"gogo/protobuf", "", 100, 200, 703, 0}}, []string{"gogo/protobuf", "vtprotobuf"}},
		{"as large and told apart", quiet, []bench{json, {"vtprotobuf", "", 100, 200, 700, 0}, {"gogo/protobuf", "", 110, 230, 703, 0}}, []string{"vtprotobuf"}},
		// 5% between the two times is less than the machine can tell. So the smaller one is shown
		// to belong on the front, and the larger one is not shown to be beaten.
		{"larger, and hardly faster", rough, []bench{json, {"vtprotobuf", "", 100, 200, 700, 0}, {"msgp", "", 95, 190, 900, 0}}, []string{"msgp?", "vtprotobuf"}},
		{"as large, and hardly slower", rough, []bench{json, {"vtprotobuf", "", 100, 200, 700, 0}, {"msgp", "", 105, 208, 700, 0}}, []string{"msgp?", "vtprotobuf"}},
		{"alike, as far as is known", rough, []bench{json, {"vtprotobuf", "", 100, 200, 700, 0}, {"msgp", "", 101, 201, 700, 0}}, []string{"msgp?", "vtprotobuf?"}},
		{"a mode that gains nothing", quiet, []bench{json, {"packer", "", 100, 200, 60, 0}, {"packer", "ints=fixed", 100, 200, 60, 0}}, []string{"packer"}},
		{"what is not safe beats nobody", quiet, []bench{json, {"bomb", "", 10, 20, 50, 0}, {"packer", "", 100, 200, 60, 0}}, []string{"packer"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := Of(test.asks("encoding/json", nil, test.all...))
			var got []string
			for _, c := range a.Front {
				name := c.Subject.String()
				if !c.Unbeaten {
					name += "?"
				}
				got = append(got, name)
			}
			slices.Sort(got)
			slices.Sort(test.want)
			if diff := cmp.Diff(test.want, got); diff != "" {
				for _, c := range a.Candidates {
					t.Logf("%s %v to json, %v B", c.Subject, *c.ToHave, c.Size)
				}
				t.Errorf("front (-want +got):\n%s", diff)
			}
			for _, c := range a.Candidates {
				if slices.Contains(a.Front, c) != c.Pareto {
					t.Errorf("%s: in the front %v, marked %v", c.Subject, !c.Pareto, c.Pareto)
				}
			}
		})
	}
}

// The order inside a tie is: maintained first, then the contender in use, then contenders without a
// generate step, then the standard library. Because must give the reason.
func TestTies(t *testing.T) {
	json := bench{"encoding/json", "", 1000, 3000, 2000, 0}
	for _, test := range []struct {
		name, have, key string
		all             []bench
		want            []string
		because         string
	}{
		{"maintained", "encoding/json", "fastest", []bench{json, {"gogo/protobuf", "", 99.5, 199, 700, 0}, {"vtprotobuf", "", 100, 200, 700, 0}}, []string{"vtprotobuf", "gogo/protobuf"}, "it is maintained"},
		{"in use", "vtprotobuf", "fastest", []bench{json, {"msgp", "", 99.5, 199, 700, 0}, {"vtprotobuf", "", 100, 200, 700, 0}}, []string{"vtprotobuf", "msgp"}, "it is in use"},
		{"in use, but not maintained", "gogo/protobuf", "fastest", []bench{json, {"gogo/protobuf", "", 99.5, 199, 700, 0}, {"vtprotobuf", "", 100, 200, 700, 0}}, []string{"vtprotobuf", "gogo/protobuf"}, "it is maintained"},
		{"no generate step", "encoding/json", "fastest", []bench{json, {"vtprotobuf", "", 99.5, 199, 700, 0}, {"avro", "", 100, 200, 700, 0}}, []string{"avro", "vtprotobuf"}, "it needs no generate step"},
		{"the standard library", "msgp", "fastest", []bench{{"encoding/json", "", 100, 200, 700, 0}, {"avro", "", 99.5, 199, 700, 0}, {"msgp", "", 300, 400, 600, 0}}, []string{"encoding/json", "avro"}, "it is part of the standard library"},
		{"the first by time", "encoding/json", "fastest", []bench{json, {"lib1", "", 100, 200, 700, 0}, {"lib2", "", 99.5, 199, 700, 0}}, []string{"lib2", "lib1"}, ""},
		{"the first anyway", "encoding/json", "fastest", []bench{json, {"gogo/protobuf", "", 100, 200, 700, 0}, {"vtprotobuf", "", 99.5, 199, 700, 0}}, []string{"vtprotobuf", "gogo/protobuf"}, ""},
		{"of sizes", "encoding/json", "smallest", []bench{json, {"msgp", "", 100, 200, 700, 0}, {"avro", "", 300, 400, 704, 0}}, []string{"avro", "msgp"}, "it needs no generate step"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := Of(quiet.asks(test.have, nil, test.all...))
			p := pick(t, a, test.key)
			if diff := cmp.Diff(test.want, best(a, test.key)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.key, diff)
			}
			if p.Because != test.because {
				t.Errorf("it comes first because %q, want %q", p.Because, test.because)
			}
		})
	}
}

// The least change is to the fastest contender of the same format. A mode of the contender in use is not
// another contender, and a generate step is a change unless the contender in use has one.
func TestLeastChange(t *testing.T) {
	json, slow := bench{"encoding/json", "", 1000, 3000, 200, 0}, bench{"fastjson", "", 2000, 4000, 200, 0}
	gen := bench{"genjson", "", 100, 200, 200, 0}
	for _, test := range []struct {
		name, have string
		all        []bench
		want       []string
	}{
		{"what is in use is the fastest", "encoding/json", []bench{json, slow}, []string{"encoding/json"}},
		{"a mode of what is in use", "encoding/json", []bench{json, slow, {"encoding/json", "ints=fixed", 100, 300, 200, 0}}, []string{"encoding/json"}},
		{"a mode of another", "encoding/json", []bench{json, {"fastjson", "ints=fixed", 100, 300, 200, 0}}, []string{"fastjson (ints=fixed)"}},
		{"another format", "encoding/json", []bench{json, {"cbor", "", 100, 300, 200, 0}}, []string{"encoding/json"}},
		{"a generate step", "encoding/json", []bench{json, slow, gen}, []string{"encoding/json"}},
		{"a generate step as now", "genjson", []bench{json, slow, gen}, []string{"genjson"}},
		{"without the generate step", "genjson", []bench{gen, {"fastjson", "", 50, 100, 200, 0}}, []string{"fastjson"}},
	} {
		a := Of(quiet.asks(test.have, nil, test.all...))
		if diff := cmp.Diff(test.want, best(a, "least-change")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Two candidates are not told apart from the fastest, whose times are rough, but one of them is
// told apart as faster than the other. That one must come first, whatever the preferences, and the
// other must not be part of the tie.
func TestTieIsNotTransitive(t *testing.T) {
	json := bench{"encoding/json", "", 1000, 3000, 2000, 0}
	for _, test := range []struct {
		name       string
		all        []bench
		loose      string
		best       []string
		because    string
		unresolved bool
	}{
		{"a preference of the slower one", []bench{json, {"gogo/protobuf", "", 99, 198, 700, 0}, {"vtprotobuf", "", 100, 200, 700, 0}, {"avro", "", 105, 210, 700, 0}},
			"gogo/protobuf", []string{"vtprotobuf", "gogo/protobuf"}, "it is maintained", true},
		{"a preference of the fastest", []bench{json, {"avro", "", 99, 198, 700, 0}, {"vtprotobuf", "", 100, 200, 700, 0}, {"msgp", "", 105, 210, 700, 0}},
			"avro", []string{"avro", "vtprotobuf", "msgp"}, "", true},
		{"a mode that is faster than the default", []bench{json, {"gogo/protobuf", "", 99, 198, 700, 0}, {"vtprotobuf", "ints=fixed", 100, 200, 700, 0}, {"vtprotobuf", "", 105, 210, 700, 0}},
			"gogo/protobuf", []string{"vtprotobuf (ints=fixed)", "gogo/protobuf"}, "it is maintained", true},
		{"a mode that is not shown to be faster than its default", []bench{json, {"vtprotobuf", "ints=fixed", 99, 198, 700, 0}, {"vtprotobuf", "", 105, 210, 700, 0}, {"vtprotobuf", "pool=on", 106, 212, 700, 0}},
			"vtprotobuf (pool=on)", []string{"vtprotobuf (ints=fixed)"}, "", false},
		{"what is left is a tie", []bench{json, {"lib1", "", 99, 198, 700, 0}, {"lib2", "", 99.5, 199, 700, 0}},
			"", []string{"lib1", "lib2"}, "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := quiet
			m.loose = map[string]float64{test.loose: 0.08}
			a := Of(m.asks("encoding/json", nil, test.all...))
			p := pick(t, a, "fastest")
			if diff := cmp.Diff(test.best, best(a, "fastest")); diff != "" {
				t.Errorf("fastest (-want +got):\n%s", diff)
			}
			if p.Because != test.because || p.Unresolved != test.unresolved {
				t.Errorf("because %q, unresolved %v; want %q, %v", p.Because, p.Unresolved, test.because, test.unresolved)
			}
			for _, c := range p.Best {
				if r := a.ranking.Relation(p.Best[0].place, c.place); r == analysis.Faster || r == analysis.Slower {
					t.Errorf("%s is %s than %s", p.Best[0].Subject, r, c.Subject)
				}
			}
			for _, c := range p.Passed {
				if c.Safe() && len(c.Unmet) == 0 {
					t.Errorf("%s is passed over, and may be the answer", c.Subject)
				}
			}
			if t.Failed() {
				for _, c := range a.Candidates {
					t.Logf("%s: to the first %v", c.Subject, a.Between(c, a.Candidates[0]))
				}
			}
		})
	}
}

// rows15 returns 15 rows from 287 µs to 1.83 ms beside encoding/json.
func rows15() []bench {
	all := []bench{{"encoding/json", "", 200_000, 400_000, 2000, 0}}
	for i := range 15 {
		ns := 287_000 * (1 + float64(i)*(1830.0/287-1)/14)
		all = append(all, bench{fmt.Sprintf("lib%d", i), "", ns / 3, ns * 2 / 3, int64(1000 + i), 0})
	}
	return all
}

// If too little was measured there is no winner by time, and the answer says what it takes, but it
// still answers about sizes. If enough was measured, 15 rows with a factor of six between them are
// not a tie.
func TestShortage(t *testing.T) {
	for _, test := range []struct {
		name string
		machine
		all     []bench
		records int64
		reason  string // empty: there is an answer
		needs   string
	}{
		{"three layouts", machine{layouts: 3, rough: 0.02}, rows15(), 100, "only 3 link layouts were measured, and 4 are needed, because each link moves ratios", "--budget 2m"},
		{"one layout", machine{layouts: 1, rough: 0.02}, rows15(), 100, "only 1 link layout was measured", "--budget 3m"},
		{"the ordinary layout", machine{layouts: 0, rough: 0.02}, rows15(), 100, "only the ordinary link layout was measured", "--budget 6m"},
		{"wide", machine{layouts: 4, rough: 0.3}, rows15(), 100, "is known to ±", "--layouts 10 --budget 3m"},
		{"one large record", machine{layouts: 3, rough: 0.02}, []bench{{"encoding/json", "", 9e6, 30e6, 2000, 0}, {"packer", "", 1e6, 2e6, 100, 0}}, 1, "only 3 link layouts", "--budget 2m"},
		{"enough", machine{layouts: 8, rough: 0.02}, rows15(), 100, "", ""},
		{"just enough", machine{layouts: 4, rough: 0.02}, rows15(), 100, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := test.asks("encoding/json", nil, test.all...)
			q.Records = test.records
			a := Of(q)
			if (a.Shortage == nil) != (test.reason == "") {
				t.Fatalf("the shortage is %+v, want %q", a.Shortage, test.reason)
			}
			for _, p := range a.Picks {
				timed := p.Metric == analysis.Time
				if named := len(p.Best) > 0; named != (!timed || test.reason == "") && p.Key != "least-change" {
					t.Errorf("%s: %d are named, reason %q", p.Key, len(p.Best), p.Reason)
				}
			}
			if test.reason == "" {
				if got := best(a, "fastest"); !slices.Equal(got, []string{"lib0"}) {
					t.Errorf("fastest is %v, want lib0 alone", got)
				}
				return
			}
			if !strings.Contains(a.Shortage.Reason, test.reason) {
				t.Errorf("the reason is %q, want %q", a.Shortage.Reason, test.reason)
			}
			if got := strings.Join(a.Shortage.Needs(), " "); got != test.needs {
				t.Errorf("it takes %q, want %q", got, test.needs)
			}
			if a.Shortage.Records != (test.records == 1) {
				t.Errorf("records within the sample would help: %v", a.Shortage.Records)
			}
			if len(a.Front)+len(a.Costs) > 0 || a.Worth != nil {
				t.Errorf("a front of %d, %d costs, worth %v", len(a.Front), len(a.Costs), a.Worth)
			}
		})
	}
}

// A contender in use without a number is named with the reason, and the others are still told
// apart.
func TestWithoutWhatIsInUse(t *testing.T) {
	q := quiet.asks("cbor", nil, bench{"encoding/json", "", 1000, 3000, 200, 0}, bench{"packer", "", 100, 200, 60, 0}, bench{"cbor", "", 100, 0, 60, 0})
	a := Of(q)
	if got := best(a, "fastest"); !slices.Equal(got, []string{"packer"}) {
		t.Errorf("fastest is %v, want packer", got)
	}
	if i := slices.IndexFunc(a.LeftOut, func(l Left) bool { return l.Subject == result.Subject{Contender: "cbor"} }); i < 0 || a.LeftOut[i].Reason == "" {
		t.Errorf("left out is %+v, want cbor with a reason", a.LeftOut)
	}
	if a.Worth != nil {
		t.Errorf("the choice is worth %+v against something without a number", a.Worth)
	}
}

// The sizes of contenders that were verified but not timed are known. Smaller must find one that is
// smaller than the smallest answer.
func TestSmallerLeftOut(t *testing.T) {
	for size, want := range map[int64]bool{30: true, 59: true, 60: false, 90: false} {
		a := Of(quiet.asks("encoding/json", nil, bench{"encoding/json", "", 1000, 3000, 200, 0}, bench{"packer", "", 100, 200, 60, 0}, bench{"cbor", "", 100, 0, size, 0}))
		if l := a.Smaller(pick(t, a, "smallest").Best[0]); (l != nil) != want || want && (l.Contender != "cbor" || l.Size != float64(size)) {
			t.Errorf("of %d B beside 60 B, smaller is %+v", size, l)
		}
	}
	// What could not be recommended is not named.
	for _, untimed := range []bench{{"packer", "", 100, 0, 30, 0}, {"encoding/gob", "session=stream", 100, 0, 30, 0}} {
		a := Of(quiet.asks("encoding/json", []string{"no-codegen"}, bench{"encoding/json", "", 1000, 3000, 200, 0}, bench{"cbor", "", 100, 200, 60, 0}, untimed))
		if l := a.Smaller(pick(t, a, "smallest").Best[0]); l != nil {
			t.Errorf("smaller without codegen is %+v", l)
		}
	}
}

// Meagre must be set for a size that is hardly smaller.
func TestMeagre(t *testing.T) {
	for packed, want := range map[int64]bool{99: true, 96: true, 94: false, 50: false} {
		a := Of(asks("encoding/json", nil, bench{"encoding/json", "", 1000, 3000, 200, 100}, bench{"packer", "", 100, 200, 60, packed}))
		if p := pick(t, a, "smallest-compressed"); p.Meagre != want {
			t.Errorf("%d of 100 B is meagre: %v, want %v", packed, p.Meagre, want)
		}
		if pick(t, a, "smallest").Meagre {
			t.Error("60 of 200 B is called meagre")
		}
	}
}

// Every word that the answer uses must be explained, once.
func TestWords(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Musts {
		if m.Name == "" || m.Short == "" || m.Text == "" || m.Rule == "" || seen[m.Name] {
			t.Errorf("condition %+v", m.Word)
		}
		seen[m.Name] = true
	}
	for _, w := range Terms {
		if w.Name == "" || w.Short == "" || w.Text == "" || w.Rule == "" || seen[w.Name] {
			t.Errorf("term %+v", w)
		}
		seen[w.Name] = true
	}
}
