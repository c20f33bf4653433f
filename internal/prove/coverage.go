package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"assay/result"
)

// coverage asks whether the intervals contain what they are intervals of: the value
// that the machine shows in the long run, and that of layouts not seen.
func coverage(l *lab) (*finding, error) {
	const sessions, gap = 20, 3 * time.Second
	sites := l.sites[:3]
	f := &finding{Head: []string{"place", "intervals of", "cover", "how often"}}
	runs := make([][][]*result.Launch, len(sites)) // by place and session
	for s := range uint64(sessions) {
		for i, at := range sites {
			made, err := at.verdict(launches, at.plain(), s*launches)
			if err != nil {
				return nil, err
			}
			runs[i] = append(runs[i], made)
		}
		select {
		case <-time.After(gap):
		case <-l.ctx.Done():
			return nil, l.ctx.Err()
		}
	}
	var own, others share
	for i, at := range sites {
		long, err := at.covered(f, runs[i])
		if err != nil {
			return nil, err
		}
		own.add(long)
		f.Rows = append(f.Rows, []string{at.String(), fmt.Sprintf("%d runs of %d layouts", sessions, launches), "the value of the other runs", long.String()})
		half, err := at.halves(runs[i])
		if err != nil {
			return nil, err
		}
		others.add(half)
		f.Rows = append(f.Rows, []string{at.String(), "16 layouts", "the value of 16 others", half.String()})
	}
	f.Met = own.of() >= 0.93 && own.of() <= 0.97 && others.of() >= 0.90
	f.Summary = fmt.Sprintf("%s cover the long-run value, %s that of other layouts", own, others)
	f.Notes = append(f.Notes,
		fmt.Sprintf("The runs are spread over time, %v and the other places between two of one place. The long-run value is that of all other runs of the place together, which is itself a mean of %d runs: it adds a fortieth to the spread that an interval has to cover.", gap, sessions-1),
		"An interval over 16 layouts compared with the mean of 16 others must allow for the spread of both; the interval alone allows for its own, so fewer than 95% are expected.")
	return f, nil
}

// covered counts how many intervals of a run contain the value of all other runs.
func (l *site) covered(f *finding, runs [][]*result.Launch) (c share, err error) {
	for r, one := range runs {
		var rest []*result.Launch
		for k, other := range runs {
			if k != r {
				rest = append(rest, other...)
			}
		}
		truth, err := l.ratios(rest, l.referencePairs())
		if err != nil {
			return c, err
		}
		got, err := l.ratios(one, l.referencePairs())
		if err != nil {
			return c, err
		}
		for _, p := range l.referencePairs() {
			c.count(got[p].Lo <= truth[p].Value && truth[p].Value <= got[p].Hi)
			f.test(l, p[1], r, got[p], truth[p].Value)
		}
	}
	return c, nil
}

// halves counts how many intervals of 16 layouts contain the value of 16 others.
func (l *site) halves(runs [][]*result.Launch) (c share, err error) {
	by := map[uint64][]*result.Launch{}
	for _, r := range runs {
		for _, one := range r {
			by[one.Layout] = append(by[one.Layout], one)
		}
	}
	random := rand.New(rand.NewPCG(2, 2))
	for range 10 {
		order := random.Perm(layoutsMade)
		var halves [2][]*result.Launch
		for k, o := range order {
			halves[2*k/layoutsMade] = append(halves[2*k/layoutsMade], by[uint64(1+o)]...)
		}
		a, b, err := l.bothRatios(halves)
		if err != nil {
			return c, err
		}
		for p := range a {
			c.count(a[p].Lo <= b[p].Value && b[p].Value <= a[p].Hi)
		}
	}
	return c, nil
}
