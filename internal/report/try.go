package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/guess"
	"assay/internal/infer"
	"assay/internal/phrase"
	"assay/internal/plaintext"
	"assay/internal/texttab"
	"assay/result"
)

// A Try is a run on a user's own records, with the answer.
type Try struct {
	Results *analysis.Results
	Answer  *answer.Answer
	Data    TryData
	// Tables asks for the tables that the answer rests on, besides the answer.
	Tables bool
	// Again is the command that prints the answer with its tables.
	Again string
}

// TryData says what the records are.
type TryData struct {
	result.Data
	// Root is the message of the records.
	Root string `json:"root"`
	// Guesses are what was guessed of the schema.
	Guesses []guess.Guess `json:"guesses"`
	Notes   []string      `json:"notes"`
	// Schema is in its text form.
	Schema string `json:"schema"`
	// Spelling is how records of JSON write what the schema says otherwise; nil: they
	// are none.
	Spelling *infer.Spelling `json:"spelling,omitempty"`
	// Proto is the .proto file that the records are messages of; nil: they are none.
	Proto *TryProto `json:"proto,omitempty"`
	// Messages and Fields count what the schema has.
	Messages int `json:"messages"`
	Fields   int `json:"fields"`
}

// A TryProto is a .proto file whose messages the records are.
type TryProto struct {
	// Message is the full name of the records' message.
	Message string `json:"message"`
	// Files are those that were named, as imports name them.
	Files []string `json:"files"`
}

// TryFormats are all formats of a run on a user's own records.
var TryFormats = []FormatOf[*Try]{
	{"text", "the answer and its tables, for a terminal", TryText},
	{"json", "every row, the answer, the guesses and the schema; a stable, versioned contract", plain(TryJSON)},
	{"csv", "one line a row, with the fields of json", rowsOnly(CSV)},
	{"md", "the answer and its tables as Markdown", plain(TryMarkdown)},
	{"gobench", "the Go benchmark format, which benchstat reads", rowsOnly(GoBench)},
}

// rowsOnly makes a format of a try of one that has rows only.
func rowsOnly(write func(io.Writer, *analysis.Results) error) func(io.Writer, *Try, Options) error {
	return func(w io.Writer, t *Try, _ Options) error { return write(w, t.Results) }
}

// TryText writes the answer, which takes at most a screen, or the answer in full
// with the tables that it rests on. No line is longer than the terminal is wide.
func TryText(w io.Writer, t *Try, opts Options) error {
	opts = opts.orDefaults()
	if t.Tables {
		return t.writeAll(w, opts)
	}
	for fit := full; ; fit++ {
		var b strings.Builder
		if err := t.writeScreen(&b, Options{Width: opts.Width}, fit); err != nil {
			return err
		}
		if fit == barest || strings.Count(b.String(), "\n") <= screenLines {
			return t.writeScreen(w, opts, fit)
		}
	}
}

// screenLines is how many lines the answer takes at most, on a terminal of 100
// columns or more.
const screenLines = 40

// A fit is how much of the answer is written, so that it takes a screen.
type fit int

const (
	full     fit = iota
	fewer        // a single guess
	tight        // nor what was passed over, nor numbers of the front
	tightest     // nor the names of what was not measured, nor costs but of the first
	barest       // nor a guess, nor what is as small as the smallest
)

