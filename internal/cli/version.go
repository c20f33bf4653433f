package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"assay"
	"assay/internal/flags"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version of assay and of the Go it was built with",
		Long:  "Version prints the version of assay, the Go that it was built with, and the\nsystem. The Go that builds runners is the one on PATH, or that of --go.",
		Args:  flags.ArgsAtMost(0),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.Out, versionText())
			return err
		},
	}
}

// versionText returns the text that assay version prints.
func versionText() string {
	return fmt.Sprintf("assay %s %s %s/%s", assay.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
