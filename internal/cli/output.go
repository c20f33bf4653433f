package cli

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/analysis"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/measure"
	"assay/internal/nearest"
	"assay/internal/report"
	"assay/internal/texttab"
	"assay/result"
)

// An output has the flags that say how results are printed.
type output struct {
	format string
	// tables asks for every table instead of their overview.
	tables bool
}

// tablesFlag adds --tables.
func (o *output) tablesFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.tables, "tables", false, "print every table, not one screen for all of them")
}

func (o *output) flags(cmd *cobra.Command) { formatFlag(cmd, &o.format, report.Formats) }

func (o *output) check() error {
	_, err := formatOf(report.Formats, o.format)
	return err
}

// print analyses a run, prints the results, and returns them.
func (a *app) print(run *result.Run, records []result.Record, o output, s selection) (*analysis.Results, error) {
	view, err := s.shown(run)
	if err != nil {
		return nil, err
	}
	opts, err := a.reportOptions()
	if err != nil {
		return nil, err
	}
	// Two kinds of run have no overview: published sources have their own tables, and a user's
	// records have only one size.
	opts.Tables = o.tables || run.Plan.Data != nil || len(run.Plan.Sources) > 0
	f, err := formatOf(report.Formats, o.format)
	if err != nil {
		return nil, err
	}
	results, err := inView(run, records, view)
	if err != nil {
		return nil, err
	}
	if err := exportable(results, o.format); err != nil {
		return nil, err
	}
	a.warnBeside(results, o.format)
	return results, f.Write(a.stdout, results, opts)
}

// warnBeside prints the warnings of a run on standard error if the format has only rows. It
// leaves out the warning about an unfinished run, because reading the run already prints it.
func (a *app) warnBeside(r *analysis.Results, format string) {
	if format != exportFormat && format != "csv" {
		return
	}
	var texts []string
	for _, w := range r.Warnings {
		if w.Kind != analysis.Unfinished {
			texts = append(texts, w.Text)
		}
	}
	a.warnAll(texts)
}

// inView analyses the cases of a run that are in view. If there are none, the error counts as
// wrong usage.
func inView(run *result.Run, records []result.Record, view analysis.View) (*analysis.Results, error) {
	results := analysis.Of(run, records, view)
	if err := onlyBenchmarks(run, records); err != nil {
		return nil, err
	}
	if len(results.Tables) == 0 {
		return nil, usagef("nothing to show: no case of run %s matches the filters; assay show %s without them shows all", run.ID, run.Name)
	}
	return results, nil
}

// onlyBenchmarks returns an error for a run that has only published benchmarks.
func onlyBenchmarks(run *result.Run, records []result.Record) error {
	if len(run.Plan.Cases) == 0 && slices.ContainsFunc(records, func(r result.Record) bool { return r.Bench != nil }) {
		return usagef("run %s has no cases, only published benchmarks: assay exhibits --run %s shows those that are exhibits", run.ID, run.Name)
	}
	return nil
}

// exportable returns an error if the format is the Go benchmark format and the results have
// neither times of launches nor build times, because the format has nothing else.
func exportable(r *analysis.Results, format string) error {
	if format != exportFormat || slices.ContainsFunc(r.Tables, func(t analysis.Table) bool {
		return slices.ContainsFunc(t.Rows, func(row analysis.Row) bool {
			return row.Number != nil && (row.Metric == analysis.Time && len(row.Launches) > 0 || row.Metric == analysis.BuildTime)
		})
	}) {
		return nil
	}
	return usagef("run %s has no launches, which the Go benchmark format consists of: streams and whole values have none; --format csv and json have what it measured", r.Run.ID)
}

// formatFlag adds --format. Its text lists the names of the formats.
func formatFlag[T any](cmd *cobra.Command, format *string, formats []report.FormatOf[T]) {
	cmd.Flags().StringVar(format, "format", "text", "print as `FORMAT`: "+strings.Join(namesOf(formats), ", "))
	completeFlag(cmd, "format", func() []string { return namesOf(formats) })
}

// formatOf returns the format with that name.
func formatOf[T any](formats []report.FormatOf[T], name string) (report.FormatOf[T], error) {
	f, ok := report.Named(formats, name)
	if !ok {
		return f, usagef("--format is %q%s", name, nearest.Otherwise(name, namesOf(formats)))
	}
	return f, nil
}

func namesOf[T any](formats []report.FormatOf[T]) []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// shown returns the selection as a view of a stored run.
func (s *selection) shown(run *result.Run) (analysis.View, error) {
	for _, g := range run.Plan.Externals {
		s.known = append(s.known, g.Name)
	}
	for _, c := range run.Plan.Cases { // contenders of a .proto file
		if strings.HasPrefix(c.Contender, ownproto.Prefix) && !slices.Contains(s.known, c.Contender) {
			s.known = append(s.known, c.Contender)
		}
	}
	view, err := s.view()
	if err != nil {
		return view, err
	}
	view.Size.Include, err = s.sizes(run)
	return view, err
}

// reportOptions returns the options of reports on standard output.
func (a *app) reportOptions() (report.Options, error) {
	color, err := a.colored()
	return report.Options{Color: color, Width: a.width(), Typical: func(c result.Cell) bool { return measure.Typical(a.input, c) }, About: measure.Described}, err
}

// printJSON prints a value as indented JSON.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// width returns the width of the terminal that results go to, or the value of COLUMNS; 0 if
// neither is known.
func (a *app) width() int {
	if width, ok := terminal(a.stdout); ok {
		return width
	}
	return columns()
}

// printTable prints a table on standard output. On a terminal the text of its last column wraps.
func (a *app) printTable(t *texttab.Headed) error {
	color, err := a.colored()
	if err != nil {
		return err
	}
	t.Limit = a.width()
	return t.Format(a.stdout, color)
}
