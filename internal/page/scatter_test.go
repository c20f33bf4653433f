package page

import (
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/result"
)

// The line of the front joins the points of the front that no other point of it beats, from the fastest on.
// What may not be on the front, such as a mode that is not safe, keeps no point from the line.
func TestFrontLine(t *testing.T) {
	at := func(x, y float64, front bool) point {
		return point{x: analysis.Interval{Value: x, Lo: x, Hi: x}, y: y, front: front, shape: "text"}
	}
	fast, middle, small := at(100, 90, true), at(200, 60, true), at(400, 50, true)
	for name, test := range map[string]struct {
		points []point
		want   []point
	}{
		"three":                {[]point{small, fast, middle}, []point{fast, middle, small}},
		"one is not safe":      {[]point{fast, middle, small, at(50, 40, false)}, []point{fast, middle, small}},
		"one as large, faster": {[]point{fast, middle, at(90, 90, false)}, []point{fast, middle}},
		"one by its interval":  {[]point{fast, middle, at(210, 61, true), small}, []point{fast, middle, small}},
		"one is beaten":        {[]point{fast, at(300, 95, false), middle}, []point{fast, middle}},
		"alone":                {[]point{fast, at(300, 95, false)}, []point{fast}},
	} {
		l := plot{newScale(0.06, 50, 400), newScale(0.09, 40, 100)}
		var got, want drawing
		got.front(test.points, l)
		for i := 1; i < len(test.want); i++ {
			a, b := test.want[i-1], test.want[i]
			want.raw(`<line class="front" x1="%s" y1="%s" x2="%s" y2="%s"/>`, percent(l.x(a.x.Value)), percent(l.y(a.y)), percent(l.x(b.x.Value)), percent(l.y(b.y)))
		}
		if got.b.String() != want.b.String() {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.ReplaceAll(got.b.String(), "/>", "/>\n"), strings.ReplaceAll(want.b.String(), "/>", "/>\n"))
		}
	}
}

// The front of an answer is marked in the picture of the time that it ranks by.
func TestFrontOfAnAnswer(t *testing.T) {
	const front, unsafe, behind = "front", "unsafe", "behind"
	for _, byCPU := range []bool{false, true} {
		a := &answer.Answer{}
		o := &analysis.Overview{}
		for _, name := range []string{front, unsafe, behind} {
			s := result.Subject{Contender: name}
			if name != unsafe { // it is no candidate
				c := &answer.Candidate{Pareto: name == front}
				c.Subject = s
				a.Candidates = append(a.Candidates, c)
			}
			o.Rows = append(o.Rows, analysis.OverviewRow{Subject: s, Front: name != front, CPUFront: name != front})
		}
		if byCPU {
			a.Disagreement = &answer.Disagreement{}
		}
		takeFront(o, a)
		for _, r := range o.Rows {
			taken, other := r.Front, r.CPUFront
			if byCPU {
				taken, other = other, taken
			}
			if taken != (r.Contender == front) || other != (r.Contender != front) {
				t.Errorf("ranked by CPU time %v: %s is on the front of time %v, of CPU time %v", byCPU, r.Contender, r.Front, r.CPUFront)
			}
		}
	}
}
