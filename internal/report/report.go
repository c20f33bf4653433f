// Package report writes the numbers of a run: as tables for a terminal, as
// Markdown, CSV and JSON, and in the Go benchmark format. It computes no
// statistics and decides nothing about the terminal: colour and width are asked
// of it.
package report

import (
	"io"

	"assay/contender"
	"assay/internal/analysis"
	"assay/result"
)

// Options are how a report for people looks. Formats for machines ignore them.
type Options struct {
	Color bool
	// Width is the terminal's width in cells, at which sentences are broken, and which
	// tables leave columns out to fit. 0 is 100 for what no terminal shows: tables are then
	// as wide as they are.
	Width int
	// Files is the directory of the files that belong to a report, as a path from
	// where the report is; formats without files ignore it.
	Files string
	// Tables asks for every table of a run. Without it a run of three tables or more
	// is shown as an overview, where one can be made.
	Tables bool
	// Details asks reproduced tables for their charts and what is known of their sources.
	Details bool
	// Typical says which size of a workload an overview shows. Nil: the first.
	Typical func(result.Cell) bool
	// About describes a contender, for what it takes to use it; nil where there is no
	// such contender. A nil function: it is not said.
	About func(name string) *contender.Contender

	// open says that no terminal shows it.
	open bool
}

// A FormatOf is one way to write a T.
type FormatOf[T any] struct {
	// Name is the value of --format.
	Name string
	// Text says what it is for.
	Text  string
	Write func(io.Writer, T, Options) error
}

// A Format is one way to write the numbers of a run.
type Format = FormatOf[*analysis.Results]

// Formats are all formats of a run. The first is the default, as in the lists
// below.
var Formats = []Format{
	{"text", "tables for a terminal", Text},
	{"json", "every row with its interval; a stable, versioned contract", JSON},
	{"csv", "one line a row, with the fields of json", plain(CSV)},
	{"md", "Markdown tables for a README or a pull request", Markdown},
	{"gobench", "the Go benchmark format, which benchstat reads", plain(GoBench)},
}

// RankFormats are all formats of a standing.
var RankFormats = []FormatOf[*analysis.Standing]{
	{"text", "tables for a terminal", RankText},
	{"json", "every cell's order with letters and differences; a stable, versioned contract", plain(RankJSON)},
	{"md", "Markdown tables for a README or a pull request", plain(RankMarkdown)},
}

// CompareFormats are all formats of a comparison.
var CompareFormats = []FormatOf[*analysis.Comparison]{
	{"text", "tables for a terminal", CompareText},
	{"json", "every row with its change; a stable, versioned contract", plain(CompareJSON)},
	{"md", "Markdown tables for a README or a pull request", plain(CompareMarkdown)},
}

// FormatNamed returns the format of a run of that name.
func FormatNamed(name string) (Format, bool) { return Named(Formats, name) }

// Named returns the format of that name.
func Named[T any](formats []FormatOf[T], name string) (FormatOf[T], bool) {
	for _, f := range formats {
		if f.Name == name {
			return f, true
		}
	}
	return FormatOf[T]{}, false
}

// plain makes a Format's Write of a function without options.
func plain[T any](write func(io.Writer, T) error) func(io.Writer, T, Options) error {
	return func(w io.Writer, v T, _ Options) error { return write(w, v) }
}
