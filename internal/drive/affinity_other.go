//go:build !linux

package drive

import "errors"

// CPUs returns the CPUs that this process may run on, nil where processes
// cannot be pinned.
func CPUs() []int { return nil }

// pinned calls start and says that it was not confined: there is no call for
// that, or none that a process inherits.
func pinned(cpus []int, start func() error) (err, startErr error) {
	if len(cpus) > 0 {
		err = errors.New("processes cannot be pinned to a CPU on this system")
	}
	return err, start()
}
