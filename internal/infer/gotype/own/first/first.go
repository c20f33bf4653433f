// Package first sets standard output aside before the user's package is
// initialised, which imports it: what that prints is no answer.
package first

import "os"

// Stdout is the process's standard output.
var Stdout = aside()

func aside() *os.File {
	out := os.Stdout
	os.Stdout = os.Stderr
	return out
}
