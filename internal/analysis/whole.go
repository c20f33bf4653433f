package analysis

import (
	"math"
	"slices"

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
	if of == nil {
		return Interval{}, len(all), false
	}
	values := make([]float64, len(all))
	for i, s := range all {
		values[i] = of(s)
	}
	mean, ok := GeometricMean(values, wholeLeast)
	return mean, len(all), ok
}

// GeometricMean returns the geometric mean of values with the 95% t-interval of the mean of their
// logarithms, which is widened to least, a half-width in logarithms. It reports false for fewer than
// two values, and if one is not above 0.
func GeometricMean(values []float64, least float64) (Interval, bool) {
	n := float64(len(values))
	if n < 2 || slices.Min(values) <= 0 {
		return Interval{}, false
	}
	mean, rest := 0.0, 0.0
	for _, v := range values {
		mean += math.Log(v) / n
	}
	for _, v := range values {
		rest += (math.Log(v) - mean) * (math.Log(v) - mean)
	}
	half := max(least, tQuantile(0.975, n-1)*math.Sqrt(rest/(n-1)/n))
	return Interval{Value: math.Exp(mean), Lo: math.Exp(mean - half), Hi: math.Exp(mean + half)}, true
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
