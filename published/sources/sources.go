// Package sources reads the published figures and the descriptions of published benchmarks.
//
// A source is a published benchmark. Its directory is published/sources/<id>; the id is also the
// name of the workload with the benchmark's data. The directory has the benchmarks by the published
// method, claims.toml (see package claims), and source.toml:
//
//	id = "tick"
//	title = "one line: what it is"
//	where = "where the figures were published"
//	with = "hardware and versions as published, or: not stated"
//	method = "how it measured"
//	text = "what is wrong or limited"
//
//	[[table]]
//	id = "speed"
//	title = "Time to encode"
//	chart = "time"                # the metric to draw; without it no chart
//
//	[[table.row]]
//	label = "BenchmarkMarshallSpeed-4"   # as published
//	library = "proto.Marshal"            # as published
//	benchmark = "encode/payload=published/protobuf"
//	case = { size = "payload=published", contender = "protobuf", op = "encode" }
//	iterations = 10000
//	time = 3273
//	note = "what a reader of the row must know"
//
// Figures have the names of assay's metrics: time in ns, alloc-bytes, allocs and encoded-size, each
// for one operation. A figure that the document does not have is absent. A row without any figure is
// part of the source's matrix that its document leaves out: it has blank = true, and its label is ours.
package sources

import (
	"io/fs"
	"math"
	"strings"

	"assay/internal/tomldoc"
	"assay/result"
)

// Metrics are the metrics of published figures, in the order of the published columns. Their names
// are those of package analysis.
var Metrics = []string{"time", "alloc-bytes", "allocs", "encoded-size"}

// A Source is one published benchmark with its tables.
type Source struct {
	// ID is the name of its directory and of its workload.
	ID string
	// Title says in one line what it is.
	Title string
	// Where says where the figures were published.
	Where string
	// With is the hardware and the versions, as published.
	With string
	// Method says how the source measured.
	Method string
	// Text says what is wrong with the method, or where its limits are.
	Text   string
	Tables []Table
}

// A Table is one published table, or one that the document leaves out.
type Table struct {
	// ID is unique in the source.
	ID    string
	Title string
	// Chart is the metric that is drawn; empty if there is no chart.
	Chart string
	Rows  []Row
}

// A Row is one line of a table.
type Row struct {
	// Label and Library are as published; together they are unique in a table.
	// The label of a blank row is ours.
	Label, Library string
	// Benchmark is the name of the benchmark in the source's Set that measures by the published
	// method; empty if there is none.
	Benchmark string
	// Case is the case that assay measures for the row.
	Case result.Case
	// Iterations is the number of operations of the published benchmark; 0 if it is not stated.
	Iterations int64
	// Figures are the published figures by metric.
	Figures map[string]float64
	// Blank says that the document has nothing for the row.
	Blank bool
	// Note is what a reader of the row must know; usually empty.
	Note string
}

// Blank reports whether the document has no row of the table.
func (t Table) Blank() bool {
	for _, r := range t.Rows {
		if !r.Blank {
			return false
		}
	}
	return true
}

// Set returns the name of the set of a source's benchmarks.
func Set(id string) string { return "sources/" + id }

// Load reads all sources in fsys, a tree that has the directory published, in the order of their
// directories. The error is an errors.Join of everything that is wrong in any file.
func Load(fsys fs.FS) ([]Source, error) {
	return tomldoc.ParseAll(fsys, "published/sources/*/source.toml", Parse)
}

