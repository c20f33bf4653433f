package cli

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/analysis"
	"assay/internal/report"
	"assay/internal/texttab"
	"assay/result"
)

// An output is the flags that say how results are printed.
type output struct{ format string }

func (o *output) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.format, "format", "text", "print results as `FORMAT`: "+strings.Join(formatNames(), ", "))
	completeFlag(cmd, "format", formatNames)
}

func (o *output) check() error {
	for _, n := range formatNames() {
		if o.format == n {
			return nil
		}
	}
	return usagef("--format is %q%s", o.format, otherwise(o.format, formatNames()))
}

func formatNames() []string {
	var names []string
	for _, f := range report.Formats {
		names = append(names, f.Name)
	}
	return names
}

// print analyses a run and prints it.
func (a *app) print(run *result.Run, records []result.Record, o output, s selection) error {
	view, err := s.view()
	if err != nil {
		return err
	}
	if view.Size.Include, err = s.sizes(run); err != nil {
		return err
	}
	color, err := a.colored()
	if err != nil {
		return err
	}
	width, _ := terminal(a.stdout)
	results := analysis.Of(run, records, view)
	if len(results.Tables) == 0 {
		return usagef("nothing to show: no case of run %s matches the filters (assay list shows what there is)", run.ID)
	}
	for _, f := range report.Formats {
		if f.Name == o.format {
			return f.Write(a.stdout, results, report.Options{Color: color, Width: width})
		}
	}
	return o.check()
}

// printJSON prints a value as indented JSON.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// A table is a plain table with a heading row.
type table struct {
	texttab.Table
	right []bool
}

func newTable() *table { return &table{} }

// head sets the columns; those whose name begins with > are aligned right.
func (t *table) head(names ...string) {
	t.Row()
	for _, n := range names {
		name, right := strings.CutPrefix(n, ">")
		t.right = append(t.right, right)
		t.cell(len(t.right)-1, name, texttab.Styled(texttab.Bold))
	}
}

// row adds a row; the last cell may run past the table's edge.
func (t *table) row(cells ...string) {
	t.Row()
	for i, c := range cells {
		if i == len(cells)-1 && !t.right[i] {
			t.Rest(c)
			continue
		}
		t.cell(i, c)
	}
}

func (t *table) cell(i int, text string, opts ...texttab.Option) {
	if t.right[i] {
		opts = append(opts, texttab.Right)
	}
	t.Cell(text, opts...)
}

func (t *table) print(a *app) error {
	color, err := a.colored()
	if err != nil {
		return err
	}
	return t.Format(a.stdout, color)
}
