package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/report"
	"assay/result"
)

// hostile lists names that would end a script, run one, reorder the text around them, or fill the
// page.
var hostile = []string{
	`</script><script>document.title="run"</script>`,
	`<img src=x onerror="document.title='run'">`,
	`"><svg onload=document.title='run'>`,
	`--><!--<script>`,
	"a\u202ecnys\x1b[31m\x00\u2028b",
	`{{.Script}}`, "`${document.title='run'}`", `'; document.title='run'; //`,
	`javascript:document.title='run'`,
	strings.Repeat("long", 25000),
	"",
	"=cmd|' /C calc'!A0",
}

// renamed returns a stored run in which a workload, a contender and a size have the given name.
func renamed(t testing.TB, name string) *Source {
	t.Helper()
	run, records, _, err := result.Read(runs + "passes")
	if err != nil {
		t.Fatal(err)
	}
	// Package result refuses some of the names, but another program may write them.
	quoted, err := json.Marshal(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{run, &records} {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		for _, old := range []string{`"movie"`, `"record=one"`, `"protobuf"`} {
			data = bytes.ReplaceAll(data, []byte(old), quoted)
		}
		if err := json.Unmarshal(data, v); err != nil {
			t.Fatal(err)
		}
	}
	run.Host.CPU, run.ID, run.Build.Go, run.Args = name, name, name, []string{name}
	run.Build.Modules = append(run.Build.Modules, result.Module{Path: name, Version: name})
	return &Source{
		Results: analysis.Of(run, records, analysis.View{}), Records: records, Command: name, Again: "assay show " + name,
		Contenders: append(abouts, &contender.Contender{Name: name, Format: name, Module: name, License: name, Choose: name}),
	}
}

func TestHostileNames(t *testing.T) {
	for i, name := range hostile {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			s := renamed(t, name)
			page := write(t, s)
			checkPolicy(t, page)
			checkText(t, page)
			if len(page) > 3<<20 {
				t.Errorf("the page has %d bytes", len(page))
			}
			if name != "" && len(name) < 100 && !strings.Contains(html.UnescapeString(page), clean(name)) {
				t.Errorf("the page does not show the name %q", name)
			}
		})
	}
}

// islandOf returns the unpacked island of a page.
func islandOf(t *testing.T, page string) []byte {
	t.Helper()
	found := regexp.MustCompile(`(?s)id="island">(.*?)</script>`).FindStringSubmatch(page)
	if found == nil {
		t.Fatal("the page has no island")
	}
	packed, err := base64.RawURLEncoding.DecodeString(found[1])
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// checkText checks that a page has no control or bidirectional characters, and that its island is
// JSON.
func checkText(t *testing.T, page string) {
	t.Helper()
	for _, r := range page {
		if r < ' ' && r != '\n' && r != '\t' || r == '\u202e' || r == '\u2028' {
			t.Fatalf("the page has %U", r)
		}
	}
	if !json.Valid(islandOf(t, page)) {
		t.Fatal("the island is no JSON")
	}
	if bad := regexp.MustCompile(`="[^"]*(NaN|Inf)[^"]*"`).FindString(page); bad != "" {
		t.Errorf("the page has %s", bad)
	}
}

// Impossible numbers do not break a page.
func TestHostileNumbers(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1e300, 5e-324} {
		t.Run(strconv.FormatFloat(v, 'g', -1, 64), func(t *testing.T) {
			s := source(t, runs+"passes")
			for _, table := range s.Results.Tables {
				for _, row := range table.Rows {
					for _, i := range []*analysis.Interval{row.Number, row.Ratio} {
						if i != nil && row.Case.Contender == "protobuf" {
							*i = analysis.Interval{Value: v, Lo: v, Hi: v}
						}
					}
					for k := range row.Launches {
						row.Launches[k].NS = v
					}
				}
			}
			s.Results.Grade.Control = &analysis.Interval{Value: v, Lo: v, Hi: v}
			page := write(t, s)
			checkPolicy(t, page)
			checkText(t, page)
		})
	}
}

