package chart

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/internal/texttab"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (go test -update rewrites it): -want +got\n%s", path, diff)
	}
}

func ns(v float64) string {
	for _, unit := range []string{"ns", "µs", "ms"} {
		if v < 1000 || unit == "ms" {
			return strconv.FormatFloat(v, 'g', 3, 64) + " " + unit
		}
		v /= 1000
	}
	return ""
}

// wide returns a chart over seven orders of magnitude, with intervals, a missing value, a row
// without bars, and texts that break a writer that does not escape.
func wide() *Chart {
	c := &Chart{
		Title: "Unmarshal <levels> & \"more\"", Text: "Three sources of each time: what was published & what was measured.",
		Axis: "time per operation", Tick: ns,
		Series: []string{"published", "as published, here", "corrected"},
	}
	add := func(head, label string, published, here, corrected float64) {
		c.Groups = append(c.Groups, Group{head, label, []Bar{
			Value(published, ns(published)), {here, here * 0.9, here * 1.3, ns(here)}, {corrected, corrected * 0.99, corrected * 1.01, ns(corrected)},
		}})
	}
	add("Level 1", "Native", 10_778, 5_442, 5_540)
	add("Level 1", "FlatBuffers", 2.365, 1.87, 435)
	add("Level 3", "Native", 50_498_996, 41_900_000, 33_600_000)
	add("Level 3", "日本", 3_787_941_000, 1000, 10)
	c.Groups[2].Bars[1] = Missing("needs 21 GB, and this machine has 4 GB: take one with more, and it will be here")
	c.Groups[3].Bars = nil
	return c
}

func narrow() *Chart {
	return &Chart{
		Title: "Sizes", Axis: "bytes", Series: []string{"published", "corrected"}, Tick: func(v float64) string { return fmt.Sprintf("%.0f B", v) },
		Groups: []Group{
			{Label: "JSON", Bars: []Bar{Value(108, "108 B"), Value(106, "106 B")}},
			{Label: "XML", Bars: []Bar{Value(150, "150 B"), Value(0, "0 B")}},
		},
	}
}

func text(t *testing.T, c *Chart, width int, color bool) string {
	t.Helper()
	var out strings.Builder
	if err := c.WriteText(&out, width, color); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func svg(t *testing.T, c *Chart) string {
	t.Helper()
	var out strings.Builder
	if err := c.WriteSVG(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGolden(t *testing.T) {
	golden(t, "wide.text", text(t, wide(), 100, false))
	golden(t, "wide.60.text", text(t, wide(), 60, false))
	golden(t, "narrow.text", text(t, narrow(), 60, false))
	golden(t, "wide.svg", svg(t, wide()))
	golden(t, "narrow.svg", svg(t, narrow()))
}

func TestTextFits(t *testing.T) {
	for _, width := range []int{70, 100, 160} {
		for _, line := range strings.Split(text(t, wide(), width, false), "\n") {
			if w := texttab.Width(line); w > width {
				t.Errorf("width %d: %d cells: %s", width, w, line)
			}
		}
	}
}

func TestColorChangesColorOnly(t *testing.T) {
	colored := text(t, wide(), 100, true)
	stripped := regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(colored, "")
	if stripped == colored {
		t.Error("no colour")
	}
	if diff := cmp.Diff(text(t, wide(), 100, false), stripped); diff != "" {
		t.Errorf("-plain +stripped\n%s", diff)
	}
}

func TestSVGIsXML(t *testing.T) {
	odd := narrow()
	odd.Title = "a\x00b\xff<script>"
	for _, c := range []*Chart{wide(), narrow(), odd, {Tick: ns}} {
		d := xml.NewDecoder(strings.NewReader(svg(t, c)))
		texts, titles := 0, 0
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", c.Title, err)
			}
			start, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			switch start.Name.Local {
			case "text":
				texts++
			case "title", "desc":
				titles++
			case "script", "image", "use":
				t.Errorf("%s: element %s", c.Title, start.Name.Local)
			}
			for _, a := range start.Attr {
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("%s: %s=%q", c.Title, a.Name.Local, a.Value)
				}
			}
		}
		if titles != 2 || texts == 0 {
			t.Errorf("%s: %d of title and desc, %d texts", c.Title, titles, texts)
		}
	}
}

