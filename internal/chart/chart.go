// Package chart draws numbers as horizontal bars, for a terminal and as SVG. Its output depends
// only on the chart and is the same on every machine, so it can be kept under version control.
package chart

import (
	"math"
	"strconv"
)

// A Chart is a chart of bars in groups. Each group has one bar for each series.
type Chart struct {
	Title string
	// Text says in a sentence or two what the chart shows, for people who cannot see it.
	Text string
	// Axis says what the length of a bar means, with its unit.
	Axis   string
	Series []string
	Groups []Group
	// Tick formats a value of the axis.
	Tick func(float64) string
}

// A Group is a set of bars with one label.
type Group struct {
	// Head is shown above the group if it differs from the previous group's head.
	Head string
	// Label is shown beside the group.
	Label string
	// Bars are in the order of the chart's series. A missing bar at the end is drawn as nothing.
	Bars []Bar
}

// A Bar is one value.
type Bar struct {
	// Value is 0 or more. NaN draws no bar.
	Value float64
	// Lo and Hi are the bounds of the value's interval; NaN where it has none.
	Lo, Hi float64
	// Text follows the bar. It is the formatted value, or the reason why there is none.
	Text string
}

// Value returns a bar without an interval.
func Value(v float64, text string) Bar { return Bar{v, math.NaN(), math.NaN(), text} }

// Missing returns a bar without a value. It shows the reason instead.
func Missing(reason string) Bar { return Value(math.NaN(), reason) }

// drawn reports whether the bar has a value.
func (b Bar) drawn() bool { return !math.IsNaN(b.Value) && !math.IsInf(b.Value, 0) && b.Value >= 0 }

// bounded reports whether the bar has an interval.
func (b Bar) bounded() bool {
	return b.drawn() && !math.IsNaN(b.Lo) && !math.IsNaN(b.Hi) && !math.IsInf(b.Hi, 0) && b.Lo >= 0 && b.Hi > b.Lo
}

// A scale maps values to positions on the axis.
type scale struct {
	log    bool
	lo, hi float64 // bounds of the axis; lo is 0 unless the axis is logarithmic
	ticks  []float64
}

// spread is the ratio of the largest to the smallest value from which the axis is logarithmic. On
// a linear axis the smallest bar would be almost invisible.
const spread = 30

// mostTicks is how many ticks an axis has at most.
const mostTicks = 9

// scale returns an axis that fits all bars. A zero does not make the axis logarithmic, and its
// bar has no length on either kind of axis.
func (c *Chart) scale() scale {
	least, most := math.Inf(1), 0.0
	for _, g := range c.Groups {
		for _, b := range g.Bars {
			if !b.drawn() {
				continue
			}
			high := b.Value
			if b.bounded() {
				high = max(high, b.Hi)
			}
			most = max(most, high)
			if b.Value > 0 {
				least = min(least, b.Value)
			}
		}
	}
	switch {
	case most == 0:
		return scale{hi: 1, ticks: []float64{0}}
	case most/least >= spread:
		return logarithmic(least, most)
	}
	return linear(most)
}

// linear returns an axis from 0 to at least most, with ticks at round numbers.
func linear(most float64) scale {
	step := power(math.Floor(math.Log10(most)))
	for _, part := range []float64{0.2, 0.5, 1, 2} {
		if most/(step*part) <= 6 {
			step *= part
			break
		}
	}
	s := scale{hi: step * math.Ceil(most/step-1e-9)}
	for i := 0; float64(i)*step <= s.hi*(1+1e-9); i++ {
		s.ticks = append(s.ticks, float64(i)*step)
	}
	return s
}

// logarithmic returns an axis with ticks at powers of ten. The first tick is below the smallest
// value, so that its bar has a length.
func logarithmic(least, most float64) scale {
	first := math.Floor(math.Log10(least / 1.5))
	last := math.Log10(most)
	s := scale{log: true, lo: power(first), hi: most}
	step := max(1, math.Ceil((last-first)/mostTicks))
	for e := first; e <= last+1e-9; e += step {
		s.ticks = append(s.ticks, power(e))
	}
	s.hi = max(s.hi, s.ticks[len(s.ticks)-1])
	return s
}

// power returns the power of ten, as exactly as a float64 can hold it.
func power(exponent float64) float64 {
	v, _ := strconv.ParseFloat("1e"+strconv.Itoa(int(exponent)), 64)
	return v
}

// at returns the position of a value on the axis, from 0 to 1.
func (s scale) at(v float64) float64 {
	share := v / s.hi
	if s.log {
		if v <= s.lo {
			return 0
		}
		share = math.Log(v/s.lo) / math.Log(s.hi/s.lo)
	}
	return min(1, max(0, share))
}

// axis describes the axis.
func (c *Chart) axis(s scale) string {
	if s.log {
		return c.Axis + ", log scale from " + c.Tick(s.lo)
	}
	return c.Axis
}
