package sources_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
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
		"sizes-map-decode-10-times":     {"decode-ptr-slice-map", 0.02},
		"sizes-map-decode-memory":       {"decode-ptr-slice-map", 0.03},
		"sizes-map-decode-allocs":       {"decode-ptr-slice-map", 0.13},
		"sizes-yaml-56-times":           {"encode-slice", 0.001},
		"movie-json-size":               {"size", 0},
		"movie-xml-size":                {"size", 0},
		"movie-protobuf-size":           {"size", 0},
		"movie-xml-40-percent-larger":   {"size", 0.01},
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
