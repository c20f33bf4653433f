package live

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/internal/analysis"
	"assay/internal/report"
	"assay/internal/texttab"
)

// A Picture is what a View shows at one time.
type Picture struct {
	Table  *analysis.Overview // nil: none yet
	About  About
	Status string
}

// The least terminal that has room for a table: a title, column heads and some rows, the
// legend and the status.
const (
	leastRows  = 3
	leastWidth = 60
)

// Frame lays a picture out for a terminal: at most height-1 lines of at most width-1
// cells, the status last. Where there is no table the status is all, in several lines if it
// is long; where there is no room for one, it is one line.
func Frame(p Picture, width, height int, color bool) []string {
	if p.Table == nil {
		return folded(p.Status, width-1, height-1)
	}
	status := clip(p.Status, width-1)
	if width < leastWidth {
		return []string{status}
	}
	// The legend and the status are below the table.
	table := p.lines(width-1, height-1-2, color)
	if table == nil {
		return []string{status}
	}
	lines := append(table, clip(p.legend(), width-1), status)
	for i := range lines {
		lines[i] = clip(lines[i], width-1)
	}
	return lines
}

// between is what parts of a status are separated by.
const between = " · "

// folded is a status in at most so many lines of at most so many cells, broken between its
// parts.
func folded(status string, width, height int) []string {
	var lines []string
	line := ""
	for part := range strings.SplitSeq(status, between) {
		longer := line + between + part
		switch {
		case line == "":
			line = part
		case cells(longer) <= width || len(lines)+1 >= height:
			line = longer
		default:
			lines = append(lines, clip(line, width))
			line = indent + part
		}
	}
	return append(lines, clip(line, width))
}

// indent is what the next lines of a status begin with.
const indent = "          "

// lines are the table's, as many as fit into height, or nil.
func (p Picture) lines(width, height int, color bool) []string {
	g := report.Glance{Overview: p.Table, Settled: p.settled}
	for rows := len(p.Table.Rows); rows >= min(leastRows, len(p.Table.Rows)); {
		lines, err := g.Lines(rows, report.Options{Width: width, Color: color})
		if err != nil {
			return nil
		}
		over := len(lines) - height
		if over <= 0 {
			return lines
		}
		rows -= over
	}
	return nil
}

// settled says that a row is as precise as it is to be: it has a time in every
// workload, from layouts enough, and its overall ratio is known to the precision.
func (p Picture) settled(r analysis.OverviewRow) bool {
	return p.known() == "" && len(r.Missing) == 0 && r.Overall != nil && r.Overall.HalfWidth() <= p.About.Precision
}

// known says how little of the run is known, where that is too little for any row to
// be settled.
func (p Picture) known() string {
	switch workloads, layouts := len(p.Table.Columns), p.Table.Layouts[0]; {
	case workloads < p.About.Workloads:
		return fmt.Sprintf("%d of %d workloads so far", workloads, p.About.Workloads)
	case layouts < analysis.LeastLayouts:
		return fmt.Sprintf("%d of at least %d random layouts so far", layouts, analysis.LeastLayouts)
	}
	return ""
}

// legend explains the rows that may still move.
func (p Picture) legend() string {
	if known := p.known(); known != "" {
		return "~ provisional: " + known
	}
	n := 0
	for _, r := range p.Table.Rows {
		if !p.settled(r) {
			n++
		}
	}
	if n == 0 {
		return fmt.Sprintf("every row is known to ±%s", percent(p.About.Precision))
	}
	are := "are"
	if n == 1 {
		are = "is"
	}
	return fmt.Sprintf("~ provisional: %d of %d rows %s not yet known to ±%s", n, len(p.Table.Rows), are, percent(p.About.Precision))
}

// percent is a share for reading: "2%", "1.5%".
func percent(share float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", 100*share), ".0") + "%"
}

// clip cuts a line to so many cells. Styles take none, and the last one is ended.
func clip(line string, width int) string {
	if cells(line) <= width {
		return line
	}
	var out strings.Builder
	used, styled := 0, false
	for rest := line; rest != ""; {
		if style, after := leadingStyle(rest); style != "" {
			out.WriteString(style)
			rest, styled = after, true
			continue
		}
		_, n := utf8.DecodeRuneInString(rest)
		if used += texttab.Width(rest[:n]); used > width {
			break
		}
		out.WriteString(rest[:n])
		rest = rest[n:]
	}
	if styled {
		out.WriteString("\x1b[0m")
	}
	return out.String()
}

// cells is how many cells of a terminal a line takes.
func cells(line string) int {
	var plain strings.Builder
	for line != "" {
		if style, after := leadingStyle(line); style != "" {
			line = after
			continue
		}
		next := strings.IndexByte(line[1:], '\x1b') + 1
		if next == 0 {
			next = len(line)
		}
		plain.WriteString(line[:next])
		line = line[next:]
	}
	return texttab.Width(plain.String())
}

// leadingStyle splits a line that begins with the control sequence of a style.
func leadingStyle(line string) (style, after string) {
	if !strings.HasPrefix(line, "\x1b[") {
		return "", line
	}
	if end := strings.IndexByte(line, 'm'); end >= 0 {
		return line[:end+1], line[end+1:]
	}
	return "", line
}
