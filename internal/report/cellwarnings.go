package report

import (
	"slices"

	"assay/internal/analysis"
	"assay/internal/phrase"
)

// mostWarned is how many cells with the same warning a line names.
const mostWarned = 4

// cellWarnings returns the warnings of tables about their cells as a whole, each after the names
// of its cells: "movie · values=64 · encode: encoding/json differs from itself".
func cellWarnings(tables []*analysis.Table) []string {
	var texts []string
	of := map[string][]string{}
	for _, t := range tables {
		for _, w := range t.Warnings {
			if of[w.Text] == nil {
				texts = append(texts, w.Text)
			}
			if name := CellName(t.Cell); !slices.Contains(of[w.Text], name) {
				of[w.Text] = append(of[w.Text], name)
			}
		}
	}
	var lines []string
	for _, text := range texts {
		lines = append(lines, phrase.Some(of[text], mostWarned)+": "+text)
	}
	return lines
}

// tablesOf returns the tables of a run.
func tablesOf(r *analysis.Results) []*analysis.Table {
	var all []*analysis.Table
	for i := range r.Tables {
		all = append(all, &r.Tables[i])
	}
	return all
}

// shownTables returns the tables that an overview is of.
func shownTables(r *analysis.Results, o *analysis.Overview) []*analysis.Table {
	return slices.DeleteFunc(tablesOf(r), func(t *analysis.Table) bool {
		return !slices.Contains(o.Ops, t.Cell.Op) || !slices.ContainsFunc(o.Columns, func(c analysis.Column) bool {
			return c.Workload == t.Cell.Workload && c.Size == t.Cell.Size
		})
	})
}
