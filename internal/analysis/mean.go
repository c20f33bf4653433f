package analysis

import (
	"math"

	"assay/result"
)

// A cluster is what one layout showed of a logarithm: the mean of its launches.
type cluster struct {
	layout uint64
	log    float64
}

// meanOf estimates the mean of logarithms that were measured with the same layouts, such as a
// contender's ratios for several workloads.
//
// Their errors may be correlated, because a layout that slows a library down for one workload may
// slow it down for the others. How much so differs from run to run: the correlation between
// workloads was −0.04 to 0.07 in six runs of all workloads, where the scatter of rounds dominates,
// and 0.58 in a run of two workloads that took longer for each, where layouts do. So a layout counts as the
// mean of its parts, and the interval is Student's over the layouts that all parts have. It is at
// least as wide as if the parts were independent, so that a few layouts that agree by chance do not
// narrow it, and at most as wide as the parts are on average, which it would be if each layout
// moved all parts alike. It is that wide too with fewer than LeastLayouts such layouts, unless there
// is a prior, which is that of the means of all pairs. The environment term does not shrink with the
// number of parts.
func meanOf(parts []estimate, common prior) estimate {
	out := estimate{df: math.Inf(1)}
	n := float64(len(parts))
	var alike, apart struct{ down, up float64 } // the distances of parts that err alike, and independently
	for i, e := range parts {
		out.log += e.log / n
		alike.down, alike.up = alike.down+e.down/n, alike.up+e.up/n
		own := e.environment / n
		apart.down = math.Hypot(apart.down, apartFrom(e.down/n, own))
		apart.up = math.Hypot(apart.up, apartFrom(e.up/n, own))
		out.environment = max(out.environment, e.environment)
		out.df = min(out.df, e.df)
		if i == 0 {
			out.layouts, out.launches, out.samples = e.layouts, e.launches, e.samples
		}
		out.layouts, out.launches, out.samples = min(out.layouts, e.layouts), min(out.launches, e.launches), min(out.samples, e.samples)
	}
	out.down, out.up = alike.down, alike.up
	out.by = byLayout(parts, mean)
	if n := len(out.by); n < 2 || n < LeastLayouts && common.df == 0 {
		return out
	}
	half, df := common.half(logsOf(out.by))
	out.df = min(out.df, df)
	out.down = min(alike.down, math.Hypot(max(half, apart.down), out.environment))
	out.up = min(alike.up, math.Hypot(max(half, apart.up), out.environment))
	return out
}

// priorOfMeans returns the prior of the means of the ratios of all pairs of subjects. parts returns
// the parts of a pair's mean.
func priorOfMeans(subjects []result.Subject, parts func(a, b result.Subject) []estimate) prior {
	return priorOf(pairs(subjects, func(a, b result.Subject) []cluster {
		return byLayout(parts(a, b), mean)
	}), leastScatters)
}

// apartFrom returns what is left of a half-width to which another one was added in quadrature.
func apartFrom(half, other float64) float64 { return math.Sqrt(max(0, half*half-other*other)) }

// byLayout combines the values of each layout that all parts have, in the order of the first part.
func byLayout(parts []estimate, combine func(logs []float64) float64) []cluster {
	if len(parts) == 0 {
		return nil
	}
	var out []cluster
	for _, first := range parts[0].by {
		logs := []float64{first.log}
		for _, e := range parts[1:] {
			for _, c := range e.by {
				if c.layout == first.layout {
					logs = append(logs, c.log)
				}
			}
		}
		if len(logs) == len(parts) {
			out = append(out, cluster{first.layout, combine(logs)})
		}
	}
	return out
}
