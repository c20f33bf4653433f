package probes

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/result"
)

// verified returns v as a verification of a probe by the contender fake.
func verified(probe, mode string, v result.Verification) result.Verification {
	v.Workload, v.Size, v.Subject = "probes", "probe="+probe, result.Subject{Contender: "fake", Mode: mode}
	return v
}

func TestRows(t *testing.T) {
	long := strings.Repeat("ö", 200) + strings.Repeat("ü", 200)
	got := Rows([]result.Verification{
		verified("base", "", result.Verification{OK: true, Habits: &result.Habits{Encoded: 7}}),
		verified("base", "strings=alias", result.Verification{OK: true, Habits: &result.Habits{Encoded: 7, Aliases: []string{"strings"}}}),
		verified("maps", "", result.Verification{OK: true, Habits: &result.Habits{Encoded: 90, Varies: true}}),
		verified("nan", "", result.Verification{Op: "encode", Reason: "encode: input 2: no NaN\nat all"}),
		verified("nan", "strings=alias", result.Verification{Op: "encode", Reason: "input 2: fake encode: no\u00a0NaN"}),
		verified("zone", "", result.Verification{Op: "decode", Changed: true, Reason: "input 1: decode: Stamp.At: a became b"}),
		verified("nul", "", result.Verification{Op: "decode", Reason: "bytes of a read by fake: decode: " + long}),
		verified("deep", "", result.Verification{Reason: "decode: stack overflow"}),
		{Workload: "tick", Size: "n=1", Subject: result.Subject{Contender: "fake"}, OK: true},
		verified("cr", "", result.Verification{OK: true, From: &result.Subject{Contender: "other"}}),
	})
	want := []Row{
		{Contender: "fake", Encoded: 7, Varies: true, Aliases: []string{}, Answers: map[string]Answer{
			"base": {Fate: Survives}, "maps": {Fate: Survives},
			"nan":  {EncodeRefuses, "no NaN"},
			"zone": {Changes, "Stamp.At: a became b"},
			"nul":  {DecodeRefuses, long[:most] + " … " + long[len(long)-most:]},
			"deep": {Dies, "stack overflow"},
		}},
		{Contender: "fake", Mode: "strings=alias", Encoded: 7, Aliases: []string{"strings"}, Answers: map[string]Answer{
			"base": {Fate: Survives}, "nan": {EncodeRefuses, "no NaN"},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// full returns a row with an answer to every probe.
func full(mode string, other map[string]Answer) Row {
	r := Row{Contender: "fake", Mode: mode, Aliases: []string{}, Answers: map[string]Answer{}}
	for _, p := range All {
		r.Answers[p.Name] = Answer{Fate: Survives}
	}
	maps.Copy(r.Answers, other)
	return r
}

func TestFormatParse(t *testing.T) {
	rows := []Row{
		full("", map[string]Answer{"nan": {EncodeRefuses, "no"}, "zone": {Changes, "a became b"}}),
		full("output=reuse", map[string]Answer{"nan": {EncodeRefuses, "no"}, "zone": {Changes, "a became b"}}),
		full("config=std", map[string]Answer{"nan": {DecodeRefuses, "no"}, "nul": {Dies, "panic"}}),
	}
	data, err := Format(rows)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rows, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if n := strings.Count(string(data), `"fate"`); n != 5 {
		t.Errorf("%d answers are written, want 2, none, and 3:\n%s", n, data)
	}
	for _, bad := range []string{"", "{}", "[{]", `[{"contender":1}]`} {
		if _, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%q is read without an error", bad)
		}
	}
}

func FuzzParse(f *testing.F) {
	data, err := Format([]Row{full("", map[string]Answer{"nan": {EncodeRefuses, "no"}}), full("output=reuse", nil)})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("[{}]"))
	f.Add([]byte("[null]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, err := Parse(data)
		if err != nil {
			return
		}
		again, err := Format(rows)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Parse(again)
		if err != nil {
			t.Fatalf("%v in\n%s", err, again)
		}
		for i, r := range rows {
			if names := Differs(r, back[i]); len(names) > 0 {
				t.Errorf("row %d comes back with other answers to %v", i, names)
			}
		}
	})
}

func TestDiffers(t *testing.T) {
	a := full("", map[string]Answer{"nan": {EncodeRefuses, "no"}, "zone": {Changes, "to this"}})
	b := full("", map[string]Answer{"nan": {DecodeRefuses, "no"}, "zone": {Changes, "to that"}})
	delete(b.Answers, "deep")
	if got := Differs(a, b); !slices.Equal(got, []string{"nan"}) {
		t.Errorf("%v differ, want nan", got)
	}
}

func TestMisdeclared(t *testing.T) {
	both := []result.Op{result.Encode, result.Decode}
	refuses := map[string]Answer{"nan": {EncodeRefuses, "no NaN"}}
	for _, test := range []struct {
		name      string
		contender contender.Contender
		row       Row
		habits    func(*Row)
		want      []string
	}{
		{name: "nothing is lost", row: full("", nil)},
		{name: "declared", contender: contender.Contender{Losses: []contender.Loss{contender.NaNInf}}, row: full("", refuses)},
		{name: "not declared", row: full("", refuses), want: []string{
			`mode "": probe nan (NaN in fields, lists and maps) encode-refuses: no NaN: that is the loss nan-inf, which is not declared`,
		}},
		{name: "not lost", contender: contender.Contender{Losses: []contender.Loss{contender.NaNInf}}, row: full("", nil), want: []string{
			`mode "": the loss nan-inf is declared, and probe nan or inf does not show it`,
		}},
		{name: "leftovers", row: full("", map[string]Answer{"leftovers": {Changes, "Labels: 1 entry became 2 entries"}}), want: []string{
			`mode "": probe leftovers (an ordinary event and one with less in it, in turn) changes: Labels: 1 entry became 2 entries: every library must give it back`,
		}},
		{name: "an ordinary event is lost", row: full("", map[string]Answer{"base": {Changes, "Labels: gone"}, "nan": {EncodeRefuses, "no"}, "leftovers": {Changes, "x"}}), want: []string{
			`mode "": probe base (an ordinary event) changes: Labels: gone: every library must give it back, and the other probes say nothing before that. ` +
				"emit.Style says how the library's types differ from the model's; a schema that it cannot hold is a *contender.Unsupported",
		}},
		{name: "a mode without a loss", row: full("output=reuse", nil), contender: contender.Contender{
			Losses: []contender.Loss{contender.NaNInf}, Modes: []contender.Mode{{Key: "output=reuse", Ops: both}},
		}},
		{name: "a mode's own loss", row: full("output=reuse", nil), contender: contender.Contender{
			Modes: []contender.Mode{{Key: "output=reuse", Ops: both, Losses: []contender.Loss{contender.NegZero}}},
		}, want: []string{`mode "output=reuse": the loss neg-zero is declared, and probe neg-zero does not show it`}},
		{name: "no such mode", row: full("pool=on", nil), want: []string{`mode "pool=on" is not declared`}},
		{name: "varies", contender: contender.Contender{Traits: []contender.Trait{contender.Deterministic}}, row: full("", nil),
			habits: func(r *Row) { r.Varies = true },
			want:   []string{`mode "": equal values have unequal bytes, which the trait deterministic excludes`}},
		{name: "does not vary", row: full("", nil), habits: func(r *Row) { r.Varies = false },
			want: []string{`mode "": equal values have equal bytes, and the trait deterministic is not declared`}},
		{name: "varies from build to build", row: full("", nil), habits: func(r *Row) { r.Varies = false },
			contender: contender.Contender{SpacesVary: true}},
		{name: "deterministic but for the build", row: full("", nil), habits: func(r *Row) { r.Varies = false },
			contender: contender.Contender{SpacesVary: true, Traits: []contender.Trait{contender.Deterministic}},
			want:      []string{`mode "": another build writes other bytes, which the trait deterministic excludes`}},
		{name: "sorted", row: full("order=sorted", nil), habits: func(r *Row) { r.Varies = true },
			contender: contender.Contender{Modes: []contender.Mode{{Key: "order=sorted", Ops: both}}},
			want:      []string{`mode "order=sorted": equal values have unequal bytes, which order=sorted excludes`}},
		{name: "aliases", row: full("", nil), habits: func(r *Row) { r.Aliases = []string{"bytes", "strings"} },
			want: []string{`mode "": bytes and strings of the decoded value change with the message, which is strings=alias`}},
		{name: "does not alias", row: full("strings=alias", nil),
			contender: contender.Contender{Modes: []contender.Mode{{Key: "strings=alias", Ops: both}}},
			want:      []string{`mode "strings=alias": nothing of the decoded value changes with the message, which strings=alias says`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.contender.Ops = both
			test.row.Varies = test.row.Mode == "" // the default mode lacks the trait deterministic
			if test.habits != nil {
				test.habits(&test.row)
			}
			if diff := cmp.Diff(test.want, Misdeclared(&test.contender, []Row{test.row})); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// If a library's words change from process to process, the stored words do not.
func TestTidyVaryingWords(t *testing.T) {
	for _, said := range []string{"encode: json: unable to marshal it", "encode: json:\u00a0cannot marshal it"} {
		if got, want := answer(result.Verification{Op: result.Encode, Reason: said}).Words, "json: cannot marshal it"; got != want {
			t.Errorf("%q is kept as %q, want %q", said, got, want)
		}
	}
}
