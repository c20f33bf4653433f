package report

import (
	"io"
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/internal/texttab"
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
