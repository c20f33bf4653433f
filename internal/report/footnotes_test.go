package report

import (
	"strings"
	"testing"

	"assay/internal/analysis"
)

// The tables of a try mark the rows that have a footnote, and those of a service the rows whose
// CPU times have one.
func TestRowFootnotes(t *testing.T) {
	try := tried()
	try.Tables = true
	for i := range try.Results.Tables[0].Rows {
		row := &try.Results.Tables[0].Rows[i]
		if row.Case.Contender != "protobuf" && row.Case.Contender != "msgp" {
			continue
		}
		switch row.Metric {
		case analysis.Time:
			row.Warnings = append(row.Warnings, analysis.Warning{Kind: analysis.AcrossProcesses, Text: "across processes"})
		case analysis.CPUTime:
			row.Warnings = append(row.Warnings, analysis.Warning{Kind: analysis.OneLayout, Text: "one layout of CPU times"})
		}
	}
	var text, md, service strings.Builder
	if err := TryText(&text, try, Options{Width: 200}); err != nil {
		t.Fatal(err)
	}
	if err := TryMarkdown(&md, try); err != nil {
		t.Fatal(err)
	}
	if err := Text(&service, try.Results, Options{Tables: true, Width: 200}); err != nil {
		t.Fatal(err)
	}
	for name, form := range map[string]string{"text": text.String(), "Markdown": md.String()} {
		mark := ""
		for line := range strings.Lines(form) {
			if before, ok := strings.CutSuffix(strings.TrimSpace(line), " across processes"); ok {
				mark = strings.TrimPrefix(before, "- ")
			}
		}
		marked := false
		for line := range strings.Lines(form) {
			marked = marked || mark != "" && strings.Contains(line, "protobuf") && strings.Contains(line, mark)
		}
		if !marked || !strings.Contains(form, "loses: the instant survives") {
			t.Errorf("%s has the mark %q, on a row: %t:\n%s", name, mark, marked, form)
		}
	}
	if !strings.Contains(service.String(), "one layout of CPU times") {
		t.Errorf("nothing is said of CPU times:\n%s", &service)
	}
	part := CellPart(&try.Results.Tables[0]).Service
	if len(part.Below) != 1 || part.Below[0] != "¹ one layout of CPU times" || part.Columns[3].Title != "" {
		t.Errorf("the page's part has %q below the columns %v", part.Below, part.Columns)
	}
}
