//go:build !unix

package drive

import "os"

// endPeak returns 0, because reading the value needs a library.
func endPeak(*os.ProcessState) int64 { return 0 }

// canRelay says whether a process can inherit open pipes.
const canRelay = false

// blocking does nothing, because no process inherits pipes here.
func blocking(*os.File) error { return nil }
