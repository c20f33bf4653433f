package answer

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/internal/analysis"
	"assay/result"
)

// A bench has the times of a subject's encode and decode in ns, and its size in bytes.
type bench struct {
	name, mode     string
	encode, decode float64
	size           int64
	packed         int64 // in a batch of zstd; 0: half of the size
}

var cell = result.Cell{Workload: "orders", Size: "records=100"}

// A machine says how much is measured, and how precisely.
type machine struct {
	layouts int     // without the ordinary layout
	rough   float64 // the share by which a layout moves a time
	// loose has the shares for some subjects, in place of rough.
	loose map[string]float64
	// busy has the factors by which subjects take more CPU time with the collector on. CPU time is
	// not measured for subjects that busy lacks; nil: for none.
	busy map[string]float64
}

var quiet = machine{layouts: 8, rough: 0.005}

// asks makes a run on a quiet machine, in which the subjects take the given times, and a question
// about it.
func asks(have string, must []string, all ...bench) Question { return quiet.asks(have, must, all...) }

func (m machine) asks(have string, must []string, all ...bench) Question {
	run := &result.Run{
		Schema: result.RunSchema, ID: "test", Started: time.Unix(0, 0), Finished: time.Unix(60, 0),
		Plan: result.Plan{Reference: "encoding/json", Budget: time.Minute},
	}
	for layout := range uint64(max(m.layouts, 8) + 1) {
		run.Plan.Layouts = append(run.Plan.Layouts, layout)
	}
	q := Question{Asked: Asked{Have: have, Must: must, Prices: DefaultPrices}, Cell: cell, Records: 100, Bytes: map[result.Subject]int64{}}
	var records []result.Record
	for _, op := range []result.Op{result.Encode, result.Decode} {
		at := cell
		at.Op = op
		for layout := range uint64(m.layouts + 1) {
			l := &result.Launch{Cell: at, Layout: layout, Index: int(layout)}
			for i, b := range all {
				ns := b.encode
				if op == result.Decode {
					ns = b.decode
				}
				if ns == 0 {
					continue
				}
				s := result.Series{Subject: result.Subject{Contender: b.name, Mode: b.mode}, N: 1000}
				rough, ok := m.loose[s.Subject.String()]
				if !ok {
					rough = m.rough
				}
				for round := range 20 {
					// The noise is deterministic, but differs for every subject and layout.
					noise := 1 + rough*math.Sin(float64(i*3)+float64(layout)*float64(2*i+1)) + 0.002*math.Sin(float64(round*7))
					s.Round = append(s.Round, round)
					s.Wall = append(s.Wall, int64(ns*1000*noise))
					s.CPU = append(s.CPU, int64(ns*1000*noise))
				}
				l.Series = append(l.Series, s)
			}
			records = append(records, result.Record{Launch: l})
		}
		records = append(records, m.steady(at, all)...)
		for _, b := range all {
			if b.mode != "" && (op == result.Encode && b.encode == 0 || op == result.Decode && b.decode == 0) {
				continue // the mode does not change the op
			}
			s := result.Subject{Contender: b.name, Mode: b.mode}
			run.Plan.Cases = append(run.Plan.Cases, at.Case(s))
			if b.size > 0 && op == result.Encode {
				q.Bytes[s] = b.size * 100
				packed := b.packed
				if packed == 0 {
					packed = b.size / 2
				}
				records = append(records, result.Record{Compressed: &result.Compressed{
					Case: at.Case(s), Messages: 100, Encoded: 100 * b.size, Batch: 100 * b.size,
					Codecs: []result.CompressedSizes{{Codec: "zstd", Bytes: 80 * b.size, Batch: 100 * packed}, {Codec: "gzip", Bytes: 70 * b.size, Batch: 90 * packed}},
				}})
			}
		}
	}
	q.Results = analysis.Of(run, records, analysis.View{})
	q.Contenders = []*contender.Contender{
		about("encoding/json", "json", contender.SchemaFree, contender.HumanReadable, contender.CrossLanguage, contender.Reflection, contender.Standard),
		about("fastjson", "json", contender.SchemaFree, contender.HumanReadable, contender.CrossLanguage, contender.Reflection, contender.Unsafe),
		about("genjson", "json", contender.SchemaFree, contender.HumanReadable, contender.CrossLanguage, contender.Codegen),
		about("packer", "packed", contender.Codegen),
		about("twin", "packed", contender.Codegen, contender.CrossLanguage),
		about("cbor", "cbor", contender.SchemaFree, contender.CrossLanguage, contender.Reflection),
		about("bomb", "bomb", contender.Panics),
		about("sonic", "json", contender.SchemaFree, contender.HumanReadable, contender.CrossLanguage, contender.Unsafe),
		about("vtprotobuf", "protobuf", contender.Codegen, contender.CrossLanguage),
		about("gogo/protobuf", "protobuf", contender.Codegen, contender.CrossLanguage, contender.Unmaintained),
		about("msgp", "msgpack", contender.Codegen, contender.CrossLanguage),
		about("flatbuffers", "flatbuffers", contender.Codegen, contender.CrossLanguage),
		about("avro", "avro", contender.CrossLanguage),
	}
	for i := range 15 {
		q.Contenders = append(q.Contenders, about(fmt.Sprintf("lib%d", i), fmt.Sprintf("format%d", i)))
	}
	return q
}