func TestScale(t *testing.T) {
	of := func(values ...float64) scale {
		c := &Chart{}
		for _, v := range values {
			c.Groups = append(c.Groups, Group{Bars: []Bar{Value(v, "")}})
		}
		return c.scale()
	}
	tests := []struct {
		name   string
		values []float64
		want   scale
	}{
		{"nothing", nil, scale{hi: 1, ticks: []float64{0}}},
		{"zeros", []float64{0, math.NaN(), math.Inf(1)}, scale{hi: 1, ticks: []float64{0}}},
		{"one", []float64{7}, scale{hi: 8, ticks: []float64{0, 2, 4, 6, 8}}},
		{"one whose first digit is 4", []float64{400}, scale{hi: 400, ticks: []float64{0, 100, 200, 300, 400}}},
		{"one below 1", []float64{0.5}, scale{hi: 0.5, ticks: []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5}}},
		{"near", []float64{63, 150}, scale{hi: 150, ticks: []float64{0, 50, 100, 150}}},
		{"zero and near", []float64{0, 63, 150}, scale{hi: 150, ticks: []float64{0, 50, 100, 150}}},
		{"decades", []float64{9, 4000}, scale{log: true, lo: 1, hi: 4000, ticks: []float64{1, 10, 100, 1000}}},
		{"a power of ten is not at the edge", []float64{10, 1000}, scale{log: true, lo: 1, hi: 1000, ticks: []float64{1, 10, 100, 1000}}},
		{"decades around 1", []float64{0.02, 5}, scale{log: true, lo: 0.01, hi: 5, ticks: []float64{0.01, 0.1, 1}}},
		{"many decades from a million", []float64{2e6, 1e17}, scale{log: true, lo: 1e6, hi: 1e17, ticks: []float64{1e6, 1e8, 1e10, 1e12, 1e14, 1e16}}},
		{"many decades", []float64{2, 1e11}, scale{log: true, lo: 1, hi: 1e11, ticks: []float64{1, 100, 1e4, 1e6, 1e8, 1e10}}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, of(test.values...), cmp.AllowUnexported(scale{}), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.name, diff)
		}
	}
}

// Only a bar with a finite interval has a whisker, and only such an interval makes the axis longer.
func TestWhiskers(t *testing.T) {
	for _, test := range []struct {
		lo, hi float64
		want   bool
	}{
		{4, 8, true}, {0, 8, true}, {math.NaN(), 8, false}, {4, math.NaN(), false}, {4, math.Inf(1), false}, {-1, 8, false}, {5, 5, false},
	} {
		c := &Chart{Tick: ns, Series: []string{"a"}, Groups: []Group{{Bars: []Bar{{5, test.lo, test.hi, "5"}}}}}
		if got := strings.Contains(svg(t, c), `<path class="whisker"`); got != test.want {
			t.Errorf("from %v to %v: a whisker %v, want %v", test.lo, test.hi, got, test.want)
		}
		if most := c.scale().hi; (most >= 8) != test.want {
			t.Errorf("from %v to %v: the axis ends at %v", test.lo, test.hi, most)
		}
	}
}

// Longer values have longer bars on both scales, and every value above 0 has a visible bar.
func TestBarsGrow(t *testing.T) {
	for _, most := range []float64{40, 4e9} {
		s := (&Chart{Groups: []Group{{Bars: []Bar{Value(2, ""), Value(most, "")}}}}).scale()
		last := 0
		for v := 2.0; v <= most; v *= 1.6 {
			n := len(blocks(s.at(v), 40))
			if n == 0 || n < last && texttab.Width(blocks(s.at(v), 40)) < last {
				t.Errorf("up to %g: %g has %d cells after %d", most, v, n, last)
			}
			last = texttab.Width(blocks(s.at(v), 40))
		}
		if last > 40 {
			t.Errorf("up to %g: %d cells", most, last)
		}
	}
}
