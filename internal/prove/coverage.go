package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay/internal/analysis"
	"assay/result"
)

// coverage measures how often the intervals that runs print contain the long-run value of the
// machine, and how often they agree with the intervals of other layouts.
func coverage(l *lab) (*finding, error) {
	const sessions, gap = 20, 3 * time.Second
	sites := l.sites[:3]
	f := &finding{Head: []string{"place", "intervals of", "cover", "how often"}}
	runs := make([]session, sessions)
	for s := range runs {
		var err error
		if runs[s], err = l.session(sites, uint64(s*launches)); err != nil {
			return nil, err
		}
		if err := l.wait(gap); err != nil {
			return nil, err
		}
	}
	own, err := l.covered(f, sites, runs)
	if err != nil {
		return nil, err
	}
	var all, others share
	for i, at := range sites {
		all.add(own[i])
		f.Rows = append(f.Rows, []string{at.String(), fmt.Sprintf("%d runs of %d layouts", sessions, launches), longRun, own[i].String()})
		alike, err := at.agree(runs, i)
		if err != nil {
			return nil, err
		}
		others.add(alike)
		f.Rows = append(f.Rows, []string{at.String(), fmt.Sprintf("%d layouts and %d others", launches, launches), sameValue, alike.String()})
	}
	between, err := l.between(sites, runs)
	if err != nil {
		return nil, err
	}
	f.Rows = append(f.Rows, []string{allPlaces, "2 runs, as assay compare has them", sameValue, between.String()})
	f.Summary = fmt.Sprintf("%s cover the long-run value; %s agree with other layouts", all, others)
	f.Notes = append(f.Notes,
		fmt.Sprintf("A run is as assay run --quick makes it: a launch of each place in turn, %d layouts, spread over %v, with the reference a second time as a control; its intervals are those that it prints.", launches, spread),
		fmt.Sprintf("The runs are %v apart. The long-run value is that of all other runs together, which is itself a mean of %d runs: it adds a fortieth to the spread that an interval has to cover.", gap, sessions-1),
		"An interval of one run allows for what that run shows, and a machine that is another one some minutes later does not show in it. assay compare of two runs allows for that by the sentinel (METHODOLOGY.md, environment term): the last row, of each run and the next.",
		"No layout is in two tests of whether layouts agree. Both values have a spread, so that their distance is compared with the root of the sum of the squares of both half-widths.",
		l.sentinels(sites, runs))
	return f, nil
}

// What an interval should contain, and the row of all places, which the bar leaves out.
const (
	longRun   = "the value of the other runs"
	sameValue = "that they differ by nothing"
	allPlaces = "all"
)

// spread is the time over which the launches of a quick run are distributed.
const spread = 10 * time.Second

// A session is the launches of one run: for each place, its launches in order.
type session [][]*result.Launch

// session makes a run of the places. Launch k of every place comes before launch k+1 of any
// place. The first launch is in layout 1+first%layoutsMade.
func (l *lab) session(sites []*site, first uint64) (session, error) {
	made, start := make(session, len(sites)), time.Now()
	for k := range uint64(launches) {
		if err := l.wait(spread*time.Duration(k)/launches - time.Since(start)); err != nil {
			return nil, err
		}
		for i, at := range sites {
			one, err := at.launch(1+(first+k)%layoutsMade, warmup, rounds, at.withControl())
			if err != nil {
				return nil, err
			}
			made[i] = append(made[i], one)
		}
	}
	return made, nil
}

// wait waits for d, or returns the cause if the lab's context ends first.
func (l *lab) wait(d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-l.ctx.Done():
		return context.Cause(l.ctx)
	}
}

// covered counts, for each place, how many intervals of single runs contain the value of all
// other runs together.
func (l *lab) covered(f *finding, sites []*site, runs []session) ([]share, error) {
	out := make([]share, len(sites))
	for r, one := range runs {
		truth, err := l.printed(sites, joined(slices.Delete(slices.Clone(runs), r, r+1)))
		if err != nil {
			return nil, err
		}
		got, err := l.printed(sites, one)
		if err != nil {
			return nil, err
		}
		for i, at := range sites {
			for _, who := range at.subjects[1:] {
				c := at.place.Case(who)
				out[i].count(got[c].Lo <= truth[c].Value && truth[c].Value <= got[c].Hi)
				f.test(at, who, r, got[c], truth[c].Value)
			}
		}
	}
	return out, nil
}

