//go:build !windows

package console

import "os"

// escapes reports whether a terminal understands escape sequences.
func escapes(*os.File) bool { return true }
