package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"assay/internal/analysis"
	"assay/internal/plaintext"
	"assay/result"
)

// GoBench writes the Go benchmark format (golang.org/design/14313). Each launch is one line, with
// its median time and the case's exact counts. Benchstat reads the format. It takes the launches
// of one run for independent samples, which is true as far as layouts are concerned. It does not
// pair launches by round, so its intervals are wider than ours. The build cost of a contender is
// one line, with the medians.
func GoBench(w io.Writer, r *analysis.Results) error {
	var b strings.Builder
	host := r.Run.Host
	for _, header := range []struct{ key, value string }{
		{"goos", host.OS}, {"goarch", host.Arch}, {"pkg", "assay"}, {"cpu", host.CPU},
	} {
		if value := plaintext.Line(header.value); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", header.key, value)
		}
	}
	for _, e := range exacts {
		if e.always || measures(r, e.metric) {
			fmt.Fprintf(&b, "Unit %s assume=exact\n", e.unit)
		}
	}
	for i := range r.Tables {
		t := &r.Tables[i]
		for _, c := range t.Cases() {
			counts := exactCounts(t, c)
			row, ok := t.Row(c, analysis.Time)
			if c.Op == result.Building {
				writeBuild(&b, t, c, counts, host.CPUs)
			}
			if !ok || row.Number == nil {
				continue
			}
			for _, launch := range row.Launches {
				fmt.Fprintf(&b, "%s %d %s ns/op%s\n", benchName(c, row.Across, host.CPUs), launch.Ops, number(launch.NS), counts)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// HasLaunches reports whether results have what GoBench writes: times of launches, or build times.
func HasLaunches(r *analysis.Results) bool {
	return slices.ContainsFunc(r.Tables, func(t analysis.Table) bool {
		return slices.ContainsFunc(t.Rows, func(row analysis.Row) bool {
			return row.Number != nil && (row.Metric == analysis.Time && len(row.Launches) > 0 || row.Metric == analysis.BuildTime)
		})
	})
}

// writeBuild writes the line with the build cost of a contender.
func writeBuild(b *strings.Builder, t *analysis.Table, c result.Case, counts string, cpus int) {
	row, _ := t.Row(c, analysis.BuildTime)
	if row.Number == nil {
		return
	}
	fmt.Fprintf(b, "%s %d", benchName(c, row.Across, cpus), row.N)
	for _, m := range []struct{ metric, unit string }{
		{analysis.BuildTime, "ns/op"}, {analysis.BuildCPU, "cpu-ns/op"}, {analysis.BuildTimeWarm, "warm-ns/op"},
	} {
		if row, ok := t.Row(c, m.metric); ok && row.Number != nil {
			fmt.Fprintf(b, " %s %s", number(row.Number.Value*second), m.unit)
		}
	}
	b.WriteString(counts + "\n")
}

// An exact is a counted metric and the unit that the benchmark format writes it in.
type exact struct {
	metric, unit string
	// always says that the unit is declared even if no line uses it.
	always bool
}

var exacts = func() []exact {
	all := []exact{{analysis.EncodedSize, "encoded-B/op", true}, {analysis.AllocBytes, "B/op", true}, {analysis.Allocs, "allocs/op", true}}
	for _, metric := range analysis.CompressedSizes() {
		all = append(all, exact{metric, strings.TrimSuffix(metric, "-size") + "-B/op", false})
	}
	return append(all, exact{analysis.BinaryGrowth, "growth-B", false}, exact{analysis.Modules, "modules", false},
		exact{analysis.GeneratedLines, "lines", false})
}()

// measures reports whether any row has a number for the metric.
func measures(r *analysis.Results, metric string) bool {
	for i := range r.Tables {
		for _, row := range r.Tables[i].Rows {
			if row.Metric == metric && row.Number != nil {
				return true
			}
		}
	}
	return false
}

// exactCounts formats the counts that the lines of all launches of a case share.
func exactCounts(t *analysis.Table, c result.Case) string {
	var text string
	for _, m := range exacts {
		if row, ok := t.Row(c, m.metric); ok && row.Number != nil {
			text += fmt.Sprintf(" %s %s", number(row.Number.Value), m.unit)
		}
	}
	return text
}

// benchName returns the case as a benchmark's name. It always appends the number of CPUs;
// otherwise a reader would take a size or mode that ends in -2 for that number. The name of a
// case that is compared across processes contains "across=true".
func benchName(c result.Case, across bool, cpus int) string {
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
	if across {
		name += "/across=true"
	}
	return fmt.Sprintf("%s-%d", name, max(1, cpus))
}

// namePart makes a value fit for a part of a benchmark's name. A slash would begin the next part,
// so encoding/json becomes encoding.json. White space would end the name, so it becomes an
// underscore. Commas and equals signs stay.
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
