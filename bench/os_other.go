//go:build !linux

package bench

import "os"

// hasThreadCPU says whether threadCPU works.
const hasThreadCPU = false

// threadCPU returns 0: there is no thread CPU clock that the standard library
// can read.
func threadCPU() int64 { return 0 }

// answers returns standard output and makes os.Stdout standard error: a
// library that prints must not corrupt the protocol.
func answers() (*os.File, error) {
	out := os.Stdout
	os.Stdout = os.Stderr
	return out, nil
}
