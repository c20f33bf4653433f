package analysis

import (
	"math"

	"assay/contender"
	"assay/result"
)

// wholeMeans are the metrics of whole values for which WholeMean computes a mean.
var wholeMeans = map[string]func(*result.Stream) float64{
	StreamTime:  func(s *result.Stream) float64 { return float64(s.Wall) / float64(s.Messages) },
	StreamCPU:   func(s *result.Stream) float64 { return float64(s.CPU) / float64(s.Messages) },
	StreamPeak:  func(s *result.Stream) float64 { return float64(s.Peak) },
	StreamAlloc: func(s *result.Stream) float64 { return float64(s.AllocBytes) / float64(s.Messages) },
	StreamPause: func(s *result.Stream) float64 { return float64(s.PauseMax) },
	StreamDelay: func(s *result.Stream) float64 { return float64(s.Late) },
}

// wholeLeast is the smallest half-width of WholeMean, as a logarithm. It allows for what processes
// that agree by chance do not show.
const wholeLeast = 0.006

// WholeMean returns the geometric mean of a metric over the processes that did an op on the whole
// value of a case, with the 95% t-interval of the mean of the logarithms, and the number of
// processes. It ignores the mode of the case. It reports false if there are fewer than two
// processes, if one has a value of 0, and for metrics other than times, pauses, delays and bytes of
// memory.
func (r *Results) WholeMean(c result.Case, metric string) (Interval, int, bool) {
	c.Mode = contender.WholeMode
	all, of := r.streams[c], wholeMeans[metric]
	n := float64(len(all))
	if of == nil || n < 2 {
		return Interval{}, len(all), false
	}
	var logs []float64
	mean, rest := 0.0, 0.0
	for _, s := range all {
		logs = append(logs, math.Log(of(s)))
		mean += logs[len(logs)-1] / n
	}
	if math.IsInf(mean, 0) {
		return Interval{}, len(all), false
	}
	for _, l := range logs {
		rest += (l - mean) * (l - mean)
	}
	half := max(wholeLeast, tQuantile(0.975, n-1)*math.Sqrt(rest/(n-1)/n))
	return Interval{Value: math.Exp(mean), Lo: math.Exp(mean - half), Hi: math.Exp(mean + half)}, len(all), true
}

// Whole returns the row of a metric of the whole value of a case, and false if there is none. It
// ignores the mode of the case.
func (r *Results) Whole(c result.Case, metric string) (Row, bool) {
	c.Mode = contender.WholeMode
	for i := range r.Tables {
		if r.Tables[i].Cell == c.Cell() {
			return r.Tables[i].Row(c, metric)
		}
	}
	return Row{}, false
}
