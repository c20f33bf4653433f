package chaos

import (
	"fmt"

	"assay/internal/analysis"
	"assay/result"
)

// certain is the probability that no ratio at all is called apart if the disturbances make no
// difference.
const certain = 0.99

// A Ratio is the time of a case over that of the reference, in one run and in undisturbed runs.
type Ratio struct {
	Run         int // the number of the run
	Case        result.Case
	Got         analysis.Interval
	Undisturbed analysis.Interval
	// Difference is Got over Undisturbed, with bounds that allow for the number of ratios. Apart
	// reports whether 1 is outside these bounds.
	Difference analysis.Interval
	Apart      bool
	// Disjoint reports whether the two 95% intervals do not overlap.
	Disjoint bool
}

func (r Ratio) String() string {
	return fmt.Sprintf("run %d: the ratio of %s is %.3f (%.3f…%.3f), undisturbed %.3f (%.3f…%.3f)", r.Run, r.Case,
		r.Got.Value, r.Got.Lo, r.Got.Hi, r.Undisturbed.Value, r.Undisturbed.Lo, r.Undisturbed.Hi)
}

// ratiosOf returns the time per op of each case over that of the reference.
func ratiosOf(run *result.Run, records []result.Record) map[result.Case]analysis.Interval {
	out := map[result.Case]analysis.Interval{}
	for _, t := range analysis.Of(run, records, analysis.View{}).Tables {
		for _, row := range t.Rows {
			if row.Metric == analysis.Time && row.Ratio != nil && row.Reference != nil && row.Case.Subject() != *row.Reference {
				out[row.Case] = *row.Ratio
			}
		}
	}
	return out
}

// pooled merges the records of several runs of one plan into the records of one run.
func pooled(runs [][]result.Record) []result.Record {
	var all []result.Record
	indices := map[result.Cell]int{}
	for _, records := range runs {
		for _, r := range records {
			if r.Launch != nil {
				l := *r.Launch
				l.Index = indices[l.Cell]
				indices[l.Cell]++
				r.Launch = &l
			}
			all = append(all, r)
		}
	}
	return all
}

// judge compares the ratios with those of undisturbed runs. The bounds of each difference use
// Student's t distribution with one degree of freedom less than a run has layouts. Their level is
// such that all intervals together cover the true values with the probability certain
// (Bonferroni).
func judge(ratios []Ratio, layouts int) {
	level := 1 - (1-certain)/float64(max(1, len(ratios)))
	for i := range ratios {
		r := &ratios[i]
		r.Difference = r.Got.Quotient(r.Undisturbed).At(level, float64(max(1, layouts-1)))
		r.Apart = r.Difference.Lo > 1 || r.Difference.Hi < 1
		r.Disjoint = r.Got.Lo > r.Undisturbed.Hi || r.Got.Hi < r.Undisturbed.Lo
	}
}
