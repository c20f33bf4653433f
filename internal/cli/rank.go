package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/analysis"
	"assay/internal/report"
	"assay/result"
)

func (a *app) rankCommand() *cobra.Command {
	var s selection
	var format string
	cmd := &cobra.Command{
		Use:   "rank [RUN]",
		Short: "an order with ties",
		Long: `Rank orders the contenders and modes of each cell of a stored run. Rows that
share a letter are not told apart; rows that are tied share a rank; differences
under 2% are never ranked. RUN is an ID, a directory, or latest, which is the
default.`,
		Example: "  assay rank -w customer -o decode\n  assay rank latest -m default --format md",
		Args:    argsAtMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := formatOf(report.RankFormats, format)
			if err != nil {
				return err
			}
			run, records, err := a.read(first(args))
			if err != nil {
				return err
			}
			view, err := s.shown(run)
			if err != nil {
				return err
			}
			opts, err := a.reportOptions()
			if err != nil {
				return err
			}
			return f.Write(a.stdout, analysis.Rank(analysis.Of(run, records, view)), opts)
		},
	}
	s.flags(cmd)
	formatFlag(cmd, &format, report.RankFormats)
	return cmd
}

// formatFlag adds --format with the names of the formats.
func formatFlag[T any](cmd *cobra.Command, format *string, formats []report.FormatOf[T]) {
	cmd.Flags().StringVar(format, "format", "text", "print as `FORMAT`: "+strings.Join(namesOf(formats), ", "))
	completeFlag(cmd, "format", func() []string { return namesOf(formats) })
}

// formatOf returns the format of that name.
func formatOf[T any](formats []report.FormatOf[T], name string) (report.FormatOf[T], error) {
	f, ok := report.Named(formats, name)
	if !ok {
		return f, usagef("--format is %q%s", name, otherwise(name, namesOf(formats)))
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
	view, err := s.view()
	if err != nil {
		return view, err
	}
	view.Size.Include, err = s.sizes(run)
	return view, err
}

// reportOptions returns how reports look on standard output.
func (a *app) reportOptions() (report.Options, error) {
	color, err := a.colored()
	width, _ := terminal(a.stdout)
	return report.Options{Color: color, Width: width}, err
}
