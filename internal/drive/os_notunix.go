//go:build !unix

package drive

import "os"

// endPeak is not to be had without a library.
func endPeak(*os.ProcessState) int64 { return 0 }

// canRelay says that a process can be handed open pipes.
const canRelay = false

// blocking is not asked for: there are no pipes to hand on.
func blocking(*os.File) error { return nil }
