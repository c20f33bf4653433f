//go:build unix

package drive

import (
	"os"
	"syscall"
)

// canRelay says whether a process can inherit open pipes.
const canRelay = true

// blocking makes reads and writes of a file block in the system, as a process that inherits the
// file expects.
func blocking(f *os.File) error { return syscall.SetNonblock(int(f.Fd()), false) }
