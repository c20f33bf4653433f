package cli

import (
	"github.com/spf13/cobra"

	"assay/internal/flags"
	"assay/internal/guess"
	"assay/schema/text"
)

func (a *app) inferCommand() *cobra.Command {
	var in flags.Input
	var details bool
	cmd := &cobra.Command{
		Use:   "infer [FILE...]",
		Short: "print the schema of samples, a .proto file or a Go type",
		Long: `Infer prints the schema that assay try would measure, in its text form: for
samples of JSON or NDJSON; for a message in .proto files; or, with --type, for a
Go type in your module, or the result of a function there. You can edit the
schema and pass it to assay try --schema with samples of JSON. With --sample, it
also reads the records of a .proto file or of a Go type, and checks them.
On standard error it lists the guesses that can do most to the result, all of
them with --details, each with the flag that decides otherwise, and what a
schema cannot say. Objects of one shape are one type; --struct PATH gives
one of them a type of its own, and --type PATH=TYPE changes a value of a shared
type in all places. Ids, times and amounts that are texts or numbers in your
JSON stay so until you ask for more, with --type id=uuid, hex, 0x, date, local,
unix-ms, decimal:2 and others: assay explain spelling.`,
		Example: `  assay data infer orders.ndjson > orders.toml
  assay data infer events.ndjson --only type=order
  assay data infer api.proto --message pkg.Order -I proto
  assay data infer api.proto --message pkg.Order --sample orders.bin
  assay data infer --type ./internal/model.Order`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := in.Check(); err != nil {
				return err
			}
			s, err := a.inferred(cmd.Context(), cmd.InOrStdin(), &in, args)
			if err != nil {
				return err
			}
			a.guessed(s.Guesses, details)
			for _, n := range s.Notes {
				a.Hint("note      %s", n)
			}
			_, err = a.Out.Write(text.Format(s.Schema))
			return err
		},
	}
	in.Add(cmd)
	cmd.Flags().BoolVar(&details, "details", false, "list all guesses")
	return cmd
}

// guessed prints the guesses about a schema: the ones with the largest effect on the result, or
// all of them with details.
func (a *app) guessed(all []guess.Guess, details bool) {
	listed, others := guess.Listed(all)
	if details {
		listed, others = guess.ByEffect(all), ""
	}
	for _, g := range listed {
		a.Hint("guessed   %s is %s", g.Path, g)
	}
	if others != "" {
		a.Hint("guessed   %s; --details lists all", others)
	}
}
