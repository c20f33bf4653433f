package cli

import (
	"github.com/spf13/cobra"
)

func (a *app) dataCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "infer, anonymize or export the schema of your own data",
		Long:  "Inspect, anonymize or export your own data without measuring it.",
		Args:  cobra.ArbitraryArgs,
		RunE:  commandOf,
	}
	cmd.AddCommand(a.inferCommand())
	cmd.AddCommand(a.anonymizeCommand())
	cmd.AddCommand(a.exportDataCommand())
	return cmd
}
