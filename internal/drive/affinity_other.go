//go:build !linux

package drive

import "errors"

// CPUs returns the CPUs that this process may run on. It returns nil where processes cannot be
// pinned.
func CPUs() []int { return nil }

// pinned calls start. If CPUs are given, it also returns an error: the system has no call to pin a
// process, or none whose setting a process inherits.
func pinned(cpus []int, start func() error) (err, startErr error) {
	if len(cpus) > 0 {
		err = errors.New("processes cannot be pinned to a CPU on this system")
	}
	return err, start()
}
