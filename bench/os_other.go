//go:build !linux

package bench

import (
	"io"
	"os"
)

// hasThreadCPU says whether threadCPU works.
const hasThreadCPU = false

// threadCPU returns 0: the standard library cannot read a thread CPU clock on these systems.
func threadCPU() int64 { return 0 }

// hasProcessCPU says whether processCPU works.
const hasProcessCPU = false

// processCPU returns 0: these systems have no common clock of the process's CPU time.
func processCPU() int64 { return 0 }

// Answers returns standard output and sets os.Stdout to standard error, so that a library that
// prints does not corrupt the protocol.
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

// The functions below return 0: these systems do not report the values.
func waits() int64 { return 0 }

func openFiles() int { return 0 }

func threads() int { return 0 }

func threadID() int { return 0 }

func peakMemory() int64 { return 0 }

func resetPeak() {}

// pageFaults returns zeros: page faults are not read on these systems.
func pageFaults() pageFault { return pageFault{} }

// A cpuSet is empty: the CPUs of a thread, its priority and child processes are not read on
// these systems.
type cpuSet struct{}

func threadCPUs() cpuSet { return cpuSet{} }

func setThreadCPUs(cpuSet) {}

func threadPriority() int { return 0 }

func children() int { return 0 }

func childFaults() int64 { return 0 }
