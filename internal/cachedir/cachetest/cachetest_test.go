package cachetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/cachedir"
)

// TestOpen checks that open removes unused directories of other states of the source, except the
// latest, and nothing that this package did not make.
func TestOpen(t *testing.T) {
	base, now := t.TempDir(), time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	name := func(i int) string { return strings.Repeat(fmt.Sprint(i), 20) }
	ages := []time.Duration{time.Minute, 119 * time.Minute, 3 * time.Hour, 4 * time.Hour, 90 * time.Minute}
	for i, age := range ages {
		if _, err := open(base, name(i), now); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(base, name(i)), now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	old := now.Add(-1000 * time.Hour)
	for _, mine := range []string{"mine", name(7) + "0"} {
		if err := os.Mkdir(filepath.Join(base, mine), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(base, mine), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(base, name(8)), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	learned := filepath.Join(base, name(9), cachedir.Name, "sentinel.jsonl")
	if _, err := open(base, name(9), now); err != nil {
		t.Fatal(err)
	}
	if err := cachedir.In(filepath.Join(base, name(9))).AppendLearned([]byte("{}\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(learned); err != nil {
		t.Fatal(err)
	}
	if dir, err := open(base, name(9), now); err != nil || dir != filepath.Join(base, name(9)) {
		t.Fatalf("%s, %v", dir, err)
	}
	if _, err := os.Stat(learned); err == nil {
		t.Error("what was learned of the machine is still there")
	}
	entries, err := os.ReadDir(base)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if diff := cmp.Diff([]string{name(0), name(1), name(4), name(7) + "0", name(8), name(9), "mine"}, got); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
}

// TestSource checks that the name of the source has the right shape and is the same twice.
func TestSource(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	first, err := source()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := source(); err != nil || again != first || !shape.MatchString(first) {
		t.Errorf("%s and %s, %v", first, again, err)
	}
}
