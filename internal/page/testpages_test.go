package page

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/report"
	"assay/result"
)

// TestPages writes the pages for the browser test to the directory that ASSAY_PAGES names.
func TestPages(t *testing.T) {
	dir := os.Getenv("ASSAY_PAGES")
	if dir == "" {
		t.Skip("ASSAY_PAGES names no directory")
	}
	put := func(name string, s *Source) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(write(t, s)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	full := func(run string) *Source {
		s := source(t, run)
		s.Contenders = contenders.All()
		return s
	}
	put("readme.html", full("../../docs/evidence/readme-run"))
	put("claims-run.html", full("../../docs/evidence/claims-run"))
	put("reproduction-run.html", full("../../docs/evidence/reproduction-sizes-run"))
	put("quick.html", full(runs+"passes"))
	put("try.html", full(runs+"try"))
	put("published.html", full(runs+"reproduce"))
	put("versions.html", OfComparison(versions(t)))
	put("failures.html", failures())
	if err := os.WriteFile(filepath.Join(dir, "many.html"), []byte(many(t, full("../../docs/evidence/readme-run"), 400)), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, name := range hostile {
		put(fmt.Sprintf("hostile-%d.html", i), renamed(t, name))
	}
	var b bytes.Buffer
	if err := report.JSON(&b, full(runs+"passes").Results, report.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "quick.json"), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// failures returns a run in which no case has a number.
func failures() *Source {
	run := &result.Run{Schema: result.RunSchema, ID: "20260101-000000-abcd"}
	run.Plan.Reference = "encoding/json"
	var records []result.Record
	for _, name := range []string{"encoding/json", "msgp"} {
		c := result.Case{Workload: "movie", Size: "record=one", Contender: name, Op: result.Encode}
		run.Plan.Cases = append(run.Plan.Cases, c)
		records = append(records, result.Record{Outcome: &result.Outcome{Case: c, Status: result.Panic, Reason: "index out of range <b>"}})
	}
	return &Source{Results: analysis.Of(run, records, analysis.View{}), Records: records, Contenders: abouts}
}

// many returns the page of a run whose ranking has n rows, which repeat the run's rows.
func many(t *testing.T, s *Source, n int) string {
	c, err := compose(s)
	if err != nil {
		t.Fatal(err)
	}
	v := &c.Views[0]
	own := v.Rows
	for i := len(own); i < n; i++ {
		row := own[i%len(own)]
		row.Name += fmt.Sprintf("-%d", i)
		row.Rank = fmt.Sprintf("%d=", i)
		v.Rows = append(v.Rows, row)
	}
	var b bytes.Buffer
	if err := c.write(&b, s.Records); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
