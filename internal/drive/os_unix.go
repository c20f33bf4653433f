//go:build unix

package drive

import (
	"os"
	"syscall"
)

// canRelay says that a process can be handed open pipes.
const canRelay = true

// blocking has reads of a file wait in the system, as a process that inherits it expects.
func blocking(f *os.File) error { return syscall.SetNonblock(int(f.Fd()), false) }
