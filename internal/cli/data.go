package cli

import (
	"github.com/spf13/cobra"

	"assay/internal/infer"
	"assay/schema/text"
)

func (a *app) dataCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "the schema of your own data",
		Long:  "Data is about samples of your own data, apart from measuring them.",
		Args:  cobra.ArbitraryArgs,
		RunE:  commandOf,
	}
	var in input
	guess := &cobra.Command{
		Use:   "infer FILE...",
		Short: "infer the schema of samples and print it",
		Long: `Infer reads samples of JSON or NDJSON as assay try does and prints their schema
in its text form, which can be edited and given to assay try --schema. What was
guessed goes to standard error, with the flag that decides otherwise.`,
		Example: "  assay data infer orders.ndjson > orders.toml",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("there is nothing to read; name a file of JSON or NDJSON, or - for standard input")
			}
			o, err := in.options(cmd.Context())
			if err != nil {
				return err
			}
			sources, done, err := infer.Files(cmd.Context(), args, cmd.InOrStdin(), o)
			defer done()
			if err != nil {
				return &exitError{exitUsage, err}
			}
			r, err := infer.JSON(sources, o)
			if err != nil {
				return wrongInput(cmd.Context(), err)
			}
			for _, g := range r.Guesses {
				a.hint("guessed   %s is %s: %s; otherwise %s", g.Path, g.Decision, g.Reason, g.Overrule)
			}
			for _, n := range r.Notes {
				a.hint("note      %s", n)
			}
			_, err = a.stdout.Write(text.Format(r.Schema))
			return err
		},
	}
	in.flags(guess)
	cmd.AddCommand(guess)
	cmd.AddCommand(a.anonymizeCommand())
	cmd.AddCommand(a.exportDataCommand())
	return cmd
}
