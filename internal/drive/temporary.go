package drive

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// A TempError says that a file of this program could not be written to the directory for temporary
// files. No contender is to blame.
type TempError struct{ Err error }

func (e *TempError) Error() string {
	return fmt.Sprintf("cannot write to %s, the directory for temporary files: %v; free space there, or set TMPDIR to another directory", os.TempDir(), e.Err)
}

// Unwrap returns the error of the file.
func (e *TempError) Unwrap() error { return e.Err }

// roomBytes is the size of the file by which writable looks for room. What was being written when
// a disk became full may leave a few bytes.
const roomBytes = 64 << 10

// writable returns a *TempError if no temporary file can be written, for example because the disk is
// full.
func writable() error {
	f, err := os.CreateTemp("", "assay-room-")
	if err != nil {
		return &TempError{err}
	}
	_, err = f.Write(make([]byte, roomBytes))
	if err = errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return &TempError{err}
	}
	return nil
}

// A notRun is the error of a program that the system did not run.
type notRun struct{ error }

func (e *notRun) Unwrap() error { return e.error }

// short says that the system lacked processes, memory or open files.
func short(err error) bool {
	for _, lack := range []error{syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE} {
		if errors.Is(err, lack) {
			return true
		}
	}
	return false
}
