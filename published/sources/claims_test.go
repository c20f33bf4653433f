package sources_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/published/claims"
	"assay/published/sources"
	"assay/result"
)

// ledger returns the claims of one source.
func ledger(t *testing.T, source string) *claims.Ledger {
	t.Helper()
	name := "published/sources/" + source + "/claims.toml"
	data, err := fs.ReadFile(root, name)
	if err != nil {
		t.Fatal(err)
	}
	l, err := claims.Parse(name, data)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Every source has claims that are all about itself, and its claims name only exhibits that exist.
func TestClaims(t *testing.T) {
	list, shown := load(t)
	least := map[string]int{"chain": 13, "customer": 12, "tick": 8, "sizes": 18, "movie": 10}
	of := map[string][]string{} // claims by exhibit
	for _, e := range shown {
		of[e.Name] = nil
	}
	for _, s := range list {
		l := ledger(t, s.ID)
		if len(l.Sources) != 1 || l.Sources[0].ID != s.ID {
			t.Errorf("%s: the sources are %v", s.ID, l.Sources)
		}
		if len(l.Claims) < least[s.ID] {
			t.Errorf("%s has %d claims, want %d or more", s.ID, len(l.Claims), least[s.ID])
		}
		for _, c := range l.Claims {
			if !strings.HasPrefix(c.ID, s.ID+"-") {
				t.Errorf("claim %s of %s is not called %s-…", c.ID, s.ID, s.ID)
			}
			if c.Untested == "" && c.Predicate != "" && c.Workload != s.ID {
				t.Errorf("claim %s is of the workload %s", c.ID, c.Workload)
			}
			for _, name := range c.Exhibits {
				if _, ok := of[name]; !ok {
					t.Errorf("claim %s names the exhibit %q, which there is not", c.ID, name)
				}
				of[name] = append(of[name], c.ID)
			}
		}
	}
	for _, e := range shown {
		want, got := slices.Sorted(slices.Values(of[e.Name])), slices.Sorted(slices.Values(e.Claims))
		if !slices.Equal(want, got) {
			t.Errorf("exhibit %s is of the claims %q; those that name it are %q", e.Name, got, want)
		}
	}
}

// TestClaimsFigures checks that each of these published figures agrees with the source's own table:
// with the ratio of the rows of the claim's own cases, or with its row, in the claim's own metric.
func TestClaimsFigures(t *testing.T) {
	list, _ := load(t)
	for id, check := range map[string]struct {
		table string
		slack float64
	}{
		"chain-encode-29-times":         {"blocks", 0.03},
		"chain-decode-memory-5-times":   {"blocks", 0.01},
		"chain-protobuf-decode-allocs":  {"transactions", 0},
		"tick-protobuf-size":            {"size", 0},
		"tick-protojson-10-times":       {"speed", 0.02},
		"sizes-gob-huge-decode-8-times": {"decode-single", 0.02},
		"sizes-tiny-decode-9-times":     {"decode-single", 0.04},
		"sizes-tiny-decode-memory":      {"decode-single", 0.01},
		"sizes-tiny-decode-allocs":      {"decode-single", 0.006},
		"sizes-map-decode-10-times":     {"decode-ptr-slice-map", 0.02},
		"sizes-map-decode-memory":       {"decode-ptr-slice-map", 0.03},
		"sizes-map-decode-allocs":       {"decode-ptr-slice-map", 0.13},
		"sizes-yaml-56-times":           {"encode-slice", 0.001},
		"sizes-yaml-memory":             {"encode-slice", 0.003},
		"sizes-yaml-allocs":             {"encode-slice", 0.002},
		"movie-json-size":               {"size", 0},
		"movie-xml-size":                {"size", 0},
		"movie-protobuf-size":           {"size", 0},
		"movie-xml-40-percent-larger":   {"size", 0.001},
		"movie-protobuf-half-of-xml":    {"size", 0.001},
		"movie-json-twice-as-slow":      {"speed", 0.001},
		"movie-xml-11-times-protobuf":   {"speed", 0.002},
		"movie-xml-7-times-json":        {"speed", 0.006},
	} {
		source, _, _ := strings.Cut(id, "-")
		c := ledger(t, source).Claim(id)
		if c == nil || len(c.Published) != 1 {
			t.Errorf("claim %s has no single figure", id)
			continue
		}
		want, err := tabled(list, c, check.table)
		if err != nil {
			t.Errorf("claim %s: %v", id, err)
		} else if got := c.Published[0]; got < want*(1-check.slack) || got > want*(1+check.slack) {
			t.Errorf("claim %s: published %v, the table says %v", id, got, want)
		}
	}
}

// TestClaimsAnalysis checks the claims from Analysis.md, in the repository beside the article of sizes, by
// the words there: ~N is "about N". Where that document names two figures, or the result files beside it have
// them, their ratio is what the words say. Figures that Analysis.md takes from wrong rows are left out, and so are
// those of the claims whose note says that the files have another ratio.
func TestClaimsAnalysis(t *testing.T) {
	words := map[string]struct {
		says   string
		of, to float64
	}{
		"sizes-tiny-encode-3-times":        {"~3x", 3421, 1304},
		"sizes-tiny-encode-memory":         {"~6x", 1136, 176},
		"sizes-tiny-encode-allocs":         {"~20x", 20, 1},
		"sizes-gob-huge-encode-3-times":    {"~3x", 5292438, 1692592},
		"sizes-gob-huge-encode-memory":     {"~2x", 0, 0},
		"sizes-gob-huge-encode-allocs":     {"~2.5x", 0, 0},
		"sizes-tiny-decode-9-times":        {"~9x", 12662, 1354},
		"sizes-tiny-decode-memory":         {"~27x", 6760, 248},
		"sizes-tiny-decode-allocs":         {"~30x", 179, 6},
		"sizes-gob-huge-decode-8-times":    {"~8x", 12986658, 1645925},
		"sizes-yaml-56-times":              {"~56x", 4233214871, 75574500},
		"sizes-yaml-memory":                {"~113x", 12425343834, 109713207},
		"sizes-yaml-allocs":                {"~27x", 18662808, 690111},
		"sizes-xml-22000-times":            {"~22k", 67565967, 3062},
		"sizes-xml-memory":                 {"~68k", 63096762, 920},
		"sizes-xml-allocs":                 {"~73k", 1107478, 15},
		"sizes-map-encode-3-times":         {"~3x", 263986767, 77180017},
		"sizes-map-encode-slices":          {"~3.5x", 2620604896, 748115567},
		"sizes-map-encode-memory":          {"pretty same", 109720182, 127879850},
		"sizes-map-encode-memory-pointers": {"20% less", 0, 0},
		"sizes-map-encode-allocs":          {"pretty same", 690216, 611148},
		"sizes-map-encode-allocs-slices":   {"higher", 6901129, 6111405},
		"sizes-map-decode-10-times":        {"~10x", 643719300, 64804254},
		"sizes-map-decode-memory-single":   {"~2x", 0, 0},
		"sizes-map-decode-memory":          {"~2.5x", 1610167104, 630835984},
		"sizes-map-decode-allocs":          {"~1.5x", 1860549, 1107559},
	}
	seen := 0
	for _, c := range ledger(t, "sizes").Claims {
		if !strings.HasPrefix(c.From, "Analysis.md") {
			continue
		}
		seen++
		said, ok := words[c.ID]
		if !ok {
			t.Errorf("the test does not know what Analysis.md says of %s", c.ID)
			continue
		}
		about, figure := strings.CutPrefix(said.says, "~")
		want, n := map[string]string{"pretty same": "about the same", "higher": "more"}[said.says], 1.0
		if want == "" {
			want = said.says
		}
		if figure {
			about = strings.Replace(strings.TrimSuffix(about, "x"), "k", "000", 1)
			want = "about " + about
			n, _ = strconv.ParseFloat(about, 64)
			if !strings.Contains(c.Statement, "about") || len(c.Published) != 1 || c.Published[0] != n {
				t.Errorf("%s: %q, published %v; Analysis.md says %s", c.ID, c.Statement, c.Published, said.says)
			}
		}
		if c.Says != want {
			t.Errorf("%s says %q; Analysis.md %s, which is %q", c.ID, c.Says, said.says, want)
		}
		if ratio := said.of / said.to; said.to > 0 && (ratio < n/1.25 || ratio > n*1.25) {
			t.Errorf("%s: %v / %v is %.3g, which is not %q", c.ID, said.of, said.to, ratio, want)
		}
	}
	if seen != len(words) {
		t.Errorf("%d claims are from Analysis.md, want %d", seen, len(words))
	}
}

// TestClaimsRanges checks the ranges of the source customer, whose statements are in our words: each goes from
// the smallest to the largest figure of its tables over the levels, in three digits, rounded outward.
func TestClaimsRanges(t *testing.T) {
	list, _ := load(t)
	published := func(term claims.Term) float64 {
		for _, s := range list {
			for _, table := range s.Tables {
				for _, row := range table.Rows {
					// What the source calls unmarshalling is, of FlatBuffers, getting the root.
					same := row.Case.Op == term.Op || term.Op == result.Open && row.Case.Op == result.Decode
					if s.ID == "customer" && !row.Blank && same && row.Case.Size == term.Size && row.Case.Contender == term.Contender {
						return row.Figures["time"]
					}
				}
			}
		}
		t.Fatalf("there is no row of %+v", term)
		return 0
	}
	outward := func(v float64, round func(float64) float64, slack float64) string {
		digit := math.Pow(10, math.Floor(math.Log10(v))-2)
		return strconv.FormatFloat(math.Round(round(v/digit+slack)*digit*1000)/1000, 'f', -1, 64)
	}
	ranges := 0
	for _, c := range ledger(t, "customer").Claims {
		if len(c.Published) == 0 || c.Settled != nil {
			continue
		}
		ranges++
		var figures []float64
		for _, one := range c.Conditions {
			if one.Also != "" {
				continue
			}
			figure := published(one.Terms[0])
			if c.Predicate == claims.Ratio {
				figure /= published(one.Terms[1])
			}
			figures = append(figures, figure)
		}
		want := outward(slices.Min(figures), math.Floor, 1e-9) + " to " + outward(slices.Max(figures), math.Ceil, -1e-9)
		if got := strings.TrimSuffix(c.PublishedText(), " "+c.Unit); c.Says != want || got != want {
			t.Errorf("%s says %q, published %q; the tables say %q", c.ID, c.Says, got, want)
		}
	}
	if ranges != 6 {
		t.Errorf("%d claims have ranges, want 6", ranges)
	}
}

// TestSettledFigures checks the published figures of the claims on protojson's size, which have no
// conditions because they depend on the build, by the source's own table.
func TestSettledFigures(t *testing.T) {
	list, _ := load(t)
	size := map[string]float64{}
	for _, row := range rows(list, "tick", "size") {
		if row.Case.Size == "payload=published" {
			size[row.Case.Contender] = row.Figures["encoded-size"]
		}
	}
	for id, want := range map[string]float64{"tick-protojson-size": size["protojson"], "tick-size-twice": size["protojson"] / size["protobuf"]} {
		c := ledger(t, "tick").Claim(id)
		if got := c.Published[0]; !(math.Abs(got/want-1) < 0.001) {
			t.Errorf("claim %s: published %v, the table says %v", id, got, want)
		}
	}
}

// tabled returns a claim's figure by the rows of a published table. They are the rows of the cases
// of the condition that the published figure is of.
func tabled(list []sources.Source, c *claims.Claim, table string) (float64, error) {
	condition := c.At
	for i, one := range c.Conditions {
		if c.At == nil && one.Also == "" {
			if condition != nil {
				return 0, errors.New("it does not say of which condition its figure is")
			}
			condition = &c.Conditions[i]
		}
	}
	if condition == nil {
		return 0, errors.New("it has no condition as published")
	}
	var figures []float64
	for _, term := range condition.Terms {
		want := result.Case{Workload: c.Workload, Size: term.Size, Contender: term.Contender, Mode: term.Mode, Op: term.Op}
		for _, row := range rows(list, c.Source, table) {
			if row.Case == want {
				figures = append(figures, row.Figures[c.Metric])
			}
		}
	}
	switch {
	case c.Predicate == claims.Exact && len(figures) == 1:
		return figures[0], nil
	case c.Predicate == claims.Ratio && len(figures) == 2:
		return figures[0] / figures[1], nil
	}
	return 0, fmt.Errorf("%s of %d rows of table %s", c.Predicate, len(figures), table)
}

// rows returns the rows of a table of a source.
func rows(list []sources.Source, source, table string) []sources.Row {
	for _, s := range list {
		for _, t := range s.Tables {
			if s.ID == source && t.ID == table {
				return t.Rows
			}
		}
	}
	return nil
}
