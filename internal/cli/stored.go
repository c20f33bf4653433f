package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"assay/contender"
	"assay/internal/nearest"
	"assay/internal/runlock"
	"assay/result"
)

// A fit says which stored runs a command can use.
type fit struct {
	what string // follows the word "run" in messages
	ok   func(*result.Run) bool
}

// The fits that commands use to find the latest run.
var (
	anyRun    = fit{"", func(*result.Run) bool { return true }}
	withCases = fit{" with cases", func(r *result.Run) bool { return len(r.Plan.Cases) > 0 }}
	timed     = fit{" with cases that are timed in launches", func(r *result.Run) bool {
		return len(r.Plan.Cases) > 0 && r.Plan.Cases[0].Op != result.Building && r.Plan.Stream == nil
	}}
	ofWholes = fit{" with whole values", func(r *result.Run) bool {
		return slices.ContainsFunc(r.Plan.Cases, func(c result.Case) bool { return contender.Whole(c.Mode) })
	}}
	ofTry        = fit{" of assay try", (*result.Run).Answers}
	exhibited    = fit{" of assay exhibits", func(r *result.Run) bool { return len(r.Plan.Cases) == 0 }}
	reproducible = fit{" of assay reproduce", func(r *result.Run) bool { return len(r.Plan.Sources) > 0 }}
)

// runDir returns the directory of a stored run. name is an ID in the results directory or a path.
// If name is empty or "latest", runDir returns the latest run that fits.
func (a *app) runDir(name string, fits fit) (string, error) {
	if name == "" || name == "latest" {
		return a.latest(fits)
	}
	for _, dir := range []string{filepath.Join(a.results, name), name} {
		if _, err := os.Stat(filepath.Join(dir, "run.json")); err == nil {
			return dir, nil
		}
	}
	if _, err := os.Stat(name); err == nil {
		return "", usagef("%s is no run: a directory of one has a run.json; assay list runs shows those in %s", name, a.results)
	}
	return "", usagef("there is no run %q in %s%s; assay list runs shows them", name, a.results, nearest.Hint(name, a.runIDs()))
}

// latest returns the directory of the newest run that fits. It warns about runs that cannot be
// read, because one of them may be newer.
func (a *app) latest(fits fit) (string, error) {
	runs, err := result.List(a.results)
	if err != nil && a.strict {
		return "", fmt.Errorf("which run is the latest cannot be said: %w; name the run", err)
	}
	for _, run := range runs {
		if fits.ok(run) {
			if err != nil {
				a.WarnAll(lines(err))
				a.Warn("the latest run that can be read is %s", run.ID)
			}
			return filepath.Join(a.results, run.ID), nil
		}
	}
	if len(runs) > 0 {
		return "", usagef("no run%s in %s; assay list runs shows what there is", fits.what, a.results)
	}
	if err != nil {
		return "", err
	}
	return "", usagef("no runs in %s: measure one with assay run, or name another directory with --results", a.results)
}

// runIDs returns the IDs of the readable stored runs, newest first.
func (a *app) runIDs() []string {
	runs, _ := result.List(a.results)
	var ids []string
	for _, r := range runs {
		ids = append(ids, r.ID)
	}
	return ids
}

// read reads a stored run and warns about its problems. "latest" means the latest run that fits.
func (a *app) read(name string, fits fit) (*result.Run, []result.Record, error) {
	dir, err := a.runDir(name, fits)
	if err != nil {
		return nil, nil, err
	}
	return a.readDir(dir)
}

// readDir does what read does, for a directory.
func (a *app) readDir(dir string) (*result.Run, []result.Record, error) {
	run, records, warnings, err := result.Read(dir)
	if err != nil {
		return nil, nil, err
	}
	run.Name = runName(dir)
	a.WarnAll(warnings)
	if len(warnings) > 0 {
		a.unusable = append(a.unusable, run.ID)
	}
	if !run.Complete() {
		writer := runlock.Holder(dir)
		run.Live = writer != nil
		a.Warn("%s", unfinished(run, writer))
	}
	return run, records, nil
}

// unfinished says what happened to a run that is not complete. writer is the process that still
// writes it; nil if there is none.
func unfinished(run *result.Run, writer *runlock.Owner) string {
	text := fmt.Sprintf("run %s was cut short", run.ID)
	if writer != nil {
		return fmt.Sprintf("run %s is still being measured, by %s: this is what it has so far", run.ID, writer)
	}
	if again := run.Resume(); again != "" {
		text += "; go on with " + again
	}
	return text
}