// The page of a run without any number says that there is none.
func TestFailuresOnly(t *testing.T) {
	page := write(t, failures())
	checkPolicy(t, page)
	for _, text := range []string{"panic: encoding/json, msgp: index out of range &lt;b&gt;", "What has no number, and why", "No verdict: nothing here has a number."} {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
	// Such a page has nothing to choose, sort or draw.
	for _, text := range []string{`id="controls"`, `id="ranking"`, `href="#ranking"`} {
		if strings.Contains(page, text) {
			t.Errorf("the page has %q", text)
		}
	}
}

// An empty source also makes a page.
func TestNothing(t *testing.T) {
	checkPolicy(t, write(t, &Source{}))
	checkPolicy(t, write(t, &Source{Results: analysis.Of(&result.Run{}, nil, analysis.View{})}))
}

func FuzzNames(f *testing.F) {
	for _, name := range hostile {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		page := write(t, renamed(t, name))
		checkPolicy(t, page)
		checkText(t, page)
	})
}

func FuzzClean(f *testing.F) {
	for _, name := range hostile {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if got := clean(name); len(got) > 7*mostText+100 {
			t.Errorf("%d bytes of %d", len(got), len(name))
		}
		if got := slug(name); len(got) > 62 || regexp.MustCompile(`[^a-z0-9-]`).MatchString(got) {
			t.Errorf("slug %q", got)
		}
	})
}

func TestScales(t *testing.T) {
	for _, test := range []struct {
		name    string
		numbers []float64
	}{
		{"none", nil}, {"one", []float64{5}}, {"equal", []float64{3, 3}}, {"no numbers", []float64{math.NaN(), math.Inf(1), 0, -3}},
		{"far", []float64{1e-300, 1e300}}, {"usual", []float64{0.2, 15}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScale(0.05, test.numbers...)
			marks := s.round(6)
			if len(marks) > 8 {
				t.Errorf("%d marks", len(marks))
			}
			for _, v := range append(marks, test.numbers...) {
				if at := s.of(v); !(at >= 0 && at <= 1) {
					t.Errorf("%v is at %v", v, at)
				}
			}
		})
	}
}

// Names in a picture stay inside it and do not overlap, in the smallest plot that they are placed
// for and in larger ones.
func TestNamesOfAPicture(t *testing.T) {
	var points []point
	for i := range 40 {
		v := 100 * math.Pow(1.05, float64(i%7))
		points = append(points, point{subject: i, name: "contender-" + strconv.Itoa(i), x: analysis.Interval{Value: v, Lo: v * 0.98, Hi: v * 1.02}, y: 60 + float64(i%5), front: i < 3, shape: "text"})
	}
	l := plot{newScale(0.06, 100, 141), newScale(0.09, 60, 64)}
	for _, size := range []box{wide, narrow} {
		given := names(points, 120, l, size)
		for _, factor := range []float64{1, 1.3, 2} {
			var boxes []box
			for i, p := range points {
				if given[i].anchor == "" {
					continue
				}
				b := nameBox(p.name, factor*size.x1*l.x(p.x.Value), size.y1*l.y(p.y), given[i])
				if b.x0 < 0 || b.x1 > factor*size.x1+14 || b.y0 < -24 || b.y1 > size.y1 {
					t.Errorf("%v×%g: %s is cut: %v", size, factor, p.name, b)
				}
				for _, other := range boxes {
					if b.hits(other) {
						t.Errorf("%v×%g: %s overlaps another name", size, factor, p.name)
					}
				}
				boxes = append(boxes, b)
			}
			if len(boxes) < 3 {
				t.Fatalf("%d names", len(boxes))
			}
		}
	}
}

// The page uses only package report to format numbers.
func TestNumbersAreThoseOfReport(t *testing.T) {
	v := speedOf(&analysis.Interval{Value: 0.068, Lo: 0.067, Hi: 0.069})
	if want := report.SpeedText(analysis.Interval{Value: 0.068, Lo: 0.067, Hi: 0.069}); v == nil || v.Text != want {
		t.Errorf("%+v, want the text %q", v, want)
	}
	for _, ratio := range []*analysis.Interval{nil, {Value: math.NaN()}, {Value: 0}, {Value: -2}, {Value: math.Inf(1)}} {
		if v := speedOf(ratio); v != nil && !finite(v.V, v.Lo, v.Hi) {
			t.Errorf("%+v becomes %+v", ratio, v)
		}
	}
}
