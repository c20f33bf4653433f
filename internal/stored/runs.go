// Package stored finds and reads the runs of a results directory, as command lines name them.
package stored

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"assay/contender"
	"assay/internal/console"
	"assay/internal/nearest"
	"assay/internal/phrase"
	"assay/internal/refusal"
	"assay/internal/runlock"
	"assay/result"
)

// DefaultDir is the default results directory.
const DefaultDir = ".assay/runs"

// Runs are the runs of a results directory.
type Runs struct {
	Dir string
	// Console prints warnings about runs that have problems.
	Console *console.Console
	// Strict says that the command is a check of a stored run. If a newer run cannot be read,
	// "latest" is then an error and not an older run.
	Strict bool
	// Unusable are the IDs of the runs that were read without some of their records.
	Unusable []string
}

// Name returns the name of a run for command lines, quoted for a shell. It is the ID if the run is
// in the default results directory, and otherwise the directory.
func Name(dir string) string {
	if filepath.Clean(filepath.Dir(dir)) == filepath.Clean(DefaultDir) {
		dir = filepath.Base(dir)
	}
	return phrase.ShellLine(filepath.ToSlash(dir)) // every system takes slashes, and no shell has to quote them
}

// A Fit says which stored runs a command can use.
type Fit struct {
	what string // follows the word "run" in messages
	// OK reports whether a run fits.
	OK func(*result.Run) bool
}

// The fits that commands use to find the latest run.
var (
	AnyRun    = Fit{"", func(*result.Run) bool { return true }}
	WithCases = Fit{" with cases", func(r *result.Run) bool { return len(r.Plan.Cases) > 0 }}
	Timed     = Fit{" with cases that are timed in launches", func(r *result.Run) bool {
		return len(r.Plan.Cases) > 0 && r.Plan.Cases[0].Op != result.Building && r.Plan.Stream == nil
	}}
	OfWholes = Fit{" with whole values", func(r *result.Run) bool {
		return slices.ContainsFunc(r.Plan.Cases, func(c result.Case) bool { return contender.Whole(c.Mode) })
	}}
	OfTry        = Fit{" of assay try", (*result.Run).Answers}
	Exhibited    = Fit{" of assay exhibits", func(r *result.Run) bool { return len(r.Plan.Cases) == 0 }}
	Reproducible = Fit{" of assay reproduce", func(r *result.Run) bool { return len(r.Plan.Sources) > 0 }}
)

// Find returns the directory of a stored run. name is an ID in the results directory or a path.
// If name is empty or "latest", it is the latest run that fits.
func (r *Runs) Find(name string, fits Fit) (string, error) {
	if name == "" || name == "latest" {
		return r.latest(fits)
	}
	for _, dir := range []string{filepath.Join(r.Dir, name), name} {
		info, err := os.Stat(dir)
		if err != nil || !info.IsDir() {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "run.json")); !errors.Is(err, fs.ErrNotExist) {
			return dir, nil // reading it says why it cannot be read
		}
	}
	if inside, _ := result.List(name); len(inside) > 0 {
		return "", refusal.Errorf("%s is no run: it holds runs, such as %s; name one as %s, or the directory with --results", name, inside[0].ID, Name(filepath.Join(name, inside[0].ID)))
	}
	if _, err := os.Stat(name); err == nil {
		return "", refusal.Errorf("%s is not a run, because it has no run.json; assay list runs shows the runs in %s", name, r.Dir)
	}
	return "", refusal.Errorf("there is no run %q in %s%s; assay list runs shows them", name, r.Dir, nearest.Hint(name, r.IDs()))
}

// latest returns the directory of the newest run that fits. It warns about runs that cannot be
// read, because one of them may be newer.
func (r *Runs) latest(fits Fit) (string, error) {
	runs, err := result.List(r.Dir)
	if err != nil && r.Strict {
		return "", fmt.Errorf("cannot tell which run is the latest: %w; name the run", err)
	}
	for _, run := range runs {
		if fits.OK(run) {
			if err != nil {
				r.Console.WarnAll(lines(err))
				r.Console.Warn("the latest run that can be read is %s", run.ID)
			}
			return filepath.Join(r.Dir, run.ID), nil
		}
	}
	if len(runs) > 0 {
		if err != nil {
			r.Console.WarnAll(lines(err)) // one of them may fit
		}
		return "", refusal.Errorf("no run%s in %s; assay list runs shows what there is", fits.what, r.Dir)
	}
	if err != nil {
		return "", err
	}
	return "", refusal.Errorf("no runs in %s: measure one with assay run, or name another directory with --results", r.Dir)
}

// List returns the stored runs, newest first. It warns about runs that cannot be read. If there is
// no other, that is its error.
func (r *Runs) List() ([]*result.Run, error) {
	runs, err := result.List(r.Dir)
	if err != nil && len(runs) > 0 {
		r.Console.WarnAll(lines(err))
		err = nil
	}
	return runs, err
}

// lines returns the texts of the errors that errors.Join joined.
func lines(err error) []string {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []string{err.Error()}
	}
	var texts []string
	for _, e := range joined.Unwrap() {
		texts = append(texts, e.Error())
	}
	return texts
}

// IDs returns the IDs of the readable stored runs, newest first.
func (r *Runs) IDs() []string {
	runs, _ := result.List(r.Dir)
	var ids []string
	for _, r := range runs {
		ids = append(ids, r.ID)
	}
	return ids
}

// Read reads a stored run and warns about its problems. "latest" means the latest run that fits.
func (r *Runs) Read(name string, fits Fit) (*result.Run, []result.Record, error) {
	dir, err := r.Find(name, fits)
	if err != nil {
		return nil, nil, err
	}
	return r.ReadDir(dir)
}

// ReadDir does what Read does, for a directory.
func (r *Runs) ReadDir(dir string) (*result.Run, []result.Record, error) {
	writer := runlock.Holder(dir) // before the run, which may end while it is read
	run, records, warnings, err := result.Read(dir)
	if err != nil {
		return nil, nil, err
	}
	run.Name = Name(dir)
	r.Console.WarnAll(warnings)
	if len(warnings) > 0 {
		r.Unusable = append(r.Unusable, run.ID)
	}
	if !run.Complete() {
		run.Live = writer != nil
		r.Console.Warn("%s", unfinished(run, writer))
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
