package flags

import (
	"github.com/spf13/cobra"

	"assay/internal/report"
)

// An Output has the flags that say how results are printed.
type Output struct {
	Format string
	// Tables asks for every table instead of their overview.
	Tables bool
}

// AddTables adds --tables.
func (o *Output) AddTables(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.Tables, "tables", false, "print every table, not one screen for all of them")
}

// Add adds --format to a command.
func (o *Output) Add(cmd *cobra.Command) { FormatFlag(cmd, &o.Format, report.Formats) }

// Check checks that there is such a format.
func (o *Output) Check() error {
	_, err := Format(report.Formats, o.Format)
	return err
}
