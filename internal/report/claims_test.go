package report

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/internal/texttab"
	"assay/published/claims"
	"assay/result"
)

// claimed returns rulings of every verdict, with texts that break a writer that does not escape.
func claimed() *Claims {
	term := func(name, size string, op result.Op) claims.Term {
		return claims.Term{Subject: result.Subject{Contender: name}, Size: size, Op: op}
	}
	three := 3.0
	ratio := &claims.Claim{
		ID: "three-times", Source: "design", Statement: "protobuf | msgp is three *times* as fast", Published: []float64{3, 4}, Unit: claims.Times,
		Predicate: claims.Ratio, Metric: analysis.Time, WithGC: true, Workload: "movie", Bounds: claims.Bounds{AtLeast: &three},
		Exhibits: []string{"timerinloop", "tenops"}, Expect: claims.Holds, Note: "On one laptop.", File: "design.toml", Line: 7,
		Conditions: []claims.Condition{
			{Size: "record=one", Op: result.Encode, Terms: []claims.Term{term("encoding/json", "record=one", result.Encode), term("protobuf", "record=one", result.Encode)}},
			{Size: "record=one", Op: result.Decode, Also: "kept", Terms: []claims.Term{term("encoding/json", "record=one", result.Decode), {Subject: result.Subject{Contender: "protobuf"}, Size: "record=one", Op: result.Decode, WithConvert: true}}},
		},
	}
	size := &claims.Claim{
		ID: "size", Source: "blog", Statement: "108 bytes", Published: []float64{108}, Unit: "B", Predicate: claims.Exact, Metric: analysis.EncodedSize, Workload: "movie",
		Conditions: []claims.Condition{{Size: "record=one", Op: result.Encode, Terms: []claims.Term{term("encoding/json", "record=one", result.Encode)}}},
		File:       "blog.toml", Line: 5,
	}
	order := &claims.Claim{
		ID: "order", Source: "blog", Statement: "one before the other", Predicate: claims.Order, Metric: analysis.Time, Workload: "movie",
		Conditions: []claims.Condition{{Size: "record=one", Op: result.Encode, Terms: []claims.Term{term("msgp", "record=one", result.Encode), term("mus", "record=one", result.Encode)}}},
		File:       "blog.toml", Line: 9,
	}
	untested := &claims.Claim{ID: "untested", Source: "blog", Statement: "it starts faster", Untested: "the start of a pod is not measured here", File: "blog.toml", Line: 20}
	settled := &claims.Claim{
		ID: "settled", Source: "blog", Statement: "it writes spaces", From: "a page beside the blog", Differs: "the text is another", File: "blog.toml", Line: 30,
		Settled: &claims.Settled{Verdict: claims.Depends, Test: "published/sources/tick TestSpaces", Why: "spaces in 9 of 16 builds",
			Elsewhere: &claims.Settled{Verdict: claims.Refuted, Test: "published/sources/tick TestTabs", Why: "tabs in none"}},
	}
	i := func(v, lo, hi float64) *analysis.Interval { return &analysis.Interval{Value: v, Lo: lo, Hi: hi} }
	return &Claims{
		Ledger: &claims.Ledger{
			Sources: []claims.Source{
				{ID: "design", Title: "Why <we> chose it", Text: "A design document."},
				{ID: "blog", Title: "A blog"},
				{ID: "empty", Title: "A source without claims"},
			},
			Claims: []*claims.Claim{ratio, size, order, untested, settled},
		},
		Results:   rich(),
		Discovery: claims.Discovery{Timed: 3, Decided: 2},
		Repeat:    "assay claims design.toml",
		Print:     "assay claims design.toml --run r1 --format md",
		Rulings: []claims.Ruling{
			{Claim: ratio, Number: 1, Verdict: claims.HoldsMeasured, Elsewhere: claims.Refuted, Measured: i(3.1, 3.05, 3.15), Unit: claims.Times, Q: 0.0012,
				Reason: "3.1 times: at least 3", ElsewhereReason: "1.9 times: not at least 3",
				Findings: []claims.Finding{
					{Condition: ratio.Conditions[0], Verdict: claims.Holds, Measured: i(3.1, 3.05, 3.15), Code: i(3.3, 3.2, 3.4), Metric: analysis.CPUTime, Timed: true, P: 0.0004, Q: 0.0012},
					{Condition: ratio.Conditions[1], Elsewhere: true, Verdict: claims.Refuted, Measured: i(1.9, 1.5, 2.3), Metric: analysis.Time, Timed: true, P: 0.01, Q: 0.02},
					{Condition: claims.Condition{Size: "record=two", Op: result.Encode, Terms: ratio.Conditions[0].Terms}, Verdict: claims.Untested, Reason: "not in the run", Missing: claims.Absent},
				}},
			{Claim: size, Number: 2, Verdict: claims.Holds, Q: math.NaN(), Measured: i(108, 108, 108), Exact: true, Unit: "B", Reason: "108 B: exactly 108 B",
				Findings: []claims.Finding{{Condition: size.Conditions[0], Verdict: claims.Holds, Measured: i(108, 108, 108)}}},
			{Claim: order, Number: 3, Verdict: claims.Undecided, Q: 0.3, Measured: i(1.01, 0.97, 1.05), Unit: claims.Times, Reason: "msgp ≈ mus may or may not be msgp < mus: about 40 launches would tell (raise --budget)",
				Findings: []claims.Finding{{Condition: order.Conditions[0], Verdict: claims.Undecided, Measured: i(1.01, 0.97, 1.05), Reason: "msgp ≈ mus", Step: "mus ÷ msgp", Launches: 40, Timed: true, P: 0.2, Q: 0.3}}},
			{Claim: untested, Number: 4, Verdict: claims.Untested, Q: math.NaN(), Reason: untested.Untested},
			{Claim: settled, Number: 5, Verdict: claims.Depends, Q: math.NaN(), Reason: settled.Settled.Why,
				Elsewhere: claims.Refuted, ElsewhereReason: settled.Settled.Elsewhere.Why},
		},
	}
}

