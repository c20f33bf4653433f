package page

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// A drawing collects the elements of an SVG. Its callers escape text. Coordinates are finite
// numbers with one decimal.
type drawing struct {
	b strings.Builder
}

// at formats a coordinate.
func at(v float64) string {
	if !finite(v) {
		v = 0
	}
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

func (d *drawing) raw(format string, args ...any) { fmt.Fprintf(&d.b, format, args...) }

func (d *drawing) line(class string, x1, y1, x2, y2 float64) {
	d.raw(`<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, at(x1), at(y1), at(x2), at(y2))
}

// svg returns the whole SVG element.
func (d *drawing) svg(class string, width, height float64, label string) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="%s" viewBox="0 0 %s %s" role="img" aria-label="%s">%s</svg>`,
		class, at(width), at(height), html.EscapeString(clean(label)), d.b.String()))
}

// A scale maps positive numbers logarithmically to 0…1.
type scale struct{ lo, hi float64 } // natural logarithms

// newScale returns a scale that covers all numbers. It ignores numbers that are not positive and
// finite.
func newScale(margin float64, numbers ...float64) scale {
	s := scale{math.Inf(1), math.Inf(-1)}
	for _, v := range numbers {
		if v > 0 && finite(v) {
			s.lo, s.hi = min(s.lo, math.Log(v)), max(s.hi, math.Log(v))
		}
	}
	if s.lo > s.hi {
		s.lo, s.hi = 0, 1
	}
	if wide := s.hi - s.lo; wide < 0.4 {
		s.lo, s.hi = s.lo-(0.4-wide)/2, s.hi+(0.4-wide)/2
	}
	room := margin * (s.hi - s.lo)
	return scale{s.lo - room, s.hi + room}
}

// of returns the position of a number, from 0 to 1.
func (s scale) of(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(1, max(0, (math.Log(v)-s.lo)/(s.hi-s.lo)))
}

// round returns at most most round numbers within the scale. Their digits are as fine as that
// allows, such as 1, 2 and 5; a long scale has only powers of ten.
func (s scale) round(most int) []float64 {
	for _, digits := range [][]float64{{1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9}, {1, 1.5, 2, 3, 4, 5, 7}, {1, 2, 5}, {1, 3}, {1}} {
		var out []float64
		for e := math.Floor(s.lo / math.Ln10); e <= s.hi/math.Ln10; e++ {
			for _, d := range digits {
				if l := math.Log(d) + e*math.Ln10; l >= s.lo && l <= s.hi {
					out = append(out, d*math.Pow(10, e))
				}
			}
		}
		if len(out) <= most {
			return out
		}
	}
	step := math.Ceil((s.hi - s.lo) / math.Ln10 / float64(most))
	var out []float64
	for e := math.Ceil(s.lo / math.Ln10); e <= s.hi/math.Ln10; e += step {
		out = append(out, math.Pow(10, e))
	}
	return out
}

// scaleOf returns the scale of the dots of a ranking.
func scaleOf(values []*value) scale {
	numbers := []float64{1}
	for _, v := range values {
		numbers = append(numbers, v.V, max(v.Lo, v.V/10), min(v.Hi, v.V*10))
	}
	return newScale(0.04, numbers...)
}

// tickText formats a round number in plain decimals.
func tickText(v float64) string { return strconv.FormatFloat(rounded(v, 3), 'f', -1, 64) }

func (s scale) ticks() []tick {
	var out []tick
	for _, v := range s.round(6) {
		out = append(out, tick{100 * s.of(v), tickText(v) + "×"})
	}
	return out
}

// dot draws a number with its interval, in per cent of the width of its cell. The style sheet has
// what all dots share. The number itself is in another cell of the row.
func dot(v *value, s scale) template.HTML {
	if v == nil {
		return ""
	}
	x := func(v float64) string { return at(100*s.of(v)) + "%" }
	return template.HTML(fmt.Sprintf(`<svg><line x1="%s" x2="%s"/><circle cx="%s"/></svg>`,
		x(v.Lo), x(v.Hi), x(v.V)))
}