// joined merges the launches of several runs into one run.
func joined(runs []session) session {
	all := make(session, len(runs[0]))
	for _, run := range runs {
		for i, made := range run {
			all[i] = append(all[i], made...)
		}
	}
	return all
}

// stored converts the launches of a run of all places to a result.Run and its records.
func (l *lab) stored(sites []*site, made session) (*result.Run, []result.Record) {
	var whole *result.Run
	var records []result.Record
	for i, at := range sites {
		run, of := at.run(made[i])
		if whole == nil {
			whole = run
		} else {
			whole.Plan.Cases = append(whole.Plan.Cases, run.Plan.Cases...)
		}
		records = append(records, of...)
	}
	return whole, records
}

// printed returns a run's ratios to the reference, as its tables print them.
func (l *lab) printed(sites []*site, made session) (map[result.Case]analysis.Interval, error) {
	run, records := l.stored(sites, made)
	out := map[result.Case]analysis.Interval{}
	for _, t := range analysis.Of(run, records, analysis.View{}).Tables {
		for _, c := range run.Plan.Cases {
			if row, ok := t.Row(c, analysis.Time); ok && t.Cell == c.Cell() && row.Ratio != nil {
				out[c] = *row.Ratio
			}
		}
	}
	for _, c := range run.Plan.Cases {
		if _, ok := out[c]; !ok && c.Subject() != l.subjects[0] {
			return nil, fmt.Errorf("%v has no ratio", c)
		}
	}
	return out, nil
}

// between compares consecutive runs; each run is in one pair. It counts how many intervals of the
// change from the first run of a pair to the second contain 1 (no change).
func (l *lab) between(sites []*site, runs []session) (c share, err error) {
	for pair := range slices.Chunk(runs, 2) {
		var sides []*analysis.Side
		for _, made := range pair {
			run, records := l.stored(sites, made)
			sides = append(sides, &analysis.Side{Run: run, Records: records})
		}
		changes, err := analysis.Compare(sides[0], sides[1], analysis.View{})
		if err != nil {
			return c, err
		}
		for _, change := range changes.Rows {
			if change.Metric != analysis.Time || change.Reference {
				continue
			}
			if change.Factor == nil {
				return c, fmt.Errorf("%v has no change: %s", change.A, change.Reason)
			}
			c.count(change.Factor.Lo <= 1 && 1 <= change.Factor.Hi)
		}
	}
	return c, nil
}

// sentinels describes how the sentinel's time varied during the runs: it shows how much of the
// caches the other programs on the machine left.
func (l *lab) sentinels(sites []*site, runs []session) string {
	run, records := l.stored(sites, joined(runs))
	s := analysis.Of(run, records, analysis.View{}).Grade.Sentinel
	return fmt.Sprintf("The sentinel took %.2f times its best meanwhile, in the median over launches, and from %.2f to %.2f times in eight of ten.",
		s.Median, s.P10, s.P90)
}

// agree compares the intervals of disjoint sets of layouts, at the i-th place of the runs. It
// counts how many intervals agree with their counterparts from as many other layouts.
func (l *site) agree(runs []session, i int) (c share, err error) {
	const pairs = layoutsMade / (2 * launches)
	var sides [pairs][2][]*result.Launch
	for _, r := range runs {
		for _, one := range r[i] {
			set := int(one.Layout-1) / launches
			sides[set/2][set%2] = append(sides[set/2][set%2], one)
		}
	}
	for _, pair := range sides {
		a, b, err := l.bothRatios(pair)
		if err != nil {
			return c, err
		}
		for p := range a {
			c.count(!apart(a[p], b[p]))
		}
	}
	return c, nil
}
