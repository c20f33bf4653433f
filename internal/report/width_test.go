package report

import (
	"io"
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/internal/host"
	"assay/internal/plan"
	"assay/internal/texttab"
	"assay/result"
)

// On a terminal no line is wider than the terminal: tables leave out columns and name them.
// Without a terminal, tables have all columns.
func TestTerminalWidth(t *testing.T) {
	compared := func() *analysis.Comparison {
		run, records := richRun()
		other, others := rival()
		c, err := analysis.Compare(&analysis.Side{Label: "20260102-150405-ab12", Run: run, Records: records},
			&analysis.Side{Label: "20260103-150405-cd34", Run: other, Records: others}, analysis.View{})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for name, write := range map[string]func(io.Writer, Options) error{
		"a run":        func(w io.Writer, opts Options) error { opts.Tables = true; return Text(w, rich(), opts) },
		"codecs":       func(w io.Writer, opts Options) error { return Text(w, codecs(), opts) },
		"builds":       func(w io.Writer, opts Options) error { return Text(w, builds(), opts) },
		"a comparison": func(w io.Writer, opts Options) error { return CompareText(w, compared(), opts) },
		"a ranking":    func(w io.Writer, opts Options) error { return RankText(w, analysis.Rank(rich()), opts) },
		"exhibits":     func(w io.Writer, opts Options) error { return ExhibitsText(w, shownExhibits(), opts) },
		"probes": func(w io.Writer, opts Options) error {
			m := oddMatrix()
			m.Rows[0].Aliases = strings.Fields("bytes strings lists maps messages pointers times")
			return MatrixText(w, m, opts)
		},
		"claims": func(w io.Writer, opts Options) error {
			c := claimed()
			c.Details = true
			c.Ledger.Sources[0].Title = strings.Repeat("a source whose title is long, ", 5)
			return ClaimsText(w, c, opts)
		},
	} {
		for _, width := range []int{0, 80, 100, 120} {
			var out strings.Builder
			if err := write(&out, Options{Width: width}); err != nil {
				t.Fatal(err)
			}
			left := strings.Count(out.String(), "    no room ")
			switch {
			case width == 0 && left > 0:
				t.Errorf("%s leaves columns out where there is no terminal:\n%s", name, &out)
			case width == 80 && left == 0 && name != "a ranking" && name != "claims": // their words wrap to the next line
				t.Errorf("%s leaves nothing out of 80 columns:\n%s", name, &out)
			}
			for line := range strings.Lines(out.String()) {
				if line = strings.TrimSuffix(line, "\n"); width > 0 && texttab.Width(line) > width {
					t.Errorf("%s on %d columns: %d cells: %s", name, width, texttab.Width(line), line)
				}
			}
		}
	}
}

// Without a terminal, the sentences of a plan, a verification and a diagnosis wrap at 100 cells.
func TestWidthWithoutTerminal(t *testing.T) {
	long := strings.Repeat("a reason of five words, ", 8)
	c := result.Case{Workload: "movie", Size: "record=one", Contender: "msgp", Op: result.Encode}
	sel := plan.Selection{Cases: []result.Case{c, {Workload: "chain", Size: "txs=1", Contender: "msgp", Op: result.Encode}}}
	sel.Outcomes = []result.Outcome{{Case: sel.Cases[1], Status: result.Unsupported, Reason: long}}
	for name, write := range map[string]func(io.Writer, Options) error{
		"a plan": func(w io.Writer, opts Options) error {
			return PlannedText(w, &Planned{Plan: result.Plan{Layouts: make([]uint64, 17)}, Selection: sel, Phases: long}, opts)
		},
		"streams": func(w io.Writer, opts Options) error {
			return StreamsText(w, plan.Selection{}, Demand{StreamNeed: plan.StreamNeed{Streams: 1, Wholes: 1}, Room: 1}, opts)
		},
		"a verification": func(w io.Writer, opts Options) error {
			return VerifiedText(w, &Verified{[]VerifiedRow{{Workload: "movie", Size: "record=one", Contender: "msgp", Status: result.Unverified, Reason: long}}}, opts)
		},
		"a diagnosis": func(w io.Writer, opts Options) error {
			return diagnosisText(w, &Diagnosis{Checks: []host.Check{{Level: host.Warn, Name: "load", Text: long}}}, opts)
		},
	} {
		var out strings.Builder
		if err := write(&out, Options{}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if n := texttab.Width(strings.TrimSuffix(line, "\n")); n > 100 {
				t.Errorf("%s has a line of %d cells: %s", name, n, line)
			}
		}
	}
}