// writeScreen writes the answer.
func (t *Try) writeScreen(w io.Writer, opts Options, fit fit) error {
	if err := paragraphs(w, t.head(), opts.Width); err != nil {
		return err
	}
	if err := paragraphs(w, t.lead(), opts.Width); err != nil {
		return err
	}
	if err := writePoints(w, t.points(fit), opts); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	if g := t.briefCost(fit); len(g.rows) > 0 {
		if err := g.write(w, opts); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return writePoints(w, slices.Concat(t.brieflyLeftOut(fit), t.topGuesses(fit), t.words()), opts)
}

// writeAll writes the answer and its tables.
func (t *Try) writeAll(w io.Writer, opts Options) error {
	if err := paragraphs(w, t.head(), opts.Width); err != nil {
		return err
	}
	if err := paragraphs(w, t.lead(), opts.Width); err != nil {
		return err
	}
	if err := writePoints(w, t.points(full), opts); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	for _, g := range []*grid{t.ranking(), t.cost()} {
		if len(g.rows)+len(g.below) == 0 {
			continue
		}
		if err := g.write(w, opts); err != nil {
			return err
		}
	}
	if err := t.guesses(w, opts); err != nil {
		return err
	}
	return footnotes(w, t.legend(), nil, opts.Width)
}

// writePoints writes points, each below the one before.
func writePoints(w io.Writer, points []Point, opts Options) error {
	for _, p := range points {
		t := &texttab.Table{Limit: opts.Width}
		if p.Title == "" {
			t.Row().Rest(p.Text)
		} else {
			t.Row().Cell(p.Title+":", texttab.Styled(texttab.Bold)).Rest(p.Text, texttab.Margin(" "), texttab.Hang(4))
		}
		tables := []*texttab.Table{t}
		for _, line := range p.Below {
			t := &texttab.Table{Limit: opts.Width}
			t.Row().Rest(line, texttab.Margin("    "), texttab.Hang(6))
			tables = append(tables, t)
		}
		for _, t := range tables {
			if err := t.Format(w, opts.Color); err != nil {
				return err
			}
		}
	}
	return nil
}

// TryMarkdown writes the answer and its tables as Markdown.
func TryMarkdown(w io.Writer, t *Try) error {
	var b strings.Builder
	for _, line := range slices.Concat(t.head(), t.lead()) {
		fmt.Fprintf(&b, "%s\n\n", escape(line))
	}
	for _, p := range t.points(full) {
		if p.Title == "" {
			fmt.Fprintf(&b, "%s\n\n", escape(p.Text))
			continue
		}
		fmt.Fprintf(&b, "- **%s:** %s\n", escape(p.Title), escape(p.Text))
		for _, l := range p.Below {
			fmt.Fprintf(&b, "  - %s\n", escape(l))
		}
	}
	b.WriteString("\n")
	for _, g := range []*grid{t.ranking(), t.cost()} {
		if len(g.rows)+len(g.below) > 0 {
			g.markdown(&b)
		}
	}
	listed, others := guess.Listed(t.Data.Guesses)
	for _, g := range listed {
		fmt.Fprintf(&b, "- guessed: %s is %s\n", plaintext.Code(g.Path), escape(g.String()))
	}
	if others != "" {
		fmt.Fprintf(&b, "- guessed: %s\n", others)
	}
	for _, text := range t.legend() {
		fmt.Fprintf(&b, "- %s\n", escape(text))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// head says what was measured and how far it can be trusted.
func (t *Try) head() []string {
	d := t.Data
	text := fmt.Sprintf("%s: %s, %s; the schema has %s and %s", strings.Join(d.Files, ", "), phrase.Count(d.Records, "record"), bytes(float64(d.Bytes)),
		phrase.Count(d.Messages, "message"), phrase.Count(d.Fields, "field"))
	if int64(d.Measured) < d.Records {
		text += fmt.Sprintf("; timed: %s, spread evenly", phrase.Count(d.Measured, "record"))
	}
	lines := append([]string{text}, d.Notes...)
	if t.Tables {
		return append(lines, summary(t.Results)...)
	}
	size := jsonLines(t.Results.JSON)
	if n := len(size) - mostJSONLines; n > 0 {
		size = append(size[:mostJSONLines:mostJSONLines], fmt.Sprintf("%s more: %s", phrase.Count(n, "line"), t.Again))
	}
	lines = append(lines, size...)
	if text := trust(t.Results); text != "" {
		lines = append(lines, text)
	}
	return lines
}

// mostJSONLines is how many lines a screen has of how far the JSON that is measured
// is the user's: the sizes and what makes most of the difference.
const mostJSONLines = 3
