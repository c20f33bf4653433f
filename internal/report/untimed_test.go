package report

import (
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/result"
)

// A case that was counted and not timed has a line with its counts, and the reason below the
// table.
func TestCountedNotTimed(t *testing.T) {
	f := &fixture{run: &result.Run{Plan: result.Plan{Reference: "encoding/json", Layouts: []uint64{0, 11, 12, 13, 14}}}}
	cell := result.Cell{Workload: "movie", Size: "values=64", Op: result.Encode}
	f.measure(cell, 200_000, subject{"encoding/json", "", 572, 1}, subject{"msgp", "", 81.3, 1})
	f.count(cell, "encoding/json", "", 191, 2, 108)
	f.count(cell, "slow", "", 4321, 77, 345)
	f.run.Plan.Untimed = []result.Outcome{{Case: f.plan(cell, "slow", ""), Status: result.Timeout, Reason: "too slow for the budget"}}
	f.outcome(cell, "avro", result.Unsupported, "no unsigned 64-bit integer")
	r := analysis.Of(f.run, f.records, analysis.View{})
	for _, name := range []string{"text", "md"} {
		format, _ := Named(Formats, name)
		text := write(t, format, r, Options{})
		counted := 0
		for line := range strings.Lines(text) {
			line = strings.Join(strings.Fields(strings.ReplaceAll(line, "|", " ")), " ")
			if strings.HasSuffix(line, "slow — 4.32 kB 77 345 B") || line == "slow 4.32 kB 77 345 B" {
				counted++
			}
			if strings.HasPrefix(line, "avro ") {
				t.Errorf("%s has a line without a number: %s", name, line)
			}
		}
		if counted != 1 || !strings.Contains(text, "slow: too slow for the budget") {
			t.Errorf("%s has %d lines with the counts of what was not timed:\n%s", name, counted, text)
		}
	}
}
