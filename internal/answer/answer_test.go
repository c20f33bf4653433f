package answer

import (
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

// A bench is what a subject's encode and decode take in ns, and its size.
type bench struct {
	name, mode     string
	encode, decode float64
	size           int64
}

var cell = result.Cell{Workload: "orders", Size: "records=100"}

// asks makes a run in which the subjects took what they are said to take, with
// samples that scatter by about half a per cent, and asks about it.
func asks(have string, must []string, all ...bench) Question {
	run := &result.Run{
		Schema: result.RunSchema, ID: "test", Started: time.Unix(0, 0), Finished: time.Unix(60, 0),
		Plan: result.Plan{Reference: "encoding/json", Layouts: []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8}},
	}
	q := Question{Cell: cell, Have: have, Must: must, Records: 100, Bytes: map[result.Subject]int64{}, Prices: DefaultPrices}
	var records []result.Record
	for _, op := range []result.Op{result.Encode, result.Decode} {
		at := cell
		at.Op = op
		for layout := range uint64(9) {
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
				for round := range 20 {
					// The same for every run, different for every subject and layout.
					noise := 1 + 0.005*math.Sin(float64(round*7+i*3)+float64(layout)*float64(i+1))
					s.Round = append(s.Round, round)
					s.Wall = append(s.Wall, int64(ns*1000*noise))
					s.CPU = append(s.CPU, int64(ns*1000*noise))
				}
				l.Series = append(l.Series, s)
			}
			records = append(records, result.Record{Launch: l})
		}
		for _, b := range all {
			s := result.Subject{Contender: b.name, Mode: b.mode}
			run.Plan.Cases = append(run.Plan.Cases, at.Case(s))
			if b.size > 0 {
				q.Bytes[s] = b.size * 100
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
	}
	return q
}

func about(name, format string, traits ...contender.Trait) *contender.Contender {
	return &contender.Contender{Name: name, Format: format, Traits: traits}
}

// best returns the names of a pick's best.
func best(a *Answer, key string) []string {
	i := slices.IndexFunc(a.Picks, func(p Pick) bool { return p.Key == key })
	var names []string
	for _, c := range a.Picks[i].Best {
		names = append(names, c.Subject.String())
	}
	return names
}

var usual = []bench{
	{"encoding/json", "", 1000, 3000, 200},
	{"fastjson", "", 500, 1000, 200},
	{"genjson", "", 300, 600, 200},
	{"packer", "", 100, 200, 60},
	{"packer", "strings=alias", 0, 100, 60},
	{"twin", "", 101, 199, 60}, // within 1% of packer's
	{"cbor", "", 400, 900, 140},
	{"bomb", "", 10, 20, 50},
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
	if diff := cmp.Diff([]string{"packer", "twin"}, front); diff != "" {
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
		bench{"encoding/json", "", 500, 1500, 100}, bench{"packer", "", 100, 900, 50}, bench{"twin", "", 300, 600, 50}))
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

func TestNothingMeasured(t *testing.T) {
	q := asks("encoding/json", nil, bench{"encoding/json", "", 1000, 0, 100}) // never decoded
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
	q.Prices = Prices{Rate: 1e6, Retention: 10, Core: 0.05, Network: 0.01, Storage: 0.02}
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
	near("network of encoding/json", json.Network, 200e6)
	near("storage of encoding/json", json.Storage, 200e6*10*86400)
	near("a month of encoding/json", json.PerMonth.Value, 4*720*0.05+200e6*2592000/1e9*0.01+200e6*864000/1e9*0.02)
	near("cores of packer", packer.Cores.Value, 0.3)
	near("what packer saves", *packer.Saves, json.PerMonth.Value-packer.PerMonth.Value)
	near("the rate at which packer saves a core", packer.CoreAt, 1e9/3700)
	if packer.BreakEven != nil {
		t.Errorf("packer is better in all; its break-even is %+v", *packer.BreakEven)
	}
	if !(json.PerMonth.Lo < json.PerMonth.Value && json.PerMonth.Value < json.PerMonth.Hi) {
		t.Errorf("a month costs %v, without an interval", json.PerMonth)
	}
}

// What is smaller and slower pays below some price of a core.
func TestBreakEven(t *testing.T) {
	q := asks("encoding/json", nil, bench{"encoding/json", "", 1000, 1000, 200}, bench{"cbor", "", 2000, 2000, 100})
	q.Prices = Prices{Rate: 1000, Retention: 0, Core: 1, Network: 1, Storage: 1}
	a := Of(q)
	i := slices.IndexFunc(a.Costs, func(c Cost) bool { return c.Contender == "cbor" })
	if i < 0 {
		t.Fatal("no cost of cbor")
	}
	b := a.Costs[i].BreakEven
	if b == nil || !b.Below {
		t.Fatalf("the break-even is %+v, want one below which cbor is cheaper", b)
	}
	// 2e-6 cores·s more a message cost what 100 B less do.
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
