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
guessed goes to standard error, with the flag that decides otherwise.

Of a field, text is its key where that is not its name, and one of these says
what becomes of a value that is absent:
  omitempty = true   it is left out; without a * before its type, also when
                     it is empty, 0 or false
  omitzero = true    a list or map is left out; what is empty is written
  null = true        a list or map is null; what is empty is written
Without them, a value with a * before its type is null when it is absent. Of a
message, bare and wraps say that JSON has the value of its only field in its
place, row that JSON has a list of its values. json_text of a field says that
JSON has the value that the text is of.`,
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
