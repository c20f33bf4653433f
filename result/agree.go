package result

import "fmt"

// agree removes the launches, the processes of steady work and the passes over streams that appear
// a second time from the records of a run. It also returns warnings about these, about records
// whose case is not in the plan (agree keeps these), and about a case that the plan lists twice.
// name is the file of the records.
func agree(run *Run, records []Record, name string) ([]Record, []string) {
	planned := map[Case]bool{}
	twice := ""
	for _, c := range run.Plan.Cases {
		if planned[c] {
			twice = c.String()
		}
		planned[c] = true
	}
	var warnings []string
	if twice != "" {
		warnings = append(warnings, fmt.Sprintf("the plan of run %s has a case twice: %s", run.ID, twice))
	}
	kept := records[:0]
	launched, worked, streamed := map[launchKey]bool{}, map[steadyKey]bool{}, map[streamKey]bool{}
	foreign, again := tallied{}, tallied{}
	for _, r := range records {
		if l := r.Launch; l != nil && l.Disturbed == "" {
			key := launchKey{l.Cell, l.Side, l.Group, l.External, l.Index}
			if launched[key] {
				again.add(l.Cell.Workload + "/" + l.Cell.Size + "/" + string(l.Cell.Op))
				continue
			}
			launched[key] = true
		}
		if s := r.Steady; s != nil {
			key := steadyKey{s.Case, s.LiveMB, s.Group, s.Index}
			if worked[key] {
				again.add(s.Case.String())
				continue
			}
			worked[key] = true
		}
		if s := r.Stream; s != nil && !r.Time.IsZero() {
			key := streamKey{s.Case, r.Time.UnixNano()}
			if streamed[key] {
				again.add(s.Case.String())
				continue
			}
			streamed[key] = true
		}
		for _, c := range r.cases() {
			if !planned[c] {
				foreign.add(c.String())
				break
			}
		}
		kept = append(kept, r)
	}
	if foreign.n > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: the plan of the run does not have the cases of %s, such as %s: is it of another run?", name, foreign.count("record"), foreign.first))
	}
	if again.n > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: left out %s already there, such as one of %s: did two processes write the run?", name, again.count("record"), again.first))
	}
	return kept, warnings
}

// A launchKey identifies a launch: two undisturbed launches of a run never share a key.
type launchKey struct {
	cell                  Cell
	side, group, external string
	index                 int
}

// A streamKey identifies a pass over a stream: a case makes one at a time.
type streamKey struct {
	of Case
	at int64 // when it ended, in ns
}

// A steadyKey identifies a process of steady work of a case.
type steadyKey struct {
	of     Case
	liveMB int
	group  string
	index  int
}

// tallied counts things and keeps the name of the first.
type tallied struct {
	n     int
	first string
}

func (t *tallied) add(what string) {
	if t.n++; t.n == 1 {
		t.first = what
	}
}

// count returns the number with its noun, such as "2 launches".
func (t *tallied) count(thing string) string {
	if t.n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", t.n, thing)
}

// cases returns the cases that the record belongs to. Benchmarks and notes belong to no case.
// A round trip belongs to all ops of a subject, so cases returns none for it.
func (r *Record) cases() []Case {
	switch {
	case r.Launch != nil:
		var all []Case
		for _, s := range r.Launch.Series {
			all = append(all, r.Launch.Cell.Case(s.Subject))
		}
		return all
	case r.Count != nil:
		return []Case{r.Count.Case}
	case r.Calibration != nil:
		return []Case{r.Calibration.Case}
	case r.Outcome != nil:
		return []Case{r.Outcome.Case}
	case r.Steady != nil:
		return []Case{r.Steady.Case}
	case r.Cold != nil:
		return []Case{r.Cold.Case}
	case r.Retained != nil:
		return []Case{r.Retained.Case}
	case r.Peak != nil:
		return []Case{r.Peak.Case}
	case r.Scaling != nil:
		return []Case{r.Scaling.Case}
	case r.Footprint != nil:
		return []Case{r.Footprint.Case}
	case r.Compressed != nil:
		return []Case{r.Compressed.Case}
	case r.Stream != nil:
		return []Case{r.Stream.Case}
	case r.BuildCost != nil:
		return []Case{r.BuildCost.Case}
	}
	return nil
}
