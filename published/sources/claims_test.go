package sources_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"assay/published/claims"
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

// Each of these published figures must agree with the source's own table: with the ratio of two
// rows, or with one row.
func TestClaimsFigures(t *testing.T) {
	for id, check := range map[string]struct {
		source, table string
		of, to        int // rows; to < 0: no ratio
		metric        string
		slack         float64
	}{
		"chain-encode-29-times":         {"chain", "blocks", 12, 13, "time", 0.03},
		"chain-decode-memory-5-times":   {"chain", "blocks", 14, 15, "alloc-bytes", 0.01},
		"chain-protobuf-decode-allocs":  {"chain", "transactions", 3, -1, "allocs", 0},
		"tick-protobuf-size":            {"tick", "size", 0, -1, "encoded-size", 0},
		"tick-protojson-size":           {"tick", "size", 1, -1, "encoded-size", 0},
		"tick-size-twice":               {"tick", "size", 1, 0, "encoded-size", 0.001},
		"tick-protojson-10-times":       {"tick", "speed", 1, 0, "time", 0.02},
		"sizes-gob-huge-decode-8-times": {"sizes", "decode-single", 13, 12, "time", 0.02},
		"sizes-map-decode-10-times":     {"sizes", "decode-ptr-slice-map", 1, 0, "time", 0.02},
		"sizes-map-decode-memory":       {"sizes", "decode-ptr-slice-map", 1, 0, "alloc-bytes", 0.03},
		"sizes-map-decode-allocs":       {"sizes", "decode-ptr-slice-map", 1, 0, "allocs", 0.13},
		"sizes-yaml-56-times":           {"sizes", "encode-slice", 15, 12, "time", 0.001},
		"movie-json-size":               {"movie", "size", 0, -1, "encoded-size", 0},
		"movie-xml-size":                {"movie", "size", 1, -1, "encoded-size", 0},
		"movie-protobuf-size":           {"movie", "size", 2, -1, "encoded-size", 0},
		"movie-xml-40-percent-larger":   {"movie", "size", 1, 0, "encoded-size", 0.01},
		"movie-json-twice-as-slow":      {"movie", "speed", 0, 2, "time", 0.001},
		"movie-xml-11-times-protobuf":   {"movie", "speed", 1, 2, "time", 0.002},
		"movie-xml-7-times-json":        {"movie", "speed", 1, 0, "time", 0.006},
	} {
		c := ledger(t, check.source).Claim(id)
		if c == nil || len(c.Published) != 1 {
			t.Errorf("claim %s has no single figure", id)
			continue
		}
		list, _ := load(t)
		found := false
		for _, s := range list {
			for _, table := range s.Tables {
				if s.ID != check.source || table.ID != check.table {
					continue
				}
				found = true
				want := table.Rows[check.of].Figures[check.metric]
				if check.to >= 0 {
					want /= table.Rows[check.to].Figures[check.metric]
				}
				if got := c.Published[0]; got < want*(1-check.slack) || got > want*(1+check.slack) {
					t.Errorf("claim %s: published %v, the table says %v", id, got, want)
				}
			}
		}
		if !found {
			t.Errorf("claim %s: source %s has no table %s", id, check.source, check.table)
		}
	}
}
