package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

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
	return fmt.Sprintf("assay %s %s %s/%s", toolVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// toolVersion returns the version that the go command recorded: the module version, or else the
// revision of the checkout, or else "devel".
func toolVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			revision = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	if revision == "" {
		return "devel"
	}
	return "devel-" + revision + dirty
}
