package analysis

import (
	"cmp"
	"math"
	"slices"

	"assay/result"
)

// A prior is what is known about the variance of a ratio over layouts before the ratio is seen: the
// variance that the ratios of its cell have in common, and how many degrees of freedom that is
// worth. The zero value knows nothing.
//
// A few layouts say little about the variance of one ratio, but a cell has many ratios. So the
// variance of each is shrunk towards the common one (Smyth, Linear Models and Empirical Bayes
// Methods for Assessing Differential Expression in Microarray Experiments, 2004). This widens the
// intervals of ratios that varied little by chance, and narrows the others: those of two layouts to
// a quarter, those of eight by some percent.
type prior struct {
	variance, df float64
	// alone says that Student's interval over layouts is all there is, as for counts of CPU time: a
	// process makes one or two, which tell nothing that the layouts do not. Of six to eight values,
	// the interval of the sign test is their whole range, half as wide again as Student's.
	alone bool
}

const (
	// priorDF is how many degrees of freedom the common variance is worth. By Smyth's estimate it was
	// worth 2.3 to 37 in 38 of 54 cells of three default runs and of the claims, 10 in their median,
	// and without limit in the other 16. A small worth costs little width and keeps coverage if
	// ratios differ more than usual.
	priorDF = 4
	// leastScatters is the smallest number of ratios with a common variance: those of five subjects.
	// Of four, one that varies much would be in half of all pairs.
	leastScatters = 10
)

// A scatter is the variance of one ratio over layouts, with its degrees of freedom.
type scatter struct {
	variance, df float64
}

// priorOf returns the prior of at least the given number of ratios. The common variance is the median, which
// a few ratios that vary much do not move, divided by the median of the distribution of sample
// variances with a mean of 1 (by Wilson and Hilferty's approximation of chi-squared).
func priorOf(scatters []scatter, least int) prior {
	if len(scatters) < least {
		return prior{}
	}
	var variances []float64
	df := 0.0
	for _, s := range scatters {
		variances = append(variances, s.variance)
		df += s.df / float64(len(scatters))
	}
	return prior{variance: median(variances) / math.Pow(1-2/(9*df), 3), df: priorDF}
}

// shrunk returns the variance of a ratio shrunk towards the prior's, and its degrees of freedom.
func (p prior) shrunk(own scatter) scatter {
	df := p.df + own.df
	return scatter{(p.df*p.variance + own.df*own.variance) / df, df}
}

// half returns the half-width of Student's interval of the mean of two or more values, one for each
// layout, and its degrees of freedom.
func (p prior) half(values []float64) (half, df float64) {
	n := float64(len(values))
	s := p.shrunk(scatter{variance(values), n - 1})
	return tQuantile((1+confidence)/2, s.df) * math.Sqrt(s.variance/n), s.df
}

// prior returns the prior of the cell's ratios, by all pairs of its subjects. The ratios to the
// reference alone would not do: if the reference varies little by chance, all of them do.
func (c *cell) prior() prior {
	if c.common == nil {
		subjects := c.subjects()
		p := priorOf(pairs(subjects, func(a, b result.Subject) []cluster {
			use, _ := c.pick(c.ratios(a, b))
			return perLayout(use)
		}), leastScatters)
		p.alone = c.counts
		c.common = &p
	}
	return *c.common
}

// subjects returns the subjects that have samples, without the floor, in the order of their names.
func (c *cell) subjects() []result.Subject {
	var out []result.Subject
	for _, l := range c.launches {
		for s := range l.series {
			if s.Contender != Floor && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	slices.SortFunc(out, func(a, b result.Subject) int {
		return cmp.Or(cmp.Compare(a.Contender, b.Contender), cmp.Compare(a.Mode, b.Mode))
	})
	return out
}

// pairs returns the scatters of the ratios of all pairs of subjects, without the pairs that have
// fewer than two layouts.
func pairs(subjects []result.Subject, of func(a, b result.Subject) []cluster) []scatter {
	var out []scatter
	for i, a := range subjects {
		for _, b := range subjects[i+1:] {
			out = append(out, scatterOf(of(a, b))...)
		}
	}
	return out
}

// scatterOf returns the scatter of a ratio; none if it has fewer than two layouts.
func scatterOf(by []cluster) []scatter {
	if len(by) < 2 {
		return nil
	}
	return []scatter{{variance(logsOf(by)), float64(len(by) - 1)}}
}

// logsOf returns the logarithms of the clusters.
func logsOf(by []cluster) []float64 {
	var logs []float64
	for _, c := range by {
		logs = append(logs, c.log)
	}
	return logs
}
