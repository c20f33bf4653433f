package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"assay/internal/analysis"
	"assay/internal/texttab"
	"assay/result"
)

// GoBench writes the Go benchmark format (golang.org/design/14313), one line a
// launch: its median time and the case's exact counts. Benchstat reads it; the
// launches of one run are what it takes for independent samples, which they are
// as far as layouts go. It does not pair them by round, so its intervals are
// wider than ours.
func GoBench(w io.Writer, r *analysis.Results) error {
	var b strings.Builder
	host := r.Run.Host
	for _, header := range []struct{ key, value string }{
		{"goos", host.OS}, {"goarch", host.Arch}, {"pkg", "assay"}, {"cpu", host.CPU},
	} {
		if value := texttab.Clean(header.value); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", header.key, value)
		}
	}
	b.WriteString("Unit B/op assume=exact\nUnit allocs/op assume=exact\nUnit encoded-B/op assume=exact\n")
	for i := range r.Tables {
		t := &r.Tables[i]
		for _, c := range t.Cases() {
			row, _ := t.Row(c, analysis.Time)
			if row.Number == nil {
				continue
			}
			counts := exactCounts(t, c)
			for _, launch := range row.Launches {
				fmt.Fprintf(&b, "%s %d %s ns/op%s\n", benchName(c, host.CPUs), launch.Ops, number(launch.NS), counts)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// exactCounts are the measurements of a line that all launches share.
func exactCounts(t *analysis.Table, c result.Case) string {
	var text string
	for _, m := range []struct{ metric, unit string }{
		{analysis.EncodedSize, "encoded-B/op"}, {analysis.AllocBytes, "B/op"}, {analysis.Allocs, "allocs/op"},
	} {
		if row, ok := t.Row(c, m.metric); ok && row.Number != nil {
			text += fmt.Sprintf(" %s %s", number(row.Number.Value), m.unit)
		}
	}
	return text
}

// benchName is the case as a benchmark's name. The number of CPUs is always
// appended, so that a size or mode that ends in -2 is not taken for it.
func benchName(c result.Case, cpus int) string {
	name := "Benchmark"
	if op := string(c.Op); op != "" {
		name += strings.ToUpper(op[:1]) + namePart(op[1:])
	}
	for _, part := range []struct{ key, value string }{
		{"workload", c.Workload}, {"size", c.Size}, {"contender", c.Contender}, {"mode", analysis.ModeName(c.Mode)},
	} {
		if part.value != "" {
			name += "/" + part.key + "=" + namePart(part.value)
		}
	}
	return fmt.Sprintf("%s-%d", name, max(1, cpus))
}

// namePart makes a value fit for a part of a benchmark's name: a slash would
// begin the next part, so encoding/json becomes encoding.json, and white space
// would end the name. Commas and equals signs may stay.
func namePart(value string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '/':
			return '.'
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return '_'
		}
		return r
	}, value)
}
