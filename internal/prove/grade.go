package main

import (
	"fmt"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/cachedir"
	"assay/internal/host"
	"assay/result"
)

// gradeRepeats is how many runs are made under a load, and how many without one.
const gradeRepeats = 10

// grade makes whole runs with and without a load, in turn, and compares their grades. Each run
// under a load must name the load as a reason, and no run without a load may.
func grade(l *lab) (*finding, error) {
	f := &finding{Head: []string{"machine", "grade", "clean samples", "sentinel over the best, median", "launches within a tenth of it", "used by other programs"}}
	cache, remove, err := scratch()
	if err != nil {
		return nil, err
	}
	defer remove()
	var best float64
	once := func(what string) (*analysis.Grade, error) {
		made, err := l.controlled()
		if err != nil {
			return nil, err
		}
		run, records := l.run(made)
		run.Host.SentinelBest = int64(best)
		g := analysis.Of(run, records, analysis.View{}).Grade
		if g.Sentinel != nil {
			best = host.Remember(cachedir.In(cache), "prove", g.Sentinel.Best)
			f.Rows = append(f.Rows, []string{what, g.Letter, fmt.Sprintf("%.0f%%", 100*g.Clean), fmt.Sprintf("%.2f", g.Sentinel.Median), fmt.Sprintf("%.0f%%", 100*g.Sentinel.Near), fmt.Sprintf("%.0f%%", 100*g.Others)})
		}
		return g, nil
	}
	var quiet, loaded []string
	names := func(g *analysis.Grade) bool {
		return slices.ContainsFunc(g.Reasons, func(reason string) bool { return strings.Contains(reason, "other programs used") })
	}
	told, mistaken := 0, 0
	for range gradeRepeats {
		g, err := once("as it is")
		if err != nil {
			return nil, err
		}
		quiet = append(quiet, g.Letter)
		if names(g) {
			mistaken++
		}
		err = underHog(func() error {
			g, err = once("under a load")
			return err
		})
		if err != nil {
			return nil, err
		}
		loaded = append(loaded, g.Letter)
		if names(g) {
			told++
		}
	}
	f.Summary = fmt.Sprintf("%d of %d under a load name it, and %d of %d as it is; the letters are %v under a load, and %v as it is", told, gradeRepeats, mistaken, gradeRepeats, loaded, quiet)
	f.Notes = append(f.Notes, "The load is off at random, so that a run of seconds may see little of it. A run without a load may be C for another reason: on a host whose other guests move its caches the reference may differ from itself.")
	f.Notes = append(f.Notes, "The best sentinel is remembered from one run to the next, as assay run does; the first has none to compare with.")
	return f, nil
}

// controlled runs the launches of a quick run, with the reference measured twice.
func (l *site) controlled() ([]*result.Launch, error) {
	return l.verdict(launches, rounds, l.withControl(), 0)
}

// withControl returns a batch of each subject, and a second batch of the reference as the
// control.
func (l *site) withControl() []batch {
	batches := l.plain()
	control := batches[0]
	control.as = again(control.as)
	return append(batches, control)
}

// run converts launches whose last series is the control to a result.Run and its records.
func (l *site) run(launches []*result.Launch) (*result.Run, []result.Record) {
	run := &result.Run{Schema: result.RunSchema, Host: l.lab.host, Plan: result.Plan{Reference: l.subjects[0].Contender}}
	for _, s := range l.subjects {
		run.Plan.Cases = append(run.Plan.Cases, l.place.Case(s))
	}
	var records []result.Record
	for i, one := range launches {
		c := *one
		c.Cell, c.Index = l.place, i
		c.Series = slices.Clone(c.Series)
		last := &c.Series[len(c.Series)-1]
		last.Role, last.Subject = result.Control, l.subjects[0]
		records = append(records, result.Record{Launch: &c})
	}
	return run, records
}
