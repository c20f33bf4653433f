//go:build !linux

package drive

import "errors"

// CPUs returns the CPUs that this process may run on. It returns nil where processes cannot be
// pinned.
func CPUs() []int { return nil }

// pinned calls start and returns an error that says that start was not confined: the system has
// no call for that, or none whose setting a process inherits.
func pinned(cpus []int, start func() error) (err, startErr error) {
	if len(cpus) > 0 {
		err = errors.New("processes cannot be pinned to a CPU on this system")
	}
	return err, start()
}
