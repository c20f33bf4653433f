package main

import (
	"fmt"
	"math"
	"slices"
	"time"

	"assay/internal/analysis"
	"assay/result"
)

// A verdict has as many launches and rounds as a quick run.
const (
	launches = 8
	warmup   = 10
	rounds   = 40
)

// sureMargin is the difference above which a false call is a gross one: half of the margin that
// decides a tie between contenders.
const sureMargin = 0.01

// verdict makes n launches of the batches with the given number of rounds, each in another
// layout.
func (l *site) verdict(n, rounds int, batches []batch, first uint64) ([]*result.Launch, error) {
	var out []*result.Launch
	for i := range uint64(n) {
		one, err := l.launch(1+(first+i)%layoutsMade, warmup, rounds, batches)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// allRows names the row of all rows together.
const allRows = "assay, all rows"

// aa repeatedly compares each subject with itself, under a hog.
func aa(l *lab) (*finding, error) {
	const repeats = 8
	f := &finding{Head: []string{"what", "called different", "by more than 1%"}}
	var all, beyond, most share
	worst, worstName := 0.0, ""
	by := map[result.Subject]*share{}
	err := underHog(func() error {
		for r := range repeats {
			for _, at := range l.sites {
				made, err := at.verdict(launches, rounds, at.pairs(1000), uint64(r))
				if err != nil {
					return err
				}
				got, err := at.ratios(made, at.selfPairs())
				if err != nil {
					return err
				}
				for _, p := range at.selfPairs() {
					i := got[p]
					if by[p[0]] == nil {
						by[p[0]] = &share{}
					}
					all.count(different(i))
					by[p[0]].count(different(i))
					beyond.count(i.Lo > 1+sureMargin || i.Hi < 1-sureMargin)
					f.test(at, p[0], r, i, 1)
					if off := math.Abs(i.Value - 1); off > worst {
						worst, worstName = off, fmt.Sprintf("%s, %s", at, p[0])
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f.Rows = append(f.Rows, []string{allRows, all.String(), beyond.String()})
	for _, s := range candidates {
		f.Rows = append(f.Rows, []string{"assay, " + s.String(), by[s].String(), ""})
		if most.n == 0 || by[s].of() > most.of() {
			most = *by[s]
		}
	}
	f.Summary = fmt.Sprintf("%s called different, %s by more than 1%%; the worst contender %s", all, beyond, most)
	f.Notes = append(f.Notes,
		fmt.Sprintf("Each test is %d launches of %d rounds, as in a quick run; the largest error of a ratio was %.2f%% (%s).", launches, rounds, 100*worst, worstName),
		"The hog is as many threads as there are CPUs, each on and off at random, 1.5 s each in the mean.")
	return f, l.peerAA(f)
}

// peerAA runs go test -count=10 twice on the same rows under the same hog and compares the two
// with benchstat's statistics.
func (l *lab) peerAA(f *finding) error {
	const repeats = 4
	var flagged, beyond share
	err := underHog(func() error {
		for range repeats {
			before, err := l.goTest("100ms", 10)
			if err != nil {
				return err
			}
			after, err := l.goTest("100ms", 10)
			if err != nil {
				return err
			}
			for name := range before.times {
				differ, change := benchstat(before.times[name], after.times[name])
				flagged.count(differ)
				beyond.count(differ && math.Abs(change) > sureMargin)
			}
		}
		return nil
	})
	f.Rows = append(f.Rows, []string{"go test -benchtime=100ms -count=10, then benchstat", flagged.String(), beyond.String()})
	return err
}

// A verdict on an injected slow-down has one launch of each layout of the lab. In each round,
// both sides of a pair have a batch of powerBatch. If a batch takes longer, it takes part in
// fewer rounds, so that a pair takes about powerTime. The first verdict has powerRounds rounds.
const (
	powerLaunches = layoutsMade
	powerRounds   = 130
	powerTime     = 2 * time.Second
	powerBatch    = powerTime / (2 * powerLaunches * (warmup + powerRounds))
)

// An account is how long pairs took to measure. Batches are sized once, but the speed of the
// machine changes: with a fixed number of rounds, pairs took 1.5 to 2.0 s.
type account struct {
	pairs  int
	rounds int // of all pairs, warm-up included
	spent  time.Duration
}

// next returns the number of rounds for so many more pairs after which the mean pair took just
// under powerTime.
func (a account) next(pairs int) int {
	if a.spent == 0 {
		return powerRounds
	}
	left := 0.98*powerTime.Seconds()*float64(a.pairs+pairs) - a.spent.Seconds()
	n := left/(a.spent.Seconds()/float64(a.rounds))/float64(pairs) - warmup
	return int(min(max(n, powerRounds/2), 2*powerRounds))
}

func (a *account) add(pairs, rounds int, spent time.Duration) {
	a.pairs, a.rounds, a.spent = a.pairs+pairs, a.rounds+pairs*(warmup+rounds), a.spent+spent
}

func (a account) perPair() float64 { return a.spent.Seconds() / float64(a.pairs) }

// power injects slow-downs of known size and counts how often they are found.
func power(l *lab) (*finding, error) {
	const repeats = 2
	f := &finding{Head: []string{"injected", "place", "found with the right sign", "called faster", "error of the ratio, p95"}}
	var measured account
	begun := time.Now()
	for _, injected := range []int{1010, 1030} { // in permille
		size := fmt.Sprintf("%.0f%%", float64(injected-1000)/10)
		var all share
		for _, at := range l.sites {
			var found, wrong share
			var errors []float64
			err := underHog(func() error {
				for r := range repeats {
					n := measured.next(len(at.subjects))
					made, err := at.verdict(powerLaunches, n, at.brief(at.pairs(injected), powerBatch), uint64(r))
					if err != nil {
						return err
					}
					measured.add(len(at.subjects), n, spent(made, warmup, n))
					got, err := at.ratios(made, at.selfPairs())
					if err != nil {
						return err
					}
					for _, p := range at.selfPairs() {
						i, truth := got[p], float64(injected)/1000
						found.count(i.Lo > 1)
						wrong.count(i.Hi < 1)
						errors = append(errors, math.Abs(i.Value/truth-1))
						f.test(at, p[0], r, i, truth)
					}
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			f.Rows = append(f.Rows, []string{size, at.String(), found.String(), wrong.String(), fmt.Sprintf("%.2f%%", 100*quantile(errors, 0.95))})
			all.add(found)
		}
		if f.Summary != "" {
			f.Summary += ", "
		}
		f.Summary += size + " found in " + all.String()
	}
	perPair := measured.perPair()
	f.Summary += fmt.Sprintf(", with %.2f s of measuring a pair", perPair)
	f.Notes = append(f.Notes, fmt.Sprintf("The batches of a pair took %.2f s of CPU time in the mean: %d launches of about %d rounds, warm-up included; pairs with long batches take part in fewer. With the load on both CPUs, starting processes and loading values, a pair took %.1f s.",
		perPair, powerLaunches, measured.rounds/measured.pairs, time.Since(begun).Seconds()/float64(measured.pairs)),
		"Every interval allows for what the run shows of the machine's changes (METHODOLOGY.md, environment term).")
	return f, nil
}

// layouts tests how often the same source is called different if each side is linked with other
// layouts: with four layouts a side, and with one. Of each place, every launch is in at most one
// test for each number of layouts.
func layouts(l *lab) (*finding, error) {
	f := &finding{Head: []string{"layouts a side", "called different", "difference, p95"}}
	made := map[*site][]*result.Launch{}
	for layout := range uint64(layoutsMade) {
		for _, at := range l.sites {
			one, err := at.launch(1+layout, warmup, rounds, at.plain())
			if err != nil {
				return nil, err
			}
			made[at] = append(made[at], one)
		}
	}
	for _, side := range []int{4, 1} {
		var flagged share
		var sizes []float64
		for _, at := range l.sites {
			for k := 0; k+2*side <= layoutsMade; k += 2 * side {
				a, b, err := at.bothRatios([2][]*result.Launch{made[at][k : k+side], made[at][k+side : k+2*side]})
				if err != nil {
					return nil, err
				}
				for _, p := range at.referencePairs() {
					flagged.count(apart(a[p], b[p]))
					sizes = append(sizes, math.Abs(a[p].Value/b[p].Value-1))
					f.test(at, p[1], side*100+k, a[p], b[p].Value)
				}
			}
		}
		f.Rows = append(f.Rows, []string{fmt.Sprint(side), flagged.String(), fmt.Sprintf("%.1f%%", 100*quantile(sizes, 0.95))})
		if side == 4 {
			f.Summary = flagged.String() + " of the pairs with 4 layouts a side are called different"
			continue
		}
		f.Summary += ", " + flagged.String() + " with one binary a side"
	}
	f.Notes = append(f.Notes,
		fmt.Sprintf("%d layouts in disjoint sets, one launch each; each row's ratio to %s is compared between two sets.", layoutsMade, candidates[0]),
		"With one binary a side the interval is what that binary's own rounds say, which is what every tool says that measures one binary.")
	return f, nil
}

// bothRatios returns the ratios to the reference for each of two sets of launches.
func (l *site) bothRatios(halves [2][]*result.Launch) (a, b map[[2]result.Subject]analysis.Interval, err error) {
	if a, err = l.ratios(halves[0], l.referencePairs()); err == nil {
		b, err = l.ratios(halves[1], l.referencePairs())
	}
	return a, b, err
}

// apart reports whether two independent ratios differ: whether the interval of their quotient
// excludes 1.
func apart(a, b analysis.Interval) bool {
	diff := math.Log(a.Value / b.Value)
	half := math.Hypot(math.Log(a.Hi/a.Lo)/2, math.Log(b.Hi/b.Lo)/2)
	return math.Abs(diff) > half
}

// counts repeats the exact allocation counts ten times.
func counts(l *lab) (*finding, error) {
	const runs = 10
	f := &finding{Head: []string{"row", "op", "B/op", "allocs/op", "the same in all runs"}}
	cases := slices.Concat(l.sites[0].cases(), l.sites[1].cases())
	seen := map[result.Case][]result.Count{}
	for range runs {
		if err := l.count(cases, func(c result.Count) { seen[c.Case] = append(seen[c.Case], c) }); err != nil {
			return nil, err
		}
	}
	same := 0
	for _, c := range cases {
		all := seen[c]
		equal := len(all) == runs
		for _, one := range all {
			equal = equal && one == all[0]
		}
		if equal {
			same++
		}
		per := func(total uint64) string { return fmt.Sprintf("%.2f", float64(total)/float64(all[0].Ops)) }
		f.Rows = append(f.Rows, []string{c.Subject().String(), string(c.Op), per(all[0].Bytes), per(all[0].Allocs), fmt.Sprint(equal)})
	}
	f.Summary = fmt.Sprintf("%d of %d rows are the same in %d runs", same, len(cases), runs)
	return f, nil
}