// steady returns the counts of CPU time of a cell, in four layouts.
func (m machine) steady(at result.Cell, all []bench) (records []result.Record) {
	for layout := range 4 {
		for i, b := range all {
			ns := b.encode
			if at.Op == result.Decode {
				ns = b.decode
			}
			factor, ok := m.busy[b.name]
			if !ok || ns == 0 {
				continue
			}
			s := &result.Steady{Case: at.Case(result.Subject{Contender: b.name, Mode: b.mode}), Layout: uint64(layout + 1), Index: layout}
			for round := range 2 {
				s.Round, s.Ops, s.GCCPU, s.Cycles = append(s.Round, round), append(s.Ops, 1000), append(s.GCCPU, 0), append(s.Cycles, 1)
				s.CPU = append(s.CPU, int64(1000*ns*factor*(1+0.004*math.Sin(float64(5*i+3*layout+round)))))
			}
			s.Wall = s.CPU
			records = append(records, result.Record{Steady: s})
		}
	}
	return records
}

func about(name, format string, traits ...contender.Trait) *contender.Contender {
	return &contender.Contender{Name: name, Format: format, Traits: traits}
}

// best returns the names of the best of a pick.
func best(a *Answer, key string) []string {
	i := slices.IndexFunc(a.Picks, func(p Pick) bool { return p.Key == key })
	var names []string
	for _, c := range a.Picks[i].Best {
		names = append(names, c.Subject.String())
	}
	return names
}

var usual = []bench{
	{"encoding/json", "", 1000, 3000, 200, 0},
	{"fastjson", "", 500, 1000, 200, 0},
	{"genjson", "", 300, 600, 200, 0},
	{"packer", "", 100, 200, 60, 0},
	{"packer", "strings=alias", 0, 100, 60, 0},
	{"twin", "", 101, 199, 60, 0}, // within 1% of packer's
	{"cbor", "", 400, 900, 140, 0},
	{"bomb", "", 10, 20, 50, 0},
}

// The candidates are ranked by CPU time if that shows another contender to be the fastest. They are
// ranked by time if CPU time agrees, or if it is not known for all of them.
func TestRankedByCPU(t *testing.T) {
	all := map[string]float64{"encoding/json": 1.1, "fastjson": 1.2, "genjson": 1.1, "packer": 1.3, "twin": 1.3, "cbor": 1.1, "bomb": 1.1}
	with := func(name string, factor float64) map[string]float64 {
		out := maps.Clone(all)
		out[name] = factor
		if factor == 0 {
			delete(out, name)
		}
		return out
	}
	for _, test := range []struct {
		name    string
		busy    map[string]float64
		cpu     string // the contender that is faster by CPU time; empty: none
		fastest []string
	}{
		{"not measured", nil, "", []string{"packer", "twin"}},
		{"it agrees", all, "", []string{"packer", "twin"}},
		{"garbage", with("packer", 5), "twin", []string{"twin"}},
		{"not all", with("cbor", 0), "", []string{"packer", "twin"}},
		{"what is not safe has no say", with("bomb", 0.1), "", []string{"packer", "twin"}},
	} {
		m := quiet
		m.busy = test.busy
		a := Of(m.asks("encoding/json", nil, usual...))
		got := best(a, "fastest")
		slices.Sort(got)
		if diff := cmp.Diff(test.fastest, got); diff != "" {
			t.Errorf("%s: fastest (-want +got):\n%s", test.name, diff)
		}
		d := a.Disagreement
		if (d != nil) != (test.cpu != "") || d != nil && (d.CPU.Contender != test.cpu || d.Code.Contender != "packer") {
			t.Errorf("%s: the disagreement is %+v", test.name, d)
		}
		for i, c := range a.Candidates {
			spent := c.Time
			if d != nil {
				spent = *c.CPU
			}
			if c.Spent != spent || i > 0 && a.Between(c, a.Candidates[i-1]).Value < 0.99 {
				t.Errorf("%s: place %d has %s with %v", test.name, i+1, c.Subject, c.Spent)
			}
		}
		packer, json := a.Candidate(result.Subject{Contender: "packer"}), a.Candidate(a.Have)
		want := packer.Spent.Value / json.Spent.Value
		if math.Abs(packer.ToHave.Value/want-1) > 0.01 || json.ToHave.Value != 1 {
			t.Errorf("%s: packer is %v of encoding/json, want %v", test.name, packer.ToHave.Value, want)
		}
	}
}

