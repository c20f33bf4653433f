package report

import (
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"assay/internal/texttab"
	"assay/published/reproduce"
)

// ReproduceMarkdown writes the tables as a page, with the columns of the source. Each row has
// three lines, one for each method. The charts are links to files in the directory Options.Files, if there is one.
func ReproduceMarkdown(w io.Writer, r *reproduce.Reproduction, opts Options) error {
	var b strings.Builder
	command, runs := "assay reproduce", "the stored run "+escape(r.Results.Run.ID)
	for _, s := range r.Sources {
		command += " " + s.ID
	}
	command += " --run RUN"
	if r.Wholes != nil {
		command += " --whole WHOLE"
		runs = fmt.Sprintf("the stored runs %s and %s", escape(r.Results.Run.ID), escape(r.Wholes.Run.ID))
	}
	title := "The published tables, again"
	if len(r.Sources) == 1 {
		title = "The published tables of " + r.Sources[0].ID + ", again"
	}
	fmt.Fprintf(&b, "# %s\n\nThis page is what `%s --format md --out DIR` prints of %s.\n\n", escape(title), command, runs)
	for _, line := range reproduceLegend(r) {
		fmt.Fprintf(&b, "- %s\n", paragraph(line))
	}
	for _, s := range r.Sources {
		fmt.Fprintf(&b, "\n## %s: %s\n\n", escape(s.ID), escape(s.Title))
		for _, fact := range sourceFacts(s) {
			fmt.Fprintf(&b, "- **%s** %s\n", fact[0], escape(fact[1]))
		}
		for i := range s.Tables {
			t := &s.Tables[i]
			fmt.Fprintf(&b, "\n### %s · %s\n\n", escape(s.ID), escape(t.Title))
			tableMarkdown(&b, t)
			if c := tableChart(s, t); c != nil && opts.Files != "" {
				fmt.Fprintf(&b, "\n![%s. %s](%s)\n", escape(c.Title), escape(c.Text), linkTo(path.Join(opts.Files, chartName(s, t))))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// linkTo returns a path as the destination of a Markdown link, which must not contain spaces.
func linkTo(file string) string { return (&url.URL{Path: file}).EscapedPath() }

// tableMarkdown writes a table and its notes.
func tableMarkdown(b *strings.Builder, t *reproduce.Table) {
	var notes texttab.Notes
	head, rule := "| | library | |", "|:--|:--|:--|"
	for k, metric := range reproduce.Metrics {
		head, rule = head+" "+metricHeads[metric]+" |", rule+"--:|"
		if k == 0 {
			head, rule = head+" ratio |", rule+"--:|"
		}
	}
	fmt.Fprintf(b, "%s\n%s\n", head, rule)
	for i := range t.Rows {
		r := &t.Rows[i]
		cells := []string{escape(r.Label), escape(libraryOf(r, &notes))}
		columns := make([][]string, 2+len(reproduce.Metrics)) // each has one line for each method
		for _, m := range reproduce.Methods {
			texts := []string{methodNames[m]}
			for k, metric := range reproduce.Metrics {
				texts = append(texts, reproduced(r.Number(metric, m), metric, &notes))
				if k == 0 {
					texts = append(texts, ratio(r.Ratio(m)))
				}
			}
			for k, text := range texts {
				columns[k] = append(columns[k], escape(text))
			}
		}
		for _, lines := range columns {
			cells = append(cells, strings.Join(lines, "<br>"))
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
	for i, text := range notes.Texts() {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "- %s %s\n", texttab.Superscript(i+1), escape(text))
	}
}