func TestClaimFormats(t *testing.T) {
	for _, f := range ClaimFormats {
		var out strings.Builder
		if err := f.Write(&out, claimed(), Options{}); err != nil {
			t.Fatal(err)
		}
		golden(t, "claims."+f.Name, out.String())
	}
	var out strings.Builder
	if err := ClaimsText(&out, claimed(), Options{Color: true, Width: 60}); err != nil {
		t.Fatal(err)
	}
	golden(t, "claims.color.text", out.String())
	out.Reset()
	detailed := claimed()
	detailed.Details = true
	if err := ClaimsText(&out, detailed, Options{Color: true, Width: 60}); err != nil {
		t.Fatal(err)
	}
	golden(t, "claims.details.text", out.String())
}

// If a ledger does not fit on a screen, every claim's name is listed by verdict.
func TestClaimScreen(t *testing.T) {
	c := claimed()
	first := c.Rulings[0]
	for i := range 64 {
		r := first
		claim := *first.Claim
		claim.ID = fmt.Sprintf("design-claim-with-a-name-%d", i)
		if i != 4 {
			claim.Expect = ""
		}
		r.Claim, r.Number, r.Verdict = &claim, 6+i, claims.Verdicts[i%len(claims.Verdicts)].Verdict
		c.Rulings = append(c.Rulings, r)
	}
	var out strings.Builder
	if err := ClaimsText(&out, c, Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) > screen {
		t.Errorf("%d lines:\n%s", len(lines), &out)
	}
	for _, line := range lines {
		if texttab.Width(line) > 100 {
			t.Errorf("%d columns: %s", texttab.Width(line), line)
		}
	}
	for i := range 64 {
		if name := fmt.Sprintf("%d claim-with-a-name-%d", 6+i, i); !strings.Contains(out.String(), name) {
			t.Errorf("no %q", name)
		}
	}
	for _, want := range []string{"refuted where measured", "10 claim-with-a-name-4 (expected: holds)", "(1 of 2)", "--source ID"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

// The lines above the ledger say that code-only time rules on published times.
func TestClaimsCodeOnly(t *testing.T) {
	c := claimed()
	if text := c.codeOnly(); text != "" {
		t.Errorf("cpu-time ruled, and %q", text)
	}
	c.Rulings[0].Findings[0].Metric = analysis.Time
	c.Rulings[0].Findings[0].Code = nil
	for quick, want := range map[bool]string{
		false: "code-only time rules on 1 of 1 claims about published times, which include garbage collection: the run has no cpu-time of their cases",
		true:  "--quick measures no cpu-time",
	} {
		c.Results.Run.Plan.Quick = quick
		for _, f := range ClaimFormats {
			var out strings.Builder
			if err := f.Write(&out, c, Options{Width: 300}); err != nil {
				t.Fatal(err)
			}
			if f.Name != "json" && !strings.Contains(out.String(), want) {
				t.Errorf("%s has no %q:\n%s", f.Name, want, &out)
			}
		}
	}
}

// A measured figure is marked if it belongs to another condition than the published one. The
// figure of an order has the name of its step.
func TestClaimsFound(t *testing.T) {
	c := claimed()
	r := c.Rulings[0]
	claim := *r.Claim
	claim.At = &claims.Condition{Size: "record=two", Op: result.Encode}
	r.Claim = &claim
	if got := measuredText(r); got != "3.10 (3.05…3.15) times, of another condition" {
		t.Errorf("measured %q", got)
	}
	const legend = "* of another condition than the published figure"
	brief := func() string {
		var out strings.Builder
		if err := ClaimsText(&out, c, Options{Width: 100}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if text := brief(); strings.Contains(text, " *\n") || strings.Contains(text, legend) {
		t.Errorf("a figure is marked in\n%s", text)
	}
	c.Rulings[0] = r
	for _, want := range []string{"3.10 times ±1.6% *\n", legend} {
		if text := brief(); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	order := c.Rulings[2]
	f := order.Findings[0]
	f.Code, f.CodeStep = &analysis.Interval{Value: 2, Lo: 1.9, Hi: 2.1}, "x ÷ y"
	if got, want := found(order, f), "msgp ≈ mus; mus ÷ msgp 1.01 (0.970…1.05) times; code-only x ÷ y 2.00 (1.90…2.10) times; about 40 launches would tell"; got != want {
		t.Errorf("found %q, want %q", got, want)
	}
}

// The JSON has every key of the contract, with null for missing values.
func TestClaimsJSON(t *testing.T) {
	var out strings.Builder
	c := claimed()
	c.Results = nil
	if err := ClaimsJSON(&out, c); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Schema int
		Run    any
		Claims []map[string]any
	}
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != 1 || got.Run != nil || len(got.Claims) != 5 {
		t.Fatalf("schema %d, run %v, %d claims", got.Schema, got.Run, len(got.Claims))
	}
	for _, claim := range got.Claims {
		for _, key := range []string{"id", "source", "statement", "published", "unit", "measured", "lo", "hi", "verdict", "elsewhere", "conditions", "conditions_measured", "q", "reason", "findings"} {
			if _, ok := claim[key]; !ok {
				t.Errorf("%v has no %s", claim["id"], key)
			}
		}
	}
	if first := got.Claims[0]; first["verdict"] != "holds where measured" || first["elsewhere"] != "refuted" || first["conditions"] != 2.0 || first["conditions_measured"] != 1.0 || first["q"] != 0.0012 {
		t.Errorf("%v", first)
	}
	elsewhere := 0
	for _, f := range got.Claims[0]["findings"].([]any) {
		if f.(map[string]any)["elsewhere"].(bool) {
			elsewhere++
		}
	}
	if all := len(got.Claims[0]["findings"].([]any)); elsewhere == 0 || elsewhere == all {
		t.Errorf("%d of %d conditions are elsewhere", elsewhere, all)
	}
	if last := got.Claims[3]; last["published"] != nil || last["measured"] != nil || last["verdict"] != "untested" {
		t.Errorf("%v", last)
	}
}
