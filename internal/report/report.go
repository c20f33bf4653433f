// Package report writes the numbers of a run: as tables for a terminal, as
// Markdown, CSV and JSON, and in the Go benchmark format. It computes no
// statistics and decides nothing about the terminal: colour and width are asked
// of it.
package report

import (
	"io"

	"assay/internal/analysis"
)

// Options are how a report for people looks. Formats for machines ignore them.
type Options struct {
	Color bool
	// Width is the terminal's width in cells, at which sentences are broken.
	// Tables are not. 0 is 100.
	Width int
}

// A Format is one way to write the numbers of a run.
type Format struct {
	// Name is the value of --format.
	Name string
	// Text says what it is for.
	Text  string
	Write func(io.Writer, *analysis.Results, Options) error
}

// Formats are all formats. The first is the default.
var Formats = []Format{
	{"text", "tables for a terminal", Text},
	{"json", "every row with its interval; a stable, versioned contract", plain(JSON)},
	{"csv", "one line a row, with the fields of json", plain(CSV)},
	{"md", "Markdown tables for a README or a pull request", plain(Markdown)},
	{"gobench", "the Go benchmark format, which benchstat reads", plain(GoBench)},
}

// FormatNamed returns the format of that name.
func FormatNamed(name string) (Format, bool) {
	for _, f := range Formats {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// plain makes a Format's Write of a function without options.
func plain(write func(io.Writer, *analysis.Results) error) func(io.Writer, *analysis.Results, Options) error {
	return func(w io.Writer, r *analysis.Results, _ Options) error { return write(w, r) }
}
