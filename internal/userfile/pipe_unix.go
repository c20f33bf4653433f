//go:build unix

package userfile

import (
	"os"
	"syscall"
)

// openPipe opens a named pipe without waiting for a writer. A pipe without a writer is at its
// end.
func openPipe(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
