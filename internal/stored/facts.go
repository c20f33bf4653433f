package stored

import (
	"slices"

	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/internal/refusal"
	"assay/published/claims"
	"assay/published/reproduce"
	"assay/result"
)

// OfOneVersion refuses a run that compares two versions, because such a run has two numbers for each
// case.
func OfOneVersion(run *result.Run, records []result.Record) error {
	if len(analysis.Sides(run, records)) < 2 {
		return nil
	}
	return refusal.Errorf("run %s compares two versions; assay compare %s prints them", run.ID, run.Name)
}

// HasCases refuses a run that has only published benchmarks.
func HasCases(run *result.Run, records []result.Record) error {
	if len(run.Plan.Cases) == 0 && slices.ContainsFunc(records, func(r result.Record) bool { return r.Bench != nil }) {
		return refusal.Errorf("run %s has no cases, only published benchmarks: assay exhibits --run %s shows those that are exhibits", run.ID, run.Name)
	}
	return nil
}

// Wholes reads the named runs of whole values, each of another session. In the results, each run but
// the first is Besides of the one before it. Wholes also returns their directories.
func (r *Runs) Wholes(names []string) (first *analysis.Results, dirs []string, err error) {
	next := &first
	seen := map[int64]bool{} // when sessions began, which a copy of a run has too
	for _, name := range names {
		dir, run, records, err := r.fitting(name, OfWholes, "--whole: run %s has no whole values; assay run -m whole measures some, and --giants those that are needed")
		if err != nil {
			return nil, nil, err
		}
		if seen[run.Started.UnixNano()] {
			return nil, nil, refusal.Errorf("--whole: run %s is given twice; a session counts once", run.ID)
		}
		seen[run.Started.UnixNano()] = true
		dirs = append(dirs, dir)
		*next = analysis.Of(run, records, analysis.View{})
		next = &(*next).Besides
	}
	return first, dirs, nil
}

// fitting reads a named run and returns its directory too. It refuses one that does not fit: refused says so
// of the run's ID.
func (r *Runs) fitting(name string, fits Fit, refused string) (dir string, run *result.Run, records []result.Record, err error) {
	if dir, err = r.Find(name, fits); err != nil {
		return "", nil, nil, err
	}
	run, records, err = r.ReadDir(dir)
	if err == nil && !fits.OK(run) {
		err = refusal.Errorf(refused, run.ID)
	}
	return dir, run, records, err
}

// WholeFlags returns the flags that name the runs of Wholes, each after a space.
func WholeFlags(dirs []string) string { return flagged("--whole", dirs) }

// ReproducedFlags returns the flags that name the runs of Reproductions, each after a space.
func ReproducedFlags(dirs []string) string { return flagged("--reproduced", dirs) }

func flagged(flag string, dirs []string) string {
	text := ""
	for _, dir := range dirs {
		text += " " + flag + " " + Name(dir)
	}
	return text
}

// Reproductions reads the named runs of assay reproduce. It also returns their directories.
func (r *Runs) Reproductions(names []string) (found []claims.Reproduction, dirs []string, err error) {
	for _, name := range names {
		dir, run, records, err := r.fitting(name, Reproducible, "--reproduced: run %s is not one of assay reproduce")
		if err != nil {
			return nil, nil, err
		}
		dirs = append(dirs, dir)
		found = append(found, claims.Reproduction{Run: run, Rounds: reproduce.RoundsOf(records)})
	}
	return found, dirs, nil
}

// mostNames is how many names of a run an error lists.
const mostNames = 6

// NoneInView returns the error about a view that shows no case of a run. It says which of the view's
// filters leaves none by itself and what the run has there, or that only the filters together leave none.
func NoneInView(run *result.Run, view analysis.View) error {
	for _, filter := range []struct {
		thing string
		match analysis.Match
		name  func(result.Case) string
	}{
		{"workload", view.Workload, func(c result.Case) string { return c.Workload }},
		{"size", view.Size, func(c result.Case) string { return c.Size }},
		{"contender", view.Contender, func(c result.Case) string { return c.Contender }},
		{"mode", view.Mode, func(c result.Case) string { return analysis.ModeName(c.Mode) }},
		{"op", view.Op, func(c result.Case) string { return string(c.Op) }},
	} {
		var has []string
		for _, c := range run.Plan.Cases {
			if name := filter.name(c); name != "" && !slices.Contains(has, name) {
				has = append(has, name)
			}
		}
		if len(has) > 0 && !slices.ContainsFunc(has, filter.match.Name) {
			return refusal.Errorf("nothing to show: no %s of run %s matches the filter; it has %s", filter.thing, run.ID, phrase.Some(has, mostNames))
		}
	}
	return refusal.Errorf("nothing to show: no case of run %s matches all the filters; assay show %s without them shows all", run.ID, run.Name)
}
