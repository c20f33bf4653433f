package measure

import (
	"errors"
	"fmt"

	"assay/internal/runlock"
	"assay/result"
)

// A store is the directory of a run that only this process may write.
type store struct {
	*result.Store
	lock *runlock.Lock
}

// Damaged says that records of the earlier attempt could not be read, so that its results may be
// incomplete.
func (m *Measurement) Damaged() bool { return m.store != nil && m.store.Damaged() }

// create makes a directory for a run.
func (cfg *Config) create(run *result.Run) (*store, error) {
	s, err := result.Create(cfg.Results, run)
	if err != nil {
		return nil, err
	}
	run.Name = cfg.name(s.Dir())
	lock, _, err := runlock.Take(s.Dir())
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &store{s, lock}, nil
}

// name returns the name of the run in a directory.
func (cfg *Config) name(dir string) string {
	if cfg.RunName == nil {
		return dir
	}
	return cfg.RunName(dir)
}

// open opens a stored run to resume it. The error is a *refusal.Error if the run is complete.
func (cfg *Config) open(dir string) (*store, *result.Run, []result.Record, error) {
	run, err := result.ReadRun(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	if run.Name = cfg.name(dir); !run.Finished.IsZero() {
		return nil, nil, nil, complete(run)
	}
	lock, gone, err := runlock.Take(dir)
	if busy := (*runlock.BusyError)(nil); errors.As(err, &busy) {
		return nil, nil, nil, fmt.Errorf("run %s: %w; assay show %s shows what it has so far", run.ID, err, run.Name)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if gone != nil {
		cfg.said("resuming  %s wrote this run and ended before it was complete; this process goes on in its place", gone)
	}
	s, run, records, warnings, err := result.Resume(dir)
	if err != nil {
		return nil, nil, nil, errors.Join(err, lock.Release())
	}
	run.Name = cfg.name(dir)
	if !run.Finished.IsZero() { // completed since it was read, by the process that had the lock
		return nil, nil, nil, errors.Join(complete(run), s.Close(), lock.Release())
	}
	if len(warnings) > 0 {
		cfg.tell(Warned{warnings})
	}
	return &store{s, lock}, run, records, nil
}

// complete returns the error for resuming a complete run.
func complete(run *result.Run) error {
	return refuse("run %s is complete; see it with assay show %s", run.ID, run.Name)
}

// Finish marks the run as finished and releases its lock.
func (s *store) Finish(run *result.Run) error {
	return errors.Join(s.Store.Finish(run), s.lock.Release())
}

// Close closes a run that is not continued now, and releases its lock.
func (s *store) Close() error { return errors.Join(s.Store.Close(), s.lock.Release()) }
