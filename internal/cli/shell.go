package cli

import (
	"path/filepath"

	"assay/internal/phrase"
)

// runName returns the name by which the commands find the run of a directory
// when they are given nothing else, ready for a shell: its ID where it is among the
// runs of the default results directory, otherwise the directory.
func runName(dir string) string {
	if filepath.Clean(filepath.Dir(dir)) == filepath.Clean(defaultResults) {
		dir = filepath.Base(dir)
	}
	return phrase.ShellLine(dir)
}
