// Package first redirects standard output to standard error, so that the user's package cannot print
// among the runner's answers. The user's package imports it, so it is initialised first.
package first

import "os"

// Stdout is the original standard output of the process.
var Stdout = aside()

func aside() *os.File {
	out := os.Stdout
	os.Stdout = os.Stderr
	return out
}
