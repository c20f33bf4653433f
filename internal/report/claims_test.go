package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/internal/claims"
	"assay/internal/texttab"
	"assay/result"
)

// claimed is rulings of every verdict, with text that would break a careless
// writer.
func claimed() *Claims {
	term := func(name, size string, op result.Op) claims.Term {
		return claims.Term{Subject: result.Subject{Contender: name}, Size: size, Op: op}
	}
	three := 3.0
	ratio := &claims.Claim{
		ID: "three-times", Source: "design", Statement: "protobuf | msgp is three *times* as fast", Published: []float64{3, 4}, Unit: claims.Times,
		Predicate: claims.Ratio, Metric: analysis.Time, Workload: "movie", Bounds: claims.Bounds{AtLeast: &three},
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
	i := func(v, lo, hi float64) *analysis.Interval { return &analysis.Interval{Value: v, Lo: lo, Hi: hi} }
	return &Claims{
		Ledger: &claims.Ledger{
			Sources: []claims.Source{
				{ID: "design", Title: "Why <we> chose it", Text: "A design document."},
				{ID: "blog", Title: "A blog"},
				{ID: "empty", Title: "A source without claims"},
			},
			Claims: []*claims.Claim{ratio, size, order, untested},
		},
		Results: rich(),
		Details: true,
		Repeat:  "assay claims design.toml",
		Print:   "assay claims design.toml --run r1 --format md",
		Rulings: []claims.Ruling{
			{Claim: ratio, Verdict: claims.Depends, Measured: i(2.5, 1.9, 3.1), Range: true, Unit: claims.Times, Reason: "holds for encode · refuted for decode",
				Findings: []claims.Finding{
					{Condition: ratio.Conditions[0], Verdict: claims.Holds, Measured: i(3.1, 3.05, 3.15)},
					{Condition: ratio.Conditions[1], Verdict: claims.Refuted, Measured: i(1.9, 1.5, 2.3)},
				}},
			{Claim: size, Verdict: claims.Holds, Measured: i(108, 108, 108), Exact: true, Unit: "B", Reason: "108 B: exactly 108 B",
				Findings: []claims.Finding{{Condition: size.Conditions[0], Verdict: claims.Holds, Measured: i(108, 108, 108)}}},
			{Claim: order, Verdict: claims.Undecided, Measured: i(1.01, 0.97, 1.05), Unit: claims.Times, Reason: "msgp ≈ mus may or may not be msgp < mus: about 40 launches would tell (raise --budget)",
				Findings: []claims.Finding{{Condition: order.Conditions[0], Verdict: claims.Undecided, Measured: i(1.01, 0.97, 1.05), Reason: "msgp ≈ mus", Launches: 40}}},
			{Claim: untested, Verdict: claims.Untested, Reason: untested.Untested},
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
}

// Without details a claim is a line, which fits the terminal.
func TestClaimLines(t *testing.T) {
	for _, width := range []int{60, 100} {
		c := claimed()
		c.Details, c.Results = false, nil
		c.Ledger.Claims[0].Statement += " as the other one, as was said in every talk about it for years"
		var out strings.Builder
		if err := ClaimsText(&out, c, Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		golden(t, fmt.Sprintf("claims.lines.%d.text", width), out.String())
		lines := 0
		for line := range strings.Lines(out.String()) {
			if w := texttab.Width(strings.TrimSuffix(line, "\n")); w > width+20 {
				t.Errorf("%d columns: %d cells: %s", width, w, line)
			}
			for _, r := range c.Rulings {
				if strings.HasPrefix(line, "  "+string(r.Verdict)+" ") {
					lines++
				}
			}
		}
		if lines != len(c.Rulings) {
			t.Errorf("%d columns: %d lines for %d claims", width, lines, len(c.Rulings))
		}
	}
}

// The JSON has what the contract names, and null where there is nothing.
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
	if got.Schema != 1 || got.Run != nil || len(got.Claims) != 4 {
		t.Fatalf("schema %d, run %v, %d claims", got.Schema, got.Run, len(got.Claims))
	}
	for _, claim := range got.Claims {
		for _, key := range []string{"id", "source", "statement", "published", "unit", "measured", "lo", "hi", "verdict", "reason", "conditions"} {
			if _, ok := claim[key]; !ok {
				t.Errorf("%v has no %s", claim["id"], key)
			}
		}
	}
	if last := got.Claims[3]; last["published"] != nil || last["measured"] != nil || last["verdict"] != "untested" {
		t.Errorf("%v", last)
	}
}
