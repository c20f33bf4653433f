package cli

import (
	"bytes"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"assay/internal/flags"
	"assay/internal/infer/gotype"
	"assay/internal/measure"
	"assay/internal/outfile"
	"assay/internal/plaintext"
	"assay/internal/refusal"
	"assay/internal/stored"
	"assay/internal/tried"
	"assay/result"
)

func (a *app) showCommand() *cobra.Command {
	var s flags.Selection
	var o flags.Output
	var q flags.Asking
	cmd := &cobra.Command{
		Use:   "show [RUN]",
		Short: "print the tables of a stored run, or the answer of assay try",
		Long: `Show analyses a stored run again and prints it: one or two tables as they are,
more tables as one screen, or every table with --tables. For a run of assay try
it prints the answer and what it rests on. It answers another question with
other --have, --must, --rate or prices. With -c, -m or -o it prints the tables
of encode and decode. RUN is an ID, a directory, or latest (the default).`,
		Example: "  assay show\n  assay show latest -w customer -o scan\n  assay show latest --have sonic --rate 20000\n  assay show 20260102-150405-ab12 --format md",
		Args:    flags.ArgsAtMost(1),

		ValidArgsFunction: a.completeRun,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.Check(); err != nil {
				return err
			}
			if err := q.Complete(cmd, append(measure.Names(measure.Known()), gotype.ExternalName)); err != nil {
				return err
			}
			return a.show(first(args), o, s, q)
		},
	}
	s.AddView(cmd)
	flags.StreamWords(cmd, flags.EveryStreamWord)
	o.Add(cmd)
	o.AddTables(cmd)
	q.AddAgain(cmd)
	return cmd
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// completeRun completes the argument RUN.
func (a *app) completeRun(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return append(a.runs.IDs(), "latest"), cobra.ShellCompDirectiveDefault
}

// show prints a stored run. For a run of assay try it prints the answer, unless flags select some
// of the cases.
func (a *app) show(name string, o flags.Output, s flags.Selection, q flags.Asking) error {
	fits := stored.WithCases
	if len(q.Given) > 0 {
		fits = stored.OfTry
	}
	dir, err := a.runs.Find(name, fits)
	if err != nil {
		return err
	}
	run, records, err := a.runs.ReadDir(dir)
	if err != nil {
		return err
	}
	if err := unasked(run, q.Given); err != nil {
		return err
	}
	if len(q.Given) > 0 && s.Given() {
		return refusal.Errorf("--%s is about the answer of assay try, and the flags that choose cases print tables in its place: leave one of them out", q.Given[0])
	}
	if !run.Answers() || s.Given() {
		_, err = a.print(run, records, o, s)
		return err
	}
	t, err := tried.Again(dir, run, records, &q.Asking)
	if err != nil {
		return err
	}
	return a.printTry(t, o.Format)
}

// unasked returns an error if flags ask a question of a run that has no answer.
func unasked(run *result.Run, given []string) error {
	switch {
	case run.Answers() || len(given) == 0:
		return nil
	case run.Plan.Stream != nil:
		return refusal.Errorf("--%s is about the answer of assay try, and run %s is of streams", given[0], run.ID)
	}
	return refusal.Errorf("--%s is about the answer of assay try, and run %s is one of assay %s", given[0], run.ID, run.Command())
}

// exportFormat is the default format of assay export.
const exportFormat = "gobench"

func (a *app) exportCommand() *cobra.Command {
	var s flags.Selection
	o := flags.Output{Tables: true}
	var file string
	cmd := &cobra.Command{
		Use:   "export [RUN]",
		Short: "write a stored run as gobench, csv, json or md",
		Long: `Export writes a stored run for other tools: the Go benchmark format for
benchstat, CSV for spreadsheets, JSON in a stable schema, Markdown for pages.
In CSV and JSON, a ratio is the value over the reference's: of two times, below
1 is faster.
RUN is an ID, a directory, or latest, which is the default.`,
		Example: "  assay export -o decode > new.txt && benchstat -col /contender new.txt\n  assay export latest --format csv --out run.csv",
		Args:    flags.ArgsAtMost(1),

		ValidArgsFunction: a.completeRun,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("format") {
				o.Format = exportFormat
			}
			if err := o.Check(); err != nil {
				return err
			}
			if file == "" {
				return a.show(first(args), o, s, flags.Asking{})
			}
			return a.exportFile(file, first(args), o, s)
		},
	}
	s.AddView(cmd)
	flags.StreamWords(cmd, flags.EveryStreamWord)
	o.Add(cmd)
	cmd.Flags().Lookup("format").DefValue = exportFormat
	cmd.Flags().StringVar(&file, "out", "", "write to the new `FILE` instead of standard output")
	return cmd
}

// exportFile writes a stored run to a new file, completely or not at all.
func (a *app) exportFile(file, name string, o flags.Output, s flags.Selection) error {
	if err := outfile.Check(file); err != nil {
		return refusal.Errorf("--out: %w", err)
	}
	dir, err := a.runs.Find(name, stored.WithCases) // only once: "latest" may name another run later
	if err != nil {
		return err
	}
	run, err := result.ReadRun(dir)
	if err != nil {
		return err
	}
	var data bytes.Buffer
	to := *a
	to.Out = plaintext.NewWriter(&data)
	if err := to.show(dir, o, s, flags.Asking{}); err != nil {
		return err
	}
	write := outfile.Write
	if run.Private() {
		write = outfile.WritePrivate
	}
	if err := write(file, func(w io.Writer) error { _, err := data.WriteTo(w); return err }); err != nil {
		return fmt.Errorf("cannot write %s: %w; name another file with --out", file, err)
	}
	return nil
}
