package cli

import (
	"path/filepath"

	"assay/internal/phrase"
)

// runName returns the name of a run for command lines, quoted for a shell. It is the ID if the
// run is in the default results directory, and otherwise the directory.
func runName(dir string) string {
	if filepath.Clean(filepath.Dir(dir)) == filepath.Clean(defaultResults) {
		dir = filepath.Base(dir)
	}
	return phrase.ShellLine(dir)
}
