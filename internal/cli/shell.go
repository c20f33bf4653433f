package cli

import (
	"path/filepath"
	"strings"
)

// plainly are the characters of words that a shell takes as they are.
const plainly = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-"

// shellLine returns words as a line that a POSIX shell takes apart into them again.
func shellLine(words ...string) string {
	line := make([]string, len(words))
	for i, w := range words {
		if w == "" || strings.Trim(w, plainly) != "" {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		line[i] = w
	}
	return strings.Join(line, " ")
}

// runName returns the name by which the commands find the run of a directory
// when they are given nothing else, ready for a shell: its ID where it is among the
// runs of the default results directory, otherwise the directory.
func runName(dir string) string {
	if filepath.Clean(filepath.Dir(dir)) == filepath.Clean(defaultResults) {
		dir = filepath.Base(dir)
	}
	return shellLine(dir)
}
