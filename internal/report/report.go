// Package report writes the numbers of a run: as tables for a terminal, as Markdown, CSV and
// JSON, and in the Go benchmark format. It computes no statistics; rulings on claims are
// those of published/claims. The caller decides about colour and width.
package report

import (
	"io"

	"assay/contender"
	"assay/internal/analysis"
	"assay/result"
)

// Options says how a report for people looks. Formats for machines ignore it.
type Options struct {
	Color bool
	// Width is the terminal's width in cells. Sentences wrap at it, and tables leave out columns
	// to fit. 0 means that there is no terminal: sentences wrap at 100 cells, and tables keep
	// the columns that only a terminal drops.
	Width int
	// Files is the directory of the report's files, as a path relative to the report. If it is
	// empty, there are no files, and the report links to none. Formats without files ignore it.
	Files string
	// Tables asks for every table of a run. If it is false, a run of three tables or more is
	// shown as an overview if possible.
	Tables bool
	// Details asks for the charts of reproduced tables and for what is known about their sources.
	Details bool
	// Typical reports whether an overview shows this size of its workload. If it is nil, an
	// overview shows the first size.
	Typical func(result.Cell) bool
	// About describes a contender, so that the report can say what using it requires. It returns
	// nil for an unknown contender. If About is nil, the report does not say it.
	About func(name string) *contender.Contender

	// open says that the output is not for a terminal.
	open bool
}

// A FormatOf is one way to write a T.
type FormatOf[T any] struct {
	// Name is the value of --format.
	Name string
	// Text says what the format is for.
	Text  string
	Write func(io.Writer, T, Options) error
}

// A Format is one way to write the numbers of a run.
type Format = FormatOf[*analysis.Results]

// Formats lists all formats of a run. The first one is the default, as in the lists below.
var Formats = []Format{
	{"text", "tables for a terminal", Text},
	{"json", "every row with its interval; a stable, versioned contract", JSON},
	{"csv", "one line a row, with the fields of json", plain(CSV)},
	{"md", "Markdown tables for a README or a pull request", Markdown},
	{"gobench", "the Go benchmark format, which benchstat reads", plain(GoBench)},
}

// HasOnlyRows reports whether a format of a run has no place for what is true of the whole run, such as
// its warnings.
func HasOnlyRows(format string) bool { return format == "csv" || format == "gobench" }

// RankFormats lists all formats of a standing.
var RankFormats = []FormatOf[*analysis.Standing]{
	{"text", "tables for a terminal", RankText},
	{"json", "every cell's order with letters and differences; a stable, versioned contract", plain(RankJSON)},
	{"md", "Markdown tables for a README or a pull request", plain(RankMarkdown)},
}

// CompareFormats lists all formats of a comparison.
var CompareFormats = []FormatOf[*analysis.Comparison]{
	{"text", "tables for a terminal", CompareText},
	{"json", "every row with its change; a stable, versioned contract", plain(CompareJSON)},
	{"md", "Markdown tables for a README or a pull request", plain(CompareMarkdown)},
}

// Named returns the format with that name.
func Named[T any](formats []FormatOf[T], name string) (FormatOf[T], bool) {
	for _, f := range formats {
		if f.Name == name {
			return f, true
		}
	}
	return FormatOf[T]{}, false
}

// plain converts a function without options to the Write function of a Format.
func plain[T any](write func(io.Writer, T) error) func(io.Writer, T, Options) error {
	return func(w io.Writer, v T, _ Options) error { return write(w, v) }
}
