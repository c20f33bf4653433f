package flags

import (
	"github.com/spf13/cobra"

	"assay/internal/outfile"
	"assay/internal/refusal"
)

// A Page is --report: the file for a page that a command writes in addition to its output.
type Page struct{ File string }

// Add adds the flag to a command.
func (f *Page) Add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.File, "report", "", "write one page of HTML to the new `FILE`, for a browser")
}

// Check checks that the file can be written, before anything is measured.
func (f *Page) Check() error {
	if f.File == "" {
		return nil
	}
	if err := outfile.Check(f.File); err != nil {
		return refusal.Errorf("--report: %w", err)
	}
	return nil
}
