package gate

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/plan"
	"assay/result"
	"assay/workload"
)

// exactly returns an interval without a width.
func exactly(v float64) *analysis.Interval { return &analysis.Interval{Value: v, Lo: v, Hi: v} }

// between returns the comparison of two complete runs, or of two sides of one.
func between(kind analysis.ComparisonKind, a, b string, rows ...analysis.Change) *analysis.Comparison {
	side := func(label string) *analysis.Side {
		return &analysis.Side{Label: label, Run: &result.Run{Finished: time.Unix(1, 0)}}
	}
	return &analysis.Comparison{Kind: kind, A: side(a), B: side(b), Rows: rows}
}

// TestComparedNames checks that a finding names the contender that is worse, which is the second one,
// and of two versions the case.
func TestComparedNames(t *testing.T) {
	of := func(contender string) result.Case {
		return result.Case{Workload: "movie", Size: "record=one", Contender: contender, Op: result.Encode}
	}
	build := func(contender string) result.Case {
		return result.Case{Workload: "movie", Size: "record=one", Contender: contender}
	}
	for _, test := range []struct {
		kind analysis.ComparisonKind
		a, b result.Case
		from float64
		code Verdict
		text string
	}{
		{analysis.OfContenders, of("protobuf"), of("encoding/json"), 100, No,
			"--fail-on +5%: movie/record=one/encoding/json/encode against protobuf: alloc-bytes is worse by more than +5%: +50.0%"},
		{analysis.OfVersions, of("protobuf"), of("protobuf"), 100, No,
			"--fail-on +5%: movie/record=one/protobuf/encode: alloc-bytes is worse by more than +5%: +50.0%"},
		{analysis.OfContenders, build("protobuf"), build("bson"), -100, Failed,
			"--fail-on +5%: movie/record=one/bson against protobuf: alloc-bytes went from −100 B to 150 B, which no percentage describes"},
	} {
		row := analysis.Change{A: test.a, B: test.b, Metric: analysis.AllocBytes, Unit: "B", ValueA: exactly(test.from), ValueB: exactly(150),
			Factor: exactly(150 / test.from), Verdict: analysis.Slower, Beyond: true}
		c := between(test.kind, test.a.Contender, test.b.Contender, row)
		checkGate(t, fmt.Sprint(test.kind, test.from), Compared(c.Judge(0.05), c, "+5%"), test.code, test.text)
	}
}

// TestComparedTooLarge checks that a size which both sides left out because of its memory does not
// pass, in the words of the real plan, and that a format which cannot hold the schema does.
func TestComparedTooLarge(t *testing.T) {
	w := &workload.Workload{Name: "chain", Sizes: []workload.Size{{Key: "txs=1000000", Bytes: 1 << 40}}}
	contenders := []*contender.Contender{
		{Name: "encoding/json", Ops: []result.Op{result.Encode, result.Decode}}, {Name: "protobuf", Ops: []result.Op{result.Encode, result.Decode}},
	}
	one := result.Case{Workload: "chain", Size: "txs=100", Contender: "protobuf", Op: result.Encode}
	compared := analysis.Change{A: one, B: one, Metric: analysis.Time, Unit: "ns", ValueA: exactly(100), ValueB: exactly(100),
		Factor: &analysis.Interval{Value: 1, Lo: 0.99, Hi: 1.01}, Verdict: analysis.Tied}
	missing := func(one result.Case, reason string) analysis.Change {
		return analysis.Change{A: one, B: one, Metric: analysis.Time, StatusA: result.Unsupported, StatusB: result.Unsupported, Reason: reason}
	}
	avro := missing(one, "unsupported: Block.nonce: no unsigned 64-bit integer")
	for _, o := range []plan.Options{{}, {Alone: true}, {Larger: result.AddGiants}, {Memory: 5 << 40}} {
		o.Workloads, o.Contenders, o.Size = []*workload.Workload{w}, contenders, "txs=1000000"
		sel, err := plan.Select(o)
		if err != nil || len(sel.TooLarge) < 4 || len(sel.Outcomes) != len(sel.TooLarge) {
			t.Fatalf("%d of %d cases are too large: %v", len(sel.TooLarge), len(sel.Cases), err)
		}
		var large []analysis.Change
		for _, out := range sel.Outcomes {
			large = append(large, missing(out.Case, "unsupported: "+out.Reason))
		}
		const text = "--fail-on +5%: chain/txs=1000000: unsupported: txs=1000000 takes about"
		for _, kind := range []analysis.ComparisonKind{analysis.OfRuns, analysis.OfContenders} {
			c := between(kind, "a", "b", slices.Concat([]analysis.Change{compared}, large)...)
			g := Compared(c.Judge(0.05), c, "+5%")
			checkGate(t, fmt.Sprint(kind, " and another size"), g, Failed, text)
			if len(g.failed) != 1 {
				t.Errorf("%d findings, want one for the size: %q", len(g.failed), g.failed)
			}
			c = between(kind, "a", "b", large...)
			checkGate(t, fmt.Sprint(kind, " and nothing else"), Compared(c.Judge(0.05), c, "+5%"), Failed, text)
		}
	}
	c := between(analysis.OfRuns, "a", "b", compared, avro)
	checkGate(t, "neither side can hold the schema", Compared(c.Judge(0.05), c, "+5%"), Passed, "")
}
