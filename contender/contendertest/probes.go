package contendertest

import (
	"bytes"
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

// Update says whether golden files are to be rewritten. It is declared in this package, which
// all contenders' tests link, because a test program can declare a flag only once.
var Update = flag.Bool("update", false, "rewrite the golden files")

// checkProbes tries every probe in every mode of a contender, and checks that the observed
// losses are exactly the declared ones. It compares the results with the contender's golden
// file, which other commands show.
func checkProbes(t *testing.T, c *contender.Contender, bindings []bench.Binding, server *Server) {
	rows, wrong := probe(t, c, bindings, server)
	for _, w := range append(wrong, probes.Misdeclared(c, rows)...) {
		t.Error(w)
	}
	golden(t, rows)
	i := slices.IndexFunc(probes.All, func(p probes.Probe) bool { return p.Name == "maps" })
	if i < 0 {
		t.Fatal("there is no probe of maps: nothing shows whether conversions vary")
	}
	size, err := probes.Workload.Size(probes.All[i].Size())
	if err != nil {
		t.Fatal(err)
	}
	report(t)(unequal(c, bindings, values(t, probes.Workload, size, probes.All[i].Inputs())))
}

// unequal binds values several times, and returns the modes whose messages must be equal each
// time and are not. Habits do not show this: they encode what was converted once. It returns no modes
// of the floor, whose messages nobody reads.
func unequal(c *contender.Contender, bindings []bench.Binding, values any) (wrong []string, err error) {
	if c.Format == "none" {
		return nil, nil
	}
	for _, b := range bindings {
		same := b.Mode == "" && c.Is(contender.Deterministic) || has(b.Mode, "order=sorted")
		if !same || !slices.Contains(b.Ops, result.Encode) {
			continue
		}
		var first [][]byte
		for i := range 4 { // a map of eight entries has eight orders
			got, err := messages(bindings, b, values)
			if err != nil {
				return wrong, err
			}
			if i == 0 {
				first = got
			} else if !slices.EqualFunc(first, got, bytes.Equal) {
				wrong = append(wrong, fmt.Sprintf("mode %q: values that are converted again have other bytes", b.Mode))
				break
			}
		}
	}
	return wrong, nil
}

// probe tries every probe in every mode, first with no loss forgiven. If the value comes back
// changed, probe tries again with the declared losses forgiven, and returns in wrong what still
// differs: a declared loss of the zone does not excuse another instant.
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

// forgivable reports whether verification forgives a loss that the probe looks for and the
// contender declares.
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

// staleness describes how stored rows differ from the observed ones. Encoded sizes may differ
// by less than 10%, because a hash of the program decides whether protojson puts spaces after
// colons.
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