func TestPicks(t *testing.T) {
	a := Of(asks("encoding/json", nil, usual...))
	for key, want := range map[string][]string{
		"fastest":            {"packer", "twin"}, // a tie has no winner; bomb panics, aliasing is not safe
		"smallest":           {"bomb"},
		"fastest-no-codegen": {"cbor"},
		"least-change":       {"fastjson"},
	} {
		got := best(a, key)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	var front []string
	for _, c := range a.Front {
		front = append(front, c.Contender)
	}
	slices.Sort(front)
	if diff := cmp.Diff([]string{"packer", "twin"}, front); diff != "" { // tied in both
		t.Errorf("front (-want +got):\n%s", diff)
	}
	p := a.Picks[0]
	if len(p.Passed) == 0 || p.Passed[0].Contender != "bomb" {
		t.Errorf("passed over is %v, want bomb first", p.Passed)
	}
}

// Two contenders whose round trips differ by 10% are told apart even though
// each is ahead in one op.
func TestSumsAreRanked(t *testing.T) {
	a := Of(asks("encoding/json", nil,
		bench{"encoding/json", "", 500, 1500, 100, 0}, bench{"packer", "", 100, 900, 50, 0}, bench{"twin", "", 300, 600, 50, 0}))
	if got := best(a, "fastest"); !slices.Equal(got, []string{"twin"}) {
		t.Errorf("fastest is %v, want twin", got)
	}
	c := a.Candidates[0]
	if want := 900.0 / 2000; math.Abs(c.ToHave.Value/want-1) > 0.01 || c.ToHave.Lo >= want || c.ToHave.Hi <= want {
		t.Errorf("the ratio to encoding/json is %v, want about %v within its bounds", *c.ToHave, want)
	}
}

func TestMust(t *testing.T) {
	a := Of(asks("encoding/json", []string{"schema-free", "cross-language"}, usual...))
	if got := best(a, "fastest"); !slices.Equal(got, []string{"genjson"}) {
		t.Errorf("fastest of what is schema-free is %v, want genjson", got)
	}
	if got := best(a, "smallest"); !slices.Equal(got, []string{"cbor"}) {
		t.Errorf("smallest of what is schema-free is %v, want cbor", got)
	}
	a = Of(asks("encoding/json", []string{"streaming"}, usual...))
	for _, p := range a.Picks {
		if len(p.Best) > 0 || p.Reason == "" {
			t.Errorf("%s: %d recommended, reason %q; nothing streams here", p.Key, len(p.Best), p.Reason)
		}
	}
}

func TestGivesUp(t *testing.T) {
	a := Of(asks("encoding/json", nil, usual...))
	i := slices.IndexFunc(a.Candidates, func(c *Candidate) bool { return c.Contender == "packer" && c.Mode == "" })
	want := Price{
		Lacks:  []contender.Trait{contender.HumanReadable, contender.SchemaFree, contender.CrossLanguage, contender.Standard},
		Brings: []contender.Trait{contender.Codegen}, Format: "packed",
	}
	if diff := cmp.Diff(want, a.Candidates[i].GivesUp); diff != "" {
		t.Errorf("what packer gives up (-want +got):\n%s", diff)
	}
	for _, c := range a.Candidates {
		if (c.Subject == a.Have) != c.GivesUp.Nothing() {
			t.Errorf("%s gives up %+v", c.Subject, c.GivesUp)
		}
	}
}

// If a contender writes JSON and has losses, LossBytes is how much its record differs from the
// user's.
func TestLossBytes(t *testing.T) {
	q := asks("encoding/json", nil, usual...)
	q.Results.JSON = &analysis.JSONSize{Records: 100, Compact: 22_000}
	for i := range q.Results.Tables {
		rows := q.Results.Tables[i].Rows
		for k := range rows {
			if c := rows[k].Case.Contender; c == "fastjson" || c == "cbor" {
				rows[k].Losses = []string{string(contender.NullAbsent)}
			}
		}
	}
	a := Of(q)
	for name, want := range map[string]float64{"fastjson": -20, "cbor": 0, "genjson": 0, "encoding/json": 0} {
		i := slices.IndexFunc(a.Candidates, func(c *Candidate) bool { return c.Contender == name })
		if got := a.Candidates[i].GivesUp; got.LossBytes != want || (name == "fastjson") != (len(got.Losses) > 0 && got.Format == "") {
			t.Errorf("%s: %+v, want %v bytes", name, got, want)
		}
	}
}

func TestNothingMeasured(t *testing.T) {
	q := asks("encoding/json", nil, bench{"encoding/json", "", 1000, 0, 100, 0}) // never decoded
	a := Of(q)
	for _, p := range a.Picks {
		if len(p.Best) > 0 || p.Reason == "" {
			t.Errorf("%s is recommended from half a round trip: %+v", p.Key, p)
		}
	}
	if len(a.LeftOut) != 1 || a.LeftOut[0].Contender != "encoding/json" {
		t.Errorf("left out is %+v, want encoding/json", a.LeftOut)
	}
}

func TestCost(t *testing.T) {
	q := asks("encoding/json", nil, usual...)
	q.Prices = Prices{Rate: 1e6, Retention: 10, Core: 0.05, Network: 0.01, Storage: 0.02, Codec: "zstd", Batch: true}
	a := Of(q)
	if a.CPU {
		t.Error("costs are said to be of CPU time, which was not measured")
	}
	var json, packer Cost
	for _, c := range a.Costs {
		switch c.Subject.String() {
		case "encoding/json":
			json = c
		case "packer":
			packer = c
		}
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.02*math.Abs(want) {
			t.Errorf("%s is %v, want about %v", what, got, want)
		}
	}
	near("cores of encoding/json", json.Cores.Value, 1e6*4000/1e9)
	near("network of encoding/json", json.Plain.Network, 200e6)
	near("storage of encoding/json", json.Plain.Storage, 200e6*10*86400)
	near("a month of encoding/json", json.Plain.PerMonth.Value, 4*720*0.05+200e6*2592000/1e9*0.01+200e6*864000/1e9*0.02)
	near("the same in batches of zstd", json.Sent.PerMonth.Value, 4*720*0.05+100e6*2592000/1e9*0.01+100e6*864000/1e9*0.02)
	near("cores of packer", packer.Cores.Value, 0.3)
	near("what packer saves", packer.Plain.Saves.Value, json.Plain.PerMonth.Value-packer.Plain.PerMonth.Value)
	near("what it saves of cores", packer.Plain.Saves.Core, 3.7*720*0.05)
	near("what it saves of storage", packer.Plain.Saves.Storage, 140e6*864000/1e9*0.02)
	near("what it saves in batches", packer.Sent.Saves.Value, json.Sent.PerMonth.Value-packer.Sent.PerMonth.Value)
	near("the rate at which packer saves a core", packer.CoreAt, 1e9/3700)
	if packer.Plain.BreakEven != nil {
		t.Errorf("packer is better in all; its break-even is %+v", *packer.Plain.BreakEven)
	}
	for what, i := range map[string]analysis.Interval{
		"a month": json.Plain.PerMonth, "what packer saves": packer.Sent.Saves.Interval, "its cores": *packer.SavesCores,
	} {
		if !(i.Lo < i.Value && i.Value < i.Hi) {
			t.Errorf("%s is %v, without an interval", what, i)
		}
	}
	if json.SavesCores != nil || json.Plain.Saves != nil {
		t.Errorf("what is in use saves something against itself: %+v", json)
	}
}

// The bill is for messages after the chosen codec. Without a codec it is for uncompressed messages.
func TestSending(t *testing.T) {
	for _, test := range []struct {
		codec string
		batch bool
		want  float64 // bytes of a record of encoding/json
		title string
	}{
		{"zstd", true, 100, "smallest in batches of zstd"}, {"zstd", false, 160, "smallest with zstd, each by itself"},
		{"gzip", true, 90, "smallest in batches of gzip"}, {NoCodec, true, 0, "smallest as sent"},
	} {
		q := asks("encoding/json", nil, usual...)
		q.Codec, q.Batch = test.codec, test.batch
		a := Of(q)
		c := a.Candidate(result.Subject{Contender: "encoding/json"})
		if c.Sent != test.want {
			t.Errorf("%s, %v: a record is sent as %v bytes, want %v", test.codec, test.batch, c.Sent, test.want)
		}
		if p := a.Picks[2]; p.Title != test.title || (len(p.Best) == 0) != (test.want == 0) || p.Reason == "" != (test.want != 0) {
			t.Errorf("%s, %v: %q recommends %d, reason %q", test.codec, test.batch, p.Title, len(p.Best), p.Reason)
		}
		for _, cost := range a.Costs {
			if want := 1000 * test.want; cost.Subject == a.Have && (test.want > 0) != (cost.Sent != nil && cost.Sent.Network == want) {
				t.Errorf("%s, %v: the bill is %+v", test.codec, test.batch, cost.Sent)
			}
		}
	}
}

// TestSendingLongerRecords checks a record's size as it is sent if all records are twice as long, on
// average, as those that were compressed. The length of the timed ones says nothing about it.
func TestSendingLongerRecords(t *testing.T) {
	q := asks("encoding/json", nil, usual...)
	json := result.Subject{Contender: "encoding/json"}
	before := Of(q).Candidate(json)
	for i := range q.Results.Tables {
		table := &q.Results.Tables[i]
		for s, bytes := range q.Bytes { // of 100 records
			if one := table.Cell.Case(s); one.Op == result.Encode {
				n := float64(bytes) / 300
				table.Rows = append(table.Rows, analysis.Row{Case: one, Metric: analysis.EncodedSize, Number: &analysis.Interval{Value: n, Lo: n, Hi: n}})
			}
		}
	}
	if c := Of(q).Candidate(json); c.Size != before.Size || c.Sent != before.Sent {
		t.Errorf("timed records of a third: %v bytes, sent as %v, want %v and %v", c.Size, c.Sent, before.Size, before.Sent)
	}
	q.Pressed = map[result.Subject]float64{}
	for s, bytes := range q.Bytes {
		q.Pressed[s] = float64(bytes) / 200
	}
	c := Of(q).Candidate(json)
	if c.Size != before.Size || c.Sent != 2*before.Sent || c.Packed != 2*before.Packed || c.PackedAlone != 2*before.PackedAlone {
		t.Errorf("%v bytes, sent as %v, want %v and twice %v", c.Size, c.Sent, before.Size, before.Sent)
	}
}

// TestWorth checks whether the choice matters, and from which rate on.
func TestWorth(t *testing.T) {
	for _, test := range []struct {
		name    string
		rate    float64
		all     []bench
		best    string
		matters bool
		at      float64 // the rate from which on it matters; 0: none
		plain   float64 // dollars a month saved with uncompressed records
	}{
		// At 1000 messages a second of 4 µs and of 100 B in a batch, packer saves 0.0037 cores and
		// 70 B a message: $0.12 and $5.99.
		{"hardly", 1000, usual, "packer", false, 1000 * 20 / 6.11, 12},
		{"by bytes at another rate", 20000, usual, "packer", true, 1000 * 20 / 6.11, 241},
		{"by cores", 20000, []bench{{"encoding/json", "", 1000, 3000, 60, 10}, {"packer", "", 100, 200, 60, 10}}, "packer", true, 1000 * 0.05 / 0.0037, 2.4},
		// Each message is half a kilobyte smaller, but zstd compresses both to almost the same
		// size.
		{"by bytes that compress well", 1000, []bench{{"encoding/json", "", 1000, 3000, 600, 50}, {"packer", "", 900, 2900, 100, 49}}, "packer", false, 1000 * 20 / 0.092, 43},
		{"by bytes", 1000, []bench{{"encoding/json", "", 1000, 3000, 600, 600}, {"packer", "", 900, 2900, 100, 100}}, "packer", true, 1000 * 20 / 43, 43},
		{"the cheapest is no longer maintained, by a hair", 1000, []bench{{"encoding/json", "", 1000, 3000, 200, 100}, {"gogo/protobuf", "", 100, 200, 60, 30}, {"vtprotobuf", "", 101, 201, 60, 30}}, "vtprotobuf", false, 1000 * 20 / 6.11, 12},
		{"neither the fastest nor the smallest", 1000, []bench{{"encoding/json", "", 100_000, 300_000, 200, 100}, {"packer", "", 1000, 2000, 100, 90}, {"twin", "", 90_000, 200_000, 60, 20}, {"cbor", "", 2000, 3000, 110, 21}}, "cbor", true, 1000 * 0.05 / 0.397, 21.2},
		{"what is in use is best", 1000, []bench{{"encoding/json", "", 100, 300, 60, 0}, {"packer", "", 900, 2900, 100, 0}}, "encoding/json", false, 0, 0},
		{"what may not be recommended is not counted", 1000, []bench{{"encoding/json", "", 100, 300, 60, 0}, {"bomb", "", 1, 2, 5, 0}}, "encoding/json", false, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := asks("encoding/json", nil, test.all...)
			q.Rate = test.rate
			a := Of(q)
			w := a.Worth
			if w == nil {
				t.Fatal("no worth")
			}
			if !slices.ContainsFunc(a.Costs, func(c Cost) bool { return c.Candidate == w.Best }) {
				t.Errorf("%s costs least and is not among the costs", w.Best.Contender)
			}
			if w.Best.Contender != test.best || w.Matters != test.matters {
				t.Errorf("best is %s, matters %v; want %s, %v", w.Best.Contender, w.Matters, test.best, test.matters)
			}
			near := func(got, want float64) bool { return math.Abs(got-want) <= 0.1*want }
			if !near(w.At.Value, test.at) || test.at > 0 && !(w.At.Lo < w.At.Value && w.At.Value < w.At.Hi) {
				t.Errorf("it matters from %v on, want about %v with an interval", w.At, test.at)
			}
			if !near(w.Plain.Value, test.plain) {
				t.Errorf("plain records are worth %v, want about %v", w.Plain.Value, test.plain)
			}
			if s := w.Saving; math.Abs(s.Core+s.Network+s.Storage-s.Value) > 1e-9 {
				t.Errorf("the parts %+v do not add up", s)
			}
		})
	}
}

