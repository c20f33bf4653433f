package report

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"assay/internal/analysis"
	"assay/internal/chart"
	"assay/internal/outfile"
	"assay/internal/phrase"
	"assay/internal/plaintext"
	"assay/published/reproduce"
	"assay/published/sources"
)

// A chartFile is a chart with the name of its file.
type chartFile struct {
	name  string
	chart *chart.Chart
}

// reproduceCharts returns the charts of the tables that have one.
func reproduceCharts(r *reproduce.Reproduction) []chartFile {
	var files []chartFile
	for _, s := range r.Sources {
		for i := range s.Tables {
			if c := tableChart(s, &s.Tables[i]); c != nil {
				files = append(files, chartFile{chartName(s, &s.Tables[i]), c})
			}
		}
	}
	return files
}

func chartName(s reproduce.Source, t *reproduce.Table) string { return s.ID + "-" + t.ID + ".svg" }

// tableChart draws the metric that the table names for its chart. It returns nil if the table
// names none.
func tableChart(s reproduce.Source, t *reproduce.Table) *chart.Chart {
	metric, ok := analysis.MetricNamed(t.Chart)
	if !ok {
		return nil
	}
	c := &chart.Chart{
		Title: s.ID + ": " + t.Title,
		Text: fmt.Sprintf("Bars of %s for the %d rows of this table: as published, by the source's method here, and corrected by assay, with the interval of each measurement. The table has the numbers.",
			metric.Title, len(t.Rows)),
		Axis: metric.Title, Tick: func(v float64) string { return tick(v, metric) },
	}
	for _, m := range reproduce.Methods {
		c.Series = append(c.Series, methodNames[m])
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		g := chart.Group{Head: r.Label, Label: r.Library}
		for _, m := range reproduce.Methods {
			g.Bars = append(g.Bars, bar(r.Number(metric.Name, m), metric))
		}
		c.Groups = append(c.Groups, g)
	}
	return c
}

// bar returns the bar of one number.
func bar(v reproduce.Value, metric analysis.Metric) chart.Bar {
	switch {
	case v.Blank():
		return chart.Missing("not published")
	case v.Number == nil:
		return chart.Missing(because(v))
	}
	b := chart.Value(v.Number.Value, plainNumber(v.Number.Value, metric))
	if v.Number.Bounded() {
		b.Lo, b.Hi = v.Number.Lo, v.Number.Hi
	}
	return b
}

// plainNumber formats a value of a metric, without an interval.
func plainNumber(v float64, metric analysis.Metric) string {
	switch metric.Unit {
	case "ns":
		if v == 0 || math.IsNaN(v) {
			return "0"
		}
		return phrase.Nanoseconds(v)
	case "B":
		if v < 1e6 { // short enough to be exact
			return whole(v) + " B"
		}
		return BytesText(v)
	}
	return whole(v)
}

// tick formats a round value of an axis.
func tick(v float64, metric analysis.Metric) string {
	if v == 0 {
		return "0"
	}
	text := plainNumber(v, metric)
	if metric.Unit == "B" {
		text = BytesText(v)
	}
	number, unit, _ := strings.Cut(text, " ")
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return strings.TrimSpace(number + " " + unit)
}

// csvName returns the name of the file with the rows of a source.
func csvName(source string) string { return source + ".csv" }

// CheckReproduceFiles checks, before there is a reproduction, that the files of ReproduceFiles can
// probably be written to a directory.
func CheckReproduceFiles(dir string, all []sources.Source) error {
	var names []string
	for _, s := range all {
		names = append(names, csvName(s.ID))
	}
	return outfile.CheckDir(dir, names...)
}

// ReproduceFiles returns the charts of a reproduction as SVG, and a CSV file for each source.
func ReproduceFiles(r *reproduce.Reproduction) ([]outfile.File, error) {
	var files []outfile.File
	var errs []error
	add := func(name string, write func(io.Writer) error) {
		var data strings.Builder
		errs = append(errs, write(plaintext.NewWriter(&data)))
		files = append(files, outfile.File{Name: name, Data: []byte(data.String())})
	}
	for _, c := range reproduceCharts(r) {
		add(c.name, func(w io.Writer) error { return c.chart.WriteSVG(w) })
	}
	for _, s := range r.Sources {
		one := &reproduce.Reproduction{Results: r.Results, Sources: []reproduce.Source{s}}
		add(csvName(s.ID), func(w io.Writer) error { return ReproduceCSV(w, one) })
	}
	return files, errors.Join(errs...)
}
