package measure

import (
	"errors"
	"fmt"

	"assay/internal/runlock"
	"assay/result"
)

// A store is the directory of a run that this process writes, and no other.
type store struct {
	*result.Store
	lock *runlock.Lock
}

// Damaged says that records of the earlier attempt at the run could not be read, so that
// what it found may not be all that was measured.
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

// name is how the run of a directory is named.
func (cfg *Config) name(dir string) string {
	if cfg.RunName == nil {
		return dir
	}
	return cfg.RunName(dir)
}

// open opens a stored run to go on with it. It is a Refusal when the run is complete.
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
	if !run.Finished.IsZero() { // since it was read, by the process that had the lock
		return nil, nil, nil, errors.Join(complete(run), s.Close(), lock.Release())
	}
	if len(warnings) > 0 {
		cfg.tell(Warned{warnings})
	}
	return &store{s, lock}, run, records, nil
}

// complete is the error of going on with a run that is complete.
func complete(run *result.Run) error {
	return refuse("run %s is complete; see it with assay show %s", run.ID, run.Name)
}

// Finish marks the run as finished and lets it go.
func (s *store) Finish(run *result.Run) error {
	return errors.Join(s.Store.Finish(run), s.lock.Release())
}

// Close lets a run go that goes no further for now.
func (s *store) Close() error { return errors.Join(s.Store.Close(), s.lock.Release()) }