// A contender that is smaller and slower pays below some price of a core.
func TestBreakEven(t *testing.T) {
	q := asks("encoding/json", nil, bench{"encoding/json", "", 1000, 1000, 200, 0}, bench{"cbor", "", 2000, 2000, 100, 0})
	q.Prices = Prices{Rate: 1000, Retention: 0, Core: 1, Network: 1, Storage: 1}
	a := Of(q)
	i := slices.IndexFunc(a.Costs, func(c Cost) bool { return c.Contender == "cbor" })
	if i < 0 {
		t.Fatal("no cost of cbor")
	}
	b := a.Costs[i].Plain.BreakEven
	if b == nil || !b.Below {
		t.Fatalf("the break-even is %+v, want one below which cbor is cheaper", b)
	}
	// 2e-6 core-seconds more a message cost as much as 100 B less.
	if want := 100e-9 / (2e-6 / 3600); math.Abs(b.CoreHour/want-1) > 0.02 {
		t.Errorf("it is %v a core-hour, want %v", b.CoreHour, want)
	}
}

func TestCheckMust(t *testing.T) {
	if got, err := CheckMust([]string{"safe", " pure-go", "safe"}, nil); err != nil || !slices.Equal(got, []string{"safe", "pure-go"}) {
		t.Errorf("got %v, %v", got, err)
	}
	hint := func(string, []string) string { return " (hint)" }
	if _, err := CheckMust([]string{"cheap"}, hint); err == nil || !strings.Contains(err.Error(), `"cheap" (hint)`) {
		t.Errorf("got %v", err)
	}
}
