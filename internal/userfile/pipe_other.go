//go:build !unix

package userfile

import "os"

// openPipe opens a named pipe.
func openPipe(name string) (*os.File, error) { return os.Open(name) }
