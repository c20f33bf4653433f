package gate

import (
	"fmt"
	"testing"
	"time"

	"assay/internal/analysis"
	"assay/result"
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
