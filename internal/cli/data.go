package cli

import (
	"github.com/spf13/cobra"
)

func (a *app) dataCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "the schema of your own data",
		Long:  "Data is about samples of your own data, apart from measuring them.",
		Args:  cobra.ArbitraryArgs,
		RunE:  commandOf,
	}
	cmd.AddCommand(a.inferCommand())
	cmd.AddCommand(a.anonymizeCommand())
	cmd.AddCommand(a.exportDataCommand())
	return cmd
}