// Parse reads a source.toml. name is its path, for errors; the source's id must be the last
// directory of that path. The error is an errors.Join of *tomldoc.Error with everything that is
// wrong.
func Parse(name string, data []byte) (Source, error) {
	t, err := tomldoc.Parse(name, data)
	if err != nil {
		return Source{}, err
	}
	t.Only("id", "title", "where", "with", "method", "text", "table")
	t.Need("id", "title", "where", "with", "method", "text", "table")
	s := Source{
		ID: t.Text("id"), Title: t.Text("title"), Where: t.Text("where"),
		With: t.Text("with"), Method: t.Paragraph("method"), Text: t.Paragraph("text"),
	}
	t.SameAsDir("id")
	ids := map[string]bool{}
	for _, tt := range t.Tables("table") {
		table := parseTable(tt, s.ID)
		if ids[table.ID] {
			tt.Fail(tt.At("id"), "there is a table %q already", table.ID)
		}
		ids[table.ID] = true
		s.Tables = append(s.Tables, table)
	}
	if err := t.Err(); err != nil {
		return Source{}, err
	}
	return s, nil
}

func parseTable(t tomldoc.Table, workload string) Table {
	t.Only("id", "title", "chart", "row")
	t.Need("id", "title", "row")
	table := Table{ID: t.Text("id"), Title: t.Text("title"), Chart: t.OneOf("chart", "metric", Metrics...)}
	type line struct{ label, library string }
	lines := map[line]bool{}
	for _, rt := range t.Tables("row") {
		r := parseRow(rt, workload)
		l := line{r.Label, r.Library}
		if lines[l] {
			rt.Fail(rt.At("label"), "there is a row %q of %q already", r.Label, r.Library)
		}
		lines[l] = true
		table.Rows = append(table.Rows, r)
	}
	return table
}

func parseRow(t tomldoc.Table, workload string) Row {
	t.Only(append([]string{"label", "library", "benchmark", "case", "iterations", "blank", "note"}, Metrics...)...)
	t.Need("label", "library", "case")
	r := Row{
		Label: t.Text("label"), Library: t.Text("library"), Benchmark: t.String("benchmark"),
		Iterations: t.Integer("iterations", 1, math.MaxInt64),
		Blank:      t.Bool("blank"), Note: t.String("note"),
	}
	for _, m := range Metrics {
		if t.Has(m) {
			if r.Figures == nil {
				r.Figures = map[string]float64{}
			}
			r.Figures[m] = figure(t, m)
		}
	}
	switch {
	case r.Blank && (r.Figures != nil || r.Iterations != 0):
		t.Fail(t.At("blank"), "a blank row has no figures: remove them, or blank")
	case !r.Blank && r.Figures == nil:
		t.Fail(t.Offset(), "the row has no figure: give one of %s, or say blank = true", strings.Join(Metrics, ", "))
	}
	if c, ok := t.Table("case"); ok {
		r.Case = parseCase(c, workload)
		checkBenchmark(t, r)
	}
	return r
}

// figure returns a published figure. Times must be above 0, and counts must be integers.
func figure(t tomldoc.Table, metric string) float64 {
	if metric == "time" {
		v := t.Number(metric, 0, math.MaxFloat64)
		if v == 0 {
			t.Wrong(metric, "more than 0 ns")
		}
		return v
	}
	return float64(t.Integer(metric, 0, 1<<53))
}

func parseCase(t tomldoc.Table, workload string) result.Case {
	t.Only("size", "contender", "mode", "op")
	t.Need("size", "contender", "op")
	ops := make([]string, len(result.Ops))
	for i, op := range result.Ops {
		ops[i] = string(op)
	}
	return result.Case{
		Workload: workload, Size: t.Text("size"), Contender: t.Text("contender"),
		Mode: t.String("mode"), Op: result.Op(t.OneOf("op", "op", ops...)),
	}
}

// checkBenchmark reports an error if a row's benchmark is not that of its case:
// <op>/<size>/<library>.
func checkBenchmark(t tomldoc.Table, r Row) {
	if r.Benchmark == "" {
		return
	}
	want := string(r.Case.Op) + "/" + r.Case.Size + "/"
	if library, ok := strings.CutPrefix(r.Benchmark, want); !ok || library == "" || strings.Contains(library, "/") {
		t.Wrong("benchmark", want+"<library>, as the case has it")
	}
}
