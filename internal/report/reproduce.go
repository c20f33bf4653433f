package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/internal/plaintext"
	"assay/internal/texttab"
	"assay/published/reproduce"
	"assay/result"
)

// ReproduceFormats are all formats of reproduced tables.
var ReproduceFormats = []FormatOf[*reproduce.Reproduction]{
	{"text", "a table a source; of one source its tables as published", ReproduceText},
	{"json", "every number by every method; a stable, versioned contract", plain(ReproduceJSON)},
	{"csv", "one line a number, with the fields of json", plain(ReproduceCSV)},
	{"md", "a Markdown page, with charts if their files are written", ReproduceMarkdown},
}

// methodNames maps each method to its name in tables and charts.
var methodNames = map[reproduce.Method]string{
	reproduce.Published: "published",
	reproduce.Here:      "here",
	reproduce.Corrected: "corrected",
}

// metricHeads maps each metric to the head of its column in the tables of sources and exhibits.
var metricHeads = map[string]string{
	analysis.Time:        "time/op",
	analysis.AllocBytes:  "B/op",
	analysis.Allocs:      "allocs/op",
	analysis.EncodedSize: "bytes",
}

// ReproduceText writes one table for each source. If there is only one source, or with details,
// it writes every table of each source, in the source's order. With details it also says where
// each source is from and draws a chart below each table. If a table is wider than the terminal,
// each metric gets a block of its own.
func ReproduceText(w io.Writer, r *reproduce.Reproduction, opts Options) error {
	opts = opts.orDefaults()
	brief := len(r.Sources) > 1 && !opts.Details
	legend := reproduceLegend(r)
	if brief {
		legend = briefLegend(r)
	}
	if err := footnotes(w, append(legend, ""), nil, opts.Width); err != nil {
		return err
	}
	for _, s := range r.Sources {
		if brief {
			if err := briefText(w, &s, opts); err != nil {
				return err
			}
			continue
		}
		if err := sourceText(w, s, opts); err != nil {
			return err
		}
	}
	return nil
}

// reproduceLegend says how to read the tables.
func reproduceLegend(r *reproduce.Reproduction) []string {
	run := r.Results.Run
	lines := []string{
		"published: the figures of the source's authors, on their machine. A dash is a figure that the document does not have.",
		"here: the source's benchmark by the source's method, faults included, on this machine: the median of its rounds and how far the furthest is; ±? is a single round.",
		"corrected: the workload's data through assay's engine (a source's remarks say where they differ): round trip verified, decoding read in full, only the operation timed, with the 95% interval.",
		"ratio: the time over that of the library which the source shows as the fastest at the same operation and size; corrected ones, except of whole values, are paired by round and have a 95% interval, the others divide two times.",
		hostLine(r.Results),
	}
	if r.Wholes != nil {
		lines = append(lines, "whole values, where a size takes too much memory for the other rows, are of run "+r.Wholes.Run.ID)
		if there := r.Wholes.Run.Host; processors(there) != processors(run.Host) || there.OS != run.Host.OS || there.Arch != run.Host.Arch {
			lines = append(lines, "the whole values are of another machine ("+processors(there)+"): compare them with one another, not with the column here")
		}
	}
	if run.Plan.Quick {
		lines = append(lines, "a quick run: few rounds, wide intervals, and slow rows left out with their reason")
	}
	return slices.Concat(lines, summary(r.Results), warned(r.Results))
}

// briefLegend says how to read the tables of several sources.
func briefLegend(r *reproduce.Reproduction) []string {
	return slices.Concat([]string{
		"time relative to the library that the source shows as the fastest: the geometric mean over the rows that all methods have",
		"published: by the source's authors, on their machine; here: by their method, faults included, on this machine; corrected: the same data through assay's engine, verified",
		"every row, with its interval: assay reproduce SOURCE, or --details",
		hostLine(r.Results),
	}, summary(r.Results), warned(r.Results))
}

// hostLine names the run, its host and its toolchain.
func hostLine(r *analysis.Results) string {
	run := r.Run
	h := run.Host
	return strings.Join([]string{"run " + run.ID, processors(h), h.OS + "/" + h.Arch, run.Build.Go}, ", ")
}

// processors names the CPU of a host, where that is known, and says how many there are.
func processors(h result.Host) string {
	n := phrase.Count(h.CPUs, "CPU")
	if h.CPU == "" {
		return n
	}
	return h.CPU + ", " + n
}

