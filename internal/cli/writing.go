package cli

import (
	"errors"
	"fmt"

	"assay/internal/runlock"
	"assay/result"
)

// A writing is a run that this process writes, and no other.
type writing struct {
	*result.Store
	lock *runlock.Lock
}

// create makes a directory for a run.
func (a *app) create(run *result.Run) (*writing, error) {
	store, err := result.Create(a.results, run)
	if err != nil {
		return nil, err
	}
	run.Name = runName(store.Dir())
	lock, _, err := runlock.Take(store.Dir())
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return &writing{store, lock}, nil
}

// open opens a stored run to go on with it. The error is one of usage when it is
// complete.
func (a *app) open(name string) (*writing, *result.Run, []result.Record, error) {
	dir, err := a.runDir(name, anyRun)
	if err != nil {
		return nil, nil, nil, err
	}
	run, err := result.ReadRun(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	if run.Name = runName(dir); !run.Finished.IsZero() {
		return nil, nil, nil, complete(run)
	}
	lock, gone, err := runlock.Take(dir)
	if busy := (*runlock.BusyError)(nil); errors.As(err, &busy) {
		return nil, nil, nil, &exitError{exitFailed, fmt.Errorf("run %s: %w; assay show %s shows what it has so far", run.ID, err, run.Name)}
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if gone != nil {
		a.hint("resuming  %s wrote this run and ended before it was complete; this process goes on in its place", gone)
	}
	store, run, records, warnings, err := result.Resume(dir)
	if err != nil {
		return nil, nil, nil, errors.Join(err, lock.Release())
	}
	run.Name = runName(dir)
	if !run.Finished.IsZero() { // since it was read, by the process that had the lock
		return nil, nil, nil, errors.Join(complete(run), store.Close(), lock.Release())
	}
	several(warnings, func(line string) { a.warn("%s", line) })
	return &writing{store, lock}, run, records, nil
}

// complete is the error of going on with a run that is complete.
func complete(run *result.Run) error {
	return usagef("run %s is complete; see it with assay show %s", run.ID, run.Name)
}

// Finish marks the run as finished and lets it go.
func (w *writing) Finish(run *result.Run) error {
	return errors.Join(w.Store.Finish(run), w.lock.Release())
}

// Close lets a run go that goes no further for now.
func (w *writing) Close() error { return errors.Join(w.Store.Close(), w.lock.Release()) }
