package live

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/internal/analysis"
	"assay/internal/report"
	"assay/internal/texttab"
)

// A picture is the content of a View at one time.
type picture struct {
	table  *analysis.Overview // nil if there is none yet
	about  About
	status string
}

// The smallest table and terminal. There must be room for a title, column heads, some rows, the
// legend and the status.
const (
	leastRows  = 3
	leastWidth = 60
)

// frame lays a picture out for a terminal, in at most height-1 lines of at most width-1 cells.
// The status comes last. Without a table, frame returns only the status, in several lines if it
// is long. If there is no room for the table, it returns the status in one line.
func frame(p picture, width, height int, color bool) []string {
	if p.table == nil {
		return folded(p.status, width-1, height-1)
	}
	status := clip(p.status, width-1)
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

// between separates the parts of a status.
const between = " · "

// folded returns a status in at most height lines of at most width cells. It breaks the status
// between its parts.
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

// indent begins the further lines of a status.
const indent = "          "

// lines returns the lines of the table with as many rows as fit into height. It returns nil if
// too few rows fit.
func (p picture) lines(width, height int, color bool) []string {
	g := report.Glance{Overview: p.table, Settled: p.settled}
	for rows := len(p.table.Rows); rows >= min(leastRows, len(p.table.Rows)); {
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

// settled reports whether a row is as precise as it has to be: it has a time in every workload,
// from enough layouts, and its overall ratio is known to the precision.
func (p picture) settled(r analysis.OverviewRow) bool {
	return p.known() == "" && len(r.Missing) == 0 && r.Overall != nil && r.Overall.HalfWidth() <= p.about.Precision
}

// known says how much of the run is measured, if that is too little for any row to be settled.
// Otherwise it is empty.
func (p picture) known() string {
	switch workloads, layouts := len(p.table.Columns), p.table.Layouts[0]; {
	case workloads < p.about.Workloads:
		return fmt.Sprintf("%d of %d workloads so far", workloads, p.about.Workloads)
	case layouts < analysis.LeastLayouts:
		return fmt.Sprintf("%d of at least %d random layouts so far", layouts, analysis.LeastLayouts)
	}
	return ""
}

// legend explains the rows that may still move.
func (p picture) legend() string {
	if known := p.known(); known != "" {
		return "~ provisional: " + known
	}
	n := 0
	for _, r := range p.table.Rows {
		if !p.settled(r) {
			n++
		}
	}
	ratio := "ratio"
	if len(p.table.Columns) > 1 {
		ratio = "overall ratio"
	}
	if n == 0 {
		return fmt.Sprintf("every %s is known to ±%s", ratio, percent(p.about.Precision))
	}
	are := "s are"
	if n == 1 {
		are = " is"
	}
	return fmt.Sprintf("~ provisional: %d of %d %s%s not yet known to ±%s", n, len(p.table.Rows), ratio, are, percent(p.about.Precision))
}

// percent formats a share: "2%", "1.5%".
func percent(share float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", 100*share), ".0") + "%"
}

// clip cuts a line to width cells. Styles take no cells. If the line has a style, clip ends it.
func clip(line string, width int) string {
	if cells(line) <= width {
		return line
	}
	var out strings.Builder
	plain, styled := "", false
	for rest := line; rest != ""; {
		if style, after := leadingStyle(rest); style != "" {
			out.WriteString(style)
			rest, styled = after, true
			continue
		}
		_, n := utf8.DecodeRuneInString(rest)
		// The width of a character can depend on the one after it, as of an emoji.
		if plain += rest[:n]; texttab.Width(plain) > width {
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

// cells returns how many terminal cells a line takes.
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

// leadingStyle splits off the control sequence of a style at the beginning of a line.
func leadingStyle(line string) (style, after string) {
	if !strings.HasPrefix(line, "\x1b[") {
		return "", line
	}
	if end := strings.IndexByte(line, 'm'); end >= 0 {
		return line[:end+1], line[end+1:]
	}
	return "", line
}
