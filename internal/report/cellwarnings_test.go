package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/result"
)

// A warning about a cell is in every form of a run's numbers.
func TestCellWarnings(t *testing.T) {
	warning := analysis.Warning{Kind: analysis.Control, Text: "encoding/json differs from itself: 1.031 (1.020…1.042)"}
	warned := func(r *analysis.Results) *analysis.Results {
		r.Tables[0].Warnings = append(r.Tables[0].Warnings, warning)
		return r
	}
	one := warned(broad())
	cell := CellName(one.Tables[0].Cell)
	tryAll := tried()
	tryAll.Tables = true
	warned(tryAll.Results)
	rank := func(name string) string {
		f, _ := Named(RankFormats, name)
		var b strings.Builder
		if err := f.Write(&b, analysis.Rank(one), Options{Width: 200}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	var text, md strings.Builder
	if err := TryText(&text, tryAll, Options{Width: 200}); err != nil {
		t.Fatal(err)
	}
	if err := TryMarkdown(&md, tryAll); err != nil {
		t.Fatal(err)
	}
	for name, form := range map[string]string{
		"the overview": overviewText(t, "text", one, Options{Width: 200}), "the overview's Markdown": overviewText(t, "md", one, Options{}),
		"a ranking": rank("text"), "a ranking's Markdown": rank("md"),
	} {
		if want := cell + ": " + warning.Text; !strings.Contains(form, want) {
			t.Errorf("%s does not say %q:\n%s", name, want, form)
		}
	}
	for name, form := range map[string]string{"a try": text.String(), "a try's Markdown": md.String()} {
		if want := "movie · values=64 · encode: " + warning.Text; !strings.Contains(form, want) {
			t.Errorf("%s does not say %q:\n%s", name, want, form)
		}
	}
	var ranking struct{ Cells []JSONRanking }
	if err := json.Unmarshal([]byte(rank("json")), &ranking); err != nil {
		t.Fatal(err)
	}
	if got := ranking.Cells[0].Warnings; !slices.Equal(got, []JSONWarning{JSONWarning(warning)}) || ranking.Cells[1].Warnings != nil {
		t.Errorf("the cells of a ranking's JSON have %v and %v", got, ranking.Cells[1].Warnings)
	}
	if got := CellPart(&one.Tables[0]).Warnings; !slices.Equal(got, []string{warning.Text}) {
		t.Errorf("the parts of a cell have %q", got)
	}
}

// Cells with the same warning share a line, which names some of them.
func TestCellWarningsTogether(t *testing.T) {
	var tables []*analysis.Table
	for _, size := range []string{"a", "b", "c", "d", "e", "f"} {
		tables = append(tables, &analysis.Table{Cell: result.Cell{Workload: "w", Size: size}, Warnings: []analysis.Warning{{Kind: analysis.Damaged, Text: "left out"}}})
	}
	tables[1].Warnings = append(tables[1].Warnings, analysis.Warning{Kind: analysis.Control, Text: "differs"})
	got := cellWarnings(tables)
	if want := []string{"w · a, w · b, w · c, w · d and 2 more: left out", "w · b: differs"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
