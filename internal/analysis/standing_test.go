package analysis

import (
	"math"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

func TestRank(t *testing.T) {
	second := result.Cell{Workload: "w", Size: "n=2", Op: result.Encode}
	var records []result.Record
	for i := range 8 {
		records = append(records,
			launchOf(uint64(i+1), i, flat("json", 1000, 20, 1), flat("near", 1010, 20, 1), flat("fast", 250, 20, 1), flat("some", 500, 20, 1)),
			result.Record{Launch: &result.Launch{Cell: second, Layout: uint64(i + 1), Index: i,
				Series: []result.Series{flat("json", 1000, 20, 1), flat("near", 1000, 20, 1), flat("fast", 1000, 20, 1)}}})
	}
	s := Rank(Of(planOf("json", "near", "fast", "some"), records, View{}))
	if len(s.Cells) != 2 {
		t.Fatalf("%d cells", len(s.Cells))
	}
	type line struct {
		Name, Letters string
		Rank          int
		Shared        bool
		Next          string
		By            float64
	}
	var got []line
	for _, l := range s.Cells[0].Lines {
		by := 0.0
		if l.By != nil {
			by = l.By.Value
		}
		got = append(got, line{l.Contender, l.Letters, l.Rank, l.Shared, l.Next.String(), by})
	}
	want := []line{
		{"fast", "a", 1, false, "faster", 0.5}, {"some", "b", 2, false, "faster", 0.5},
		{"json", "c", 3, true, "tied", 1 / 1.01}, {"near", "c", 3, true, "unresolved", 0},
	}
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	var means []float64
	for _, m := range s.Means {
		means = append(means, m.Ratio.Value)
	}
	if diff := cmp.Diff([]float64{0.5, 1, math.Sqrt(1.01)}, means, near); diff != "" {
		t.Errorf("means: -want +got\n%s", diff)
	}
	// Both cells of fast have ±0.5%, so its mean has ±0.5% too.
	if m := s.Means[0]; m.Contender != "fast" || math.Abs(m.Ratio.Hi/m.Ratio.Value-math.Exp(priorEnvironment)) > 1e-9 {
		t.Errorf("mean of fast: %+v", m)
	}
	if len(s.Partial) != 1 || s.Partial[0].Contender != "some" || s.Partial[0].Cells != 1 {
		t.Errorf("partial: %+v", s.Partial)
	}

	// If the reference is out of view, all intervals still have the same confidence.
	var unsure []result.Record
	for i := range 8 {
		unsure = append(unsure, launchOf(uint64(i+1), i, flat("json", 1000, 20, 1), flat("near", 1010, 20, 1), flat("fast", 250, 20, 1), flat("some", int64(900+200*(i%2)), 20, 1)))
	}
	for out, rows := range map[string]int{"json": 3, "json|near|some": 1} {
		s := Rank(Of(planOf("json", "near", "fast", "some"), unsure, View{Contender: Match{Exclude: regexp.MustCompile("^(" + out + ")$")}}))
		cell := s.Cells[0]
		if len(cell.Lines) != rows || cell.Reference.Contender != "json" {
			t.Fatalf("without %s: %d lines to %s", out, len(cell.Lines), cell.Reference)
		}
		for _, l := range cell.Lines {
			row, _ := cell.Table.Row(cell.Cell.Case(l.Subject), Time)
			want := *row.Ratio
			if level := cell.Table.Ranking.Confidence; level > 0 {
				want = want.At(level, 7)
			}
			if diff := cmp.Diff(want, l.Ratio, near); diff != "" {
				t.Errorf("without %s: %s (-want +got):\n%s", out, l.Contender, diff)
			}
			if wider := l.Ratio.Hi > row.Ratio.Hi*1.0001; wider != (rows > 1) {
				t.Errorf("without %s: %s is %v, and by itself %v", out, l.Contender, l.Ratio, *row.Ratio)
			}
		}
	}

	one := Rank(Of(planOf("json", "near"), records[:1], View{}))
	if len(one.Means) != 0 || len(one.Cells) != 1 {
		t.Errorf("of one cell: %+v", one)
	}
	if none := Rank(Of(planOf("json"), nil, View{})); len(none.Cells) != 0 {
		t.Errorf("of nothing: %+v", none.Cells)
	}
}
