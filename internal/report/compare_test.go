package report

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/analysis"
	"assay/result"
)

// If a count is below zero on a side, no share of it says what happened: text and JSON give the direction
// by the values.
func TestChangesBelowZero(t *testing.T) {
	exactly := func(v float64) analysis.Interval { return analysis.Interval{Value: v, Lo: v, Hi: v} }
	for _, test := range []struct {
		a, b          analysis.Interval
		text, verdict string
		share         bool
	}{
		{exactly(-1000), exactly(-10), "more", "worse", false},
		{exactly(-10), exactly(-1000), "less", "better", false},
		{exactly(-10), exactly(0), "more", "worse", false},
		{exactly(0), exactly(-10), "less", "better", false},
		{exactly(-10), exactly(1000), "more", "worse", false},
		{exactly(1000), exactly(-10), "less", "better", false},
		{exactly(-10), analysis.Interval{Value: -9, Lo: -12, Hi: -8}, "~", "unresolved", false},
		{exactly(-10), exactly(-10), "~", "tied", true},
		{exactly(1000), exactly(1500), "+50.0%", "worse", true},
	} {
		factor := analysis.Interval{Value: test.b.Value / test.a.Value, Lo: test.b.Lo / test.a.Hi, Hi: test.b.Hi / test.a.Lo}
		row := analysis.Change{
			A: result.Case{Contender: "bson"}, Metric: analysis.BinaryGrowth, Unit: "B", ValueA: &test.a, ValueB: &test.b, Factor: &factor, Beyond: true,
			Verdict: map[bool]analysis.Relation{true: analysis.Slower, false: analysis.Faster}[factor.Value > 1],
		}
		if factor.Value == 1 {
			row.Verdict, row.Beyond = analysis.Tied, false
		}
		if got := Changed(row); got != test.text {
			t.Errorf("from %v to %v: %q, want %q", test.a.Value, test.b.Value, got, test.text)
		}
		j := JSONChanges([]analysis.Change{row})[0]
		if j.Verdict != test.verdict || (j.Change.String() != "") != test.share || (j.ChangeLo.String() != "") != test.share || j.BeyondMargin && !test.share {
			t.Errorf("from %v to %v: JSON has %q, change %v, beyond the margin %v; want %q", test.a.Value, test.b.Value, j.Verdict, j.Change, j.BeyondMargin, test.verdict)
		}
	}
}

// TestCompareOfGroups checks that two contenders that never shared a launch are not said to be paired.
func TestCompareOfGroups(t *testing.T) {
	const paired, apart = "paired round by round within the run", "the two shared no launch: each is compared by its ratio to the reference"
	run, together := richRun()
	var groups []result.Record
	for _, r := range together {
		if r.Launch == nil {
			groups = append(groups, r)
			continue
		}
		for _, group := range []string{"", "more"} {
			l := *r.Launch
			l.Group, l.Series = group, slices.DeleteFunc(slices.Clone(l.Series), func(s result.Series) bool {
				return s.Contender != run.Plan.Reference && (s.Contender == "msgp") != (group == "more")
			})
			groups = append(groups, result.Record{Launch: &l})
		}
	}
	for _, test := range []struct {
		records []result.Record
		op      string
		want    string
	}{{together, "encode", paired}, {groups, "encode", apart}, {together, "scan", ""}} {
		side := func(name string) *analysis.Side {
			return &analysis.Side{Label: name, Contender: name, Run: run, Records: test.records}
		}
		c, err := analysis.Compare(side("protobuf"), side("msgp"), analysis.View{Op: analysis.Match{Include: regexp.MustCompile(test.op)}})
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := CompareText(&text, c, Options{Width: 1000}); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{paired, apart} {
			if strings.Contains(text.String(), line) != (line == test.want) {
				t.Errorf("want only %q of how they are compared:\n%s", test.want, &text)
			}
		}
	}
}

// TestCompareLacking checks that each format names a metric that only one run has, which decides
// --fail-on, and that JSON says why a side has no number.
func TestCompareLacking(t *testing.T) {
	whole, records := richRun()
	later, fewer := richRun()
	fewer = slices.DeleteFunc(fewer, func(r result.Record) bool {
		return r.Count != nil && r.Count.Case.Contender == "protobuf" && r.Count.Case.Workload == "movie"
	})
	a := &analysis.Side{Label: "whole", Run: whole, Records: records}
	b := &analysis.Side{Label: "fewer", Run: later, Records: fewer}
	for _, sides := range [][2]*analysis.Side{{a, b}, {b, a}} {
		c, err := analysis.Compare(sides[0], sides[1], analysis.View{})
		if err != nil {
			t.Fatal(err)
		}
		const want = "only in whole: alloc-bytes of movie/values=64/protobuf/encode, allocs of movie/values=64/protobuf/encode and encoded-size of movie/values=64/protobuf/encode"
		var text, md, out strings.Builder
		if err := errors.Join(CompareText(&text, c, Options{Width: 1000}), CompareMarkdown(&md, c), CompareJSON(&out, c)); err != nil {
			t.Fatal(err)
		}
		_, _, legend := CompareParts(c)
		if !strings.Contains(text.String(), want) || !strings.Contains(md.String(), want) || !slices.Contains(legend, want) {
			t.Errorf("no %q in text, Markdown or the page:\n%s%s%q", want, &text, &md, legend)
		}
		var got struct {
			Lacking []JSONGap
			Rows    []struct {
				Contender string
				Op        result.Op
				A         result.Status `json:"status_a"`
				B         result.Status `json:"status_b"`
			}
		}
		if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
			t.Fatal(err)
		}
		gap := JSONGap{Workload: "movie", Size: "values=64", Contender: "protobuf", Op: result.Encode, Reason: "only in whole"}
		var gaps []JSONGap
		for _, metric := range []string{analysis.AllocBytes, analysis.Allocs, analysis.EncodedSize} {
			gap.Metric = metric
			gaps = append(gaps, gap)
		}
		if diff := cmp.Diff(gaps, got.Lacking); diff != "" {
			t.Errorf("JSON lacks (-want +got):\n%s", diff)
		}
		statuses := map[string]result.Status{"xml|ish": result.Unverified, "yaml": result.Timeout, "thrift": result.BuildFailed, "avro": result.Unsupported, "msgp": result.OK}
		for _, row := range got.Rows {
			if status := statuses[row.Contender]; status != "" && row.Op == result.Encode && (row.A != status || row.B != status) {
				t.Errorf("%s has the statuses %q and %q, want %q", row.Contender, row.A, row.B, status)
			}
		}
	}
}
