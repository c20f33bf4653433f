package claims

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"assay"
	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/published/sources"
	"assay/result"
)

// A Reproduction is a stored run of assay reproduce: benchmarks of sources by their own methods.
type Reproduction struct {
	Run *result.Run
	// Rounds are the rounds of each benchmark whose times count, by set and name.
	Rounds map[[2]string][]*result.Bench
}

// Benchmarks names the benchmarks of a claim's source that time its terms as published. SizeWord in
// a name stands for the size.
type Benchmarks struct {
	Of string
	To string // of a ratio
}

// SizeWord stands for the size in the name of a benchmark.
const SizeWord = "SIZE"

// at returns the names of the benchmarks at a size, one or two.
func (b Benchmarks) at(size string) []string {
	names := []string{benchmarkAt(b.Of, size)}
	if b.To != "" {
		names = append(names, benchmarkAt(b.To, size))
	}
	return names
}

// benchmarkAt returns the name of a benchmark at a size.
func benchmarkAt(name, size string) string { return strings.ReplaceAll(name, SizeWord, size) }

// publishedBenchmarks returns the names of each published source's benchmarks. A claims file is of
// any source, but assay reproduce runs these only.
var publishedBenchmarks = sync.OnceValue(func() map[string][]string {
	list, err := sources.Load(assay.Source)
	if err != nil {
		panic(err) // the embedded sources are those that were tested
	}
	names := map[string][]string{}
	for _, s := range list {
		for _, table := range s.Tables {
			for _, row := range table.Rows {
				if row.Benchmark != "" && !slices.Contains(names[s.ID], row.Benchmark) {
					names[s.ID] = append(names[s.ID], row.Benchmark)
				}
			}
		}
	}
	return names
})

// byOwnMethod rules on a condition as published by the source's own method, if the loop around an
// operation leaves f undecided and a reproduction has the benchmarks that the claim names. The
// source's loop is part of what it published, so nothing is added for it. It returns f otherwise.
func (j judge) byOwnMethod(f Finding) Finding {
	if !f.barely || f.Elsewhere || j.claim.Benchmarks == nil {
		return f
	}
	for _, r := range j.reproductions {
		own, ok := j.ownFigure(r, f.Size)
		if !ok {
			continue
		}
		limits := j.claim.limits()
		rounds := phrase.Count(own.layouts, "round")
		g := Finding{
			Condition: f.Condition, Metric: analysis.Time, OwnMethod: r.Run.ID, Verdict: own.within(limits),
			Measured: &own.Interval, Code: cmp.Or(f.Code, f.Measured), Timed: true, P: own.level(limits), layouts: own.layouts,
			Reason: "by the source's own method, " + rounds,
		}
		g.detail = g.Reason
		if g.Verdict == Undecided {
			g.open = "the interval from " + rounds + " by the source's own method is too wide"
		}
		return g
	}
	f.open += fmt.Sprintf("; the source's own method may tell: assay reproduce %s, then --reproduced RUN", j.claim.Source)
	return f
}

// relinked widens a figure of one binary, as a difference of logarithms: twice the largest standard
// deviation that random link layouts gave a ratio in experiment E5 of METHODOLOGY.
const relinked = 2 * 0.05

// ownFigure returns the claim's figure at a size by the source's own method: the geometric mean over
// rounds of the time, or of the ratio of two times of one round. ok is false if there are fewer than
// two such rounds.
func (j judge) ownFigure(r Reproduction, size string) (f figure, ok bool) {
	type turn struct {
		layout uint64
		round  int
	}
	var times []map[turn]float64
	for _, name := range j.claim.Benchmarks.at(size) {
		by := map[turn]float64{}
		for _, b := range r.Rounds[[2]string{sources.Set(j.claim.Source), name}] {
			by[turn{b.Layout, b.Round}] = b.NS
		}
		times = append(times, by)
	}
	var values []float64
	for at, ns := range times[0] {
		if len(times) == 1 {
			values = append(values, ns)
		} else if other := times[1][at]; other > 0 {
			values = append(values, ns/other)
		}
	}
	slices.Sort(values) // sums depend on the order
	mean, ok := analysis.GeometricMean(values, 0)
	if ok {
		f = figure{Interval: widened(mean, relinked), layouts: len(values)}
	}
	return f, ok
}
