package contendertest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/bench"
	"assay/contender"
	"assay/result"
	"assay/workload/probes"
)

// Update says that golden files are to be rewritten. It is here because a flag
// can be declared once in a test program, and this package is in those of all
// contenders.
var Update = flag.Bool("update", false, "rewrite the golden files")

// checkProbes asks a contender for every probe in every mode and checks that what
// it loses is what it declares: all of it, and nothing else. What was found is
// compared with the contender's golden file, which other commands show.
func checkProbes(t *testing.T, c *contender.Contender, bindings []bench.Binding, server *Server) {
	rows, wrong := probe(t, c, bindings, server)
	for _, w := range append(wrong, probes.Misdeclared(c, rows)...) {
		t.Error(w)
	}
	golden(t, rows)
}

// probe asks for every probe in every mode, with no loss forgiven. Where what
// comes back is another value it asks again with the declared losses forgiven,
// and returns what differs even so: a zone that is lost is no excuse for another
// instant.
func probe(t *testing.T, c *contender.Contender, bindings []bench.Binding, server *Server) (rows []probes.Row, wrong []string) {
	t.Helper()
	var found []result.Verification
	for _, p := range probes.All {
		server.Load(t, bench.Load{Workload: probes.Workload.Name, Size: p.Size(), Seed: seed, Inputs: p.Inputs()})
		for _, b := range bindings {
			if !slices.Contains(b.Ops, result.Encode) && !slices.Contains(b.Ops, result.Decode) {
				continue
			}
			who := result.Subject{Contender: c.Name, Mode: b.Mode}
			got := server.Verify(t, bench.Verify{Subject: who, Habits: true})
			found = append(found, result.Verification{
				Workload: probes.Workload.Name, Size: p.Size(), Subject: who,
				OK: got.OK, Op: got.Op, Reason: got.Reason, Changed: got.Changed, Habits: got.Habits,
			})
			if !got.Changed || !forgivable(c, b.Mode, p) {
				continue
			}
			if got := server.Verify(t, bench.Verify{Subject: who, Losses: LossesIn(c, b.Mode)}); got.Changed {
				wrong = append(wrong, fmt.Sprintf("mode %q: probe %s (%s), with the declared losses forgiven: %s", b.Mode, p.Name, p.Text, got.Reason))
			}
		}
	}
	return probes.Rows(found), wrong
}

// forgivable reports whether verification forgives what a contender loses of a
// probe, if it is what is declared.
func forgivable(c *contender.Contender, mode string, p probes.Probe) bool {
	return slices.ContainsFunc(c.LossesIn(mode), func(l contender.Loss) bool {
		return slices.Contains(p.Losses, l) && l.In().Forgiven
	})
}

// golden compares rows with testdata/probes.json of the test's directory.
func golden(t *testing.T, rows []probes.Row) {
	t.Helper()
	if *Update {
		data, err := probes.Format(rows)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(probes.File), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(probes.File, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(probes.File)
	if err != nil {
		t.Fatalf("%v; go test -update writes it", err)
	}
	diff, err := staleness(data, rows)
	if err != nil {
		t.Fatal(err)
	}
	if diff != "" {
		t.Errorf("%s is not what was found (-file +found); go test -update rewrites it:\n%s", probes.File, diff)
	}
}

// staleness describes how stored rows differ from those found. Sizes that are
// about the same are the same: protojson puts spaces after colons or does not,
// as the hash of the program says, so that nobody relies on its bytes.
func staleness(data []byte, rows []probes.Row) (string, error) {
	stored, err := probes.Parse(data)
	if err != nil {
		return "", err
	}
	for i := range min(len(stored), len(rows)) {
		if was, is := stored[i].Encoded, rows[i].Encoded; 10*max(was-is, is-was) < was {
			stored[i].Encoded = is
		}
	}
	want, err := probes.Format(stored)
	if err != nil {
		return "", err
	}
	got, err := probes.Format(rows)
	return cmp.Diff(string(want), string(got)), err
}