// sourceText writes one source.
func sourceText(w io.Writer, s reproduce.Source, opts Options) error {
	t := &texttab.Table{Limit: opts.Width}
	t.Row().Rest(s.ID+": "+s.Title, texttab.Styled(texttab.Bold))
	if opts.Details {
		t.Row()
		for _, line := range sourceFacts(s) {
			t.Row().Cell(line[0], texttab.Styled(texttab.Dim)).Rest(line[1])
		}
	}
	if err := t.Format(w, opts.Color); err != nil {
		return err
	}
	for i := range s.Tables {
		if _, err := fmt.Fprintf(w, "\n%s\n\n", plaintext.Line(s.ID+" · "+s.Tables[i].Title)); err != nil {
			return err
		}
		if err := tableText(w, &s.Tables[i], opts); err != nil {
			return err
		}
		c := tableChart(s, &s.Tables[i])
		if c == nil || !opts.Details {
			continue
		}
		fmt.Fprintln(w)
		if err := c.WriteText(w, opts.Width, opts.Color); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// briefText writes a source in one table, with a block of columns for each op. If the table is
// too wide, it writes one table for each op.
func briefText(w io.Writer, s *reproduce.Source, opts Options) error {
	b := s.Brief()
	t := &texttab.Table{Limit: opts.Width}
	t.Row().Rest(s.ID+": "+s.Title, texttab.Styled(texttab.Bold))
	if len(b.Ops) == 0 {
		t.Row().Rest("no two methods have a ratio of the same row: assay reproduce "+s.ID+" prints its rows", texttab.Styled(texttab.Dim))
	}
	var all []int
	for i := range b.Ops {
		all = append(all, i)
	}
	var text strings.Builder
	if err := briefTable(b, all, opts).Format(&text, opts.Color); err != nil {
		return err
	}
	if widest(text.String()) > opts.Width {
		text.Reset()
		for i := range b.Ops {
			if err := briefTable(b, []int{i}, opts).Format(&text, opts.Color); err != nil {
				return err
			}
		}
	}
	if err := t.Format(w, opts.Color); err != nil {
		return err
	}
	return plaintext.WriteTrusted(w, text.String()+"\n")
}

// briefTable returns the table of some ops of a source. ops are indices of b.Ops.
func briefTable(b reproduce.Brief, ops []int, opts Options) *texttab.Table {
	t := &texttab.Table{Limit: opts.Width}
	if len(ops) == 0 {
		return t
	}
	t.Row().Cell("")
	for _, i := range ops {
		t.Span(len(reproduce.Methods)+1, string(b.Ops[i]), texttab.Center)
	}
	t.Row().Cell("library")
	for range ops {
		for _, m := range reproduce.Methods {
			t.Cell(methodNames[m], texttab.Right)
		}
		t.Cell("rows", texttab.Right)
	}
	for _, l := range b.Libraries {
		if !slices.ContainsFunc(ops, func(i int) bool { return l.Means[i].All > 0 }) {
			continue
		}
		t.Row().Cell(l.Library)
		for _, i := range ops {
			mean := l.Means[i]
			for _, v := range mean.Ratios {
				text := ratio(v)
				if v.Blank() && mean.All > 0 {
					text = "-"
				}
				t.Cell(text, texttab.Right)
			}
			t.Cell(rowsOf(mean), texttab.Right)
		}
	}
	return t
}

// rowsOf says how many rows a mean covers: "3 of 5", or "5" for all.
func rowsOf(m reproduce.Mean) string {
	if m.All == 0 {
		return ""
	}
	if m.Rows == m.All {
		return strconv.Itoa(m.Rows)
	}
	return fmt.Sprintf("%d of %d", m.Rows, m.All)
}

// sourceFacts returns the known facts about a source, each with a heading.
func sourceFacts(s reproduce.Source) [][2]string {
	var facts [][2]string
	for _, f := range [][2]string{{"from", s.Where}, {"with", s.With}, {"method", s.Method}, {"remarks", s.Text}} {
		if strings.TrimSpace(f[1]) != "" {
			facts = append(facts, f)
		}
	}
	return facts
}

// tableText writes a table in the layout that fits the width.
func tableText(w io.Writer, t *reproduce.Table, opts Options) error {
	var text strings.Builder
	if err := stacked(t, opts).Format(&text, opts.Color); err != nil {
		return err
	}
	if widest(text.String()) <= opts.Width {
		return plaintext.WriteTrusted(w, text.String())
	}
	var notes texttab.Notes
	for i, metric := range reproduce.Metrics {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := block(t, metric, &notes).Format(w, opts.Color); err != nil {
			return err
		}
	}
	return footnotes(w, nil, notes.Texts(), opts.Width)
}

// widest returns the width of the widest line, in cells. Escape sequences for colour do not
// count.
func widest(text string) int {
	most := 0
	for line := range strings.Lines(text) {
		for {
			before, after, ok := strings.Cut(line, "\x1b[")
			if !ok {
				break
			}
			_, after, _ = strings.Cut(after, "m")
			line = before + after
		}
		most = max(most, texttab.Width(line))
	}
	return most
}

// stacked lays out a table with the source's columns. Each row of the source's table becomes one
// line for each method.
func stacked(t *reproduce.Table, opts Options) *texttab.Table {
	out := &texttab.Table{Limit: opts.Width}
	var notes texttab.Notes
	out.Row().Cell("").Cell("")
	for i, metric := range reproduce.Metrics {
		out.Cell(metricHeads[metric], texttab.Right)
		if i == 0 {
			out.Cell("ratio", texttab.Right)
		}
	}
	label := ""
	for i := range t.Rows {
		r := &t.Rows[i]
		if i == 0 || r.Label != label {
			label = r.Label
			out.Row().Rest(label, texttab.Styled(texttab.Bold))
		}
		for _, m := range reproduce.Methods {
			library := ""
			if m == reproduce.Published {
				library = libraryOf(r, &notes)
			}
			out.Row().Cell("  " + library).Cell(methodNames[m])
			if v, ok := silent(r, m); ok {
				out.Rest(because(v), texttab.Styled(texttab.Dim))
				continue
			}
			for k, metric := range reproduce.Metrics {
				out.Cell(reproduced(r.Number(metric, m), metric, &notes), texttab.Right)
				if k == 0 {
					out.Cell(ratio(r.Ratio(m)), texttab.Right)
				}
			}
		}
	}
	for i, text := range notes.Texts() {
		out.Row().Rest(texttab.Superscript(i+1) + " " + text)
	}
	return out
}

// silent reports whether the method has no number at all for the row, and returns a value with
// the reason.
func silent(r *reproduce.Row, m reproduce.Method) (reproduce.Value, bool) {
	first := r.Number(reproduce.Metrics[0], m)
	if first.Reason == "" {
		return first, false
	}
	for _, metric := range reproduce.Metrics {
		if v := r.Number(metric, m); v.Number != nil || v.Reason != first.Reason {
			return first, false
		}
	}
	return first, true
}

// because says why there is no number.
func because(v reproduce.Value) string {
	if strings.HasPrefix(v.Reason, "not measured") {
		return v.Reason
	}
	return string(v.Status) + ": " + v.Reason
}

// block lays out the table of one metric.
func block(t *reproduce.Table, metric string, notes *texttab.Notes) *texttab.Table {
	out := &texttab.Table{}
	out.Row().Cell(metricHeads[metric])
	for _, m := range reproduce.Methods {
		out.Cell(methodNames[m], texttab.Right)
	}
	if metric == analysis.Time {
		out.Span(3, "ratios", texttab.Center)
	}
	label := ""
	for i := range t.Rows {
		r := &t.Rows[i]
		if i == 0 || r.Label != label {
			label = r.Label
			out.Row().Rest(label, texttab.Styled(texttab.Bold))
		}
		out.Row().Cell("  " + libraryOf(r, notes))
		for _, m := range reproduce.Methods {
			out.Cell(reproduced(r.Number(metric, m), metric, notes), texttab.Right)
		}
		if metric == analysis.Time {
			for _, m := range reproduce.Methods {
				out.Cell(ratio(r.Ratio(m)), texttab.Right)
			}
		}
	}
	return out
}

// libraryOf returns the library of a row, with a footnote mark if there is a note about the row.
func libraryOf(r *reproduce.Row, notes *texttab.Notes) string {
	if r.Note == "" {
		return r.Library
	}
	return r.Library + notes.Mark(r.Note)
}

// reproduced formats one number of a table. A time is rounded for reading. A count has all
// digits, so that a reader can compare it with the published one. If there is no number,
// reproduced returns the status, with a footnote for the reason.
func reproduced(v reproduce.Value, metric string, notes *texttab.Notes) string {
	switch {
	case v.Blank():
		return "-"
	case v.Number == nil:
		return string(v.Status) + notes.Mark(v.Reason)
	case metric != analysis.Time:
		return whole(v.Number.Value)
	case v.Status == "": // published
		return phrase.Nanoseconds(v.Number.Value)
	}
	text := MeasureText(*v.Number)
	if v.Reason != "" { // it says how the number was made, or why it is no more precise
		text += notes.Mark(v.Reason)
	}
	return text
}

// ratio formats a ratio of times, with the width of its interval if it has one.
func ratio(v reproduce.Value) string {
	switch {
	case v.Number == nil:
		return ""
	case v.Number.Value == 1:
		return "1×"
	}
	text, decimals := phrase.Digits(v.Number.Value)
	if decimals == 0 {
		text = whole(math.Round(v.Number.Value))
	}
	text += "×"
	if v.Number.Lo < v.Number.Hi {
		text += " " + plusMinus(*v.Number)
	}
	return text
}

// whole formats a count with commas between thousands. It has decimals only if the count is not
// whole.
func whole(v float64) string {
	text := CountText(v)
	digits, rest, _ := strings.Cut(text, ".")
	if rest != "" {
		rest = "." + rest
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return text
	}
	return phrase.Grouped(n) + rest
}
