//go:build !linux

package bench

import (
	"io"
	"os"
)

// hasThreadCPU says whether threadCPU works.
const hasThreadCPU = false

// threadCPU returns 0: there is no thread CPU clock that the standard library
// can read.
func threadCPU() int64 { return 0 }

// hasProcessCPU says whether processCPU works.
const hasProcessCPU = false

// processCPU returns 0: there is no clock of the process's CPU time that is the
// same on all these systems.
func processCPU() int64 { return 0 }

// Answers returns standard output and makes os.Stdout standard error: a
// library that prints must not corrupt the protocol.
func Answers() (*os.File, error) {
	out := os.Stdout
	os.Stdout = os.Stderr
	return out, nil
}

// readToken waits for a byte of a pipe.
func readToken(pipe *os.File) (byte, error) {
	var token [1]byte
	_, err := io.ReadFull(pipe, token[:])
	return token[0], err
}

// writeToken writes a byte to a pipe that has room for it.
func writeToken(pipe *os.File, token byte) error {
	_, err := pipe.Write([]byte{token})
	return err
}

// waits, openFiles and threads are not told here.
func waits() int64 { return 0 }

func openFiles() int { return 0 }

func threads() int { return 0 }

func threadID() int { return 0 }

func peakMemory() int64 { return 0 }

func resetPeak() {}

// pageFaults are not read here.
func pageFaults() pageFault { return pageFault{} }

// Threads and processes that were started are not seen here.
type cpuSet struct{}

func threadCPUs() cpuSet { return cpuSet{} }

func setThreadCPUs(cpuSet) {}

func threadPriority() int { return 0 }

func children() int { return 0 }

func childFaults() int64 { return 0 }
