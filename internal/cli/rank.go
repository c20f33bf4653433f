package cli

import (
	"github.com/spf13/cobra"

	"assay/internal/analysis"
	"assay/internal/flags"
	"assay/internal/gate"
	"assay/internal/report"
	"assay/internal/stored"
)

func (a *app) rankCommand() *cobra.Command {
	var s flags.Selection
	var format string
	cmd := &cobra.Command{
		Use:   "rank [RUN]",
		Short: "print the order of contenders, with ties",
		Long: `Rank orders the contenders and modes of each cell of a stored run. Rows that
share a letter are not told apart. Tied rows share a rank; differences under 2%
are never ranked. RUN is an ID, a directory, or latest, which is the default.`,
		Example: "  assay rank -w customer -o decode\n  assay rank latest -m default --format md",
		Args:    flags.ArgsAtMost(1),

		ValidArgsFunction: a.completeRun,
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := flags.Format(report.RankFormats, format)
			if err != nil {
				return err
			}
			run, records, err := a.runs.Read(first(args), stored.Timed)
			if err != nil {
				return err
			}
			view, err := s.Shown(run)
			if err != nil {
				return err
			}
			opts, err := a.reportOptions()
			if err != nil {
				return err
			}
			results, err := inView(run, records, view)
			if err != nil {
				return err
			}
			standing := analysis.Rank(results)
			if err := f.Write(a.Out, standing, opts); err != nil {
				return err
			}
			return a.pass(gate.Ranked(standing))
		},
	}
	s.AddView(cmd)
	flags.FormatFlag(cmd, &format, report.RankFormats)
	return cmd
}
